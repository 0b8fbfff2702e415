'use strict';

// V8's messages for errors that the engine throws itself. Programs and tests compare such texts, so an error that a
// program reads has the message that it would have in Node. The engine's message often quotes the expression; if it
// does not, the source at the error's position is parsed (internal/errors/source_words, source_tree). What neither of
// them shows (the value of a variable at that moment) is left out, or assumed to be undefined where nearly every such
// error is about undefined.

const words = () => require('internal/errors/source_words');
const tree = () => require('internal/errors/source_tree');

const kNoObject = 'Cannot convert undefined or null to object';
const kIteratorKey = '(cannot read property Symbol(Symbol.iterator))';
const kQuoted = 400; // characters of the source after a position

// Where an error was made. The text is read when a rule asks for it.
class Place {
  #behind;

  constructor(frame, native, innermost, readText) {
    this.file = frame?.file;
    this.line = frame?.line;
    this.column = frame?.column;
    this.native = native; // the native function that made it, if one did
    this.innermost = innermost; // the function that ran
    this.readText = readText;
    this.read = undefined; // a variable of another module that was read: { name, trap }
  }

  get text() {
    const value = this.file === undefined ? undefined : this.readText(this.file);
    Object.defineProperty(this, 'text', { value });
    return value;
  }

  // The source at the position and after it.
  get behind() {
    if (this.#behind !== undefined) return this.#behind;
    const lines = this.text?.split('\n', this.line + 20) ?? [];
    this.#behind = lines
      .slice(this.line - 1)
      .join('\n')
      .slice(this.column - 1, this.column - 1 + kQuoted);
    return this.#behind;
  }

  get before() {
    return this.text?.split('\n', this.line)[this.line - 1]?.slice(0, this.column - 1) ?? '';
  }

  // Of the source at the position, after a name: the innermost expression on the left that uses that name.
  #about(accept) {
    const { expressionAt } = words();
    let node = expressionAt(`_${this.behind}`);
    while (node != null && !accept(node)) {
      node =
        node.object ??
        node.callee ??
        node.left ??
        node.test ??
        node.argument ??
        node.expression ??
        node.expressions?.[0] ??
        node.tag;
    }
    return node ?? undefined;
  }

  // The arguments of the call at the position.
  get given() {
    if (!this.behind.startsWith('(')) return [];
    return this.#about((node) => node.type === 'CallExpression' && node.callee.name === '_')?.arguments ?? [];
  }

