'use strict';

// TLSSocket: a socket around a socket. What is read from the carrier (any Duplex) goes through OpenSSL and comes out as
// plain text; what is written goes the other way. OpenSSL never calls back: after each step its news are handled here.

const net = require('net');
const { Buffer } = require('buffer');
const binding = internalBinding('tls');
const { createSecureContext, convertALPNProtocols } = require('internal/tls/context');
const errors = require('internal/tls/errors');
const { codes } = require('internal/errors');
const { validateBuffer, validateFunction, validateString, validateInt32, validateUint32 } = require('internal/validators');

const kTunnel = Symbol('tunnel');

const ESTABLISHED = 1;
const PLAIN = 2;
const CIPHER = 4;
const ENDED = 8;
const FAILED = 16;
const HELLO = 32;
const SESSION = 64;
const KEYS = 128;
const NAME = 256;

// What lies between the carrier and the socket.
class Tunnel {
  constructor(socket, carrier, options) {
    this.socket = socket;
    this.carrier = carrier;
    this.options = options;
    this.server = Boolean(options.isServer);
    this.native = undefined;
    this.established = false;
    this.waiting = undefined; // a write, or the end, that came before the handshake was done
    this.over = false;
    this.handling = false;
    this.context = options.secureContext ?? createSecureContext(options);
    this.name = options.servername;
    this.session = options.session;
  }


  start() {
    const { carrier, options } = this;
    const { requestCert, rejectUnauthorized } = options;
    this.native = binding.create(this.context.context, this.server, Boolean(requestCert), rejectUnauthorized !== false,
      this.server && Boolean(options.ALPNCallback || options.server?.listenerCount('resumeSession') > 0), this.server && Boolean(options.SNICallback));
    if (options.ALPNProtocols?.length > 0) binding.setProtocols(this.native, options.ALPNProtocols);
    if (!this.server) {
      if (this.name) binding.setName(this.native, this.name);
      if (this.session !== undefined && this.session !== null) {
        binding.setSession(this.native, typeof this.session === 'string' ? Buffer.from(this.session, 'latin1') : this.session);
      }
    }
    carrier.on('data', (chunk) => this.receive(chunk));
    carrier.on('end', () => this.carrierEnded());
    carrier.on('close', () => this.carrierClosed());
    carrier.on('error', (error) => this.carrierFailed(error));
    if (!this.server) this.handle(binding.step(this.native, undefined));
  }

  receive(chunk) {
    if (this.over) return;
    this.socket._unrefTimer();
    this.handle(binding.step(this.native, chunk));
  }

  send(callback) {
    const bytes = binding.takeCipher(this.native);
    if (bytes === undefined || !this.carrier.writable) {
      callback?.(bytes !== undefined && this.carrier.destroyed ? new codes.ERR_STREAM_DESTROYED('write') : undefined);
      return;
    }
    this.carrier.write(Buffer.from(bytes), callback);
  }

  handle(news) {
    const { socket } = this;
    if ((news & KEYS) !== 0) this.tellKeys(binding.takeKeys(this.native));
    if ((news & CIPHER) !== 0) this.send();
    if ((news & (HELLO | NAME)) !== 0) {
      if ((news & HELLO) !== 0) this.answerHello();
      else this.answerName();
      return;
    }
    if ((news & FAILED) !== 0 && !this.established) {
      this.fail(errors.fromOpenSSL(binding.failure(this.native)));
      return;
    }
    if ((news & ESTABLISHED) !== 0) {
      this.established = true;
      this.secure();
    }
    if (this.over) return;
    if ((news & SESSION) !== 0) this.tellSessions(Buffer.from(binding.takeSessions(this.native)));
    if ((news & PLAIN) !== 0) {
      const plain = Buffer.from(binding.takePlain(this.native));
      if (!socket.push(plain)) this.carrier.pause();
    }
    if ((news & FAILED) !== 0) {
      this.fail(errors.fromOpenSSL(binding.failure(this.native)));
      return;
    }
    if ((news & ENDED) !== 0) this.endReading();
  }

  endReading() {
    if (this.readingEnded) return;
    this.readingEnded = true;
    this.socket.push(null);
    if (this.socket.readableFlowing === null) this.socket.read(0);
  }

  secure() {
    const { socket } = this;
    socket.alpnProtocol = binding.agreed(this.native);
    if (this.server) socket.servername = binding.serverName(this.native);
    socket._secureEstablished = true;
    socket.secureConnecting = false;
    socket.emit('secure');
    const { waiting } = this;
    this.waiting = undefined;
    if (waiting !== undefined && !socket.destroyed) waiting();
  }

