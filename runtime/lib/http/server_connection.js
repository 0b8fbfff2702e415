'use strict';

// The server's side of a connection: requests come in, responses go out in the same order.
//
// `queue` holds the responses that are not sent yet; the first of them has the socket. `receiving` is the request whose
// body is still coming. A connection with neither is idle, and is in the server's list of idle ones.

const {
  httpBody: { kFollows, kUpgrade, kThenUpgrade },
  httpAge: { kBegun },
} = require('internal/shared');
const { Socket } = require('net');
const { Buffer } = require('internal/buffer/class');
const { socketListeners, Receiver, DEFAULT_COUNT, kRequests } = require('internal/http/parser');
const { endEmpty, isWatched, kBodyLimit, kList, kQuiet, kShared, kSource, release } = require('internal/http/incoming');
const { drained, finishIfDone } = require('internal/http/outgoing_queue');
const { kCounted, kPlace } = require('internal/http/response');
const { parserMethods } = require('internal/http/tables');
const { codes } = require('internal/errors');
const channels = require('internal/http/channels');

const kConnection = Symbol('httpConnection');

// Why reading has stopped.
const kForBody = 1; // the program does not read the request's body
const kForOutput = 2; // the client does not read the responses

const { write: plainWrite, _writeGeneric: plainGeneric } = Socket.prototype;
const versions = { 9: '0.9', 10: '1.0', 11: '1.1', 20: '2.0' };
const nothing = () => {};

function aborted() {
  const error = new Error('aborted');
  error.code = 'ECONNRESET';
  return error;
}

// What the server itself needs to know of a head.
class HeadSummary {
  constructor(list) {
    this.list = list;
    this.host = false;
    this.expect = undefined;
    this.framed = false; // says something about a body
    for (let i = 0; i + 1 < list.length; i += 2) {
      const { length } = list[i];
      if (length === 4 && list[i].toLowerCase() === 'host') this.host = true;
      else if (
        (length === 14 && list[i].toLowerCase() === 'content-length') ||
        (length === 17 && list[i].toLowerCase() === 'transfer-encoding')
      )
        this.framed = true;
      else if (length === 6 && list[i].toLowerCase() === 'expect')
        this.expect = this.expect === undefined ? list[i + 1] : `${this.expect}, ${list[i + 1]}`;
    }
  }
}

class ServerConnection extends Receiver {
  constructor(server, socket) {
    super(socket, kRequests, {
      head: server.maxHeaderSize,
      lenient: server.lenientParser,
      count: typeof server.maxHeadersCount === 'number' ? server.maxHeadersCount : DEFAULT_COUNT,
    });
    this.server = server;
    this.queue = [];
    this.held = 0; // bytes of the responses in the queue; each knows its part
    this.receiving = null;
    this.summary = undefined;
    this.stopped = 0;
    this.served = 0;
    this.over = false;
    this.idleUntil = 0; // 0: not in the list of idle connections
    this.idleBefore = null;
    this.idleAfter = null;
    this.keepAliveLines = server.keepAliveLines();
    this.upgrading = null;
    this.promised = undefined;
    this.handling = null; // the response whose request listener is running
    this.handled = false;
    this.closesResponses = false;
  }

  // ---- reading ----

  stop(reason) {
    const before = this.stopped;
    this.stopped |= reason;
    if (before === 0) this.socket.pause();
  }

  go(reason) {
    if ((this.stopped & reason) === 0) return;
    this.stopped &= ~reason;
    if (this.stopped === 0 && !this.socket.destroyed) this.socket.resume();
  }

  wantBody() {
    this.go(kForBody);
  }

