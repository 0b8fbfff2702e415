'use strict';

// tls.connect: a socket that connects, or TLS on an existing one; then the verification of the peer.

const net = require('net');
const { TLSSocket, linkOf } = require('internal/tls/socket');
const { isStandIn } = require('internal/tls/lower_handle');
const { kConnection } = require('internal/net/connection');
const { DEFAULT_DH_BITS, ERR_TLS_DH_PARAM_SIZE } = require('internal/tls/errors');
const { defaults } = require('internal/tls/context');
const { codes } = require('internal/errors');
const { validateFunction, validateNumber } = require('internal/validators');

const kConnectOptions = Symbol('connect-options'); // programs look for it by this description

// (options[, callback]), (path[, options][, callback]), (port[, host][, options][, callback])
function readArguments(args) {
  const callback = typeof args.at(-1) === 'function' ? args.at(-1) : undefined;
  const options = {};
  for (const item of args) {
    if (item !== null && typeof item === 'object') Object.assign(options, item);
  }
  const [first, second] = args;
  if (typeof first === 'number' || (typeof first === 'string' && /^\d+$/.test(first))) {
    options.port ??= first;
    if (typeof second === 'string') options.host ??= second;
  } else if (typeof first === 'string') {
    options.path ??= first;
  }
  return [options, callback];
}

// The environment may switch verification off, at the user's own risk; this is warned of once.
const verification = {
  warned: false,
  get isOn() {
    if (process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return true;
    if (!this.warned) {
      this.warned = true;
      process.emitWarning(
        "Setting the NODE_TLS_REJECT_UNAUTHORIZED environment variable to '0' makes TLS connections and HTTPS " +
          'requests insecure ' +
          'by disabling certificate verification.',
      );
    }
    return false;
  },
};

class Wishes {
  constructor(given) {
    const {
      checkServerIdentity = require('tls').checkServerIdentity,
      minDHSize = DEFAULT_DH_BITS,
      rejectUnauthorized,
    } = given;
    validateFunction(checkServerIdentity, 'options.checkServerIdentity');
    validateNumber(minDHSize, 'options.minDHSize', 1);
    if (given.servername && net.isIP(given.servername)) {
      throw new codes.ERR_INVALID_ARG_VALUE(
        'options.servername',
        given.servername,
        'Setting the TLS ServerName to an IP address is not permitted.',
      );
    }
    this.options = { ...given, checkServerIdentity };
    this.leastBits = minDHSize;
    this.strict = rejectUnauthorized === undefined ? verification.isOn : rejectUnauthorized !== false;
    this.host = given.servername || given.host || given.socket?._host || 'localhost';
  }

  // -> undefined, or the error of the peer's certificate
  problemWith(socket) {
    const { handle } = socket[kConnection];
    const problem = isStandIn(handle) ? handle.verifyError() : linkOf(socket).verifyError();
    if (problem) return problem;
    // With a resumed session, the peer was verified before.
    const { checkServerIdentity } = this.options;
    return socket.isSessionReused() ? undefined : checkServerIdentity(this.host, socket.getPeerCertificate(true));
  }

  weakness(socket) {
    const { type, size } = socket.getEphemeralKeyInfo() ?? {};
    return type === 'DH' && size < this.leastBits ? new ERR_TLS_DH_PARAM_SIZE(size) : undefined;
  }
}

function onSecure(socket, wishes) {
  const weak = wishes.weakness(socket);
  if (weak !== undefined) {
    socket.destroy(weak);
    return;
  }
  const problem = wishes.problemWith(socket);
  socket.authorized = !problem;
  if (problem) {
    socket.authorizationError = problem.code || problem.message;
    if (wishes.strict) {
      socket.destroy(problem);
      return;
    }
  }
  socket.emit('secureConnect');
}

function connect(...args) {
  const [options, callback] = readArguments(args);
  const wishes = new Wishes(options);
  const { socket: underlying, path, host, servername, timeout } = options;
  const socket = new TLSSocket(underlying, {
    ...options,
    secureContext:
      options.secureContext ||
      require('tls').createSecureContext({ ...options, ciphers: options.ciphers ?? defaults.DEFAULT_CIPHERS }),
    rejectUnauthorized: wishes.strict,
    isServer: false,
    requestCert: true,
    pipe: Boolean(path),
    server: undefined,
  });
  socket._host = servername || host;
  socket[kConnectOptions] = wishes.options;
  // Also after another handshake.
  socket.on('secure', () => onSecure(socket, wishes));
  if (callback) socket.once('secureConnect', callback);
  if (!underlying && !socket.destroyed) {
    if (timeout) socket.setTimeout(timeout);
    socket.connect(options);
  }
  return socket;
}

module.exports = { connect };