  // -> undefined, or the error that the other side's certificate is
  verdict() {
    const found = binding.verdict(this.native);
    if (found === undefined) return undefined;
    const error = new Error(found[1]);
    error.code = found[0];
    return error;
  }

  whenEstablished(action) {
    if (this.established) action();
    else this.waiting = action;
  }

  write(bytes, callback) {
    this.whenEstablished(() => {
      this.socket._unrefTimer();
      const news = binding.put(this.native, bytes);
      if ((news & FAILED) !== 0) {
        const failure = binding.failure(this.native);
        callback(failure === undefined ? new codes.ERR_STREAM_DESTROYED('write') : errors.fromOpenSSL(failure));
        return;
      }
      this.send((error) => callback(error));
    });
  }

  end(callback) {
    this.whenEstablished(() => {
      binding.end(this.native);
      this.send();
      if (this.carrier.destroyed) callback();
      else this.carrier.end(() => callback());
    });
  }

  tellKeys(lines) {
    if (lines === undefined || (this.socket.listenerCount('keylog') === 0 && !this.options.server?.listenerCount('keylog'))) return;
    for (const line of Buffer.from(lines).toString('latin1').split('\n')) {
      if (line === '') continue;
      const bytes = Buffer.from(`${line}\n`, 'latin1');
      this.socket.emit('keylog', bytes);
      this.options.server?.emit('keylog', bytes, this.socket);
    }
  }

  tellSessions(all) {
    for (let at = 0; at < all.length;) {
      const begin = at + 8;
      const middle = begin + all.readUInt32LE(at);
      at = middle + all.readUInt32LE(at + 4);
      const session = Buffer.from(all.subarray(begin, middle));
      if (!this.server) this.socket.emit('session', session);
      else if (this.options.server?.listenerCount('newSession') > 0) {
        this.options.server.emit('newSession', Buffer.from(all.subarray(middle, at)), session, () => {});
      }
    }
  }

  // ---- the client's hello, where the program has a say ----

  answerHello() {
    const wish = binding.hello(this.native);
    const { options } = this;
    const { server } = options;
    const name = wish.servername ?? '';
    const goOn = (session) => {
      if (this.over) return;
      const protocol = this.chooseProtocol(wish, name);
      if (this.over) return;
      binding.answer(this.native, protocol, session);
      this.handle(binding.step(this.native, undefined));
    };
    if (wish.session !== undefined && server?.listenerCount('resumeSession') > 0) {
      server.emit('resumeSession', Buffer.from(wish.session), (error, session) => {
        if (error) this.fail(error);
        else goOn(session || undefined);
      });
    } else {
      goOn(undefined);
    }
  }

  answerName() {
    const name = binding.serverName(this.native);
    const goOn = (context) => {
      if (this.over) return;
      binding.answerName(this.native, context);
      this.handle(binding.step(this.native, undefined));
    };
    if (name === false) {
      goOn(undefined);
      return;
    }
    let told = false;
    this.options.SNICallback.call(this.socket, name, (error, context) => {
      if (told) this.fail(new codes.ERR_MULTIPLE_CALLBACK());
      else if (error) this.fail(error);
      else if (context && !context.context) this.fail(new errors.ERR_TLS_INVALID_CONTEXT('context'));
      else goOn(context?.context);
      told = true;
    });
  }

  // -> a protocol; undefined for the usual way; false to refuse all
  chooseProtocol(wish, name) {
    if (wish.protocols === undefined || !this.options.ALPNCallback) return undefined;
    const offered = [];
    const bytes = Buffer.from(wish.protocols);
    for (let i = 0; i < bytes.length; i += bytes[i] + 1) offered.push(bytes.latin1Slice(i + 1, i + 1 + bytes[i]));
    const chosen = this.options.ALPNCallback.call(this.socket, { servername: name, protocols: offered });
    if (chosen === undefined) return false;
    if (!offered.includes(chosen)) {
      this.fail(new errors.ERR_TLS_ALPN_CALLBACK_INVALID_RESULT(chosen, offered));
      return false;
    }
    return chosen;
  }

  // ---- ends ----

  fail(error) {
    if (this.over) return;
    this.over = true;
    this.socket._tlsError(error);
  }