  onHead(version, list, code, text, upgrade, keepAlive, complete) {
    const { server, socket } = this;
    const req = new server.IncomingMessageClass(socket);
    req.httpVersionMajor = (version / 10) | 0;
    req.httpVersionMinor = version % 10;
    req.httpVersion = versions[version] ?? `${req.httpVersionMajor}.${req.httpVersionMinor}`;
    req.method = parserMethods[code];
    req.url = text;
    req.upgrade = upgrade;
    req[kList] = list;
    req[kShared] = true;
    req[kSource] = this;
    if (server.joinDuplicateHeaders) req.joinDuplicateHeaders = true;
    if (server.bodyLimit !== undefined) req[kBodyLimit] = server.bodyLimit;
    if (this.idleUntil !== 0) server.idleConnections.remove(this);
    if (socket.timeout) this.quiet();
    if (upgrade) {
      if (req.method !== 'CONNECT') req.upgrade = upgrade = Boolean(server.shouldUpgradeCallback(req));
      if (upgrade) {
        this.upgrading = req;
        if (!complete && req.method !== 'CONNECT') {
          this.receiving = req;
          this.promise(req);
          return kThenUpgrade;
        }
        req.complete = true;
        endEmpty(req);
        return kUpgrade;
      }
    }
    this.receiving = req;
    try {
      this.respond(req, keepAlive, version, list);
    } finally {
      if (complete && this.receiving === req) this.completed(req);
      this.settle();
    }
    return kFollows;
  }

  respond(req, keepAlive, version, list) {
    const { server, socket, queue } = this;
    const res = new server.ServerResponseClass(req, server.responseOptions);
    res.shouldKeepAlive = keepAlive;
    if (server.uniqueHeadersSet !== null) res.uniqueHeaders = server.uniqueHeadersSet;
    res[kPlace] = this;
    req.res = res;
    queue.push(res);
    if (!this.closesResponses) {
      this.closesResponses = true;
      socket.on('close', onCloseResponses);
    }
    if (queue.length === 1) {
      if (res.assignSocket === server.plainAssign && !socket._httpMessage) {
        socket._httpMessage = res;
        res.socket = socket;
      } else {
        res.assignSocket(socket);
      }
    }
    if (this.heldBytes() >= socket.writableHighWaterMark) this.stop(kForOutput);
    if (channels.requestStart.hasSubscribers)
      channels.requestStart.publish({ request: req, response: res, socket, server });
    if (channels.responseCreated.hasSubscribers) channels.responseCreated.publish({ request: req, response: res });
    const summary = this.summary?.list === list ? this.summary : (this.summary = new HeadSummary(list));
    if (server.optimizeEmpty && !summary.framed) optimize(req);
    this.served++;
    const most = server.maxRequestsPerSocket;
    if (most > 0) {
      if (this.served >= most) res.connectionExhausted = true;
      if (this.served > most) {
        server.emit('dropRequest', req, socket);
        res.writeHead(503).end();
        return;
      }
    }
    if (!summary.host && version === 11 && server.requireHostHeader) {
      res.writeHead(400, { Connection: 'close' }).end();
      return;
    }
    if (summary.expect !== undefined && version >= 11) {
      if (/(?:^|\W)100-continue(?:$|\W)/i.test(summary.expect)) {
        res.expectsContinue = true;
        if (server.listenerCount('checkContinue') > 0) {
          server.emit('checkContinue', req, res);
          return;
        }
        res.writeContinue();
      } else {
        if (server.listenerCount('checkExpectation') > 0) server.emit('checkExpectation', req, res);
        else res.writeHead(417).end();
        return;
      }
    }
    this.handling = res;
    server.emit('request', req, res);
  }

  // The request listener has returned. If the response is complete by now, the exchange is over, unless
  // the request has more.
  settle() {
    const { handling } = this;
    this.handling = null;
    if (!this.handled) return;
    this.handled = false;
    finishIfDone(handling);
  }

  completed(req) {
    req.complete = true;
    this.receiving = null;
    if (!req._dumped || !req.readableEnded) endEmpty(req);
  }

  onBody(chunk) {
    const req = this.receiving;
    if (this.socket.timeout) this.quiet();
    if (req === null || req._dumped || req.destroyed) return;
    if (!req.push(chunk)) this.stop(kForBody);
  }

  onDone(trailers) {
    const req = this.receiving;
    if (req === null) return;
    this.receiving = null;
    req.complete = true;
    if (trailers !== undefined) req.rawTrailers = trailers;
    endEmpty(req);
  }

