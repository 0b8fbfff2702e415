'use strict';

// The unsent data of an outgoing message, as a list of pieces. They are written to the socket when it is the message's
// turn on the connection (pipelined responses wait for those before them), and at the end of the tick or of the
// message, so that what a program writes in one tick is one write. When the system has accepted the last piece of an
// ended message, the message is finished.

const { Buffer } = require('internal/buffer/class');
const { ERR_STREAM_DESTROYED } = require('internal/errors').codes;

const kPieces = Symbol('pieces'); // waiting: { data, encoding, callback }
const kWaiting = Symbol('waitingBytes');
const kUnderWay = Symbol('writesUnderWay');
const kScheduled = Symbol('flushScheduled');
const kCorked = Symbol('corked');
const kHeld = Symbol('heldChunks'); // chunks of the body while corked
const kNeedsDrain = Symbol('needDrain');
const kDone = Symbol('finishedWriting');
const kWhenEnded = Symbol('endCallbacks');

function sizeOf(data, encoding) {
  return typeof data === 'string' ? Buffer.byteLength(data, encoding) : data.byteLength;
}

function addPiece(message, data, encoding, callback) {
  (message[kPieces] ??= []).push({ data, encoding, callback });
  message[kWaiting] += sizeOf(data, encoding);
  message.onWaiting?.(message[kWaiting]);
}

function hasTurn(message) {
  const { socket } = message;
  return (
    socket !== null &&
    socket !== undefined &&
    socket._httpMessage === message &&
    !socket.destroyed &&
    socket.writable !== false
  );
}

function flushLater(message) {
  if (message[kScheduled] || !hasTurn(message)) return;
  message[kScheduled] = true;
  process.nextTick(flushOnTick, message);
}

function flushOnTick(message) {
  message[kScheduled] = false;
  if (message[kCorked] > 0) return;
  releaseHeld(message);
  if (message[kPieces] !== null) flush(message);
}

// Writes the queued data to the socket, as one write. -> false if the socket's buffer is full
function flush(message) {
  const pieces = message[kPieces];
  if (pieces === null) return true;
  if (!hasTurn(message)) {
    if (message.socket?.destroyed) dropPieces(message, pieces);
    return false;
  }
  const { socket } = message;
  message[kPieces] = null;
  message[kWaiting] = 0;
  message.onWaiting?.(0);
  let room = true;
  if (pieces.length === 1) {
    room = handOver(message, socket, pieces[0]);
  } else {
    socket.cork();
    for (const piece of pieces) room = handOver(message, socket, piece);
    socket.uncork();
  }
  if (room && message[kNeedsDrain]) process.nextTick(tellDrained, message);
  return room;
}

function handOver(message, socket, { data, encoding, callback }) {
  message[kUnderWay]++;
  return socket.write(data, encoding, (error) => {
    callback?.(error);
    if (error) refuseEnd(message, error);
    if (--message[kUnderWay] === 0) finishIfDone(message);
  });
}

// Data that was not sent cannot be finished: the waiting callbacks get the error.
function refuseEnd(message, error) {
  message.failure ??= error;
  const callbacks = message[kWhenEnded];
  if (callbacks === null) return;
  message[kWhenEnded] = null;
  for (const callback of callbacks) callback(error);
}

// A message that has failed by now does not end, and reports the error.
function whenEnded(message, callback) {
  if (message.failure) process.nextTick(callback, message.failure);
  else (message[kWhenEnded] ??= []).push(callback);
}

// The pieces cannot be sent any more. A failed socket reports the error, and the message is never finished.
function dropPieces(message, pieces) {
  message[kPieces] = null;
  message[kWaiting] = 0;
  const reason = message.socket?.errored;
  if (reason) message.failure ??= reason;
  for (const { callback } of pieces) {
    if (callback) process.nextTick(callback, reason ?? new ERR_STREAM_DESTROYED('write'));
  }
}

// A socket that had room for everything does not emit 'drain' itself.
function tellDrained(message) {
  if (
    !message[kNeedsDrain] ||
    message.destroyed ||
    message.finished ||
    message[kPieces] !== null ||
    message[kHeld] !== null
  )
    return;
  if (message.socket?.writableNeedDrain) return;
  message[kNeedsDrain] = false;
  message.emit('drain');
}

// The socket of the message has room again.
function drained(message) {
  if (message[kPieces] !== null) flush(message);
  tellDrained(message);
}

function finishIfDone(message) {
  if (
    message.finished &&
    !message[kDone] &&
    message[kUnderWay] === 0 &&
    message[kPieces] === null &&
    !message.failure &&
    !message.destroyed
  )
    conclude(message);
}

// The system has accepted everything.
function conclude(message) {
  if (message[kDone] || message.failure) return;
  message[kDone] = true;
  const callbacks = message[kWhenEnded];
  if (callbacks !== null) {
    message[kWhenEnded] = null;
    for (const callback of callbacks) callback(null);
  }
  message.whenSent?.();
  if (message._events !== undefined) message.emit('finish');
}

// It is the message's turn, or it got its socket.
function begin(message) {
  if (message[kCorked] === 0) releaseHeld(message);
  if (message[kPieces] !== null) {
    flush(message);
    if (message.finished) message.emit('prefinish');
  } else if (message[kNeedsDrain]) {
    process.nextTick(tellDrained, message);
  }
}

// Data written in one tick, or while corked, is one chunk: the chunk ends here.
function releaseHeld(message) {
  const held = message[kHeld];
  if (held === null) return;
  message[kHeld] = null;
  addPiece(message, `${held.size.toString(16)}\r\n`, 'latin1', null);
  for (const { data, encoding, callback } of held.list) addPiece(message, data, encoding, callback);
  addPiece(message, '\r\n', 'latin1', null);
}

module.exports = {
  kPieces,
  kWaiting,
  kUnderWay,
  kScheduled,
  kCorked,
  kHeld,
  kNeedsDrain,
  kDone,
  kWhenEnded,
  addPiece,
  begin,
  drained,
  finishIfDone,
  flush,
  flushLater,
  hasTurn,
  releaseHeld,
  sizeOf,
  whenEnded,
};