  carrierEnded() {
    if (this.over) return;
    if (!this.established) {
      this.carrier.destroy?.();
      return;
    }
    this.endReading();
  }

  carrierFailed(error) {
    if (this.over) return;
    this.over = true;
    this.socket.destroy(error);
  }

  carrierClosed() {
    const { socket } = this;
    if (!this.established && !this.over && !socket.destroyed) {
      this.over = true;
      const error = Object.assign(new Error(this.server ? 'socket hang up' :
        'Client network socket disconnected before secure TLS connection was established'), { code: 'ECONNRESET' });
      if (!this.server) {
        const { path, host, port, localAddress } = this.options;
        Object.assign(error, { path, host, port, localAddress });
      }
      socket._tlsError(error);
      return;
    }
    this.over = true;
    // What was received before the end is still read.
    if (!this.readingEnded || socket.readableEnded) socket.destroy();
  }
}

function TLSSocket(carrier, options) {
  if (!(this instanceof TLSSocket)) return new TLSSocket(carrier, options);
  if (carrier !== undefined && carrier !== null && (typeof carrier.on !== 'function' || typeof carrier.write !== 'function')) {
    throw new codes.ERR_INVALID_ARG_TYPE('socket', 'stream.Duplex', carrier);
  }
  const settings = { ...options };
  if (settings.ALPNProtocols) convertALPNProtocols(settings.ALPNProtocols, settings);
  if (settings.ALPNCallback !== undefined && options.ALPNProtocols) throw new errors.ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS();
  if (settings.SNICallback !== undefined && settings.SNICallback !== null) validateFunction(settings.SNICallback, 'options.SNICallback');
  this.authorized = false;
  this.authorizationError = null;
  this.alpnProtocol = null;
  this.servername = null;
  this.secureConnecting = true;
  this._secureEstablished = false;
  this._tlsOptions = settings;
  carrier ??= new net.Socket(settings);
  net.Socket.call(this, {
    allowHalfOpen: settings.allowHalfOpen ?? false, highWaterMark: settings.highWaterMark,
    readableHighWaterMark: carrier.readableHighWaterMark, writableHighWaterMark: carrier.writableHighWaterMark,
  });
  this[kTunnel] = new Tunnel(this, carrier, settings);
  this.ssl = this[kTunnel];
  if (carrier instanceof net.Socket) this._parent = carrier;
  this.server = settings.server ?? null;
  if (carrier.connecting) {
    carrier.once('connect', () => {
      this.emit('connect');
      this[kTunnel].start();
    });
    carrier.once('error', (error) => {
      if (this[kTunnel].native === undefined) this.destroy(error);
    });
    carrier.once('close', () => {
      if (this[kTunnel].native === undefined && !this.destroyed) this.destroy();
    });
    for (const event of ['lookup', 'ready', 'connectionAttempt', 'connectionAttemptFailed', 'connectionAttemptTimeout']) {
      carrier.on(event, (...args) => this.emit(event, ...args));
    }
  } else if (carrier instanceof net.Socket && carrier.pending && !settings.isServer && !carrier.destroyed && carrier._handle === null) {
    // Somebody will connect it later.
    carrier.once('connect', () => this[kTunnel].start());
  } else {
    this[kTunnel].start();
  }
}
Object.setPrototypeOf(TLSSocket.prototype, net.Socket.prototype);
Object.setPrototypeOf(TLSSocket, net.Socket);

const { Duplex } = require('stream');

TLSSocket.prototype.encrypted = true;

TLSSocket.prototype.connect = function(...args) {
  const { carrier } = this[kTunnel];
  carrier.connect(...args);
  return this;
};

TLSSocket.prototype._read = function() {
  const { carrier } = this[kTunnel];
  if (carrier.isPaused()) carrier.resume();
};

TLSSocket.prototype.write = Duplex.prototype.write;

TLSSocket.prototype.end = function(...args) {
  Duplex.prototype.end.apply(this, args);
  return this;
};

TLSSocket.prototype._write = function(chunk, encoding, callback) {
  this[kTunnel].write(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk, callback);
};

TLSSocket.prototype._writev = function(chunks, callback) {
  this[kTunnel].write(Buffer.concat(chunks.map(({ chunk, encoding }) => (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk))), callback);
};

TLSSocket.prototype._final = function(callback) {
  this[kTunnel].end(callback);
};

