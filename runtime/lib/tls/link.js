'use strict';

// A link: one handle with TLS on it (runtime/bind/tls*.c), and the program's callbacks during its handshake.
//
//   waiting -> shaking -> secure -> over
//
// This file does not handle the bytes: the handle reads and writes plain text, and C does the rest. C calls the
// functions at the end of this file with the handle as `this`; each calls the link of the handle.

const binding = internalBinding('tls');
const frame = require('internal/async/context');
const { Buffer } = require('internal/buffer/class');
const { codes, ErrnoException } = require('internal/errors');
const errors = require('internal/tls/errors');
const { keyLogFile } = require('internal/tls/context');
const { kConnection } = require('internal/net/connection');
const { StreamHandle, UV_EOF, onwritten } = require('internal/stream_base');

const UV_ECANCELED = -125;

const WAITING = 0;
const SHAKING = 1;
const SECURE = 2;
const OVER = 3;

// The events that C reports: see tls.c.
const SERVER = 1;
const ASKS_CERTIFICATE = 2;
const NEEDS_CERTIFICATE = 4;
const ASKS_HELLO = 8;
const ASKS_NAME = 16;
const ASKS_PROTOCOL = 32;
const SHARED_KEYS = 64;
const WANTS_STAPLE = 128;

const isHeard = (emitter, event) => emitter !== undefined && emitter !== null && emitter.listenerCount(event) > 0;
const sessionBytes = (session) => (typeof session === 'string' ? Buffer.from(session, 'latin1') : session);

class Link {
  constructor(socket, options) {
    this.socket = socket;
    this.options = options;
    this.server = options.server ?? undefined;
    this.isServer = Boolean(options.isServer);
    this.phase = WAITING;
    this.handle = null;
    this.number = -1; // what C knows it by
    this.name = options.servername;
    this.session = options.session;
    this.context = options.secureContext;
    this.stapleOf = undefined; // whose certificate the other side will see
    this.refusesAgain = false; // another handshake
    this.againTimes = []; // when the client began one
    this.settled = false; // the program knows that it is secure, and may have refused it
    this.failure = undefined; // what the program threw inside of OpenSSL
  }

  // ---- setting up ----