  // The key of the member at the position.
  get key() {
    if (!/^[.[]/.test(this.behind)) return undefined;
    const member = this.#about((node) => node.type === 'MemberExpression' && node.object.name === '_');
    return member && words().keyOf(member);
  }
}

// A variable of another module: V8 says the name that the importing module has for it, or that of the property of a
// namespace. Descriptors of a namespace's properties have another message, except those that a list of keys asks for.
function tooEarly(place) {
  const { name, trap } = place.read;
  if (trap !== undefined && trap !== 'get') {
    const isList = place.native === 'keys' || place.native === 'stringify' || /\bin\s+$/.test(place.before);
    if (!isList) return `${name} is not defined`;
  }
  const local =
    trap === undefined ? /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/u.exec(place.behind)?.[0] : undefined;
  return `Cannot access '${local ?? name}' before initialization`;
}

// ---- messages that contain all that is needed ----

const plain = new Map(
  Object.entries({
    'Maximum call stack size exceeded.': 'Maximum call stack size exceeded',
    'Array length must be a positive integer of safe magnitude.': 'Invalid array length',
    'reduce of empty array with no initial value': 'Reduce of empty array with no initial value',
    'reduceRight of empty array with no initial value': 'Reduce of empty array with no initial value',
    'Cannot convert a symbol to a string': 'Cannot convert a Symbol value to a string',
    'Cannot convert a symbol to a number': 'Cannot convert a Symbol value to a number',
    'Invalid mix of BigInt and other type in addition.': 'Cannot mix BigInt and other types, use explicit conversions',
    'Invalid argument type in ToBigInt operation': 'Cannot convert undefined to a BigInt',
    '0 is an invalid divisor value.': 'Division by zero',
    'Negative exponent is not allowed': 'Exponent must be positive',
    'BigInt does not support >>> operator': 'BigInts have no unsigned right shift, use >> instead',
    'number of bits cannot be negative': 'Invalid value: not (convertible to) a safe integer',
    'JSON.stringify cannot serialize BigInt.': 'Do not know how to serialize a BigInt',
    'JSON.rawJSON cannot accept empty string': 'Invalid value for JSON.rawJSON',
    'cyclic __proto__ value': 'Cyclic __proto__ value',
    'Cannot set prototype of immutable prototype object':
      "Immutable prototype object 'Object.prototype' cannot have their prototype set",
    'Cannot set prototype of undefined or null': 'Object.setPrototypeOf called on null or undefined',
    'No default value': 'Cannot convert object to primitive value',
    'Symbol.toPrimitive returned an object': 'Cannot convert object to primitive value',
    "'super()' must be called in derived constructor before accessing |this| or returning non-object.":
      "Must call super constructor in derived class before accessing 'this' or returning from derived constructor",
    "'super()' can't be called more than once in a constructor.": 'Super constructor may only be called once',
    'Cannot return a non-object type in the constructor of a derived class.':
      'Derived constructors may only return object or undefined',
    "'arguments', 'callee', and 'caller' cannot be accessed in this context.":
      "'caller', 'callee', and 'arguments' properties may not be accessed on strict mode functions or the arguments " +
      'objects for calls to them',
    "A Proxy's 'handler' should be an Object": 'Cannot create proxy with a non-object as target or handler',
    "A Proxy's 'target' should be an Object": 'Cannot create proxy with a non-object as target or handler',
    "Proxy handler's 'ownKeys' method must return an object": 'CreateListFromArrayLike called on non-object',
    "Proxy handler's 'getPrototypeOf' trap should either return an object or null":
      "'getPrototypeOf' on proxy: trap returned neither object nor null",
    'WeakMap keys must be objects or non-registered symbols': 'Invalid value used as weak map key',
    'WeakSet values must be objects or non-registered symbols': 'Invalid value used in weak set',
    'First argument to WeakRef should be an object or a non-registered symbol': 'WeakRef: invalid target',
    'First argument to FinalizationRegistry should be a function': 'FinalizationRegistry: cleanup must be callable',
    'register requires an object or a non-registered symbol as the target':
      'FinalizationRegistry.prototype.register: invalid target',
    'register expects the target object and the holdings parameter are not the same. Otherwise, the target can never be collected':
      'FinalizationRegistry.prototype.register: target and holdings must not be same',
    'argument does not match any normalization form': 'The normalization form should be one of NFC, NFD, NFKC, NFKD.',
    'String.raw requires template not be null or undefined': kNoObject,
    '|this| is not a function inside Function.prototype.bind': 'Bind must be called on a function',
    'Reflect.construct requires the second argument be an object': 'CreateListFromArrayLike called on non-object',
    'Expected ArrayBuffer for the first argument.': 'First argument to DataView constructor must be an ArrayBuffer',
    'Out of bounds access': 'Offset is outside the bounds of the DataView',
    'byteOffset cannot be negative': 'Offset is outside the bounds of the DataView',
    'Range consisting of offset and length are out of bounds': 'offset is out of bounds',
    'Offset should not be negative': 'offset is out of bounds',
    'length too large': 'Invalid array buffer length',
    'toFixed() argument must be between 0 and 100': 'toFixed() digits argument must be between 0 and 100',
    'Invalid Date': 'Invalid time value',
    'date value is not finite in DateTimeFormat format()': 'Invalid time value',
    'currency must be a string': 'Currency code is required with currency style.',
    'URI error': 'URI malformed',
    'String contained an illegal UTF-16 sequence.': 'URI malformed',
    'RegExp.escape requires a string': 'input argument must be a string',
    'Right hand side of instanceof is not an object': "Right-hand side of 'instanceof' is not an object",
    'instanceof called on an object with an invalid prototype property.':
      "Function has non-object prototype 'undefined' in instanceof check",
    'Generator is executing': 'Generator is already running',
    'GetIteratorFlattenable expects its first argument to be an object or a string':
      'Iterator.from called on non-object',
    'Iterator cannot be constructed directly': 'Abstract class Iterator not directly constructable',
    'Iterator.prototype.reduce requires an initial value or an iterator that is not done.':
      'Reduce of a done iterator with no initial value',
    'Access index out of bounds for atomic access.': 'Invalid atomic access index',
    'Uint8Array.fromBase64 requires a valid base64 string':
      'Found a character that cannot be part of a valid base64 string.',
    'Uint8Array.fromHex requires a string of even length': 'Input string must contain hex characters in even length',
    'Uint8Array.prototype.fromHex requires a string containing only "0123456789abcdefABCDEF"':
      'Input string must contain hex characters in even length',
    '@@dispose must be callable': 'Symbol(Symbol.dispose) is not a function',
    '@@asyncDispose must be callable': 'Symbol(Symbol.asyncDispose) is not a function',
    'Disposable value must be an object': 'An object is expected with `using` declarations',
    'Cannot call a constructor without |new|': "Promise constructor cannot be invoked without 'new'",
    'Receiver is detached': 'Cannot perform ArrayBuffer.prototype.slice on a detached ArrayBuffer',
    'Buffer is already detached': 'Cannot perform Construct on a detached ArrayBuffer',
    '|this| should be a generator': 'Method [Generator].prototype.next called on incompatible receiver #<Object>',
  }),
);

// ---- messages that need the source ----

function readingOf(value, code, place) {
  const simple = /^[\w$]+(?:\.[\w$]+)*\.([\w$]+)$/.exec(code);
  const isLooped = () => /\bof\s+[\w$.]*$/.test(place.before) && place.behind.startsWith('.');
  if (simple !== null)
    return isLooped() ? `${code} is not iterable` : `Cannot read properties of ${value} (reading '${simple[1]}')`;
  const { expressionAt, bare, keyOf, showIterable } = words();
  const node = bare(expressionAt(code));
  const name = (verb, gerund, member) => {
    const key = keyOf(member);
    if (key === 'Symbol(Symbol.iterator)' && verb === 'read')
      return `${value} is not iterable (cannot read property ${key})`;
    return `Cannot ${verb} properties of ${value}${key === undefined ? '' : ` (${gerund} '${key}')`}`;
  };
  const inner = node?.type === 'ChainExpression' ? node.expression : node;
  switch (inner?.type) {
    case 'MemberExpression':
      return isLooped() ? showIterable(inner) : name('read', 'reading', inner);
    case 'AssignmentExpression':
      if (inner.left.type !== 'MemberExpression') break;
      return inner.operator === '=' ? name('set', 'setting', inner.left) : name('read', 'reading', inner.left);
    case 'UpdateExpression':
      return name('read', 'reading', inner.argument);
    case 'UnaryExpression':
      return kNoObject;
    case 'NewExpression':
      return inner.callee.type === 'MemberExpression' && place.native === undefined
        ? name('read', 'reading', inner.callee)
        : kNoObject;
    case 'CallExpression': {
      const key = inner.callee.type === 'MemberExpression' ? keyOf(inner.callee) : undefined;
      if (key === 'toLocaleString' || inner.callee.object?.property?.name === 'toLocaleString') break;
      return place.native === undefined && /\bof\s[^]*$|[\]=]\s*[\w$.]*$/.test(place.before)
        ? showIterable(inner)
        : kNoObject;
    }
    case 'ArrayExpression': {
      const [first] = inner.elements;
      if (first?.type === 'MemberExpression') return name('set', 'setting', first);
      return unpacked(value, code, place);
    }
    case 'Identifier':
      return /\byield\s*\*\s*\w*$/.test(place.before)
        ? `${value} is not iterable ${kIteratorKey}`
        : `${inner.name} is not iterable`;
    default:
  }
  return undefined;
}

