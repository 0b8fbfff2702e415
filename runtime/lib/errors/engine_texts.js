'use strict';

// V8's texts for messages of the engine that contain all that is needed: tables, and patterns for syntax errors.

// Messages of newer releases of the engine (2.54), as the release that the rules are written for (2.50) says them.

const kNewer = [
  [
    /^Cannot destructure (?:property '[^]*' from )?null or undefined value$/,
    'Right side of assignment cannot be destructured',
  ],
  [/^Cannot access ('[^]*') before initialization\.$/, 'Cannot access $1 before initialization'],
  [/^Cannot call a class constructor \S+ without \|new\|$/, 'Cannot call a class constructor without |new|'],
  [/^Cannot call a constructor Promise without \|new\|$/, 'Cannot call a constructor without |new|'],
  [/^(Cannot return a non-object type in the constructor of a derived class) .+\.$/, '$1.'],
  [/^Disposable value must be an object, null, or undefined$/, 'Disposable value must be an object'],
  [/^(?:@@asyncDispose and )?@@dispose must not be undefined or null$/, '@@dispose must be callable'],
  [/^length larger than \(2 \*\* 53\) - 1$/, 'length too large'],
  [
    /^byteOffset modulo TypedArray\.BYTES_PER_ELEMENT must be 0$/,
    'ArrayBuffer length minus the byteOffset is not a multiple of the element size',
  ],
];

function asBefore(message) {
  for (const [pattern, replacement] of kNewer) {
    if (pattern.test(message)) return message.replace(pattern, replacement);
  }
  return message;
}

// ---- errors at run time ----

const kNoObject = 'Cannot convert undefined or null to object';

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

// ---- syntax errors ----

// V8's words for syntax errors of code given to eval, Function and vm. (Files are looked at
// by the parser: internal/modules/helpers.)

const plainSyntax = new Map(
  Object.entries({
    'Unexpected end of script': 'Unexpected end of input',
    'Unexpected EOF': 'Invalid or unexpected token',
    'Parser error': "Unexpected token '}'",
    'Function statements must have a name.': 'Function statements require a function name',
    'Return statements are only valid inside functions.': 'Illegal return statement',
    'new.target is only valid inside functions or static blocks.': 'new.target expression is not allowed here',
    'super is not valid in this context.': "'super' keyword unexpected here",
    "'with' statements are not valid in strict mode.": 'Strict mode code may not include a with statement',
    'Decimal integer literals with a leading zero are forbidden in strict mode':
      'Octal literals are not allowed in strict mode.',
    "'break' is only valid inside a switch or loop statement.": 'Illegal break statement',
    "'continue' is only valid inside a loop statement.":
      'Illegal continue statement: no surrounding iteration statement',
    'Left side of assignment is not a reference.': 'Invalid left-hand side in assignment',
    'Cannot call constructor in an optional chain.': 'Invalid optional chain from new expression',
    'Cannot declare multiple constructors in a single class.': 'A class may only have one constructor',
    'import.meta is only valid inside modules.': "Cannot use 'import.meta' outside a module",
    "Cannot have a newline after 'throw'.": 'Illegal newline after throw',
    '\\u can only be followed by a Unicode character sequence': 'Invalid Unicode escape sequence',
    '\\x can only be followed by a hex character sequence': 'Invalid hexadecimal escape sequence',
  }),
);

const rules = [
  [/^Cannot declare an? .*: '(.*)'\.$/, (name) => `Identifier '${name}' has already been declared`],
  [
    /^(?:Unexpected .*\. )?(?:const declared variable '.*' must have an initializer\.|const variables in for loops must have initializers\.)$/,
    () => 'Missing initializer in const declaration',
  ],
  [
    /Expected an initializer in destructuring variable declaration\.$/,
    () => 'Missing initializer in destructuring declaration',
  ],
  [/Try statements must have at least a catch or finally block\.$/, () => 'Missing catch or finally after try'],
  [/Expected '\)' to end an argument list\.$/, () => 'missing ) after argument list'],
  [
    /^Unexpected keyword 'default'\. Expected '}' to end a body of a 'switch'\.$/,
    () => 'More than one default clause in switch statement',
  ],
  [
    /Ambiguous unary expression in the left hand side of the exponentiation/,
    () =>
      'Unary operator used immediately before exponentiation expression. Parenthesis must be used to disambiguate ' +
      'operator precedence',
  ],
  [/Attempted to redeclare the label '(.*)'\.$/, (name) => `Label '${name}' has already been declared`],
  [/^Cannot use the undeclared label '(.*)'\.$/, (name) => `Undefined label '${name}'`],
  [
    /^Unexpected keyword 'let'\. Cannot use 'let' as an identifier name for a LexicalDeclaration\.$/,
    () => 'let is disallowed as a lexically bound name',
  ],
  [/^Unexpected identifier '.*'\. import call expects/, () => 'Cannot use import statement outside a module'],
  [
    /^Cannot delete unqualified property '.*' in strict mode\.$/,
    () => 'Delete of an unqualified identifier in strict mode.',
  ],
  [/^Cannot modify '(?:eval|arguments)' in strict mode\.$/, () => 'Unexpected eval or arguments in strict mode'],
  [
    /^Duplicate parameter '.*' not allowed|^Cannot declare a parameter named '.*' in strict mode as it has already been declared/,
    () => 'Duplicate parameter name not allowed in this context',
  ],
  [
    /^(Postfix|Prefix) (?:\+\+|--) operator applied to value that is not a reference\.$/,
    (which) => `Invalid left-hand side expression in ${which.toLowerCase()} operation`,
  ],
  [/^(?:Unexpected use of|Cannot use the) reserved word '/, () => 'Unexpected reserved word'],
  [
    /^(?:No identifiers allowed directly after numeric literal|No (?:binary|octal|hexadecimal) digits after|Invalid character)/,
    () => 'Invalid or unexpected token',
  ],
  [/^Unterminated regular expression literal/, () => 'Invalid regular expression: missing /'],
  [/^Unexpected (?:keyword|token) '([^]*?)'(?:\. [^]*)?$/, (token) => `Unexpected token '${token}'`],
  [/^Unexpected identifier '([^]*?)'(?:\. [^]*)?$/, (name) => `Unexpected identifier '${name}'`],
  [/^Unexpected number '/, () => 'Unexpected number'],
  [/^Unexpected string literal/, () => 'Unexpected string'],
];

function translateSyntax(message) {
  const known = plainSyntax.get(message);
  if (known !== undefined) return known;
  for (const [pattern, write] of rules) {
    const parts = pattern.exec(message);
    if (parts !== null) return write(parts[1]);
  }
  return undefined;
}

module.exports = { asBefore, kNoObject, plain, translateSyntax };
