'use strict';

// The client's side of a connection. It stays with the socket from its first request on, also while the socket waits in
// an agent's pool: bytes that a server sends without a request are noticed, and end the connection.

const frame = require('internal/async/context');
const { kFollows, kNone, kUpgrade } = require('internal/shared').httpBody;
const { socketListeners, Receiver, DEFAULT_COUNT, kResponses, makeMessage } = require('internal/http/parser');
const { IncomingMessage, endEmpty, kList, kShared, kSource } = require('internal/http/incoming');
const { drained } = require('internal/http/outgoing_queue');
const channels = require('internal/http/channels');

const kClient = Symbol('httpClient');
const kGuard = Symbol('idleGuard');
const kCurrent = Symbol('httpRequest'); // the request that a socket serves

function reset(text) {
  const error = new Error(text);
  error.code = 'ECONNRESET';
  return error;
}

class ClientConnection extends Receiver {
  constructor(socket, limits) {
    super(socket, kResponses, limits);
    this.limits = limits;
    this.request = null;
    this.response = null; // while its body is coming
    this.stopped = false;
    this.over = false;
    this.ending = false;
  }

  stop() {
    if (this.stopped) return;
    this.stopped = true;
    this.socket.pause();
  }

  wantBody() {
    if (!this.stopped) return;
    this.stopped = false;
    if (!this.socket.destroyed) this.socket.resume();
  }

  onHead(version, list, status, reason, upgrade, keepAlive) {
    const { request: req, socket } = this;
    if (req === null || req.res !== null) {
      // A response without a request.
      this.over = true;
      this.free();
      socket.destroy();
      return kNone;
    }
    const res = new IncomingMessage(socket);
    res.httpVersionMajor = (version / 10) | 0;
    res.httpVersionMinor = version % 10;
    res.httpVersion = `${res.httpVersionMajor}.${res.httpVersionMinor}`;
    res.statusCode = status;
    res.statusMessage = reason;
    res[kList] = list;
    res[kShared] = true;
    res[kSource] = this;
    res.upgrade = upgrade;
    if (req.joinDuplicateHeaders) res.joinDuplicateHeaders = true;
    res.req = req;
    if (req.method === 'CONNECT') {
      res.upgrade = true;
      this.response = res;
      req.res = res;
      return kUpgrade;
    }
    if (upgrade) {
      this.response = res;
      req.res = res;
      return kUpgrade;
    }
    if (status < 200 && status !== 101) {
      if (status === 100) req.emit('continue');
      req.emit('information', {
        statusCode: status,
        statusMessage: reason,
        httpVersion: res.httpVersion,
        httpVersionMajor: res.httpVersionMajor,
        httpVersionMinor: res.httpVersionMinor,
        headers: res.headers,
        rawHeaders: res.rawHeaders,
      });
      return kNone;
    }
    if (req.shouldKeepAlive && !keepAlive && !req.upgradeOrConnect) req.shouldKeepAlive = false;
    req.res = res;
    this.response = res;
    if (channels.clientFinish.hasSubscribers) channels.clientFinish.publish({ request: req, response: res });
    if (req.timeoutAfterConnect) req.timeoutAfterConnect = 0;
    res.on('end', onResponseEnd);
    if (req.aborted || !req.emit('response', res)) res._dump();
    return req.method === 'HEAD' || status === 204 || status === 304 ? kNone : kFollows;
  }

  onBody(chunk) {
    const res = this.response;
    if (res === null || res._dumped || res.destroyed) return;
    if (!res.push(chunk)) this.stop();
  }

  onDone(trailers) {
    const res = this.response;
    if (res === null) return; // an interim response
    this.response = null;
    res.complete = true;
    if (trailers !== undefined) res.rawTrailers = trailers;
    endEmpty(res);
  }

  onUpgrade(head) {
    const { request: req, socket } = this;
    const res = this.response ?? req?.res;
    if (!req || !res) {
      socket.destroy();
      return;
    }
    res.complete = true;
    endEmpty(res);
    const event = req.method === 'CONNECT' ? 'connect' : 'upgrade';
    req.upgradeOrConnect = true;
    req.dropTimeout(socket);
    this.leave();
    socket._httpMessage = null;
    if (req.listenerCount(event) > 0) {
      socket.emit('agentRemove');
      socket.readableFlowing = null;
      req.emit(event, res, socket, head);
      req.destroyed = true;
      req.finishClosed();
    } else if (req.method === 'CONNECT') {
      socket.destroy();
      req.finishClosed();
    } else {
      // 101 without a listener for 'upgrade'.
      socket.destroy();
      req.finishClosed();
    }
  }

