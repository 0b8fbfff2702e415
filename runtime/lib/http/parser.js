'use strict';

// The interface between the parser in C and the connections: C calls one of four functions with
// the connection as `this`.

const binding = internalBinding('http_parser');
const frame = require('internal/async/context');
const { Buffer } = require('internal/buffer/class');
const { take } = internalBinding('stream');
require('internal/stream_base'); // says what `take` gives
const FastBuffer = Buffer[Symbol.species];

const { kRequests, kResponses } = require('internal/shared').httpKind;
const DEFAULT_HEAD = 16384;
const DEFAULT_COUNT = 1000;

// While asynchronous identities are tracked, each message is a resource of its own.
function makeMessage(receiver) {
  const { tracker } = frame;
  receiver.message = { socket: receiver.socket };
  if (receiver.kind === kRequests)
    tracker.create('HTTPINCOMINGMESSAGE', receiver.message, tracker.idOf(receiver.socket._handle)?.id);
  else tracker.create('HTTPCLIENTREQUEST', receiver.message);
}

// A response's resource was made with its request.
function enterMessage(receiver, isNew) {
  if (isNew && receiver.message === undefined) makeMessage(receiver);
  frame.tracker.enter(receiver.message ?? receiver);
}

function leaveMessage(receiver, isOver) {
  frame.tracker.leave();
  if (!isOver || receiver.message === undefined) return;
  frame.tracker.destroy(receiver.message);
  receiver.message = undefined;
}

binding.setCallbacks({
  head(version, list, code, text, upgrade, keepAlive, complete) {
    frame.current = this.frame;
    if (frame.tracker !== null) enterMessage(this, true);
    const how = this.onHead(version, list, code, text, upgrade, keepAlive, complete);
    if (frame.tracker !== null) leaveMessage(this, complete);
    frame.current = undefined;
    return how;
  },
  body(length, memory) {
    // before any code of the program's
    const chunk = memory === undefined ? take(new Uint8Array(length)) : new FastBuffer(memory);
    frame.current = this.frame;
    if (frame.tracker !== null) enterMessage(this, false);
    this.onBody(chunk);
    if (frame.tracker !== null) frame.tracker.leave();
    frame.current = undefined;
  },
  done(trailers) {
    frame.current = this.frame;
    if (frame.tracker !== null) enterMessage(this, false);
    this.onDone(trailers);
    if (frame.tracker !== null) leaveMessage(this, true);
    frame.current = undefined;
  },
  stopped(parsed, code, reason, memory) {
    const packet = memory === undefined ? this.feeding : new FastBuffer(memory);
    frame.current = this.frame;
    if (code === undefined) this.onUpgrade(packet.subarray(parsed));
    else this.onParseError(parseError(code, reason, parsed, packet));
    frame.current = undefined;
  },
});

function parseError(code, reason, parsed, packet) {
  const error = new Error(reason && code !== 'HPE_INVALID_EOF_STATE' ? `Parse Error: ${reason}` : 'Parse Error');
  error.bytesParsed = parsed;
  error.code = code;
  if (reason) error.reason = reason;
  if (packet !== undefined) error.rawPacket = packet; // at the end of the input there is none
  return error;
}

// What a side of a connection and its parser share.
class Receiver {
  constructor(socket, kind, limits) {
    this.socket = socket;
    this.frame = frame.current;
    this.kind = kind;
    this.message = undefined;
    this.feeding = undefined;
    this.backlog = undefined;
    this.handle = null; // the handle whose bytes C parses itself
    this.parser = binding.create(this, kind, limits.head || DEFAULT_HEAD, limits.lenient, limits.count);
  }

  // Lets C parse what the socket's handle reads, where there is such a handle.
  attach() {
    const handle = this.socket._handle;
    if (handle !== null && handle !== undefined && handle.id >= 0 && binding.attach(this.parser, handle.id)) {
      this.handle = handle;
    }
  }

  detach() {
    if (this.handle === null) return;
    binding.detach(this.parser);
    this.handle = null;
  }

  // The socket was paused: the handle that C reads follows it.
  pauseHandle() {
    const { handle } = this;
    if (handle === null) return;
    handle.reading = false;
    handle.readStop();
  }

  // `stopped`: this side does not want more bytes yet.
  resumeHandle() {
    const { handle } = this;
    if (handle === null || this.stopped || handle.reading) return;
    handle.reading = true;
    handle.readStart();
  }

  feed(chunk) {
    if (this.parser < 0) return;
    if (this.feeding !== undefined) {
      // A callback of a message may cause more bytes to arrive: they are queued.
      (this.backlog ??= []).push(chunk);
      return;
    }
    const before = frame.current;
    this.feeding = chunk;
    binding.execute(this.parser, chunk);
    this.feeding = undefined;
    frame.current = before;
    const next = this.backlog?.shift();
    if (next !== undefined) this.feed(next);
  }

  // The peer has sent its end.
  feedEnd() {
    if (this.parser < 0) return;
    this.feeding = undefined;
    const before = frame.current;
    binding.execute(this.parser, undefined);
    frame.current = before;
  }

  // Milliseconds, or -1; `which` is one of httpAge (internal/shared).
  age(which) {
    return binding.age(this.parser, which);
  }

  free() {
    if (this.parser < 0) return;
    this.detach();
    binding.free(this.parser);
    this.parser = -1;
    if (this.message !== undefined) frame.tracker?.destroy(this.message);
  }
}

// A parser belongs to its connection, and is never idle; properties that the program sets are kept.
const idleParsers = { max: 1000 };

// Listeners on a socket that pass its events to the connection that the socket has under `key`: one function each for
// all sockets. A listener of the program must get the bytes: from then on they pass through JavaScript.
function socketListeners(key) {
  function onData(chunk) {
    this[key]?.feed(chunk);
  }
  function onEnd() {
    this[key]?.peerEnded();
  }
  function onError(error) {
    this[key]?.failed(error);
  }
  function onClose() {
    this[key]?.closed();
  }
  function onNewListener(event, listener) {
    if ((event === 'data' || event === 'readable') && listener !== onData) this[key]?.detach();
  }
  function onPause() {
    this[key]?.pauseHandle();
  }
  function onResume() {
    this[key]?.resumeHandle();
  }
  return { onData, onEnd, onError, onClose, onNewListener, onPause, onResume };
}

module.exports = { socketListeners, makeMessage, DEFAULT_COUNT, idleParsers, Receiver, kRequests, kResponses };
