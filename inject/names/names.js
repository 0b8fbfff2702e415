// Runs in Node before the program, with the functions of names.c. It puts in the hooks that tell what Node runs, without a trace in what the
// program can see: no frame in a stack, no mark on a promise, no name in the environment.
(function start(native, process, file) {
  'use strict';
  const builtin = process.getBuiltinModule ?? ((id) => native.module.require(id));
  const { executionAsyncResource, triggerAsyncId, createHook } = builtin('async_hooks');
  const channels = builtin('diagnostics_channel');
  const { Module } = builtin('module');
  const { enter, run, react, name } = native;
  const TIMER = 1, IMMEDIATE = 2, TICK = 3, MESSAGE = 4;
  const CALLBACK = 0, SLOW = 1, PARSE = 2, MADE = 3;

  // Whether the loader's frames look in V8's stack as they do in JavaScript's.
  function isRight() {
    const found = /\(?(node:internal\/modules\/[^\s:]+:\d+):\d+\)?$/m.exec(new Error().stack);
    return found !== null && native.stack().includes(found[1]) && native.place(Module.prototype.require).startsWith('node:internal/modules/');
  }

  // The program sees neither this file nor the variable that brought it.
  function hide() {
    delete Module._cache[file];
    const options = process.env.NODE_OPTIONS, own = native.option;
    if (options === own) delete process.env.NODE_OPTIONS;
    else if (options !== undefined && options.startsWith(`${own} `)) process.env.NODE_OPTIONS = options.slice(own.length + 1);
  }

  // ---- what Node is about to run ----

  let closed = false;

  // A tick is a plain object, and in Node 26.12 has a class.
  const isTick = ({ constructor }) => constructor === Object || constructor?.name === 'TickObject';

  function begin(resource) {
    if (isTick(resource) && typeof resource.callback === 'function') {
      const isSpent = run(TICK, resource.callback);
      const listenOf = ticks[resource.callback.name];
      if (listenOf !== undefined && resource.args !== undefined && isNodes(resource.callback)) listenOf(resource.args);
      return isSpent;
    }
    if (typeof resource._onTimeout === 'function') return run(TIMER, resource._onTimeout);
    if (typeof resource._onImmediate === 'function') return run(IMMEDIATE, resource._onImmediate);
    if (resource instanceof Promise) return react();
    // queueMicrotask makes a resource with the function in it.
    if (resource.constructor.name === 'AsyncResource' && typeof resource.callback === 'function') return run(TICK, resource.callback);
    const receiver = resource.constructor.name === 'MessagePort' ? receiverOf(resource) : undefined;
    if (receiver !== undefined) return run(MESSAGE, receiver); // one callback of the loop may have many messages
    const isSpent = enter(resource.callback ?? callbackOfRead(resource) ?? resource.ondone);
    const eventOf = events[resource.constructor.name];
    if (eventOf !== undefined) nameListener(ownerOf(resource), eventOf, resource);
    return isSpent;
  }

  // ---- ticks of Node's own, which emit an event of the stream or the child that is among their arguments ----

  const listen = (owner, event) => nameListener(owner, () => event);
  const isReady = ({ _readableState: state }) => !state.destroyed && !state.errored && (state.length > 0 || state.ended);
  const flows = ({ _readableState: state }) => state?.flowing && state.length > 0;

  const hadError = ({ _readableState: read, _writableState: written }) => read?.errorEmitted || written?.errorEmitted;
  const emitsClose = ({ _readableState: read, _writableState: written }) => (read ?? written) === undefined || read?.emitClose || written?.emitClose;

  // What zlib.gzip and its like were given is called when their stream ends.
  function listenForEnd(stream) {
    if (!listen(stream, 'end') && typeof stream.cb === 'function') name(stream.cb);
  }

  const ticks = {
    __proto__: null,
    endReadableNT: ([state, stream]) => state.length === 0 && !state.errored && !state.endEmitted && !state.closeEmitted && listenForEnd(stream),
    emitReadable_: ([stream]) => isReady(stream) && (listen(stream, 'readable') || (flows(stream) && listen(stream, 'data'))),
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

  // A message of another process is emitted in a tick that its channel has caused.
  const children = new Set();

  function rememberChild({ process: child }) {
    children.add(new WeakRef(child));
  }

  function isChannel(owner, id) {
    for (const key of Object.getOwnPropertySymbols(owner)) if (key.description === 'kChannelHandle') return owner[key]?.getAsyncId() === id;
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

  // ---- events: what an object of Node's emits as soon as it is called back, and who listens ----

  const bytes = new WeakMap();
  let ownerSymbol;

  function ownerOf(handle) {
    ownerSymbol ??= Reflect.ownKeys(handle).find((key) => typeof key === 'symbol' && key.description === 'owner_symbol');
    return ownerSymbol === undefined ? undefined : handle[ownerSymbol];
  }

  // A server's handle is called for connections. A socket's has read something, or met the end, which is an event of later on; and what it has read is
  // emitted at once only while it flows.
  function eventOfStream(owner, handle) {
    if (typeof owner.listen === 'function') return 'connection';
    const read = handle.bytesRead, before = bytes.get(handle) ?? 0;
    bytes.set(handle, read);
    const state = owner._readableState;
    return read > before && state?.flowing && state.length === 0 ? 'data' : undefined;
  }

  // What was compressed is emitted at once while the stream flows, if there is any: the room that is left has become less.
  function eventOfZlib({ _readableState: state, _writeState: left }, handle) {
    return state.flowing && state.length === 0 && left[0] < handle.availOutBefore ? 'data' : undefined;
  }

  const events = {
    __proto__: null,
    TCP: eventOfStream,
    Pipe: eventOfStream,
    TTY: eventOfStream,
    UDP: () => 'message',
    Process: () => 'exit',
    FSEvent: () => 'change',
    Zlib: eventOfZlib,
    BrotliEncoder: eventOfZlib,
    BrotliDecoder: eventOfZlib,
    ZstdCompress: eventOfZlib,
    ZstdDecompress: eventOfZlib,
  };

  // The first listener of the program's. One for once is a function of Node's own, which has the program's as a property.
  function nameListener(owner, eventOf, handle) {
    const listeners = owner?._events?.[eventOf(owner, handle)];
    if (typeof listeners === 'function') return name(listeners) || (typeof listeners.listener === 'function' && name(listeners.listener));
    return Array.isArray(listeners) && listeners.some((each) => name(each) || (typeof each.listener === 'function' && name(each.listener)));
  }

  // A worker emits what its port receives. Of a port itself, onmessage is a function of Node's own, too.
  const workersOfPorts = new WeakMap();
  const { getEventListeners } = builtin('events');

  function rememberPort({ worker }) {
    for (const key of Reflect.ownKeys(worker)) if (key.description === 'kPublicPort') workersOfPorts.set(worker[key], worker);
  }

  const isOwn = new WeakMap();

  function isNodes(listener) {
    let is = isOwn.get(listener);
    if (is === undefined) isOwn.set(listener, (is = native.place(listener).startsWith('node:')));
    return is;
  }

  // A port that is closed has no more messages, but an event of its own.
  function receiverOf(port) {
    if (!port.hasRef()) return undefined;
    const listeners = getEventListeners(workersOfPorts.get(port) ?? port, 'message').map((each) => each.handler ?? each.handleEvent ?? each);
    return listeners.find((each) => typeof each === 'function' && !isNodes(each));
  }

  const subscriptions = [
    ['http.server.request.start', ({ server }) => void nameListener(server, () => 'request')],
    ['http.client.response.finish', ({ request }) => void nameListener(request, () => 'response')],
  ];

  // readFile keeps the callback beside its requests, and calls it after the last of them.
  function callbackOfRead({ context, ondone, oncomplete }) {
    return context !== undefined && (ondone !== undefined || oncomplete?.name === 'readFileAfterClose') ? context.callback : undefined;
  }

  function before() {
    if (closed) return;
    try {
      if (begin(executionAsyncResource())) close();
    } catch {
      // An object of the program's with a getter that throws: it has no name then.
    }
  }

  function beforeReaction() {
    if (!closed && react()) close();
  }

  // ---- functions that are called on the way to those of the program ----

  // A native function that names what it is given, and then calls the original, does not stand in any stack. In all else it looks like the original.
  const hops = new Map();

  function hop(kind, object, key, title = key) {
    const original = object[key], known = hops.get(original), own = known ?? native.hop(kind, title, original);
    hops.set(original, own);
    for (const each of Reflect.ownKeys(original)) if (each !== 'prototype') Reflect.defineProperty(own, each, Reflect.getOwnPropertyDescriptor(original, each));
    Reflect.defineProperty(object, key, { ...Reflect.getOwnPropertyDescriptor(object, key), value: own });
  }

  const hasSync = (module, key) => typeof module[key] === 'function' && typeof module[`${key}Sync`] === 'function';

  // Of these, Node keeps the callback where nobody can look it up. sign and verify are other functions by name, which a stack would show.
  const ciphers = ['pbkdf2', 'scrypt', 'hkdf', 'argon2', 'randomBytes', 'randomFill', 'generateKey', 'generateKeyPair', 'generatePrime', 'diffieHellman', 'encapsulate',
    'decapsulate'];

  function hopToCiphers() {
    if (process.versions.openssl === undefined) return;
    const crypto = builtin('crypto');
    for (const key of ciphers) if (typeof Reflect.getOwnPropertyDescriptor(crypto, key)?.value === 'function') hop(CALLBACK, crypto, key);
  }

  function hopToNames(fs) {
    const handler = { __proto__: null, apply: native.call };
    native.wraps((callback) => new Proxy(callback, handler)); // it is called with the same `this`
    const isJob = String(fs.writeFile).includes('.ondone ='); // since Node 26: the job has the callback
    const known = isJob ? ['readFile', 'writeFile', 'appendFile'] : ['readFile'];
    for (const key of Object.keys(fs)) if (hasSync(fs, key) && !known.includes(key)) hop(CALLBACK, fs, key);
  }

  function hopToStacks(fs) {
    const processes = builtin('child_process');
    for (const key of Object.keys(fs)) if (hasSync(fs, key)) hop(SLOW, fs, `${key}Sync`, `fs.${key}Sync`);
    for (const key of ['execFileSync', 'execSync', 'spawnSync']) hop(SLOW, processes, key, `child_process.${key}`);
    hop(SLOW, Atomics, 'wait', 'Atomics.wait');
    hop(PARSE, JSON, 'parse', 'JSON.parse');
  }

  // ---- what keeps the loop alive ----

  const timers = new Map(), immediates = new Map(), workers = new Map(); // with the stacks of who has made them
  const most = new Map([[timers, 1000], [immediates, 1000]]);
  const { inspect } = builtin('util');

  // A promise of timers/promises stands for its timer or immediate, which nobody else knows. A handler would change what becomes of it if it fails.
  const isOver = (timer) => (timer instanceof Promise ? !/^Promise \{\s*<pending>/.test(inspect(timer)) : timer._destroyed || !timer.hasRef());

  function remember(timer, maker, by) {
    const all = by === 'setImmediate' ? immediates : timers;
    all.set(timer, maker);
    if (all.size < most.get(all)) return;
    for (const each of all.keys()) if (isOver(each)) all.delete(each);
    most.set(all, Math.max(1000, all.size * 2));
  }

  // A promise's resolve, and what is bound, have none.
  function placeOf(callback) {
    const place = native.place(callback);
    return place.startsWith(':') ? 'native' : place;
  }

  // The program may have put a getter there.
  function titleOf(callback) {
    try {
      return `${String(callback.name) || '(anonymous)'} (${placeOf(callback)})`;
    } catch {
      return '(anonymous)';
    }
  }

  function listTimers() {
    let text = '';
    for (const [timer, maker] of timers) {
      if (isOver(timer)) continue;
      const { _onTimeout: callback, _idleTimeout: ms, _repeat: repeats } = timer;
      text += callback === undefined ? '  timeout of timers/promises\n'
        : `  ${repeats === null ? 'timeout' : 'interval'} ${titleOf(callback)} of ${ms} ms\n`;
      text += maker;
    }
    return text;
  }

  function listImmediates() {
    let text = '';
    for (const [immediate, maker] of immediates) {
      if (isOver(immediate)) continue;
      const { _onImmediate: callback } = immediate;
      text += `  immediate ${callback === undefined ? 'of timers/promises' : titleOf(callback)}\n${maker}`;
    }
    return text;
  }

  function listWorkers() {
    let text = '';
    for (const [worker, maker] of workers) if (worker.threadId >= 0) text += `  worker ${worker.threadId}\n${maker}`;
    return text;
  }

  function rememberWorker({ worker }) {
    for (const each of workers.keys()) if (each.threadId < 0) workers.delete(each);
    workers.set(worker, native.maker());
  }

  // Node 18 has no such channel. Its handle of a worker is without onexit when the worker is over.
  function onInit(id, type, trigger, handle) {
    if (type === 'WORKER') rememberWorker({ worker: { get threadId() { return handle.onexit === null ? -1 : handle.threadId; } } });
  }

  function hopToMakers() {
    const module = builtin('timers');
    for (const key of ['setTimeout', 'setInterval', 'setImmediate']) {
      const original = module[key];
      hop(MADE, module, key);
      if (globalThis[key] === original) Reflect.defineProperty(globalThis, key, { ...Reflect.getOwnPropertyDescriptor(globalThis, key), value: module[key] });
    }
    for (const key of ['setTimeout', 'setImmediate']) hop(MADE, builtin('timers/promises'), key);
    if (Number.parseInt(process.versions.node) < 20) createHook({ init: onInit }).enable();
    else channels.subscribe('worker_threads', rememberWorker);
    native.makers({ remember, listTimers, listImmediates, listWorkers });
  }

  // ---- putting the hooks in, and taking them out when they cost too much ----

  // Where hooks follow promises whether wanted or not, V8 is told to keep promises out of it, in place of what Node has told it. That would take away what the
  // program has put in: so it ends when the program has any hook of its own, which follows promises, too.
  function tracksAlways() {
    try {
      createHook({ trackPromises: 0 });
      return true;
    } catch {
      return false;
    }
  }

  const tracks = tracksAlways();
  const hook = createHook(tracks ? { before } : { before, trackPromises: false });
  const { enable } = hook;
  let stopReactions, isForeign = false;

  function watchForeign() {
    const hooks = Reflect.getPrototypeOf(hook);
    hooks.enable = {
      enable() {
        isForeign = true;
        return Reflect.apply(enable, this, []);
      },
    }.enable;
  }

  function open() {
    if (isForeign) return;
    closed = false;
    Reflect.apply(enable, hook, []);
    if (tracks) native.hookReactions(beforeReaction);
    else stopReactions = builtin('v8').promiseHooks.onBefore(beforeReaction);
    for (const [channel, listener] of subscriptions) channels.subscribe(channel, listener);
  }

  function close() {
    closed = true;
    native.closed();
    hook.disable();
    stopReactions?.();
    for (const [channel, listener] of subscriptions) channels.unsubscribe(channel, listener);
  }

  let isPrepared = false;

  function prepare() {
    if (isPrepared) return;
    isPrepared = true;
    const fs = builtin('fs');
    hopToNames(fs);
    hopToCiphers();
    channels.subscribe('worker_threads', rememberPort);
    channels.subscribe('child_process', rememberChild);
    if (native.wantsStacks) hopToStacks(fs);
    Module.syncBuiltinESMExports();
    if (tracks) watchForeign();
  }

  // `rota attach` has begun to look at the loop, or has ended.
  function attached(isSeen) {
    if (isSeen) prepare();
    if (isSeen) open();
    else if (!closed) close();
  }

  const wantsMaps = /(?:^| )--enable-source-maps(?: |$)/.test(`${process.execArgv.join(' ')} ${process.env.NODE_OPTIONS ?? ''}`);
  hide();
  if (wantsMaps) native.maps();
  if (!isRight()) return false;
  if (native.wantsParts) {
    prepare();
    open();
    native.opens(open);
    native.main(process.argv[1] ?? '');
  } else if (native.maySee) {
    closed = true;
    native.opens(open, attached);
  }
  if (native.wantsMakers) {
    hopToMakers();
    Module.syncBuiltinESMExports();
  }
  return true;
})