  onParseError(error) {
    const { request: req, socket } = this;
    if (this.ending) return; // a body that is incomplete then is reported elsewhere
    this.leave();
    if (req !== null) {
      socket.once('close', () => {
        req.destroyed = true;
        req.finishClosed();
      });
      req.failWith(error);
    }
    socket.destroy();
  }

  failed(error) {
    this.request?.failWith(error);
    this.over = true;
  }

  peerEnded() {
    const { request: req, socket } = this;
    this.ending = true;
    this.feedEnd();
    if (req !== null && req.res === null && !req.hasFailed) req.failWith(reset('socket hang up'));
    socket.end();
  }

  closed() {
    const { request: req } = this;
    this.ending = true;
    this.feedEnd();
    this.over = true;
    this.free();
    if (req === null) return;
    this.request = null;
    req.destroyed = true;
    const { res } = req;
    if (res !== null) {
      // The request reports why it was aborted; for its response, the connection was closed.
      if (!res.complete) res.destroy(reset('aborted'));
      req.finishClosed();
    } else {
      if (!req.hasFailed) req.failWith(reset('socket hang up'));
      req.finishClosed();
    }
  }

  // The exchange is over: the socket has no owner. The peer must not send anything until the socket is used again.
  release() {
    const { socket } = this;
    this.request = null;
    this.response = null;
    this.leave();
    const handle = socket._handle;
    socket.on('error', onIdleError);
    if (handle?.onread !== undefined) {
      const usual = handle.onread;
      socket[kGuard] = () => {
        handle.onread = usual;
      };
      handle.onread = () => socket.destroy();
    } else {
      socket.on('data', onIdleError);
      socket[kGuard] = () => socket.removeListener('data', onIdleError);
    }
  }

  leave() {
    const { socket } = this;
    this.over = true;
    for (const [event, listener] of listeners) socket.removeListener(event, listener);
    this.free();
    socket.parser = null;
    socket[kClient] = undefined; // _httpMessage stays until an agent parks the socket: programs' agents read it
  }
}

function onIdleError() {
  this.destroy();
}

// The next owner of the socket gets it in its original state.
function unguard(socket) {
  if (socket[kGuard] === undefined) return;
  socket.removeListener('error', onIdleError);
  socket[kGuard]();
  socket[kGuard] = undefined;
}

function onResponseEnd() {
  this.req.responseRead();
}

const { onData, onEnd, onError, onClose, onNewListener, onPause, onResume } = socketListeners(kClient);

function onDrain() {
  const req = this[kClient]?.request;
  if (req) drained(req);
}
function onConnect() {
  this.removeListener('connect', onConnect);
  this[kClient]?.attach();
}
const listeners = [
  ['data', onData],
  ['end', onEnd],
  ['error', onError],
  ['close', onClose],
  ['drain', onDrain],
  ['connect', onConnect],
  ['newListener', onNewListener],
  ['pause', onPause],
  ['resume', onResume],
];

function limitsOf(req) {
  return {
    head: req.maxHeaderSize || 0,
    lenient: req.lenientParser,
    count: typeof req.maxHeadersCount === 'number' ? req.maxHeadersCount : DEFAULT_COUNT,
  };
}

// The socket serves this request from now on.
function engage(socket, req) {
  unguard(socket);
  const limits = limitsOf(req);
  let client = socket[kClient];
  if (client !== undefined) {
    const { limits: before } = client;
    if (before.head !== limits.head || before.lenient !== limits.lenient || before.count !== limits.count) {
      client.leave();
      client = undefined;
    }
  }
  if (client === undefined) {
    client = socket[kClient] = new ClientConnection(socket, limits);
    for (const [event, listener] of listeners) {
      if (event !== 'connect' || socket.connecting) socket.on(event, listener);
    }
    if (!socket.connecting && socket instanceof require('net').Socket && socket.readableLength === 0) client.attach();
  }
  socket.parser = client;
  client.request = req;
  client.response = null;
  if (frame.tracker !== null) makeMessage(client);
  socket[kCurrent] = req;
  socket._httpMessage = req;
  return client;
}

module.exports = { engage, kClient, kCurrent, reset };