TLSSocket.prototype._destroy = function(error, callback) {
  const tunnel = this[kTunnel];
  this.setTimeout(0);
  callback(error);
  const closed = () => process.nextTick(() => this.emit('close', Boolean(error)));
  if (tunnel === undefined) {
    closed();
    return;
  }
  tunnel.over = true;
  const { carrier } = tunnel;
  if (carrier.closed || (carrier.destroyed && carrier._handle === undefined)) {
    closed();
  } else {
    carrier.once('close', closed);
    if (carrier.listenerCount('error') === 0) carrier.on('error', () => {});
    carrier.destroy();
  }
};

// Before the connection is secure, a server tells of it; afterwards it is an error like another.
TLSSocket.prototype._tlsError = function(error) {
  this.emit('_tlsError', error);
  const { server } = this._tlsOptions;
  if (server && this._tlsOptions.isServer && !this._secureEstablished) {
    this.destroy();
    server.emit('tlsClientError', error, this);
    return null;
  }
  this.destroy(error);
  return error;
};

// ---- what the carrier knows ----

for (const name of ['remoteAddress', 'remoteFamily', 'remotePort', 'localAddress', 'localFamily', 'localPort', 'bytesRead', 'bytesWritten',
  'connecting', 'pending']) {
  Object.defineProperty(TLSSocket.prototype, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      const value = this[kTunnel]?.carrier[name];
      return name === 'connecting' || name === 'pending' ? value ?? false : value;
    },
    set() {},
  });
}
Object.defineProperty(TLSSocket.prototype, '_handle', {
  __proto__: null,
  configurable: true,
  get() {
    return this.destroyed ? null : this[kTunnel]?.carrier._handle;
  },
  set() {},
});
for (const name of ['setNoDelay', 'setKeepAlive', 'ref', 'unref']) {
  TLSSocket.prototype[name] = function(...args) {
    this[kTunnel].carrier[name]?.(...args);
    return this;
  };
}
TLSSocket.prototype.address = function() {
  return this[kTunnel].carrier.address?.() ?? {};
};

// ---- what TLS knows ----

function native(socket) {
  return socket.destroyed ? undefined : socket[kTunnel].native;
}

function certificateObjects(list) {
  const { X509Certificate } = require('crypto');
  const objects = list.map((raw) => legacy(new X509Certificate(Buffer.from(raw))));
  objects.forEach((object, i) => {
    object.issuerCertificate = objects[i + 1] ?? object;
  });
  if (objects.length > 0) {
    const last = objects.at(-1);
    if (JSON.stringify(last.subject) !== JSON.stringify(last.issuer)) delete last.issuerCertificate;
  }
  return objects;
}

// The details of the key beside what a certificate says of itself.
function legacy(certificate) {
  const object = certificate.toLegacyObject();
  if (certificate.keyUsage !== undefined) object.ext_key_usage ??= certificate.keyUsage;
  if (object.infoAccess === undefined) {
    delete object.infoAccess;
  } else {
    const access = { __proto__: null };
    for (const line of object.infoAccess.split('\n')) {
      const colon = line.indexOf(':');
      if (colon > 0) (access[line.slice(0, colon)] ??= []).push(line.slice(colon + 1));
    }
    object.infoAccess = access;
  }
  if (object.subjectaltname === undefined) delete object.subjectaltname;
  const { publicKey } = certificate;
  if (publicKey.asymmetricKeyType === 'rsa') {
    const { n, e } = publicKey.export({ format: 'jwk' });
    object.modulus = Buffer.from(n, 'base64url').toString('hex').toUpperCase();
    object.exponent = `0x${BigInt(`0x${Buffer.from(e, 'base64url').toString('hex')}`).toString(16)}`;
    object.bits = publicKey.asymmetricKeyDetails?.modulusLength;
    object.pubkey = publicKey.export({ type: 'spki', format: 'der' });
  } else if (publicKey.asymmetricKeyType === 'ec') {
    const curve = publicKey.asymmetricKeyDetails?.namedCurve;
    const { x, y } = publicKey.export({ format: 'jwk' });
    object.pubkey = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
    object.bits = { prime256v1: 256, secp384r1: 384, secp521r1: 521 }[curve];
    object.asn1Curve = curve;
    const nist = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' }[curve];
    if (nist) object.nistCurve = nist;
  }
  return object;
}

TLSSocket.prototype.getPeerCertificate = function(detailed) {
  const tls = native(this);
  if (tls === undefined) return null;
  const list = binding.certificates(tls, false);
  if (list.length === 0) return {};
  const [first] = certificateObjects(detailed ? list : list.slice(0, 1));
  if (!detailed) delete first.issuerCertificate;
  return first;
};

