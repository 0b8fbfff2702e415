'use strict';

// IncomingMessage: a request as a server sees it, or a response as a client does.
//
// Most requests have no body, and most programs read only the method, the path and a few headers. So the message begins
// as a plain record: the stream's state is made on first use (`_readableState` is an accessor of the prototype until
// then), the headers become an object when they are read, and a message that the program did not touch ends without
// events. The list of raw headers may be shared with other messages of the same connection; it is copied before a
// program gets hold of it.

const { Readable } = require('stream');
const { addDistinct, addField, distinctFields, joinFields } = require('internal/http/fields');

const kSource = Symbol('source'); // the connection that the message comes from
const kList = Symbol('rawHeaders');
const kShared = Symbol('sharedList');
const kHeaders = Symbol('headers');
const kDistinct = Symbol('headersDistinct');
const kTrailers = Symbol('trailers');
const kRawTrailers = Symbol('rawTrailers');
const kTrailersDistinct = Symbol('trailersDistinct');
const kPhase = Symbol('phase');
const kQuiet = Symbol('quiet'); // its end is no error of the socket
const kAbort = Symbol('abortController');
const kBodyLimit = Symbol('highWaterMark');

// Phases of a message whose stream was not used.
const kOpen = 0; // more may come
const kEnded = 1; // all of it is here: an empty body
const kGone = 2; // the exchange is over

function IncomingMessage(socket) {
  if (!(this instanceof IncomingMessage)) return new IncomingMessage(socket);
  this.socket = socket;
  this.client = socket;
}
Object.setPrototypeOf(IncomingMessage.prototype, Readable.prototype);
Object.setPrototypeOf(IncomingMessage, Readable);

// The defaults of a message are on the prototype: most of them never change, and take no room in the message itself.
// The streams recognize a server's request by `_dumped` and `_consuming`: `destroy`, `pipeline` and an aborted
// iteration then leave the socket open, so that the request can still be answered.
Object.assign(IncomingMessage.prototype, {
  complete: false,
  aborted: false,
  upgrade: null,
  url: '',
  method: null,
  statusCode: null,
  statusMessage: null,
  httpVersion: null,
  httpVersionMajor: null,
  httpVersionMinor: null,
  _dumped: false,
  _consuming: false,
  [kSource]: undefined,
  [kList]: undefined,
  [kShared]: false,
  [kHeaders]: undefined,
  [kPhase]: kOpen,
});

function define(name, get, set, enumerable = true) {
  Object.defineProperty(IncomingMessage.prototype, name, { __proto__: null, configurable: true, enumerable, get, set });
}

function own(message, name, value) {
  Object.defineProperty(message, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    writable: true,
    value,
  });
}

// ---- the stream ----

define(
  '_readableState',
  function () {
    if (this === IncomingMessage.prototype) return undefined;
    own(this, '_readableState', undefined);
    Readable.call(this, { highWaterMark: this[kBodyLimit] ?? this.socket?.readableHighWaterMark });
    const state = this._readableState;
    if (this[kPhase] >= kEnded) {
      if (this[kPhase] === kGone) {
        state.ended = state.endEmitted = state.destroyed = state.closed = state.closeEmitted = true;
      } else {
        this.push(null);
      }
    }
    return state;
  },
  function (value) {
    own(this, '_readableState', value);
  },
  false,
);

function hasStream(message) {
  return Object.hasOwn(message, '_readableState');
}

// The program listens to the message, or reads from it.
function isWatched(message) {
  return message._events !== undefined || hasStream(message);
}

// The body is known to be empty.
function endEmpty(message) {
  if (hasStream(message)) message.push(null);
  else message[kPhase] = kEnded;
}

IncomingMessage.prototype._read = function () {
  this[kSource]?.wantBody(this);
};

IncomingMessage.prototype.setTimeout = function (msecs, callback) {
  if (callback) this.on('timeout', callback);
  this.socket.setTimeout(msecs);
  return this;
};

// A message that is destroyed before it was read is aborted: the connection cannot be reused.
IncomingMessage.prototype._destroy = function (error, callback) {
  const { socket } = this;
  if (!this.complete || !this.readableEnded) {
    this.aborted = true;
    this.emit('aborted');
  }
  if (this.aborted) this[kAbort]?.abort();
  // Without a listener, an error that only says that the message is over is not emitted.
  const settle = (failure) => {
    callback(failure && this.listenerCount('error') > 0 ? failure : null);
  };
  if (socket && !socket.destroyed && this.aborted) {
    socket.destroy(this[kQuiet] ? undefined : error);
    let told = false;
    const over = (failure) => {
      if (told) return;
      told = true;
      process.nextTick(settle, failure?.code === 'ERR_STREAM_PREMATURE_CLOSE' ? error : (failure ?? error));
    };
    require('stream').finished(socket, over);
    return;
  }
  if (error || this.aborted) process.nextTick(settle, error);
  else callback(null);
};