  get #flags() {
    const { options, server } = this;
    let flags = 0;
    if (this.isServer) {
      flags |= SERVER;
      if (isHeard(server, 'resumeSession')) flags |= ASKS_HELLO;
      if (options.SNICallback || isHeard(server, 'OCSPRequest')) flags |= ASKS_NAME;
      if (options.ALPNCallback) flags |= ASKS_PROTOCOL;
    } else if (options.requestOCSP) {
      flags |= WANTS_STAPLE;
    }
    if (options.requestCert) flags |= ASKS_CERTIFICATE;
    if (options.rejectUnauthorized !== false) flags |= NEEDS_CERTIFICATE;
    if (options.pskCallback) flags |= SHARED_KEYS;
    return flags;
  }

  // Puts TLS on a handle: a network handle, or one around a Duplex (which has no number of its own).
  attach(handle) {
    const { options } = this;
    this.handle = handle;
    handle.link = this;
    frame.tracker?.create('TLSWRAP', this);
    this.number = binding.secure(handle.id, handle, this.context.context, this.#flags);
    if (this.number < 0) throw new ErrnoException(this.number, 'secure');
    if (handle.id >= 0) {
      Object.assign(handle, secured);
    } else {
      handle.number = this.number;
    }
    if (options.ALPNProtocols?.length > 0) binding.setProtocols(this.number, options.ALPNProtocols);
    if (this.isServer) {
      if (options.pskCallback && options.pskIdentityHint && !binding.setHint(this.number, options.pskIdentityHint)) {
        this.fail(new errors.ERR_TLS_PSK_SET_IDENTITY_HINT_FAILED());
      }
    } else {
      if (this.name) binding.setName(this.number, this.name);
      if (this.session) binding.setSession(this.number, sessionBytes(this.session));
    }
  }

  begin(ahead) {
    if (this.phase !== WAITING || this.socket.destroyed) return;
    this.phase = SHAKING;
    if (ahead !== null && ahead !== undefined) binding.feed(this.number, ahead);
    binding.begin(this.number);
  }

  useSession(session) {
    this.session = session;
    if (this.phase !== WAITING) binding.setSession(this.number, sessionBytes(session));
  }

  useName(name) {
    this.name = name;
    if (this.phase !== WAITING) binding.setName(this.number, name);
  }

  // Starts another handshake. -> an error, or undefined
  again(requestCert, rejectUnauthorized) {
    const { options } = this;
    const asks = requestCert === undefined ? Boolean(options.requestCert) : Boolean(requestCert);
    const needs = rejectUnauthorized === undefined ? options.rejectUnauthorized !== false : Boolean(rejectUnauthorized);
    const trouble = binding.again(this.number, asks, needs);
    return trouble === undefined ? undefined : errors.fromOpenSSL([trouble[3], trouble[1], trouble[2]]);
  }

  // Properties for programs that use internals.
  get fd() {
    return this.handle.fd;
  }

  verifyError() {
    const found = binding.verdict(this.number);
    return found === undefined ? null : Object.assign(new Error(found[1]), { code: found[0] });
  }

  // ---- ends ----

  fail(error) {
    if (this.phase === OVER) return;
    const early = this.phase !== SECURE;
    this.phase = OVER;
    this.socket._tlsError(error, early);
  }

  // The connection was closed during the handshake. -> the error to report
  deadLine() {
    const { path, host, port, localAddress } = this.options;
    if (this.isServer) return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    return Object.assign(new Error('Client network socket disconnected before secure TLS connection was established'), {
      code: 'ECONNRESET',
      path,
      host,
      port,
      localAddress,
    });
  }

  onLost(status) {
    this.fail(status === UV_EOF ? this.deadLine() : new ErrnoException(status, 'read'));
  }

  // ---- the handshake ----

  onEstablished() {
    const { socket } = this;
    if (this.phase === OVER) return;
    if (this.phase === SECURE) this.handle.handshakes = (this.handle.handshakes ?? 0) + 1;
    this.phase = SECURE;
    socket.alpnProtocol = binding.agreed(this.number);
    socket.servername = this.isServer ? binding.serverName(this.number) : this.name || false;
    socket._secureEstablished = true;
    socket.secureConnecting = false;
    socket.emit('secure');
    this.settled = true;
  }

  onKeys(lines) {
    const { socket, server } = this;
    if (keyLogFile !== undefined) require('fs').appendFileSync(keyLogFile, Buffer.from(lines));
    if (!isHeard(socket, 'keylog') && !isHeard(server, 'keylog')) return;
    for (const line of Buffer.from(lines).toString('latin1').split('\n')) {
      if (line === '') continue;
      const bytes = Buffer.from(`${line}\n`, 'latin1');
      socket.emit('keylog', bytes);
      if (this.isServer) server?.emit('keylog', bytes, socket);
    }
  }

  // -> true: the handshake waits until the program has stored the session
  onSession(session, id) {
    if (!this.isServer) {
      this.socket.emit('session', Buffer.from(session));
      return false;
    }
    if (!isHeard(this.server, 'newSession')) return false;
    let answered = false;
    let waits = false;
    this.server.emit('newSession', Buffer.from(id), Buffer.from(session), () => {
      if (answered) return;
      answered = true;
      if (waits && this.phase !== OVER && !this.socket.destroyed) binding.answerSession(this.number);
    });
    waits = !answered;
    return waits;
  }

  onHello(id) {
    let answered = false;
    this.server.emit('resumeSession', Buffer.from(id), (error, session) => {
      if (answered) return;
      answered = true;
      if (this.phase !== SHAKING) return;
      if (error) this.fail(error);
      else binding.answerHello(this.number, session || undefined);
    });
  }

  // Chooses the certificate and, if the client asks for it, the OCSP response.
  onName(name, wantsStaple) {
    const { SNICallback } = this.options;
    const goOn = () => this.#staple(wantsStaple);
    if (name === false || !SNICallback) {
      goOn();
      return;
    }
    let answered = false;
    SNICallback.call(this.socket, name, (error, chosen) => {
      if (answered) {
        this.fail(new codes.ERR_MULTIPLE_CALLBACK());
        return;
      }
      answered = true;
      if (this.phase !== SHAKING) return;
      const native = chosen?.context ?? chosen;
      if (error) {
        this.fail(error);
      } else if (chosen && !binding.isContext(native)) {
        this.fail(new TypeError('Invalid SNI context'));
      } else {
        if (chosen) {
          this.stapleOf = native;
          binding.chooseContext(this.number, native);
        }
        goOn();
      }
    });
  }

  #staple(wanted) {
    if (!wanted || !isHeard(this.server, 'OCSPRequest')) {
      binding.answerName(this.number, undefined);
      return;
    }
    const [own, issuer] = binding.contextOwn(this.stapleOf ?? this.context.context);
    let answered = false;
    this.server.emit('OCSPRequest', bytesOrNull(own), bytesOrNull(issuer), (error, response) => {
      if (answered) {
        this.fail(new codes.ERR_MULTIPLE_CALLBACK());
        return;
      }
      answered = true;
      if (this.phase !== SHAKING) return;
      if (error) this.fail(error);
      else binding.answerName(this.number, response || undefined);
    });
  }

  onStaple(response) {
    this.socket.emit('OCSPResponse', response === null ? null : Buffer.from(response));
  }

  // -> one of the offered protocols; undefined refuses them all
  onProtocols(list) {
    const offered = [];
    const bytes = Buffer.from(list);
    for (let i = 0; i < bytes.length; i += bytes[i] + 1) offered.push(bytes.latin1Slice(i + 1, i + 1 + bytes[i]));
    const servername = binding.serverName(this.number) || '';
    const chosen = this.options.ALPNCallback.call(this.socket, { servername, protocols: offered });
    if (chosen !== undefined && !offered.includes(chosen))
      throw new errors.ERR_TLS_ALPN_CALLBACK_INVALID_RESULT(chosen, offered);
    return chosen;
  }

  // -> [key, identity]; undefined: there is none
  onSharedKey(about, keyRoom, identityRoom) {
    const { pskCallback } = this.options;
    const { key, identity } = require('internal/tls/shared_key').ask(this, pskCallback, about, keyRoom, identityRoom);
    return key === undefined ? undefined : [key, identity];
  }
}

