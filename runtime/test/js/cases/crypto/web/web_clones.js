'use strict';
// Keys between threads and in copies; and with node:crypto.
const { subtle } = globalThis.crypto;
const crypto = require('crypto');
const assert = require('assert');
const { once } = require('events');
const { types } = require('util');
const { Worker, MessageChannel, isMainThread, parentPort } = require('worker_threads');

if (!isMainThread) {
  parentPort.once('message', async ({ key, object, pair }) => {
    console.log('worker', key, object.type, object.symmetricKeySize, types.isCryptoKey(key), types.isKeyObject(object));
    const signature = await subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, pair, Buffer.from('x'));
    parentPort.postMessage({ code: await subtle.sign('HMAC', key, Buffer.from('x')), signature });
  });
} else {
  (async () => {
    const key = await subtle.importKey('raw', Buffer.alloc(16, 1), { name: 'HMAC', hash: 'SHA-1' }, false, ['sign']);
    const { publicKey, privateKey } = await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']);
    const copy = structuredClone({ key, list: [key] });
    console.log(copy.key !== key, copy.key === copy.list[0], copy.key);
    assert.deepStrictEqual(copy.key, key);
    assert.notDeepStrictEqual(copy.key, await subtle.importKey('raw', Buffer.alloc(16, 2), { name: 'HMAC', hash: 'SHA-1' }, false, ['sign']));
    assert.notDeepStrictEqual(copy.key, await subtle.importKey('raw', Buffer.alloc(16, 1), { name: 'HMAC', hash: 'SHA-1' }, true, ['sign']));
    const object = crypto.KeyObject.from(key);
    console.log(object.type, object.equals(structuredClone(object)), object.export().toString('hex'));
    console.log(crypto.createSecretKey(Buffer.alloc(16)).toCryptoKey('AES-GCM', true, ['encrypt']));
    console.log(crypto.createHmac('sha1', key).update('x').digest('hex'));
    const error = new QuotaExceededError('full', { quota: 1, requested: 2 });
    const cloned = structuredClone(error);
    console.log(cloned.name, cloned.quota, cloned.requested, cloned instanceof DOMException, Object.prototype.toString.call(error));
    const { port1, port2 } = new MessageChannel();
    port1.postMessage(publicKey);
    console.log('port', (await once(port2, 'message'))[0]);
    port2.close();
    const worker = new Worker(__filename);
    worker.postMessage({ key, object, pair: privateKey });
    worker.once('message', async ({ code, signature }) => {
      console.log(Buffer.from(code).toString('hex'));
      console.log(await subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, publicKey, signature, Buffer.from('x')));
    });
  })();
}
