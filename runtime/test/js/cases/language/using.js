'use strict';
// `using` and `await using` in CommonJS.
const { setTimeout: sleep } = require('node:timers/promises');
const vm = require('node:vm');

const log = (...words) => console.log(...words);
const make = (name, fails = false) => ({
  name,
  [Symbol.dispose]() {
    log('dispose', name);
    if (fails) throw new Error(`dispose ${name}`);
  },
});
const makeLater = (name) => ({
  name,
  async [Symbol.asyncDispose]() {
    log('begin', name);
    await sleep(1);
    log('end', name);
  },
});
const tell = (error) => (error instanceof SuppressedError ? `${error.message} (${tell(error.error)} over ${tell(error.suppressed)})` : error.message);
const attempt = (program) => {
  try {
    log('gave', program());
  } catch (error) {
    log('threw', error.name, tell(error));
  }
};

using whole = make('the file');

attempt(() => {
  using a = make('a'), b = make('b');
  log(a.name, b.name, hoisted());
  function hoisted() { return 'hoisted'; }
  return later;
  var later;
});
attempt(() => { using a = make('a', true); throw new Error('body'); });
attempt(() => { using a = make('a', true), b = make('b', true), c = make('c', true); });
attempt(() => { using a = make('a'), b = null, c = undefined; log(a.name, b, c); });
attempt(() => { using a = 5; });
attempt(() => { using a = {}; });
attempt(() => { using a = make('a'); using b = {}; });
attempt(() => { log(x.name); using x = make('x'); });
attempt(() => { for (using item of [make('one'), make('two'), make('three')]) { if (item.name === 'two') continue; log(item.name); if (item.name === 'three') break; } });
attempt(() => { for (using item of [make('one')]) log('without a block', item.name); });
attempt(() => { outer: for (using i = make('i'); ; ) { for (;;) { log('in', i.name); break outer; } } });
attempt(() => { let n = 0; outer: for (using i = make('i'); n < 2; n++) { for (;;) continue outer; } return n; });
attempt(() => { switch (1) { case 1: { using a = make('a'); log('case'); } case 2: log('next'); } });
attempt(() => { label: { using a = make('a'); log('before'); break label; } return 'after'; });
attempt(() => { if (true) { using a = make('a'); } else { using b = make('b'); } });
attempt(() => { class A { static { using a = make('static'); log('static block'); } m() { using b = make('method'); return this.constructor.name; } } return new A().m(); });
attempt(() => { using f = class { static [Symbol.dispose]() { log('class', this.name); } }; return f.name; });
attempt(() => { const o = { get x() { using a = make('getter'); return 1; } }; return o.x; });
attempt(() => { { using a = make('a'); { using a = make('inner a'); log(a.name); } log(a.name); } });
attempt(() => (() => { using a = make('a'); return [1, 2].map((n) => { using b = make(`b${n}`); return n * 2; }); })().join());
attempt(() => { const using = 1; return using + 1; });
attempt(() => { const using = [5]; return using[0]; });
attempt(() => { let using = 0; using
= 3; return using; });
attempt(() => { for (const using of [1]) return using; });

function* walk() {
  using a = make('generator');
  yield 1;
  yield 2;
}
for (const item of walk()) { log(item); break; }
log([...walk()]);

attempt(() => vm.runInThisContext('{ using r = { [Symbol.dispose]() { this.gone = true; } }; r }').gone);
attempt(() => vm.runInNewContext('{ using r = { [Symbol.dispose]() { this.gone = true; } }; r }').gone);
attempt(() => new vm.Script('using r = null'));

const lineOf = (error) => /using\.js:(\d+)/.exec(error.stack)[1];
try {
  using a = make('a');
  throw new Error('here');
} catch (error) {
  log(lineOf(error));
}

(async () => {
  {
    await using a = makeLater('a');
    using b = make('b');
    await using c = make('c'), d = null;
    log('body');
  }
  for (await using item of [makeLater('one'), null, make('two')]) log(item?.name);
  for await (using item of (async function* () { yield make('y1'); yield make('y2'); })()) log(item.name);
  try {
    await using a = { async [Symbol.asyncDispose]() { throw new Error('later'); } };
    throw new Error('body');
  } catch (error) {
    log(tell(error));
  }
  async function* steps() {
    await using a = makeLater('async generator');
    yield 1;
    yield 2;
  }
  for await (const step of steps()) { log(step); break; }
  await using last = makeLater('last');
  return 'done';
})().then(log);
log('end of file');
