'use strict';

// Hooks for promises: the results of `then`, the rest of a function after `await`, and the context that tools build from it.

const { createHook, executionAsyncId, triggerAsyncId, executionAsyncResource } = require('async_hooks');
const fs = require('fs');

const lines = [];
const nativeThen = Promise.prototype.then;

async function chains() {
  const seen = new Map();
  const events = [];
  const hook = createHook({
    init: (id, type, trigger, resource) => { if (type === 'PROMISE') seen.set(id, { trigger, isPromise: resource instanceof Promise, resource }); },
    before: (id) => { if (seen.has(id)) events.push(['before', id]); },
    after: (id) => { if (seen.has(id)) events.push(['after', id]); },
    promiseResolve: (id) => { if (seen.has(id)) events.push(['resolve', id]); },
  }).enable();
  const first = Promise.resolve(1);
  const inside = [];
  const second = first.then(() => { inside.push([executionAsyncId(), triggerAsyncId(), executionAsyncResource()]); return 2; });
  const third = second.catch(() => {});
  const idOf = (promise) => [...seen].find(([, { resource }]) => resource === promise)?.[0];
  const [a, b, c] = [first, second, third].map(idOf);
  lines.push(['triggers', seen.get(b).trigger === a, seen.get(c).trigger === b, a < b && b < c, [...seen.values()].every(({ isPromise }) => isPromise)]);
  await third;
  lines.push(['in the callback', inside[0][0] === b, inside[0][1] === a, inside[0][2] === second]);
  const ofThen = events.filter(([, id]) => id === b || id === c).map(([event, id]) => `${event} ${id === b ? 'second' : 'third'}`);
  lines.push(ofThen.join());
  hook.disable();
  lines.push(['afterwards', Promise.prototype.then === nativeThen]);
}

async function awaits() {
  const hook = createHook({ init() {} }).enable();
  const ids = [executionAsyncId()];
  await null;
  ids.push(executionAsyncId());
  await new Promise((resolve) => setTimeout(resolve, 1));
  ids.push(executionAsyncId());
  try {
    await Promise.reject(new Error('no'));
  } catch {
    ids.push(executionAsyncId());
  }
  lines.push(['awaits', ids.length, new Set(ids).size, ids.every((id) => id > 0)]);
  hook.disable();
}

// A store as tools make it: kept by number.
async function byNumber() {
  const contexts = new Map();
  const hook = createHook({
    init(id) { if (contexts.has(executionAsyncId())) contexts.set(id, contexts.get(executionAsyncId())); },
    destroy(id) { contexts.delete(id); },
  }).enable();
  const get = () => contexts.get(executionAsyncId());
  const walk = async (name) => {
    const found = [];
    await null;
    found.push(get());
    await new Promise((resolve) => setTimeout(resolve, 2));
    found.push(get());
    await Promise.resolve().then(() => found.push(get())).finally(() => found.push(get()));
    await new Promise((resolve) => fs.stat(__filename, () => { found.push(get()); resolve(); }));
    found.push(get());
    await new Promise((resolve) => process.nextTick(() => { found.push(get()); resolve(); }));
    await Promise.all([1, 2].map(async () => { await 0; found.push(get()); }));
    await new Promise((resolve) => queueMicrotask(() => { found.push(get()); resolve(); }));
    return [name, found.every((value) => value === name), found.length];
  };
  const found = await Promise.all(['red', 'green', 'blue'].map((name) => new Promise((resolve) => setImmediate(() => {
    contexts.set(executionAsyncId(), name);
    resolve(walk(name));
  }))));
  lines.push(...found);
  hook.disable();
}

// And on the resources themselves.
async function byResource() {
  const key = Symbol('request');
  const hook = createHook({
    init(id, type, trigger, resource) {
      const current = executionAsyncResource();
      if (current) resource[key] = current[key];
    },
  }).enable();
  await new Promise((resolve) => setTimeout(async () => {
    executionAsyncResource()[key] = 'mine';
    const found = [];
    await 1;
    found.push(executionAsyncResource()[key]);
    await new Promise((done) => setImmediate(done));
    found.push(executionAsyncResource()[key]);
    await Promise.resolve(5).then(() => found.push(executionAsyncResource()[key]));
    lines.push(['resources', ...found]);
    resolve();
  }, 1));
  hook.disable();
}

async function without() {
  let promises = 0;
  let others = 0;
  const hook = createHook({ init: (id, type) => (type === 'PROMISE' ? promises++ : others++), trackPromises: false }).enable();
  await new Promise((resolve) => setTimeout(resolve, 1));
  await Promise.resolve().then(() => {});
  hook.disable();
  lines.push(['not tracked', promises, others > 0]);
}

(async () => {
  for (const each of [chains, awaits, byNumber, byResource, without]) await new Promise((resolve) => setTimeout(() => resolve(each()), 1));
  for (const line of lines) console.log(line);
})();
