'use strict';
// An immediate is shown to the depth that is asked for, also if its context leads back to it.
const { inspect } = require('util');
const { AsyncLocalStorage } = require('async_hooks');

const immediate = setImmediate(() => {});
console.log(inspect({ immediate }, { depth: 0 }), inspect(immediate, { depth: -1 }), inspect([[immediate]], { depth: 1 }));
const store = {};
new AsyncLocalStorage().run(store, () => {
  store.last = setImmediate(() => {});
  for (const depth of [-1, 0, 1, 2, 3, null]) console.log(depth, inspect(store.last, { depth }).includes('_idleNext: null'));
});
