'use strict';
// Ticks of Node's own, which emit an event of the stream or the child that is among their arguments.

const { native, process, builtin } = require('./host.js');
const { nameListener } = require('./listeners.js');

const { name } = native;
const { triggerAsyncId } = builtin('async_hooks');

const listen = (owner, event) => nameListener(owner, () => event);

// ---- streams ----

const isReady = ({ _readableState: state }) => !state.destroyed && !state.errored && (state.length > 0 || state.ended);
const flows = ({ _readableState: state }) => state?.flowing && state.length > 0;
const hadError = ({ _readableState: read, _writableState: written }) => read?.errorEmitted || written?.errorEmitted;
const hasEnded = (state) => state.length === 0 && !state.errored && !state.endEmitted && !state.closeEmitted;

function emitsClose({ _readableState: read, _writableState: written }) {
  return (read ?? written) === undefined || read?.emitClose || written?.emitClose;
}

// What zlib.gzip and its like were given is called when their stream ends.
function listenForEnd(stream) {
  if (!listen(stream, 'end') && typeof stream.cb === 'function') name(stream.cb);
}

// ---- children: a message of another process is emitted in a tick that its channel has caused ----

const children = new Set();

function rememberChild({ process: child }) {
  children.add(new WeakRef(child));
}

function isChannel(owner, id) {
  for (const key of Object.getOwnPropertySymbols(owner)) {
    if (key.description === 'kChannelHandle') return owner[key]?.getAsyncId() === id;
  }
  return false;
}

function channelOf(id) {
  if (isChannel(process, id)) return process;
  for (const each of children) {
    const child = each.deref();
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) children.delete(each);
    if (child !== undefined && isChannel(child, id)) return child;
  }
  return undefined;
}

// By the name of Node's function.
const ticks = {
  __proto__: null,
  endReadableNT: ([state, stream]) => hasEnded(state) && listenForEnd(stream),
  emitReadable_: ([stream]) =>
    isReady(stream) && (listen(stream, 'readable') || (flows(stream) && listen(stream, 'data'))),
  resume_: ([stream]) => flows(stream) && listen(stream, 'data'),
  finish: ([stream]) => stream !== undefined && listen(stream, 'finish'),
  emitCloseNT: ([owner]) => emitsClose(owner) && listen(owner, 'close'),
  emitErrorCloseNT: ([owner]) => !hadError(owner) && listen(owner, 'error'),
  emitErrorNT: ([owner]) => !hadError(owner) && listen(owner, 'error'),
  emitListeningNT: ([owner]) => listen(owner, 'listening'),
  onErrorNT: ([owner]) => listen(owner, 'error'),
  onSpawnNT: ([owner]) => listen(owner, 'spawn'),
  afterWriteTick: ([{ cb }]) => typeof cb === 'function' && name(cb),
  emit: ([event]) => event === 'message' && listen(channelOf(triggerAsyncId()), event),
};

module.exports = { rememberChild, ticks };
