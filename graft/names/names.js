// Runs in Node before the program, with the functions of names.c. It puts in the hooks that tell what Node runs, without a trace in what the
// program can see: no frame in a stack, no mark on a promise, no name in the environment.
(function start(native, process, file) {
  'use strict';
  const { executionAsyncResource, createHook } = process.getBuiltinModule('async_hooks');
  const { Module } = process.getBuiltinModule('module');
  const { enter, run, react } = native;
  const TIMER = 1, IMMEDIATE = 2, TICK = 3;
  const CALLBACK = 0, EMIT = 1, SLOW = 2, PARSE = 3, MADE = 4;

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

  function begin(resource) {
    if (resource.constructor === Object && typeof resource.callback === 'function') return run(TICK, resource.callback);
    if (typeof resource._onTimeout === 'function') return run(TIMER, resource._onTimeout);
    if (typeof resource._onImmediate === 'function') return run(IMMEDIATE, resource._onImmediate);
    if (resource instanceof Promise) return react();
    // queueMicrotask makes a resource with the function in it.
    if (resource.constructor.name === 'AsyncResource' && typeof resource.callback === 'function') return run(TICK, resource.callback);
    return enter(resource.callback ?? callbackOfRead(resource));
  }

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
  function hop(kind, object, key, title = key) {
    const original = object[key], own = native.hop(kind, title, original);
    for (const each of Reflect.ownKeys(original)) if (each !== 'prototype') Reflect.defineProperty(own, each, Reflect.getOwnPropertyDescriptor(original, each));
    Reflect.defineProperty(object, key, { ...Reflect.getOwnPropertyDescriptor(object, key), value: own });
  }

  const hasSync = (module, key) => typeof module[key] === 'function' && typeof module[`${key}Sync`] === 'function';

  function hopToNames(fs) {
    const { call } = native, { bind } = Function.prototype;
    native.binds((callback) => Reflect.apply(bind, call, [undefined, callback]));
    for (const key of Object.keys(fs)) if (hasSync(fs, key) && key !== 'readFile') hop(CALLBACK, fs, key);
    hop(EMIT, process.getBuiltinModule('events').prototype, 'emit');
  }

  function hopToStacks(fs) {
    const processes = process.getBuiltinModule('child_process');
    for (const key of Object.keys(fs)) if (hasSync(fs, key)) hop(SLOW, fs, `${key}Sync`, `fs.${key}Sync`);
    for (const key of ['execFileSync', 'execSync', 'spawnSync']) hop(SLOW, processes, key, `child_process.${key}`);
    hop(SLOW, Atomics, 'wait', 'Atomics.wait');
    hop(PARSE, JSON, 'parse', 'JSON.parse');
  }

  // ---- what keeps the loop alive ----

  const timers = new Map();
  let timersMax = 1000;

  function remember(timer, maker) {
    timers.set(timer, maker);
    if (timers.size < timersMax) return;
    for (const each of timers.keys()) if (each._destroyed) timers.delete(each);
    timersMax = Math.max(1000, timers.size * 2);
  }

  function list() {
    let text = '';
    for (const [timer, maker] of timers) {
      if (timer._destroyed || !timer.hasRef()) continue;
      const { _onTimeout: callback, _idleTimeout: ms, _repeat: repeats } = timer;
      text += `  ${repeats === null ? 'timeout' : 'interval'} ${callback.name || '(anonymous)'} (${native.place(callback)}) of ${ms} ms\n${maker}`;
    }
    return text;
  }

  function hopToMakers() {
    const module = process.getBuiltinModule('timers');
    for (const key of ['setTimeout', 'setInterval']) {
      const original = module[key];
      hop(MADE, module, key);
      if (globalThis[key] === original) Reflect.defineProperty(globalThis, key, { ...Reflect.getOwnPropertyDescriptor(globalThis, key), value: module[key] });
    }
    native.makers(remember, list);
  }

  // ---- putting the hooks in, and taking them out when they cost too much ----

  // Where hooks follow promises whether wanted or not, they are put in once, and promises are kept out of it by V8: to do that again later might take
  // away what the program has put in.
  function tracksAlways() {
    try {
      createHook({ trackPromises: 0 });
      return true;
    } catch {
      return false;
    }
  }

  const stays = tracksAlways();
  const hook = createHook(stays ? { before } : { before, trackPromises: false });
  let stopReactions;

  function open() {
    closed = false;
    if (stays) return;
    hook.enable();
    stopReactions = process.getBuiltinModule('v8').promiseHooks.onBefore(beforeReaction);
  }

  function close() {
    closed = true;
    native.closed();
    if (stays) return;
    hook.disable();
    stopReactions();
  }

  hide();
  if (!isRight()) return false;
  if (native.wantsParts) {
    if (stays) {
      hook.enable();
      native.hookReactions(beforeReaction);
    }
    const fs = process.getBuiltinModule('fs');
    hopToNames(fs);
    if (native.wantsStacks) hopToStacks(fs);
    Module.syncBuiltinESMExports();
    open();
    native.opens(open);
    native.main(process.argv[1] ?? '');
  }
  if (native.wantsMakers) {
    hopToMakers();
    Module.syncBuiltinESMExports();
  }
  return true;
})
