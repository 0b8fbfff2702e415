// A hook that is enabled before the first output gets no events of what printing needs.
const { createHook } = require('async_hooks');
let promises = 0;
const hook = createHook({ init(id, type) { if (type === 'PROMISE') promises++; } }).enable();
const text = require('util').inspect(new Map([[1, new Set()]]));
const types = require('util').types.isPromise(Promise.resolve());
hook.disable();
console.log(text, types, promises);