  // The rest of the connection belongs to another protocol.
  onUpgrade(head) {
    const req = this.upgrading;
    const { server, socket } = this;
    if (this.promised !== undefined) {
      this.leave();
      this.promised.begin(head);
      return;
    }
    const event = req.method === 'CONNECT' ? 'connect' : 'upgrade';
    this.leave();
    if (server.listenerCount(event) > 0) {
      socket.readableFlowing = null;
      server.emit(event, req, socket, head);
    } else {
      socket.destroy();
    }
  }

  // A request with a body and an upgrade: the program gets a stream at once, and what follows the
  // body comes through it.
  promise(req) {
    const { server, socket } = this;
    if (server.listenerCount('upgrade') === 0) {
      socket.destroy();
      return;
    }
    const { UpgradeStream } = require('internal/http/upgrade_stream');
    this.promised = new UpgradeStream(socket, req);
    socket.removeListener('error', onError);
    socket.on('error', (error) => this.promised.destroy(error));
    server.emit('upgrade', req, this.promised, Buffer.alloc(0));
  }

  // ---- writing ----

  // The number of an idle handle, for a message that is written without the socket's stream.
  idleHandle(res) {
    const { socket, handle } = this;
    if (handle === null || this.queue[0] !== res || socket._handle !== handle || socket._httpMessage !== res)
      return undefined;
    if (socket.write !== plainWrite || socket._writeGeneric !== plainGeneric) return undefined;
    if (socket.writableLength > 0 || socket.writableCorked > 0 || !socket.writable) return undefined;
    if (socket.timeout) socket._unrefTimer();
    return handle.id;
  }

  // Responses that wait for their turn stop reading from the client that asks for more.
  waiting(res, bytes) {
    this.held += bytes - res[kCounted];
    res[kCounted] = bytes;
  }

  heldBytes() {
    return this.socket.writableLength + this.held;
  }

  sent(res) {
    const { queue, socket, server } = this;
    if (queue[0] === res) queue.shift();
    this.held -= res[kCounted];
    res[kCounted] = 0;
    const { req } = res;
    res.detachSocket(socket);
    if (res._events !== undefined) {
      // Listeners of its end may still use a request that was not touched so far.
      const untouched = !isWatched(req);
      if (!untouched) release(req);
      process.nextTick(tellClosed, res, untouched);
    } else {
      release(req);
      res.destroyed = true;
      res.isClosed = true;
    }
    if (channels.responseFinish.hasSubscribers)
      channels.responseFinish.publish({ request: req, response: res, socket, server });
    if (res.lastOnConnection) {
      if (typeof socket.destroySoon === 'function') socket.destroySoon();
      else socket.end();
    } else if (queue.length > 0) {
      const next = queue[0];
      next.assignSocket(socket);
      if ((this.stopped & kForOutput) !== 0 && this.heldBytes() < socket.writableHighWaterMark) this.go(kForOutput);
    } else {
      this.go(kForOutput);
      if (!socket.destroyed && !this.over) server.becameIdle(this);
    }
  }

  // ---- the socket's events ----

  drained() {
    const res = this.queue[0];
    if (res !== undefined) drained(res);
    if ((this.stopped & kForOutput) !== 0 && this.heldBytes() < this.socket.writableHighWaterMark) this.go(kForOutput);
  }

  peerEnded() {
    this.feedEnd();
    if (this.over) return;
    const { server, socket, queue } = this;
    if (!server.httpAllowHalfOpen) {
      if (socket.writable) socket.end();
    } else if (queue.length > 0) {
      queue[queue.length - 1].lastOnConnection = true;
    } else if (socket.writable) {
      socket.end();
    }
  }

  abortRequests() {
    for (const { req } of this.queue) {
      if (req.destroyed) continue;
      req[kQuiet] = true;
      req.destroy(aborted());
    }
    const { receiving } = this;
    if (receiving !== null && !receiving.destroyed && receiving === this.upgrading) receiving.destroy(aborted());
  }