// An array pattern was given a value that is not iterable.
function unpacked(value, pattern, place) {
  const { expressionAt, bare, show, showIterable, describeWithType } = words();
  const { behind } = place;
  const rest = behind.startsWith(pattern) ? behind.slice(pattern.length) : '';
  if (/^\s*of\b/.test(rest)) return '.for is not iterable';
  const equals = /^\s*=(?![=>])\s*/.exec(rest);
  const source = equals ? bare(expressionAt(rest, equals[0].length)) : undefined;
  const isDeclared = /\b(?:let|const|var)\s+$|,\s*$/.test(place.before);
  const unknown = value === 'undefined' || value === 'null' ? (value === 'null' ? 'object null' : value) : 'object';
  if (source === undefined) return `${unknown} is not iterable ${kIteratorKey}`;
  if (source.type === 'Identifier' || (isDeclared && /^(?:Literal|ObjectExpression)$/.test(source.type)))
    return `${show(source)} is not iterable`;
  if (source.type === 'CallExpression' && /^(?:Identifier|MemberExpression)$/.test(source.callee.type))
    return showIterable(source);
  const described = describeWithType(source);
  return `${described === 'undefined' ? unknown : described} is not iterable ${kIteratorKey}`;
}

function near(value, code, place) {
  const { expressionAt, bare, show, showIterable } = words();
  const loop = /^[^]*?\sof\s+([^]+)$/.exec(code);
  if (loop) {
    const node = expressionAt(loop[1]);
    return node && showIterable(node);
  }
  if (code.startsWith('[')) return unpacked('', code, place);
  const delegated = /^yield\s*\*\s*([^]+)$/.exec(code);
  if (delegated) return `${words().describeWithType(expressionAt(delegated[1]))} is not iterable ${kIteratorKey}`;
  const node = bare(expressionAt(code));
  return node?.type === 'TaggedTemplateExpression' ? `${show(node.tag)} is not a function` : undefined;
}

