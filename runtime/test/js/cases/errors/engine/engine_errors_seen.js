// An error that the engine throws, read in every way that a program has.
const util = require('node:util');
const vm = require('node:vm');
const thrown = (program) => {
  try {
    program();
  } catch (error) {
    return error;
  }
  return undefined;
};
const fresh = () => thrown(() => undefined.member);

console.log(fresh().message);
console.log(`${fresh()}`);
console.log(fresh().stack.split('\n')[0]);
console.log(/^ {4}at .*engine_errors_seen\.js:12:\d+\)?$/.test(fresh().stack.split('\n')[1]));
console.log(Object.getOwnPropertyNames(fresh()).sort(), Object.keys(fresh()), JSON.stringify(fresh()));
console.log('message' in fresh(), fresh().hasOwnProperty('stack'), 'line' in fresh(), fresh().sourceURL);
console.log(util.inspect(fresh()).split('\n')[0]);
console.log(util.format('%s', fresh()).split('\n')[0]);
console.log(structuredClone(fresh()).message);
console.log({ ...fresh() }, Object.assign({}, fresh()));

const { message, name } = fresh();
console.log(name, message);
const renamed = fresh();
renamed.message = `more: ${renamed.message}`;
console.log(renamed.message);
const written = fresh();
written.extra = 1;
console.log(written.message, written.extra, Object.keys(written));
const deleted = fresh();
delete deleted.message;
console.log(deleted.message === '', deleted.name);
const defined = Object.defineProperty(fresh(), 'code', { value: 'E' });
console.log(defined.code, defined.message);
console.log(new Error('outer', { cause: fresh() }).cause.message);
console.log(Object.create(fresh()).message);

try {
  vm.runInNewContext('null.inside');
} catch (error) {
  console.log(error.message, error instanceof TypeError);
}
try {
  vm.runInThisContext('nowhere');
} catch (error) {
  console.log(error.message);
}

// Many at one place, so that it is compiled.
let alike = 0;
for (let i = 0; i < 20000; i++) {
  try {
    null.member;
  } catch (error) {
    if (error.message === "Cannot read properties of null (reading 'member')") alike++;
  }
}
console.log(alike);

function deep() {
  try {
    return deep();
  } catch (error) {
    return error.message;
  }
}
console.log(deep());

class Own extends TypeError {}
console.log(new Own('mine').message, thrown(() => { throw new TypeError('undefined is not an object (evaluating \'a.b\')'); }).message);

(async () => {
  await undefined.awaited;
})().catch((error) => console.log(error.message))
  .then(() => Promise.resolve().then(() => missing))
  .catch((error) => console.log(error.message, error.name))
  .then(async () => {
    try {
      await (async () => null.inner())();
    } catch (error) {
      console.log(error.message);
    }
    const [{ reason }] = await Promise.allSettled([(async () => (5)())()]);
    console.log(reason.message);
    process.on('uncaughtException', (error) => console.log('uncaught', error.message));
    setTimeout(() => JSON.parse('{"a":]'), 1);
    process.on('unhandledRejection', (error) => console.log('unhandled', error.message));
    Promise.reject(fresh());
  });