const bytesOrNull = (bytes) => (bytes === undefined ? null : Buffer.from(bytes));

// The methods of a network handle that differ with TLS on it.
const plain = StreamHandle.prototype;
const secured = {
  reading: false,
  // Data that C held back while the program did not read comes before new data.
  readStart() {
    const result = plain.readStart.call(this);
    if (result !== 1) return result;
    setImmediate(feedAgain, this.link);
    return 0;
  },
  // For the program, a write is never complete at once: so a large number of small writes meets backpressure.
  write(chunk, encoding, callback) {
    const result = plain.write.call(this, chunk, encoding, callback);
    return result === 0 ? later(this, callback) : result;
  },
  writev(chunks, callback) {
    const result = plain.writev.call(this, chunks, callback);
    return result === 0 ? later(this, callback) : result;
  },
};

function later(handle, callback) {
  handle._expect(callback);
  setImmediate(writeDone, handle);
  return 1;
}

function writeDone(handle) {
  onwritten.call(handle, handle.id < 0 ? UV_ECANCELED : 0);
}

function feedAgain({ number, phase }) {
  if (phase === SECURE) binding.feed(number, undefined);
}

// ---- called by C, with the handle as `this` ----

function entry(method) {
  return function (a, b, c) {
    const { tracker } = frame;
    frame.current = this.frame;
    tracker?.enter(this.link);
    const result = this.link[method](a, b, c);
    tracker?.leave();
    frame.current = undefined;
    return result;
  };
}

// If a listener throws while the handshake waits for it, the connection fails.
function askingEntry(method) {
  return function (a, b, c) {
    frame.current = this.frame;
    try {
      return this.link[method](a, b, c);
    } catch (error) {
      const { link } = this;
      if (!link.isServer) throw error;
      if (link.phase === SECURE) link.server.emit('error', error);
      else link.fail(error);
      return false;
    } finally {
      frame.current = undefined;
    }
  };
}

// Called from inside of OpenSSL: an exception becomes the connection's failure, once OpenSSL has returned.
function innerEntry(method) {
  return function (a, b, c) {
    const { link } = this;
    const before = frame.current;
    frame.current = this.frame;
    try {
      return link[method](a, b, c);
    } catch (error) {
      link.failure = error;
      return undefined;
    } finally {
      frame.current = before;
    }
  };
}

Link.prototype.onFailed = function (text, reason, library) {
  const connection = this.socket[kConnection];
  const { written } = connection;
  if (this.failure === undefined && this.phase === SHAKING && !this.isServer && written !== null) {
    // The callbacks of pending writes get the error, which is the socket's error, too.
    this.phase = OVER;
    connection.written = null;
    written(errors.failedWrite(text));
    return;
  }
  this.fail(this.failure ?? errors.fromOpenSSL([text, reason, library]));
};
Link.prototype.onCipher = function (bytes, tell) {
  this.handle.send(Buffer.from(bytes), tell);
};
// The client starts another handshake; each costs the server much more than the client.
Link.prototype.onAgain = function () {
  if (!this.isServer) return;
  const { CLIENT_RENEG_LIMIT, CLIENT_RENEG_WINDOW } = require('tls');
  const now = Date.now();
  this.againTimes = this.againTimes.filter((time) => now - time < CLIENT_RENEG_WINDOW * 1000);
  if (this.againTimes.push(now) > CLIENT_RENEG_LIMIT) this.fail(new errors.ERR_TLS_SESSION_ATTACK());
  else if (this.refusesAgain) this.fail(new errors.ERR_TLS_RENEGOTIATION_DISABLED());
};

binding.setCallbacks({
  established: entry('onEstablished'),
  failed: entry('onFailed'),
  lost: entry('onLost'),
  keys: entry('onKeys'),
  session: askingEntry('onSession'),
  hello: askingEntry('onHello'),
  name: askingEntry('onName'),
  staple: entry('onStaple'),
  protocols: innerEntry('onProtocols'),
  sharedKey: innerEntry('onSharedKey'),
  cipher: innerEntry('onCipher'),
  again: entry('onAgain'),
});

module.exports = { Link, WAITING, SECURE, OVER };
