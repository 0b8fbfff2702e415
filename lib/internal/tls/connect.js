'use strict';

// tls.connect: a socket of its own or a given one, and the verdict on who answers.

const net = require('net');
const { TLSSocket, kTunnel } = require('internal/tls/socket');
const { createSecureContext } = require('internal/tls/context');
const { codes } = require('internal/errors');
const { validateFunction, validateNumber } = require('internal/validators');

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

let warned = false;
function refusesStrangers() {
  const allow = process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0';
  if (allow && !warned) {
    warned = true;
    process.emitWarning("Setting the NODE_TLS_REJECT_UNAUTHORIZED environment variable to '0' makes TLS connections and HTTPS requests insecure " +
      'by disabling certificate verification.');
  }
  return !allow;
}

function connect(...args) {
  const [given, callback] = readArguments(args);
  const options = {
    rejectUnauthorized: refusesStrangers(), ciphers: undefined, checkServerIdentity: require('tls').checkServerIdentity, minDHSize: 1024, ...given,
  };
  if (!options.keepAlive) options.singleUse = true;
  validateFunction(options.checkServerIdentity, 'options.checkServerIdentity');
  validateNumber(options.minDHSize, 'options.minDHSize', 1);
  if (options.servername && net.isIP(options.servername)) {
    throw new codes.ERR_INVALID_ARG_VALUE('options.servername', options.servername, 'Setting the TLS ServerName to an IP address is not permitted by RFC 6066');
  }
  const secureContext = options.secureContext || createSecureContext(options);
  let carrier = options.socket;
  if (!carrier) {
    // What an end means is decided behind TLS.
    carrier = new net.Socket({ allowHalfOpen: true, highWaterMark: options.highWaterMark, noDelay: options.noDelay,
      keepAlive: options.keepAlive, keepAliveInitialDelay: options.keepAliveInitialDelay });
    carrier.connect({ ...options, onread: undefined, allowHalfOpen: true });
  }
  const socket = new TLSSocket(carrier, {
    ...options, secureContext, isServer: false, requestCert: true, pipe: Boolean(options.path), server: undefined,
  });
  socket._host = options.servername || options.host;
  if (options.timeout && !options.socket) socket.setTimeout(options.timeout);
  if (options.signal) require('stream').addAbortSignal(options.signal, socket);
  if (callback) socket.once('secureConnect', callback);
  socket.once('secure', () => judge(socket, options));
  return socket;
}

function judge(socket, options) {
  const tunnel = socket[kTunnel];
  let error = tunnel.verdict();
  const host = options.servername || options.host || (options.socket && options.socket._host) || 'localhost';
  if (error === undefined) {
    error = options.checkServerIdentity(host, socket.getPeerCertificate(true));
  }
  const info = options.minDHSize > 0 ? socket.getEphemeralKeyInfo() : null;
  if (info?.type === 'DH' && info.size < options.minDHSize) {
    socket.destroy(new (require('internal/tls/errors').ERR_TLS_DH_PARAM_SIZE)(info.size));
    return;
  }
  if (error) {
    socket.authorized = false;
    socket.authorizationError = error.code || error.message;
    if (options.rejectUnauthorized !== false) {
      socket.destroy(error);
      return;
    }
  } else {
    socket.authorized = true;
  }
  socket.secureConnecting = false;
  socket.emit('secureConnect');
}

module.exports = { connect };