function spread(isEmpty, place) {
  const { behind, before } = place;
  const line = before + (behind.split('\n', 1)[0] ?? '');
  const starts = [...line.matchAll(/\.\.\.(?=[^.)\]}])/g)].map((match) => match.index);
  const at = starts.filter((start) => start < before.length).pop() ?? starts[0];
  const { expressionAt, show, showIterable } = words();
  const hit =
    behind.startsWith('(') || before.trimStart() === '' ? (starts.find((start) => start >= before.length) ?? at) : at;
  const node = hit === undefined ? undefined : expressionAt(line, hit + 3);
  if (node === undefined) return isEmpty ? 'undefined is not iterable' : undefined;
  // The last bracket that is open there shows whether it is a list or a call.
  let depth = 0;
  let open;
  for (let i = hit - 1; i >= 0 && open === undefined; i--) {
    if (/[)\]}]/.test(line[i])) depth++;
    else if (/[([{]/.test(line[i]) && depth-- === 0) open = line[i];
  }
  if (open === '[') return showIterable(node);
  return isEmpty ? `${show(node)} is not iterable (cannot read property undefined)` : undefined;
}

// Whether what stands before a place, and ends in a name, is a module's namespace.
function isNamespace(place, before = place.before) {
  const name = /(?:^|[^.\w$])([\w$]+)$/.exec(before)?.[1].replaceAll('$', '\\$');
  return name !== undefined && new RegExp(`\\*\\s*as\\s+${name}\\b`).test(place.text ?? '');
}

function readonly(place) {
  const { behind, before } = place;
  if (place.native === 'push' || place.native === 'unshift') return 'Cannot add property 0, object is not extensible';
  if (place.native === 'setPrototypeOf') return '#<Object> is not extensible';
  if (place.native !== undefined) return 'Cannot assign to read only property of object';
  // A bracket that no expression stands before begins a pattern.
  if (!/^[.[]/.test(behind) || (behind[0] === '[' && !/[\w$)\]'"`]\s*$/.test(before))) {
    const global = /\b(NaN|undefined|Infinity)\s*=$/.exec(before)?.[1];
    return global
      ? `Cannot assign to read only property '${global}' of object '#<Object>'`
      : 'Assignment to constant variable.';
  }
  const { key } = place;
  if (key === undefined) return 'Cannot assign to read only property';
  if (isNamespace(place)) return `Cannot assign to property '${key}' of [object Module]`;
  const owner = /(?:^|[\s(;{}])(?:'([^']*)'|"([^"]*)"|\(?(\d+)\)?|(true|false)|(Symbol\(\)))$/.exec(before);
  if (owner !== null) {
    const [, single, double, number, boolean, symbol] = owner;
    const type =
      number !== undefined ? 'number' : boolean !== undefined ? 'boolean' : symbol !== undefined ? 'symbol' : 'string';
    const value = single ?? double ?? number ?? boolean ?? symbol;
    const isFixed = type === 'string' && (key === 'length' || /^\d+$/.test(key));
    return isFixed
      ? `Cannot assign to read only property '${key}' of string '${value}'`
      : `Cannot create property '${key}' on ${type} '${value}'`;
  }
  return (
    `Cannot assign to read only property '${key}' of object ` +
    `'${key === 'length' || /^\d+$/.test(key) ? '[object Array]' : '#<Object>'}'`
  );
}

function deletion(place) {
  if (place.native !== undefined) return "Cannot delete property '0' of [object Array]";
  const { expressionAt, bare, keyOf } = words();
  const match = /\bdelete\s+([^]*)$/.exec(place.before);
  const node = match && bare(expressionAt(match[1]));
  if (node?.type !== 'MemberExpression') return undefined;
  const owner =
    node.object.type === 'Identifier' && isNamespace(place, node.object.name) ? '[object Module]' : '#<Object>';
  return `Cannot delete property '${keyOf(node)}' of ${owner}`;
}

const firstGiven = (place, how) => words()[how](place.given[0]);

// Native functions that take an iterable.
const takers = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'AggregateError', 'format']);
const receiver = (owner) => (m, place) =>
  `Method ${owner}.prototype.${place.native ?? 'get'} called on incompatible receiver #<Object>`;