TLSSocket.prototype.getCertificate = function() {
  const tls = native(this);
  if (tls === undefined) return null;
  const list = binding.certificates(tls, true);
  return list.length > 0 ? certificateObjects(list.slice(0, 1))[0] : {};
};

for (const [name, own] of [['getPeerX509Certificate', false], ['getX509Certificate', true]]) {
  TLSSocket.prototype[name] = function() {
    const tls = native(this);
    const [raw] = tls === undefined ? [] : binding.certificates(tls, own);
    return raw === undefined ? undefined : new (require('crypto').X509Certificate)(Buffer.from(raw));
  };
}

TLSSocket.prototype.getCipher = function() {
  const tls = native(this);
  const found = tls === undefined ? undefined : binding.cipher(tls);
  return found === undefined ? undefined : { name: found[0], standardName: found[1], version: found[2] };
};

TLSSocket.prototype.getEphemeralKeyInfo = function() {
  const tls = native(this);
  if (tls === undefined || this._tlsOptions.isServer) return null;
  const found = binding.ephemeral(tls);
  if (found === undefined) return {};
  return found[0] === 'DH' ? { type: 'DH', size: found[2] } : { type: 'ECDH', name: found[1], size: found[2] };
};

TLSSocket.prototype.getProtocol = function() {
  const tls = native(this);
  return tls === undefined ? null : binding.protocol(tls);
};

const bytesOrUndefined = (bytes) => (bytes === undefined ? undefined : Buffer.from(bytes));

TLSSocket.prototype.getSession = function() {
  const tls = native(this);
  return tls === undefined ? undefined : bytesOrUndefined(binding.session(tls));
};
TLSSocket.prototype.getTLSTicket = TLSSocket.prototype.getSession;

TLSSocket.prototype.isSessionReused = function() {
  const tls = native(this);
  return tls === undefined ? null : binding.reused(tls);
};

TLSSocket.prototype.getFinished = function() {
  const tls = native(this);
  return tls === undefined ? undefined : bytesOrUndefined(binding.finished(tls, false));
};

TLSSocket.prototype.getPeerFinished = function() {
  const tls = native(this);
  return tls === undefined ? undefined : bytesOrUndefined(binding.finished(tls, true));
};

TLSSocket.prototype.getSharedSigalgs = function() {
  const tls = native(this);
  return tls === undefined ? [] : binding.sharedSignatures(tls);
};

TLSSocket.prototype.exportKeyingMaterial = function(length, label, context) {
  validateUint32(length, 'length', true);
  validateString(label, 'label');
  if (context !== undefined) validateBuffer(context, 'context');
  if (!this._secureEstablished) throw new errors.ERR_TLS_INVALID_STATE();
  return Buffer.from(binding.exportKeys(this[kTunnel].native, length, label, context));
};

TLSSocket.prototype.setServername = function(name) {
  validateString(name, 'name');
  if (net.isIP(name)) throw new codes.ERR_INVALID_ARG_VALUE('name', name, 'Setting the TLS ServerName to an IP address is not permitted by RFC 6066');
  if (this._tlsOptions.isServer) throw new errors.ERR_TLS_SNI_FROM_SERVER();
  const tunnel = this[kTunnel];
  tunnel.name = name;
};

TLSSocket.prototype.setSession = function(session) {
  this[kTunnel].session = session;
  if (this[kTunnel].native !== undefined) binding.setSession(this[kTunnel].native, typeof session === 'string' ? Buffer.from(session, 'latin1') : session);
};

TLSSocket.prototype.setMaxSendFragment = function(size) {
  validateInt32(size, 'size');
  const tls = native(this);
  return tls !== undefined && binding.setFragment(tls, size);
};

TLSSocket.prototype.disableRenegotiation = function() {
  const tls = native(this);
  if (tls !== undefined) binding.refuseRenegotiation(tls);
};

TLSSocket.prototype.renegotiate = function(options, callback) {
  const error = new errors.ERR_TLS_RENEGOTIATION_DISABLED();
  if (callback) process.nextTick(callback, error);
  return false;
};

TLSSocket.prototype.enableTrace = function() {
  throw new codes.ERR_FEATURE_NOT_AVAILABLE('tlsSocket.enableTrace()');
};

module.exports = { TLSSocket, kTunnel };