  // An error of the parser or of the socket.
  failed(error) {
    const { socket, server } = this;
    if (server.listenerCount('clientError') > 0) {
      if (socket.listenerCount('error', onError) > 0) {
        socket.removeListener('error', onError);
        socket.on('error', nothing);
      }
      server.emit('clientError', error, socket);
      return;
    }
    socket.removeListener('error', onError);
    socket.on('error', nothing);
    const active = this.queue[0];
    if (socket.writable && (active === undefined || !active._headerSent)) {
      const line =
        {
          HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
          HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
          ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
        }[error.code] ?? '400 Bad Request';
      socket.write(`HTTP/1.1 ${line}\r\nConnection: close\r\n\r\n`, 'latin1');
    }
    socket.destroy(error);
  }

  onParseError(error) {
    this.failed(error);
  }

  timedOut() {
    const { server, socket, queue } = this;
    const res = queue[0];
    const req = this.receiving ?? res?.req;
    const heard = (req && !req.complete && req.emit('timeout', socket)) || false;
    const heardToo = (res && res.emit('timeout', socket)) || false;
    if (!server.emit('timeout', socket) && !heard && !heardToo) socket.destroy();
  }

  // Data arrived while the timeout of an idle connection replaced the program's own.
  quiet() {
    this.socket._unrefTimer?.();
  }

  closed() {
    if (this.over && this.parser < 0) return;
    this.over = true;
    const { server } = this;
    if (this.idleUntil !== 0) server.idleConnections.remove(this);
    server.httpConnections.delete(this);
    this.abortRequests();
    this.free();
    this.socket.parser = null;
  }

  // Responses hear of the end after listeners that were added to the socket before its first request, as in Node.
  closeResponses() {
    for (const res of this.queue) {
      res.destroyed = true;
      if (!res.isClosed) {
        res.isClosed = true;
        res.emit('close');
      }
    }
  }

  // The socket is released from the connection.
  leave() {
    const { socket, server } = this;
    this.over = true;
    if (this.idleUntil !== 0) server.idleConnections.remove(this);
    server.httpConnections.delete(this);
    for (const [event, listener] of listeners) socket.removeListener(event, listener);
    if (this.closesResponses) socket.removeListener('close', onCloseResponses);
    this.free();
    socket.parser = null;
    socket[kConnection] = undefined;
  }

  get isIdle() {
    return this.queue.length === 0 && this.receiving === null && !(this.age(kBegun) >= 0);
  }
}

// For programs that need it, a request without a body ends before 'request' is emitted.
function optimize(req) {
  const state = req._readableState;
  state.ended = state.endEmitted = state.destroyed = true;
  req._dumped = true;
}

function tellClosed(res, untouched) {
  if (untouched) release(res.req);
  res.destroyed = true;
  res.isClosed = true;
  if (res._events !== undefined) res.emit('close');
}

// ---- listeners: one function each for all sockets ----

const { onData, onEnd, onError, onClose, onNewListener, onPause, onResume } = socketListeners(kConnection);

function onCloseResponses() {
  this[kConnection]?.closeResponses();
}
function onDrain() {
  this[kConnection]?.drained();
}
function onTimeout() {
  this[kConnection]?.timedOut();
}

const listeners = [
  ['data', onData],
  ['end', onEnd],
  ['error', onError],
  ['close', onClose],
  ['drain', onDrain],
  ['timeout', onTimeout],
  ['pause', onPause],
  ['resume', onResume],
  ['newListener', onNewListener],
];

function refuseEncoding() {
  throw new codes.ERR_HTTP_SOCKET_ENCODING();
}

function accept(server, socket) {
  const connection = new ServerConnection(server, socket);
  socket[kConnection] = connection;
  socket.parser = connection;
  socket.setEncoding = refuseEncoding;
  server.httpConnections.add(connection);
  if (server.timeout && typeof socket.setTimeout === 'function') socket.setTimeout(server.timeout);
  for (let i = 0; i < listeners.length; i++) socket.on(listeners[i][0], listeners[i][1]);
  if (socket instanceof Socket && socket.readableLength === 0) connection.attach();
  return connection;
}

module.exports = { accept };