// The program will not read the rest: it is discarded.
IncomingMessage.prototype._dump = function () {
  if (this._dumped) return;
  this._dumped = true;
  this.removeAllListeners('data');
  this.resume();
};

// Also called when a listener is added, unless the message was paused before.
Object.defineProperty(IncomingMessage.prototype, 'resume', {
  __proto__: null,
  configurable: true,
  writable: true,
  value: function resume() {
    this._consuming = true;
    return Reflect.apply(Readable.prototype.resume, this, []);
  },
});

// The program has asked for the body in some way.
function isConsumed(message) {
  return (
    message._consuming ||
    message.readableFlowing === true ||
    message.readableDidRead ||
    message.listenerCount('readable') > 0
  );
}

// The exchange is over for the peer: a body that was not asked for is discarded, an empty one ends.
function release(message) {
  if (!isWatched(message)) {
    if (message[kPhase] === kEnded) message[kPhase] = kGone;
    else message._dump();
  } else if (message.complete && message.readableLength === 0) {
    message._dumped = true;
    message.read(0);
  } else if (!isConsumed(message)) {
    message._dump();
  }
}

// ---- heads ----

define(
  'connection',
  function () {
    return this.socket;
  },
  function (value) {
    this.socket = value;
  },
);

define(
  'rawHeaders',
  function () {
    const list = this[kList];
    if (list === undefined) return (this[kList] = []);
    if (!this[kShared]) return list;
    this[kShared] = false;
    return (this[kList] = list.slice());
  },
  function (value) {
    this[kList] = value;
    this[kShared] = false;
  },
);

define(
  'rawTrailers',
  function () {
    return (this[kRawTrailers] ??= []);
  },
  function (value) {
    this[kRawTrailers] = value;
  },
);

define(
  'headers',
  function () {
    return (this[kHeaders] ??= joinFields(this[kList] ?? [], {}, this.joinDuplicateHeaders));
  },
  function (value) {
    this[kHeaders] = value;
  },
);

define(
  'headersDistinct',
  function () {
    return (this[kDistinct] ??= distinctFields(this[kList] ?? []));
  },
  function (value) {
    this[kDistinct] = value;
  },
);

define(
  'trailers',
  function () {
    return (this[kTrailers] ??= joinFields(this.rawTrailers, {}, this.joinDuplicateHeaders));
  },
  function (value) {
    this[kTrailers] = value;
  },
);

define(
  'trailersDistinct',
  function () {
    return (this[kTrailersDistinct] ??= distinctFields(this.rawTrailers));
  },
  function (value) {
    this[kTrailersDistinct] = value;
  },
);

define('signal', function () {
  let controller = this[kAbort];
  if (controller === undefined) {
    controller = this[kAbort] = new AbortController();
    const { socket } = this;
    const over = () => (socket ? socket.destroyed : true);
    if (this.destroyed || (!this.complete && over())) {
      controller.abort();
    } else if (socket) {
      const stop = () => controller.abort();
      socket.once('close', stop);
      // A message that was answered in full is not aborted by the end of its connection.
      const forget = () => socket.removeListener('close', stop);
      if (this.res) this.res.once('close', forget);
      else this.once('close', forget);
    }
  }
  return controller.signal;
});

IncomingMessage.prototype.joinDuplicateHeaders = undefined;

IncomingMessage.prototype._addHeaderLine = function (field, value, into) {
  addField(into, field, value, this.joinDuplicateHeaders);
};

IncomingMessage.prototype._addHeaderLineDistinct = function (field, value, into) {
  addDistinct(into, field, value);
};

IncomingMessage.prototype._addHeaderLines = function (list, count) {
  if (!list?.length) return;
  if (this.complete) {
    this.rawTrailers = list;
    this[kTrailers] = this[kTrailersDistinct] = undefined;
  } else {
    const added = list.length === count ? list : list.slice(0, count);
    this.rawHeaders = added;
    this[kDistinct] = undefined;
    if (this[kHeaders] !== undefined) joinFields(added, this[kHeaders], this.joinDuplicateHeaders);
  }
};

module.exports = {
  IncomingMessage,
  endEmpty,
  isConsumed,
  isWatched,
  kBodyLimit,
  kList,
  kQuiet,
  kShared,
  kSource,
  release,
};
