'use strict';

// Options that make the language itself stricter, for all code of the program: --disallow-code-generation-from-strings,
// --disable-proto and --frozen-intrinsics. They take effect before the program's first line; code of ours that needs
// more got it before (internalBinding('runtime')).

const { optionWords } = internalBinding('process');
const runtime = internalBinding('runtime');

// The options of the process: threads cannot have fewer.
const isOn = (name) => optionWords.lastIndexOf(`--${name}`) > optionWords.lastIndexOf(`--no-${name}`);
const valueOf = (name) => optionWords.findLast((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);

// ---- code from texts ----

// As text, since each realm has its own. The constructors of functions stay constructors of their kind (`instanceof`,
// subclasses); calling them throws.
const noCodeFromStrings = `(() => {
  const refuse = () => { throw new EvalError('Code generation from strings disallowed for this context'); };
  const define = (object, name, value) => Object.defineProperty(object, name, { __proto__: null, value });
  const evaluate = new Proxy(eval, { __proto__: null, apply: refuse });
  define(globalThis, 'eval', evaluate);
  for (const kind of [function() {}, async function() {}, function*() {}, async function*() {}]) {
    const prototype = Object.getPrototypeOf(kind);
    const guarded = new Proxy(prototype.constructor, { __proto__: null, apply: refuse, construct: refuse });
    define(prototype, 'constructor', guarded);
    if (guarded.name === 'Function') define(globalThis, 'Function', guarded);
  }
})()`;

// ---- __proto__ ----

const withoutProto = 'delete Object.prototype.__proto__';

const protoThrows = `(() => {
  const refuse = () => {
    const text = 'Accessing Object.prototype.__proto__ has been disallowed with --disable-proto=throw';
    throw Object.assign(new Error(text), { code: 'ERR_PROTO_ACCESS' });
  };
  Object.defineProperty(Object.prototype, '__proto__', {
    __proto__: null,
    get: { __proto__() { return refuse(); } }.__proto__,
    set: { __proto__(value) { refuse(); } }.__proto__,
    enumerable: false,
    configurable: true,
  });
})()`;

// The code that a new realm of the program runs first; undefined: none.
function textForRealms() {
  const mode = valueOf('disable-proto');
  return mode === undefined ? undefined : mode === 'delete' ? withoutProto : protoThrows;
}

// ---- frozen intrinsics ----

const hidden = () => {
  const prototypeOf = Object.getPrototypeOf;
  const ofArray = prototypeOf([][Symbol.iterator]());
  return [
    prototypeOf(function* () {}),
    prototypeOf(async function () {}),
    prototypeOf(async function* () {}),
    prototypeOf(Uint8Array),
    ofArray,
    prototypeOf(ofArray),
    prototypeOf(prototypeOf(prototypeOf(async function* () {}.prototype))),
    prototypeOf(new Map().entries()),
    prototypeOf(new Set().entries()),
    prototypeOf(''[Symbol.iterator]()),
    prototypeOf(/./[Symbol.matchAll]('')),
  ];
};

// What Node leaves as it is.
const notFrozen = new Set(['AsyncDisposableStack', 'DisposableStack', 'Float16Array', 'SuppressedError']);
const globalNames = () => [
  ...[...require('internal/inspect/names').builtins].filter((name) => !notFrozen.has(name)),
  'SharedArrayBuffer',
  'decodeURI',
  'decodeURIComponent',
  'encodeURI',
  'encodeURIComponent',
  'escape',
  'eval',
  'isFinite',
  'isNaN',
  'parseFloat',
  'parseInt',
  'unescape',
  'Atomics',
  'JSON',
  'Math',
  'Reflect',
  'Intl',
  'WebAssembly',
  'console',
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'setImmediate',
  'setInterval',
  'setTimeout',
];

// Assigning a property that a frozen prototype has would fail, although the object itself is not frozen: so such
// properties become accessors, whose setters define the property on the receiver. The same holds for classes that
// extend others.
function makeOverridable(object) {
  for (const key of Reflect.ownKeys(object)) {
    const descriptor = Object.getOwnPropertyDescriptor(object, key);
    if (!descriptor.configurable || !descriptor.writable) continue;
    const { value, enumerable } = descriptor;
    const get = {
      get() {
        return value;
      },
    }.get;
    if (key === 'constructor') get.maker = value; // for internal/inspect/names
    Object.freeze(get);
    Object.defineProperty(object, key, {
      __proto__: null,
      enumerable,
      configurable: true,
      get,
      set(next) {
        if (this === object)
          throw new TypeError(`Cannot assign to read only property '${String(key)}' of object '${object}'`);
        if (Object.hasOwn(this, key)) this[key] = next;
        else
          Object.defineProperty(this, key, {
            __proto__: null,
            value: next,
            writable: true,
            enumerable: true,
            configurable: true,
          });
      },
    });
  }
}

function freezeAll(roots) {
  // The engine's own constructors of errors, which programs do not see: the limit of stack traces is set there.
  const seen = new Set(runtime.errorNames.map((name) => runtime[name]));
  const waiting = [...roots];
  while (waiting.length > 0) {
    const object = waiting.pop();
    if (seen.has(object) || object === globalThis || object === process) continue;
    seen.add(object);
    const prototype = Object.getPrototypeOf(object);
    const found = prototype === null ? [] : [prototype];
    for (const key of Reflect.ownKeys(object)) {
      const descriptor = Object.getOwnPropertyDescriptor(object, key);
      for (const each of 'value' in descriptor ? [descriptor.value] : [descriptor.get, descriptor.set])
        found.push(each);
    }
    for (const each of found)
      if ((typeof each === 'object' && each !== null && !ArrayBuffer.isView(each)) || typeof each === 'function')
        waiting.push(each);
    Object.freeze(object);
  }
}

function freezeIntrinsics() {
  process.emitWarning(
    'Frozen intristics is an experimental feature and might change at any time',
    'ExperimentalWarning',
  ); // as Node writes it
  runtime.fillConsole();
  const roots = [
    ...globalNames()
      .filter((name) => name in globalThis)
      .map((name) => globalThis[name]),
    ...hidden(),
  ];
  const prototypes = roots
    .map((root) => root.prototype)
    .filter((each) => typeof each === 'object' || each === Function.prototype);
  new Set([...roots, ...prototypes, console.Console.prototype]).forEach((each) => {
    if (each !== console) makeOverridable(each);
  });
  freezeAll(roots);
  Object.defineProperty(globalThis, 'globalThis', {
    __proto__: null,
    value: globalThis,
    writable: false,
    configurable: false,
  });
}

function begin() {
  if (optionWords.length === 0) return;
  const evaluate = internalBinding('modules').evaluate;
  if (isOn('disallow-code-generation-from-strings')) evaluate(noCodeFromStrings, 'node:internal/process/hardening', 1);
  const text = textForRealms();
  if (text !== undefined) evaluate(text, 'node:internal/process/hardening', 1);
}

// Behind what -r loads, which may still add to the language's objects.
function freeze() {
  if (optionWords.length > 0 && isOn('frozen-intrinsics')) freezeIntrinsics();
}

module.exports = { begin, freeze, noCodeFromStrings, textForRealms };
