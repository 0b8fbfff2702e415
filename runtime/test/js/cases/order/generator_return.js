'use strict';

// When generator.return() settles, and what a generator yields and returns, by jobs: thenables, promises, values.
let log = '';
const count = (n, i = 0) => { Promise.resolve().then(() => { log += i; if (++i < n) count(n, i); }); };
const later = (f, n = 40) => (n ? Promise.resolve().then(() => later(f, n - 1)) : f());
const thenable = (v) => ({ then(r) { log += 't'; r(v); } });
const tests = {
  start: () => { const g = (async function* () { yield 1; })(); return g.return(thenable(5)); },
  ended: async () => { const g = (async function* () {})(); await g.next(); log += '|'; return g.return(thenable(5)); },
  rests: async () => { const g = (async function* () { try { yield 1; } finally { log += 'f'; } })(); await g.next(); log += '|'; return g.return(thenable(5)); },
  busy: async () => { const g = (async function* () { yield 1; yield 2; })(); g.next(); log += '|'; return g.return(thenable(5)); },
  promise: () => (async function* () { yield 1; })().return(Promise.resolve(6)),
  inner: () => (async function* () { yield 1; })().return(thenable(Promise.resolve(6))),
  rejected: () => (async function* () { yield 1; })().return({ then(r, j) { j(new Error('no')); } }),
  thrower: () => (async function* () { yield 1; })().return({ get then() { throw new Error('get'); } }),
  plain: () => (async function* () { yield 1; })().return({}),
  value: () => (async function* () { yield 1; })().return(7),
  yields: async () => { const g = (async function* () { yield thenable(8); })(); return g.next(); },
  returns: async () => { const g = (async function* () { return thenable(9); })(); return g.next(); },
  yieldsInner: async () => { const g = (async function* () { yield thenable(Promise.resolve(8)); })(); return g.next(); },
  returnsInner: async () => { const g = (async function* () { return thenable(Promise.resolve(8)); })(); return g.next(); },
  restsInner: async () => { const g = (async function* () { try { yield 1; } finally { log += 'f'; } })(); await g.next(); log += '|'; return g.return(thenable(Promise.resolve(5))); },
  busyInner: async () => { const g = (async function* () { yield 1; yield 2; })(); g.next(); log += '|'; return g.return(thenable(Promise.resolve(5))); },
};
(function next([name, ...names]) {
  if (name === undefined) return;
  log = '';
  count(9);
  tests[name]().then((r) => { log += 'R' + JSON.stringify(r); }, (e) => { log += 'E' + e.message.slice(0, 9); });
  later(() => { console.log(name, log); next(names); });
})(Object.keys(tests));
