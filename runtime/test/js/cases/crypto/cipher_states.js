'use strict';
// Ciphers: the allowed order of calls, and the messages of errors.
const crypto = require('crypto');
const key = Buffer.alloc(16, 1);
const iv = Buffer.alloc(16, 2);
const nonce = Buffer.alloc(12, 3);
const show = (label, run) => {
  try {
    const value = run();
    console.log(label, 'ok', Buffer.isBuffer(value) ? value.toString('hex') : typeof value === 'object' ? value?.constructor.name : value);
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
};
show('unknown', () => crypto.createCipheriv('nope', key, iv));
show('name', () => crypto.createCipheriv(5, key, iv));
show('key', () => crypto.createCipheriv('aes-128-cbc', 5, iv));
show('key length', () => crypto.createCipheriv('aes-128-cbc', Buffer.alloc(15), iv));
show('iv', () => crypto.createCipheriv('aes-128-cbc', key, 5));
show('no iv', () => crypto.createCipheriv('aes-128-cbc', key));
show('null iv', () => crypto.createCipheriv('aes-128-cbc', key, null));
show('ecb', () => crypto.createCipheriv('aes-128-ecb', key, null).update(iv));
show('iv length', () => crypto.createCipheriv('aes-128-cbc', key, nonce));
show('tag length', () => crypto.createCipheriv('aes-128-gcm', key, nonce, { authTagLength: 1 }));
show('tag length', () => crypto.createCipheriv('aes-128-gcm', key, nonce, { authTagLength: 'x' }));
show('ccm', () => crypto.createCipheriv('aes-128-ccm', key, nonce));
show('ccm', () => crypto.createCipheriv('aes-128-ccm', key, nonce, { authTagLength: 5 }));
show('ocb', () => crypto.createCipheriv('aes-128-ocb', key, nonce));
show('called', () => crypto.Cipheriv('aes-128-cbc', key, iv));
{
  const cipher = crypto.createCipheriv('aes-128-cbc', key, iv);
  show('update', () => cipher.update(5));
  show('update', () => cipher.update('x', 'hex'));
  show('update', () => cipher.update('0123456789abcdef', 'utf8', 'hex'));
  show('other encoding', () => cipher.update('x', 'utf8', 'base64'));
  show('no encoding', () => cipher.update('x', 'utf8', 'nope'));
  show('tag', () => cipher.getAuthTag());
  show('aad', () => cipher.setAAD(key));
  show('padding', () => cipher.setAutoPadding());
  show('final', () => cipher.final('hex'));
  show('final again', () => cipher.final('hex'));
  show('update after', () => cipher.update('x'));
  show('padding after', () => cipher.setAutoPadding());
}
{
  const cipher = crypto.createCipheriv('aes-128-gcm', key, nonce);
  show('aad', () => cipher.setAAD(Buffer.from('extra')));
  show('tag early', () => cipher.getAuthTag());
  const sealed = Buffer.concat([cipher.update('hello'), cipher.final()]);
  const tag = cipher.getAuthTag();
  show('sealed', () => Buffer.concat([sealed, tag]));
  const open = () => crypto.createDecipheriv('aes-128-gcm', key, nonce).setAAD(Buffer.from('extra'));
  show('opened', () => { const d = open().setAuthTag(tag); return d.update(sealed, null, 'utf8') + d.final('utf8'); });
  show('no tag', () => { const d = open(); d.update(sealed); return d.final(); });
  show('wrong', () => { const d = open().setAuthTag(Buffer.alloc(16)); d.update(sealed); return d.final(); });
  show('short', () => open().setAuthTag(Buffer.alloc(12)));
  show('odd', () => open().setAuthTag(Buffer.alloc(17)));
  show('type', () => open().setAuthTag(5));
  show('twice', () => open().setAuthTag(tag).setAuthTag(tag));
  show('text', () => open().setAuthTag(tag.toString('hex'), 'hex'));
}
show('ccm aad', () => crypto.createCipheriv('aes-128-ccm', key, nonce, { authTagLength: 8 }).setAAD(key));
show('ccm aad', () => crypto.createCipheriv('aes-128-ccm', key, nonce, { authTagLength: 8 }).setAAD(key, { plaintextLength: -2 }));
show('ccm', () => { const c = crypto.createCipheriv('aes-128-ccm', key, nonce, { authTagLength: 8 }).setAAD(key, { plaintextLength: 2 }); return Buffer.concat([c.update('hi'), c.final(), c.getAuthTag()]); });
show('info', () => JSON.stringify([crypto.getCipherInfo('aes-128-cbc'), crypto.getCipherInfo('aes-256-gcm', { ivLength: 8 }), crypto.getCipherInfo('chacha20-poly1305'),
  crypto.getCipherInfo('aes-128-ecb'), crypto.getCipherInfo('nope')]));
show('info', () => crypto.getCipherInfo(true));
const piped = crypto.createCipheriv('aes-128-ctr', key, iv);
const pieces = [];
piped.on('data', (piece) => pieces.push(piece)).on('end', () => console.log('piped', Buffer.concat(pieces).toString('hex')));
piped.write('some');
piped.end('text');
crypto.createDecipheriv('aes-128-cbc', key, iv).on('error', (error) => console.log('stream', error.code, error.message)).end('not whole blocks');
