// ReadableStream.from: when the iterator is asked, what it may give, and how it is ended.
const { run, wait, drain } = require('./support/jobs.js');

const iterables = (at) => ({
  async: (next, more) => ({ [Symbol.asyncIterator]() { at('get')(); return { next, ...more }; } }),
  sync: (next, more) => ({ [Symbol.iterator]() { at('get')(); return { next, ...more }; } }),
});
const results = {
  'slow'(k) { return wait(5).then(() => ({ value: k, done: k > 2 })); },
  async 'fast'(k) { return { value: k, done: k > 2 }; },
  'at once'(k) { return { value: k, done: k > 2 }; },
  'thenable'(k, at) { return { then(f) { at('then')(); f({ value: k, done: k > 2 }); } }; },
  'promise as value'(k) { return { value: Promise.resolve(k), done: k > 2 }; },
  'thenable as value'(k, at) { return { value: { then(f) { at('then')(); f(k); } }, done: k > 2 }; },
  'object as value'(k) { return { value: { k }, done: k > 2 }; },
  'rejected value'(k) { return { value: Promise.reject(new Error('x')) }; },
  'throws'() { throw new Error('x'); },
  async 'rejects'() { throw new Error('x'); },
  'number'() { return 5; },
  async 'promise of a number'() { return 5; },
  'getters'(k, at) { return { get done() { at('done')(); return k > 2; }, get value() { at('value')(); return k; } }; },
};
const returns = {
  'object'() { return {}; },
  'promise'() { return Promise.resolve({}); },
  async 'async'() { return {}; },
  'number'() { return 5; },
  'throws'() { throw new Error('x'); },
  'none': undefined,
};

const programs = {};
for (const kind of ['async', 'sync']) {
  for (const [name, result] of Object.entries(results)) {
    programs[`${kind}: ${name}`] = (at) => {
      let i = 0;
      drain(ReadableStream.from(iterables(at)[kind](() => { at(`next${i}`)(); return result(i++, at); })).getReader(), at, 'r');
    };
  }
  for (const [name, end] of Object.entries(returns)) {
    programs[`${kind}: cancel, ${name}`] = (at) => {
      const more = end && { return(reason) { at(`return ${reason}`)(); return end(); } };
      ReadableStream.from(iterables(at)[kind](() => ({ value: 1 }), more)).cancel('x').then(at('cancelled'), at('cancelledE'));
    };
  }
}
const slow = (at) => iterables(at).async(async () => { at('next')(); await wait(8); return { value: 1, done: false }; }, { async return() { at('return')(); return {}; } });
Object.assign(programs, {
  'string'(at) { drain(ReadableStream.from('ab').getReader(), at, 'r'); },
  async 'later reads'(at) { const r = ReadableStream.from(slow(at)).getReader(); r.read().then(at('1')); await wait(4); r.read().then(at('2')); await wait(2); r.read().then(at('3')); },
  async 'cancelled meanwhile'(at) { const r = ReadableStream.from(slow(at)).getReader(); r.read().then(at('1')); await wait(3); r.cancel().then(at('cancelled')); },
  async 'released meanwhile'(at) { const s = ReadableStream.from(slow(at)); const r = s.getReader(); r.read().then(at('1'), at('1E')); await wait(3); r.releaseLock(); await wait(9); s.getReader().read().then(at('2')); },
  'generator'(at) { const r = ReadableStream.from((function* () { try { yield 1; yield 2; } finally { at('finally')(); } })()).getReader(); r.read().then(() => r.cancel('x').then(at('cancelled'))); },
  'async generator'(at) { ReadableStream.from((async function* () { yield 1; })()).cancel('x').then(at('cancelled')); },
});

run(programs);
