'use strict';

// V8's messages for errors that the engine throws itself. Programs and tests compare such texts, so an error that a
// program reads has the message that it would have in Node. Messages that contain all that is needed are in
// internal/errors/engine_texts. The others are recognized by the patterns here; what they lack is taken from the source
// (internal/errors/engine_reading, source_words, source_tree).

const { asBefore, kNoObject, plain, translateSyntax } = require('internal/errors/engine_texts');
const { Place, readOf, tooEarly, withNames } = require('internal/errors/engine_place');
const { parseFrame } = require('internal/errors/frames');
const {
  readingOf,
  near,
  spread,
  isNamespace,
  readonly,
  deletion,
  firstGiven,
  receiver,
  typeError,
  badRegExp,
  kIteratorKey,
} = require('internal/errors/engine_reading');

const words = () => require('internal/errors/source_expressions');
const tree = () => require('internal/errors/source_tree');
const readText = (file) => require('internal/process/execution').sourceText(file);

// [pattern, (parts, place) -> text or undefined]
const rules = [
  [
    /^(undefined|null) is not an object \(evaluating '([^]*)'\)$/,
    ([, value, code], place) => readingOf(value, code, place),
  ],
  // Outside of functions, `arguments` of a module is rewritten (internal/modules/esm/uses).
  [/^Can't find variable: (?:__rota_(?=arguments$))?(.*)$/, ([, name]) => `${name} is not defined`],
  [
    /^([^]*) is not a function\. \(In '[^]*', '[^]*' is ([^]*?)\)$/,
    ([, code, value]) => `${words().showCallee(code, value)} is not a function`,
  ],
  [/^([^]*) is not a function \(near '\.\.\.([^]*)\.\.\.'\)$/, ([, value, code], place) => near(value, code, place)],
  [
    /^[^]* is not a constructor \(evaluating 'new ([^]*)'\)$/,
    ([, code]) => {
      const { expressionAt, show, bare } = words();
      const node = bare(expressionAt(`new ${code}`));
      return node?.type === 'NewExpression' ? `${show(bare(node.callee))} is not a constructor` : undefined;
    },
  ],
  [/^Attempted to assign to readonly property\.$/, (m, place) => readonly(place)],
  [/^Array length is not writable$/, () => "Cannot assign to read only property 'length' of object '[object Array]'"],
  [
    /^Attempting to define property on object that is not extensible\.$/,
    (m, place) =>
      place.native === undefined
        ? place.key &&
          (isNamespace(place)
            ? `Cannot assign to property '${place.key}' of [object Module]`
            : `Cannot add property ${place.key}, object is not extensible`)
        : `Cannot define property ${words().describe(place.given[1])}, object is not extensible`,
  ],
  [/^Unable to delete property\.$/, (m, place) => deletion(place)],
  [
    /^Cannot access (?:uninitialized variable\.|'([^]*)' before initialization)$/,
    ([, told], place) => {
      if (place.read !== undefined) return tooEarly(place);
      // An engine that tells the name may tell more of the expression.
      const isName = told !== undefined && /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(told);
      const found =
        isName || place.text === undefined
          ? undefined
          : tree().earlyName(place.file, place.text, place.line, place.column);
      const name = found ?? told;
      return `Cannot access ${name === undefined ? 'a variable' : `'${name}'`} before initialization`;
    },
  ],
  [
    /^Right side of assignment cannot be destructured$/,
    (m, place) =>
      place.text === undefined ? undefined : tree().destructuring(place.file, place.text, place.line, place.column),
  ],
  [/^Spread syntax requires \.\.\.iterable(.*)$/, ([, rest], place) => spread(rest.includes('null'), place)],
  [
    /^Cannot call a class constructor without \|new\|$/,
    (m, place) =>
      place.innermost
        ? `Class constructor ${place.innermost} cannot be invoked without 'new'`
        : "Class constructors cannot be invoked without 'new'",
  ],
  [
    /^calling (\S+) constructor without new is invalid$/,
    ([, name]) =>
      name.startsWith('WebAssembly')
        ? `${name}(): ${name} must be invoked with 'new'`
        : `Constructor ${name} requires 'new'`,
  ],
  [
    /^The superclass is not a constructor\.$/,
    (m, place) => {
      const source = /\bextends\s+$/.test(place.before) ? words().expressionAt(place.behind) : undefined;
      return (
        `Class extends value ${source === undefined ? 'undefined' : words().describe(source)} is not a ` +
        `constructor or null`
      );
    },
  ],
  [
    /^The value of the superclass's prototype property is not an object or null\.$/,
    () => 'Class extends value does not have valid prototype property undefined',
  ],
  [
    /^Cannot access invalid private field \(evaluating '[^]*?(#[\w$]+)(\s*=[^=>])?[^]*'\)$/,
    ([, name, write]) =>
      `Cannot ${write ? 'write' : 'read'} private member ${name} ${write ? 'to' : 'from'} an object whose class ` +
      `did not declare it`,
  ],
  [
    /^Cannot access private method or acessor \(evaluating '[^]*'\)$/,
    (m, place) => {
      const name = [
        ...(place.text?.slice(0, place.text.indexOf(place.behind)) ?? '').matchAll(/\bclass\s+([\w$]+)/g),
      ].pop()?.[1];
      return name === undefined ? undefined : `Receiver must be an instance of class ${name}`;
    },
  ],
  [
    /^Trying to access an undefined private (getter|setter)$/,
    ([, kind], place) => place.key && `'${place.key}' was defined without a ${kind}`,
  ],
  [
    /^(?:Array|Iterator|TypedArray)\.prototype\.\w+ callback must be a function\.?$/,
    (m, place) => `${firstGiven(place, 'describeWithType')} is not a function`,
  ],
  [
    /^Array\.from requires that the second argument, when provided, be a function$/,
    (m, place) => `${words().describeWithType(place.given[1])} is not a function`,
  ],
  [
    /^(?:Array|TypedArray)\.prototype\.(?:sort|toSorted) requires the comparator argument to be a function or undefined$/,
    (m, place) => `The comparison function must be either a function or undefined: ${firstGiven(place, 'describe')}`,
  ],
  [
    /^(?:Array|TypedArray)\.from requires an array-like object - not null or undefined$/,
    (m, place) => `${firstGiven(place, 'describeWithType')} is not iterable ${kIteratorKey}`,
  ],
  [/^Array index out of range$/, (m, place) => `Invalid index : ${firstGiven(place, 'describe')}`],
  [
    /^(Array\.prototype\.(\w+)) requires that \|this\| not be null or undefined$/,
    ([, name, method]) =>
      /^(?:flat|at|fill|flatMap|copyWithin|keys|values|entries)$/.test(method)
        ? kNoObject
        : `${name} called on null or undefined`,
  ],
  [
    /^(\w+\.groupBy) requires that the first argument not be null or undefined$/,
    ([, name]) => `${name} called on null or undefined`,
  ],
  [
    /^Object\.groupBy requires that the second argument must be a function$/,
    (m, place) => `${words().describe(place.given[1])} is not a function`,
  ],
  [/^Object\.\w+ requires that input parameter not be null or undefined$/, () => kNoObject],
  [
    /^Argument to (String\.prototype\.\w+) cannot be a RegExp$/,
    ([, name]) => `First argument to ${name} must not be a regular expression`,
  ],
  [
    /^(String\.prototype\.\w+) argument must not be a non-global regular expression$/,
    ([, name]) => `${name} called with a non-global RegExp argument`,
  ],
  [
    /^String\.prototype\.repeat argument must be greater than/,
    (m, place) => `Invalid count value: ${firstGiven(place, 'describe')}`,
  ],
  [
    /^Arguments contain a value that is out of range of code points$/,
    (m, place) => `Invalid code point ${firstGiven(place, 'describe')}`,
  ],
  [/^invalid language tag: (.*)$/, ([, tag]) => `Invalid language tag: ${tag}`],
  [/^invalid time zone: (.*)$/, ([, zone]) => `Invalid time zone specified: ${zone}`],
  [/^(minimum|maximum)(\w+) is out of range$/, ([, which, what]) => `${which}${what} value is out of range.`],
  [
    /^function is not a constructor \(evaluating 'super\([^]*'\)$/,
    () => 'Super constructor null of anonymous class is not a constructor',
  ],
  [
    /^Symbol\.keyFor requires that the first argument be a symbol$/,
    (m, place) => `${firstGiven(place, 'describe')} is not a symbol`,
  ],
  [
    /^Conversion from 'BigInt' to 'number' is not allowed\.$/,
    (m, place) =>
      words().expressionAt(place.behind)?.type === 'BinaryExpression'
        ? 'Cannot mix BigInt and other types, use explicit conversions'
        : 'Cannot convert a BigInt value to a number',
  ],
  [
    /^Not an integer$/,
    (m, place) =>
      `The number ${firstGiven(place, 'describe')} cannot be converted to a BigInt because it is not an integer`,
  ],
  [/^Failed to parse String to BigInt$/, (m, place) => `Cannot convert ${firstGiven(place, 'describe')} to a BigInt`],
  [
    /^Properties can only be defined on Objects\.$/,
    (m, place) => `Object.${place.native ?? 'defineProperty'} called on non-object`,
  ],
  [
    /^Property description must be an object\.$/,
    (m, place) => `Property description must be an object: ${words().describe(place.given[2])}`,
  ],
  [/^(Getter|Setter) must be a function\.$/, ([, kind]) => `${kind} must be a function: undefined`],
  [
    /^Invalid property\. {2}'\w+' present on property with getter or setter\.$/,
    () => 'Invalid property descriptor. Cannot both specify accessors and a value or writable attribute, #<Object>',
  ],
  [
    /^Attempting to change (?:\w+ of a readonly|\w+ of an unconfigurable|.*(?:unconfigurable|non-configurable)) property\.$|^Attempting to change .*\.$/,
    (m, place) => `Cannot redefine property: ${words().describe(place.given[1])}`,
  ],
  [
    /^(?:Object prototype may only be an Object or null\.|Prototype value can only be an object or null|Reflect\.setPrototypeOf requires .*)$/,
    (m, place) =>
      `Object prototype may only be an Object or null: ` +
      `${words().describe(place.given[place.native === 'create' ? 0 : 1])}`,
  ],
  [/^(Reflect\.\w+) requires the first argument be an object$/, ([, name]) => `${name} called on non-object`],
  [
    /^Reflect\.construct requires the first argument be a constructor$/,
    (m, place) => `${firstGiven(place, 'describe')} is not a constructor`,
  ],
  [
    /^Reflect\.construct requires the third argument be a constructor if present$/,
    (m, place) => `${words().describe(place.given[2])} is not a constructor`,
  ],
  [
    /^second argument to Function\.prototype\.apply must be an Array-like object/,
    () => 'CreateListFromArrayLike called on non-object',
  ],
  [
    /^Promise constructor takes a function argument$/,
    (m, place) => `Promise resolver ${firstGiven(place, 'describe')} is not a function`,
  ],
  [
    /^\|this\| is not an object$/,
    (m, place) => {
      const name = /\bPromise\.((?:prototype\.)?\w+)\.call$/.exec(place.before)?.[1];
      return name === undefined
        ? undefined
        : name === 'resolve'
          ? 'PromiseResolve called on non-object'
          : `Promise.${name} called on non-object`;
    },
  ],
  [
    /^\|this\| is not a Promise$/,
    (m, place) => `Method Promise.prototype.then called on incompatible receiver ${firstGiven(place, 'describe')}`,
  ],
  [/^(Map|Set) operation called on non-\w+ object$/, ([, owner], place) => receiver(owner)(owner, place)],
  [/^Called (WeakMap|WeakSet) function on a non-\w+ object$/, ([, owner], place) => receiver(owner)(owner, place)],
  [
    /^Builtin RegExp exec can only be called on a RegExp object$/,
    () => 'Method RegExp.prototype.exec called on incompatible receiver #<Object>',
  ],
  [
    /^(RegExp\.prototype\.\w+) requires that \|this\| be an Object$/,
    ([, name], place) => `Method ${name} called on incompatible receiver ${firstGiven(place, 'describe')}`,
  ],
  [
    /^(Symbol\.prototype\.\w+) requires that \|this\| be a symbol or a symbol object$/,
    ([, name]) => `${name} requires that 'this' be a Symbol`,
  ],
  [
    /^thisNumberValue called on incompatible/,
    (m, place) => `Number.prototype.${place.native ?? 'valueOf'} requires that 'this' be a Number`,
  ],
  [
    /^'this' value must be a BigInt or BigIntObject$/,
    (m, place) => `BigInt.prototype.${place.native ?? 'valueOf'} requires that 'this' be a BigInt`,
  ],
  [/^Receiver must be ArrayBuffer$/, (m, place) => receiver('ArrayBuffer')(m, place)],
  [/^Receiver of DataView method must be a DataView$/, (m, place) => receiver('DataView')(m, place)],
  [/^Type error$/, (m, place) => typeError(place)],
  [
    /^byteOffset exceeds source ArrayBuffer byteLength$/,
    (m, place) => `Start offset ${words().describe(place.given[1])} is outside the bounds of the buffer`,
  ],
  [
    /^Length out of range of buffer$/,
    (m, place) => {
      const { describe, literalOf } = words();
      if (place.given.length === 2)
        return `Start offset ${describe(place.given[1])} is outside the bounds of the buffer`;
      return (
        literalOf(place.given[2]) &&
        `Invalid ${place.native === 'DataView' ? 'DataView length' : 'typed array length:'} ${describe(place.given[2])}`
      );
    },
  ],
  [
    /^length cannot be negative$/,
    (m, place) =>
      /ArrayBuffer$/.test(place.native)
        ? 'Invalid array buffer length'
        : `Invalid typed array length: ${firstGiven(place, 'describe')}`,
  ],
  [
    /^ArrayBuffer length minus the byteOffset is not a multiple of the element size$/,
    (m, place) => {
      const size = globalThis[place.native]?.BYTES_PER_ELEMENT;
      return (
        size &&
        `${place.given.length > 1 ? 'start offset' : 'byte length'} of ${place.native} should be a multiple of ${size}`
      );
    },
  ],
  [/^Invalid regular expression: (.*)$/, ([, what], place) => badRegExp(what, place)],
  [
    /^Invalid flags supplied to RegExp constructor\.$/,
    (m, place) => {
      const flags = words().literalOf(place.given[1])?.value;
      return flags === undefined ? undefined : `Invalid flags supplied to RegExp constructor '${flags}'`;
    },
  ],
  [
    /^[^]* is not an Object\. \(evaluating '([^]*)'\)$/,
    ([, code]) => {
      const { expressionAt, bare, literalOf } = words();
      const node = bare(expressionAt(code));
      if (node?.type !== 'BinaryExpression' || node.operator !== 'in') return undefined;
      const left = literalOf(node.left);
      const right = literalOf(node.right);
      return left?.value === undefined
        ? undefined
        : `Cannot use 'in' operator to search for '${left.value}' in ` +
            `${right === undefined ? 'undefined' : right.value}`;
    },
  ],
  [
    /^[^]* is not a function\. \(evaluating '[^]* instanceof [^]*'\)$/,
    () => "Right-hand side of 'instanceof' is not callable",
  ],
  [/^Iterator result interface is not an object\.?$/, () => 'Iterator result undefined is not an object'],
  [
    /^Iterator\.prototype\.(?:take|drop) argument must/,
    (m, place) => `${firstGiven(place, 'describe')} must be positive`,
  ],
  [
    /^(DisposableStack\.prototype\.\w+) requires that \|this\| be a pending DisposableStack object$/,
    ([, name]) => `Cannot call ${name} on an already-disposed DisposableStack`,
  ],
  [
    /^(?:Async)?DisposableStack\.prototype\.\w+ requires that onDispose argument be a callable$/,
    (m, place) => `${firstGiven(place, 'describe')} is not a function`,
  ],
  [
    /^Proxy has already been revoked\./,
    (m, place) => {
      const trap =
        { keys: 'ownKeys', getOwnPropertyNames: 'ownKeys' }[place.native] ??
        place.native ??
        (/\bin\s*$/.test(place.before)
          ? 'has'
          : place.behind.startsWith('(')
            ? 'apply'
            : /^[.[][^=;]*=(?!=)/.test(place.behind)
              ? 'set'
              : 'get');
      return `Cannot perform '${trap === '' ? 'apply' : trap}' on a proxy that has been revoked`;
    },
  ],
  [
    /^Proxy object's 'set' trap returned falsy value for property '(.*)'$/,
    ([, key], place) =>
      isNamespace(place)
        ? `Cannot assign to property '${key}' of [object Module]`
        : `'set' on proxy: trap returned falsish for property '${key}'`,
  ],
  [
    /^Object\.fromEntries requires the first iterable parameter yields objects$/,
    (m, place) => {
      const [first] = place.given;
      return `Iterator value ${words().describe(first?.elements?.[0])} is not an entry object`;
    },
  ],
  [
    /^undefined is not (?:a function|an object)$/,
    (m, place) =>
      place.native === 'fromEntries' || place.native === 'all'
        ? place.given.length === 0
          ? 'undefined is not iterable'
          : `${firstGiven(place, 'describeWithType').replace(/^undefined$/, 'object')} is not iterable ${kIteratorKey}`
        : undefined,
  ],
];

function translate(message, place, isSyntax) {
  const said = inWords(asBefore(message), place, isSyntax);
  return said.includes('__rota_') ? withNames(said, place.file, place.text) : said;
}

function inWords(message, place, isSyntax) {
  const known = plain.get(message) ?? (isSyntax ? translateSyntax(message) : undefined);
  if (known !== undefined) return known;
  for (const [pattern, write] of rules) {
    const parts = pattern.exec(message);
    if (parts !== null) {
      const text = write(parts, place);
      if (text !== undefined) return text;
    }
  }
  return message;
}

// A program that fails repeatedly at one position gets the same result.
const kAnswersKept = 200;
const answers = new Map();

// `whole` is the engine's text of the stack.
function messageFor(message, whole, isSyntax) {
  const read = readOf(message, whole);
  const raw = read?.below ?? whole;
  let top = raw.indexOf('\n');
  while (top !== -1 && raw.endsWith('[native code]', top)) top = raw.indexOf('\n', top + 1);
  const stack = top === -1 ? raw : raw.slice(0, top);
  const question = `${message}\n${read?.name ?? ''}\n${read?.trap ?? ''}\n${stack}`;
  let answer = answers.get(question);
  if (answer !== undefined) return answer;
  const lines = stack.split('\n').map(parseFrame);
  const at = lines.findIndex((frame) => frame.file);
  const native = at > 0 && lines[at - 1].native ? lines[at - 1].name : undefined;
  const place = new Place(lines[at], native, lines[0].name, readText);
  place.read = read;
  answer = translate(message, place, isSyntax);
  if (answers.size >= kAnswersKept) answers.clear();
  answers.set(question, answer);
  return answer;
}

module.exports = { messageFor };