function typeError(place) {
  const name = place.native;
  if (name === undefined) return undefined;
  const { describeWithType, literalOf } = words();
  if (takers.has(name)) {
    const [first] = place.given;
    const node =
      first?.type === 'ArrayExpression'
        ? first.elements.find((item) => literalOf(item)?.kind === undefined)
        : undefined;
    if (node) return `Iterator value ${words().describe(node)} is not an entry object`;
    const described = describeWithType(first);
    return `${described === 'undefined' ? 'object' : described} is not iterable ${kIteratorKey}`;
  }
  if (/^(?:get|set)[A-Z]|^valueOf$/.test(name) && name in Date.prototype) return 'this is not a Date object.';
  if (name in Date.prototype && name.startsWith('toISO'))
    return `Method Date.prototype.${name} called on incompatible receiver #<Object>`;
  if (name !== 'toString' && name !== 'valueOf' && name in String.prototype)
    return `String.prototype.${name} called on null or undefined`;
  const owner = { toString: /\b(String|Function)\.prototype/, valueOf: /\b(String|Boolean)\.prototype/ }[name]?.exec(
    place.before,
  )?.[1];
  return owner && `${owner}.prototype.${name} requires that 'this' be a ${owner}`;
}

const regexpWords = {
  'missing terminating ] for character class': 'Unterminated character class',
  'missing )': 'Unterminated group',
  'unmatched parentheses': "Unmatched ')'",
  'nothing to repeat': 'Nothing to repeat',
  'duplicate group specifier name': 'Duplicate capture group name',
  'invalid group specifier name': 'Invalid capture group name',
  'invalid \\k<> named backreference': 'Invalid named capture referenced',
  'range out of order in character class': 'Range out of order in character class',
  'invalid property expression': 'Invalid property name',
  'invalid Unicode code point \\u{} escape': 'Invalid Unicode escape',
  'incomplete {} quantifier for Unicode pattern': 'Incomplete quantifier',
  'invalid quantifier': 'Invalid quantifier',
  'invalid escaped character for Unicode pattern': 'Invalid escape',
};

function badRegExp(what, place) {
  const [pattern, flags] = place.given.map((node) => words().literalOf(node)?.value);
  const said = regexpWords[what] ?? what;
  return typeof pattern === 'string'
    ? `Invalid regular expression: /${pattern}/${flags ?? ''}: ${said}`
    : `Invalid regular expression: ${said}`;
}

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
  const said = inWords(require('internal/errors/engine_newer').asBefore(message), place, isSyntax);
  return said.includes('__rota_')
    ? require('internal/errors/module_names').withNames(said, place.file, place.text)
    : said;
}

function inWords(message, place, isSyntax) {
  const known =
    plain.get(message) ?? (isSyntax ? require('internal/errors/engine_syntax').translate(message) : undefined);
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

module.exports = { Place, translate };
