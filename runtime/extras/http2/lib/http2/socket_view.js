'use strict';

// The socket of a session as the program may see it: a proxy that gives no access to the bytes.

const net = require('net');
const { codes } = require('internal/http2/constants');

const forbidden = new Set([
  'emit',
  'end',
  'pause',
  'read',
  'resume',
  'write',
  'setEncoding',
  'setKeepAlive',
  'setNoDelay',
]);
const ofSession = new Set(['destroy', 'setTimeout', 'ref', 'unref']);
const forbiddenToRequests = new Set(['pause', 'read', 'resume', 'write', 'setEncoding', 'setKeepAlive', 'setNoDelay']);
const ofStream = new Set(['on', 'once', 'end', 'emit', 'destroy']);
const valuesOfStream = new Set(['readable', 'writable', 'destroyed']);

function bound(owner, value) {
  return typeof value === 'function' ? value.bind(owner) : value;
}

function refuse(set, name) {
  if (set.has(name)) throw new codes.ERR_HTTP2_NO_SOCKET_MANIPULATION();
}

function socketOf(owner) {
  const { kSession } = require('internal/http2/session');
  const { socket, destroyed } = owner[kSession];
  if (socket === undefined || destroyed) throw new codes.ERR_HTTP2_SOCKET_UNBOUND();
  return socket;
}

// session.socket
function socketView(session) {
  return new Proxy(session, {
    get(target, name) {
      if (ofSession.has(name)) return bound(target, target[name]);
      refuse(forbidden, name);
      const socket = socketOf(target);
      return bound(socket, socket[name]);
    },
    set(target, name, value) {
      if (ofSession.has(name)) {
        target[name] = value;
        return true;
      }
      refuse(forbidden, name);
      socketOf(target)[name] = value;
      return true;
    },
    has: (target, name) => ofSession.has(name) || name in socketOf(target),
    getPrototypeOf: (target) => Reflect.getPrototypeOf(socketOf(target)),
  });
}

// request.socket and response.socket of the compatibility API
function streamSocketView(stream) {
  return new Proxy(stream, {
    get(target, name) {
      if (ofStream.has(name)) return bound(target, target[name]);
      if (valuesOfStream.has(name)) return target[name];
      if (name === 'setTimeout') {
        const { session } = target;
        return session === undefined ? bound(target, target.setTimeout) : bound(session, session.setTimeout);
      }
      refuse(forbiddenToRequests, name);
      const { session } = target;
      const owner = session === undefined ? target : socketOf(session);
      return bound(owner, owner[name]);
    },
    set(target, name, value) {
      if (ofStream.has(name) || valuesOfStream.has(name)) {
        target[name] = value;
        return true;
      }
      if (name === 'setTimeout') {
        (target.session ?? target).setTimeout = value;
        return true;
      }
      refuse(forbiddenToRequests, name);
      const { session } = target;
      if (session === undefined) target[name] = value;
      else socketOf(session)[name] = value;
      return true;
    },
    has(target, name) {
      const { session } = target;
      return name in target || (session !== undefined && name in socketOf(session));
    },
    getPrototypeOf: (target) =>
      target.session === undefined ? net.Socket.prototype : Reflect.getPrototypeOf(socketOf(target.session)),
  });
}

module.exports = { socketView, streamSocketView };
