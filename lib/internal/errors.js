'use strict';

// Node's error codes: the classes, the messages and their wording.
// Every coded error keeps the plain name of its base ('TypeError'), shows `[CODE]` in its stack, and
// carries `code` as an own property. Messages are made lazily, by the functions of the table below.

const codes = {};
const kIsNodeError = Symbol('kIsNodeError');
const messages = new Map();
const classPattern = /^[A-Z][a-zA-Z0-9]*$/;
const primitiveTypes = ['string', 'function', 'number', 'object', 'Function', 'Object', 'boolean', 'bigint', 'symbol'];

let inspectModule;
function inspect(value, options) {
  inspectModule ??= require('internal/util/inspect');
  return inspectModule.inspect(value, options);
}

function makeMessage(key, args, self) {
  const message = messages.get(key);
  if (typeof message === 'function') return Reflect.apply(message, self, args);
  let i = 0;
  return args.length === 0 ? message : message.replace(/%[sdo]/g, () => String(args[i++]));
}

// The stack's first line shows the code; the name that a program sees does not. The header is fixed when the
// stack is captured, so the name is lent for that moment only.
function stampStack(error, code, hide) {
  const name = error.name;
  Object.defineProperty(error, 'name', { value: `${name} [${code}]`, configurable: true, writable: true, enumerable: false });
  Error.captureStackTrace(error, hide);
  void error.stack; // some engines make the header only when the stack is first read
  delete error.name;
  return error;
}

function makeClass(Base, key) {
  function NodeError(...args) {
    return buildError(Base, key, args, NodeError);
  }
  Object.defineProperty(NodeError, 'name', { value: Base.name });
  NodeError.prototype = Base.prototype;
  NodeError.HideStackFramesError = NodeError;
  return NodeError;
}

function codedToString() {
  return `${this.name} [${this.code}]: ${this.message}`;
}

function buildError(Base, key, args, hide) {
  const error = new Base();
  Object.defineProperties(error, {
    [kIsNodeError]: { value: true, enumerable: false, writable: true, configurable: true },
    message: { value: makeMessage(key, args, error), enumerable: false, writable: true, configurable: true },
    toString: { value: codedToString, enumerable: false, writable: true, configurable: true },
  });
  stampStack(error, key, currentHide ?? hide);
  error.code = key;
  return error;
}

// A code's class is made when it is first asked for: most programs use few of them or none.
const bases = new Map();
function E(key, message, ...classes) {
  messages.set(key, message);
  bases.set(key, classes);
}

function makeCode(key) {
  const classes = bases.get(key);
  if (classes === undefined) return undefined;
  let Main;
  if (classes[0] === SystemError) {
    Main = class extends SystemError {
      constructor(context) {
        super(key, context);
      }
    };
  } else {
    Main = makeClass(classes[0], key);
    for (let i = 1; i < classes.length; i++) Main[classes[i].name] = makeClass(classes[i], key);
  }
  Object.defineProperty(codes, key, { value: Main, writable: true, configurable: true, enumerable: true });
  return Main;
}

Object.setPrototypeOf(codes, new Proxy({ __proto__: null }, {
  get: (target, key) => makeCode(key),
  has: (target, key) => bases.has(key),
}));

// hideStackFrames(fn): errors made while fn runs begin their stack at fn's caller.
let currentHide;
function hideStackFrames(fn) {
  function wrapped(...args) {
    const before = currentHide;
    currentHide ??= wrapped;
    try {
      return Reflect.apply(fn, this, args);
    } finally {
      currentHide = before;
    }
  }
  wrapped.withoutStackTrace = fn;
  Object.defineProperty(wrapped, 'name', { value: fn.name });
  return wrapped;
}

function join(list, word) {
  if (list.length === 1) return list[0];
  if (list.length === 2) return `${list[0]} ${word} ${list[1]}`;
  return `${list.slice(0, -1).join(', ')}, ${word} ${list[list.length - 1]}`;
}

function determineSpecificType(value) {
  if (value === null || value === undefined) return String(value);
  switch (typeof value) {
    case 'function':
      return value.name ? `function ${value.name}` : 'function ';
    case 'object':
      if (value.constructor?.name) return `an instance of ${value.constructor.name}`;
      return inspect(value, { depth: -1 });
    case 'bigint':
      return `type bigint (${value}n)`;
    case 'number':
      if (value === 0) return 1 / value === -Infinity ? 'type number (-0)' : 'type number (0)';
      if (value !== value) return 'type number (NaN)';
      return `type number (${value})`;
    case 'boolean':
      return `type boolean (${value})`;
    case 'symbol':
      return `type symbol (${String(value)})`;
    default: {
      const text = value.length > 28 ? `${value.slice(0, 25)}...` : value;
      return text.includes("'") ? `type string (${JSON.stringify(text)})` : `type string ('${text}')`;
    }
  }
}

function describeExpected(expected) {
  const types = [];
  const instances = [];
  const others = [];
  for (const item of Array.isArray(expected) ? expected : [expected]) {
    if (primitiveTypes.includes(item)) types.push(item.toLowerCase());
    else if (classPattern.test(item)) instances.push(item);
    else others.push(item);
  }
  // 'object' beside classes reads better as a class: "an instance of Array or Object".
  if (instances.length > 0) {
    const at = types.indexOf('object');
    if (at !== -1) {
      types.splice(at, 1);
      instances.push('Object');
    }
  }
  const parts = [];
  if (types.length > 0) parts.push(`${types.length > 1 ? 'one of type' : 'of type'} ${join(types, 'or')}`);
  if (instances.length > 0) parts.push(`an instance of ${join(instances, 'or')}`);
  if (others.length > 0) {
    if (others.length > 1) parts.push(`one of ${join(others, 'or')}`);
    else parts.push(`${others[0].toLowerCase() !== others[0] ? 'an ' : ''}${others[0]}`);
  }
  return parts.join(' or ');
}

function addNumericalSeparator(text) {
  let result = '';
  let i = text.length;
  const start = text[0] === '-' ? 1 : 0;
  for (; i >= start + 4; i -= 3) result = `_${text.slice(i - 3, i)}${result}`;
  return `${text.slice(0, i)}${result}`;
}

function subject(name) {
  if (name.endsWith(' argument')) return `The ${name}`;
  return `The "${name}" ${name.includes('.') ? 'property' : 'argument'}`;
}

E('ERR_INVALID_ARG_TYPE', (name, expected, actual) =>
  `${subject(name)} must be ${describeExpected(expected)}. Received ${determineSpecificType(actual)}`, TypeError);
E('ERR_INVALID_ARG_VALUE', (name, value, reason = 'is invalid') => {
  let shown = inspect(value);
  if (shown.length > 128) shown = `${shown.slice(0, 128)}...`;
  return `The ${name.includes('.') ? 'property' : 'argument'} '${name}' ${reason}. Received ${shown}`;
}, TypeError, RangeError);
E('ERR_OUT_OF_RANGE', (name, range, input, replaceDefault = false) => {
  let received;
  if (Number.isInteger(input) && Math.abs(input) > 2 ** 32) {
    received = addNumericalSeparator(String(input));
  } else if (typeof input === 'bigint') {
    received = String(input);
    if (input > 2n ** 32n || input < -(2n ** 32n)) received = addNumericalSeparator(received);
    received += 'n';
  } else {
    received = inspect(input);
  }
  const start = replaceDefault ? name : `The value of "${name}" is out of range.`;
  return `${start} It must be ${range}. Received ${received}`;
}, RangeError, TypeError);
E('ERR_MISSING_ARGS', (...args) => {
  const names = args.map((a) => (Array.isArray(a) ? a.map((b) => `"${b}"`).join(' or ') : `"${a}"`));
  if (names.length === 1) return `The ${names[0]} argument must be specified`;
  if (names.length === 2) return `The ${names[0]} and ${names[1]} arguments must be specified`;
  return `The ${names.slice(0, -1).join(', ')}, and ${names[names.length - 1]} arguments must be specified`;
}, TypeError);
E('ERR_INVALID_RETURN_VALUE', (input, name, value) =>
  `Expected ${input} to be returned from the "${name}" function but got ${determineSpecificType(value)}.`, TypeError, RangeError);
E('ERR_INVALID_RETURN_PROPERTY', (input, name, prop, value) =>
  `Expected a valid ${input} to be returned for the "${prop}" from the "${name}" function but got ${value}.`, TypeError);
E('ERR_INVALID_RETURN_PROPERTY_VALUE', (input, name, prop, value) =>
  `Expected ${input} to be returned for the "${prop}" from the "${name}" function but got ${
    value?.constructor?.name ? `an instance of ${value.constructor.name}` : `type ${typeof value}`}.`, TypeError);
E('ERR_FALSY_VALUE_REJECTION', function(reason) {
  this.reason = reason;
  return 'Promise was rejected with falsy value';
}, Error);
E('ERR_UNHANDLED_ERROR', (err) => (err === undefined ? 'Unhandled error.' : `Unhandled error. (${err})`), Error);
E('ERR_AMBIGUOUS_ARGUMENT', 'The "%s" argument is ambiguous. %s', TypeError);
E('ERR_ARG_NOT_ITERABLE', '%s must be iterable', TypeError);
E('ERR_ASSERTION', '%s', Error);
E('ERR_ASYNC_CALLBACK', '%s must be a function', TypeError);
E('ERR_ASYNC_TYPE', 'Invalid name for async "type": %s', TypeError);
E('ERR_BUFFER_OUT_OF_BOUNDS', (name) =>
  (name ? `"${name}" is outside of buffer bounds` : 'Attempt to access memory outside buffer bounds'), RangeError);
E('ERR_BUFFER_TOO_LARGE', 'Cannot create a Buffer larger than %s bytes', RangeError);
E('ERR_CANNOT_WATCH_SIGINT', 'Cannot watch for SIGINT signals', Error);
E('ERR_CHILD_CLOSED_BEFORE_REPLY', 'Child closed before reply received', Error);
E('ERR_CHILD_PROCESS_IPC_REQUIRED', "Forked processes must have an IPC channel, missing value 'ipc' in %s", Error);
E('ERR_CHILD_PROCESS_STDIO_MAXBUFFER', '%s maxBuffer length exceeded', RangeError);
E('ERR_CONSOLE_WRITABLE_STREAM', 'Console expects a writable stream instance for %s', TypeError);
E('ERR_CONSTRUCT_CALL_REQUIRED', 'Class constructor %s cannot be invoked without `new`', TypeError);
E('ERR_CRYPTO_ECDH_INVALID_FORMAT', 'Invalid ECDH format: %s', TypeError);
E('ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY', 'Public key is not valid for specified curve', Error);
E('ERR_CRYPTO_HASH_FINALIZED', 'Digest already called', Error);
E('ERR_CRYPTO_HASH_UPDATE_FAILED', 'Hash update failed', Error);
E('ERR_CRYPTO_INCOMPATIBLE_KEY', 'Incompatible %s: %s', Error);
E('ERR_CRYPTO_INVALID_DIGEST', 'Invalid digest: %s', TypeError);
E('ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE', 'Invalid key object type %s, expected %s.', TypeError);
E('ERR_CRYPTO_INVALID_STATE', 'Invalid state for operation %s', Error);
E('ERR_CRYPTO_SIGN_KEY_REQUIRED', 'No key provided to sign', Error);
E('ERR_CRYPTO_SCRYPT_NOT_SUPPORTED', 'Scrypt algorithm not supported', Error);
E('ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH', 'Input buffers must have the same byte length', RangeError);
E('ERR_CRYPTO_UNKNOWN_CIPHER', 'Unknown cipher', Error);
E('ERR_CRYPTO_UNKNOWN_DH_GROUP', 'Unknown DH group', Error);
E('ERR_DIR_CLOSED', 'Directory handle was closed', Error);
E('ERR_DIR_CONCURRENT_OPERATION', 'Cannot do synchronous work on directory handle with concurrent asynchronous operations', Error);
E('ERR_DNS_SET_SERVERS_FAILED', 'c-ares failed to set servers: "%s" [%s]', Error);
E('ERR_DUPLICATE_STARTUP_SNAPSHOT_MAIN_FUNCTION', 'Deserialize main function is already configured.', Error);
E('ERR_ENCODING_INVALID_ENCODED_DATA', function(encoding, ret) {
  this.errno = ret;
  return `The encoded data was not valid for encoding ${encoding}`;
}, TypeError);
E('ERR_ENCODING_NOT_SUPPORTED', (encoding) => `The "${encoding}" encoding is not supported`, RangeError);
E('ERR_EVAL_ESM_CANNOT_PRINT', '--print cannot be used with ESM input', Error);
E('ERR_EVENT_RECURSION', 'The event "%s" is already being dispatched', Error);
E('ERR_FEATURE_UNAVAILABLE_ON_PLATFORM', 'The feature %s is unavailable on the current platform, which is being used to run Node.js', TypeError);
E('ERR_FS_CP_DIR_TO_NON_DIR', 'Cannot overwrite non-directory with directory', Error);
E('ERR_FS_CP_EEXIST', 'Target already exists', Error);
E('ERR_FS_CP_EINVAL', 'Invalid src or dest', Error);
E('ERR_FS_CP_FIFO_PIPE', 'Cannot copy a FIFO pipe', Error);
E('ERR_FS_CP_NON_DIR_TO_DIR', 'Cannot overwrite directory with non-directory', Error);
E('ERR_FS_CP_SOCKET', 'Cannot copy a socket file', Error);
E('ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY', 'Cannot overwrite symlink in subdirectory of self', Error);
E('ERR_FS_CP_UNKNOWN', 'Cannot copy an unknown file type', Error);
E('ERR_FS_EISDIR', (info) => `Path is a directory: ${info.syscall} returned EISDIR (is a directory) ${info.path ?? ''}`, Error);
E('ERR_FS_FILE_TOO_LARGE', 'File size (%s) is greater than 2 GiB', RangeError);
E('ERR_FS_INVALID_SYMLINK_TYPE', 'Symlink type must be one of "dir", "file", or "junction". Received "%s"', Error);
E('ERR_FS_WATCH_QUEUE_OVERFLOW', 'fs.watch() queued more than %d events', Error);
E('ERR_HTTP_BODY_NOT_ALLOWED', 'Adding content for this request method or response status is not allowed.', Error);
E('ERR_HTTP_CONTENT_LENGTH_MISMATCH', "Response body's content-length of %s byte(s) does not match the content-length of %s byte(s) set in header", Error);
E('ERR_HTTP_HEADERS_SENT', 'Cannot %s headers after they are sent to the client', Error);
E('ERR_HTTP_INVALID_HEADER_VALUE', 'Invalid value "%s" for header "%s"', TypeError);
E('ERR_HTTP_INVALID_STATUS_CODE', 'Invalid status code: %s', RangeError);
E('ERR_HTTP_REQUEST_TIMEOUT', 'Request timeout', Error);
E('ERR_HTTP_SOCKET_ASSIGNED', 'ServerResponse has an already assigned socket', Error);
E('ERR_HTTP_SOCKET_ENCODING', 'Changing the socket encoding is not allowed per RFC7230 Section 3.', Error);
E('ERR_HTTP_TRAILER_INVALID', 'Trailers are invalid with this transfer encoding', Error);
E('ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor', TypeError);
E('ERR_IMPORT_ATTRIBUTE_MISSING', 'Module "%s" needs an import attribute of "%s: %s"', TypeError);
E('ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE', 'Module "%s" is not of type "%s"', TypeError);
E('ERR_IMPORT_ATTRIBUTE_UNSUPPORTED', 'Import attribute "%s" with value "%s" is not supported', TypeError);
E('ERR_INCOMPATIBLE_OPTION_PAIR', 'Option "%s" cannot be used in combination with option "%s"', TypeError);
E('ERR_INSPECTOR_NOT_AVAILABLE', 'Inspector is not available', Error);
E('ERR_INTERNAL_ASSERTION', (message) => {
  const suffix = 'This is caused by either a bug in Node.js or incorrect usage of Node.js internals.\n' +
    'Please open an issue with this stack trace at https://github.com/nodejs/node/issues\n';
  return message === undefined ? suffix : `${message}\n${suffix}`;
}, Error);
E('ERR_INVALID_ADDRESS', 'Invalid address', Error);
E('ERR_INVALID_ADDRESS_FAMILY', function(family, host, port) {
  this.host = host;
  this.port = port;
  return `Invalid address family: ${family} ${host}:${port}`;
}, RangeError);
E('ERR_INVALID_ASYNC_ID', 'Invalid %s value: %s', RangeError);
E('ERR_INVALID_BUFFER_SIZE', 'Buffer size must be a multiple of %s', RangeError);
E('ERR_INVALID_CHAR', (name, field) => `Invalid character in ${name}${field === undefined ? '' : ` ["${field}"]`}`, TypeError);
E('ERR_INVALID_CURSOR_POS', 'Cannot set cursor row without setting its column', TypeError);
E('ERR_INVALID_FD', '"fd" must be a positive integer: %s', RangeError);
E('ERR_INVALID_FD_TYPE', 'Unsupported fd type: %s', TypeError);
E('ERR_INVALID_FILE_URL_HOST', 'File URL host must be "localhost" or empty on %s', TypeError);
E('ERR_INVALID_FILE_URL_PATH', (reason, input) => `File URL path ${reason}`, TypeError);
E('ERR_INVALID_HANDLE_TYPE', 'This handle type cannot be sent', TypeError);
E('ERR_INVALID_HTTP_TOKEN', '%s must be a valid HTTP token ["%s"]', TypeError);
E('ERR_INVALID_IP_ADDRESS', 'Invalid IP address: %s', TypeError);
E('ERR_INVALID_MIME_SYNTAX', (production, str, invalidIndex) =>
  `The MIME syntax for a ${production} in ${JSON.stringify(str)} is invalid${invalidIndex !== -1 ? ` at ${invalidIndex}` : ''}`, TypeError);
E('ERR_INVALID_MODULE', 'Invalid module "%s"', TypeError);
E('ERR_INVALID_MODULE_SPECIFIER', (request, reason, base) =>
  `Invalid module "${request}" ${reason}${base ? ` imported from ${base}` : ''}`, TypeError);
E('ERR_INVALID_OBJECT_DEFINE_PROPERTY', '%s', TypeError);
E('ERR_INVALID_PACKAGE_CONFIG', (path, base, message) =>
  `Invalid package config ${path}${base ? ` while importing ${base}` : ''}.${message ? ` ${message}` : ''}`, Error);
E('ERR_INVALID_PACKAGE_TARGET', (pkgPath, key, target, isImport = false, base = undefined) => {
  const relative = typeof target === 'string' && !isImport && target.length > 0 && !target.startsWith('./');
  const from = base ? ` imported from ${base}` : '';
  const hint = relative ? '; targets must start with "./"' : '';
  if (key === '.') {
    return `Invalid "exports" main target ${JSON.stringify(target)} defined in the package config ${pkgPath}package.json${from}${hint}`;
  }
  return `Invalid "${isImport ? 'imports' : 'exports'}" target ${JSON.stringify(target)} defined for '${key}' ` +
    `in the package config ${pkgPath}package.json${from}${hint}`;
}, Error);
E('ERR_INVALID_PROTOCOL', 'Protocol "%s" not supported. Expected "%s"', TypeError);
E('ERR_INVALID_STATE', 'Invalid state: %s', Error, TypeError, RangeError);
E('ERR_INVALID_SYNC_FORK_INPUT', 'Asynchronous forks do not support Buffer, TypedArray, DataView or string input: %s', TypeError);
E('ERR_INVALID_THIS', 'Value of "this" must be of type %s', TypeError);
E('ERR_INVALID_TUPLE', '%s must be an iterable %s tuple', TypeError);
E('ERR_INVALID_TYPESCRIPT_SYNTAX', '%s', SyntaxError);
E('ERR_INVALID_URI', 'URI malformed', URIError);
E('ERR_INVALID_URL', function(input, base = null) {
  this.input = input;
  if (base != null) this.base = base;
  return 'Invalid URL';
}, TypeError);
E('ERR_INVALID_URL_PATTERN', 'Invalid URL pattern', TypeError);
E('ERR_INVALID_URL_SCHEME', (expected) => {
  const list = Array.isArray(expected) ? expected : [expected];
  return `The URL must be ${list.length === 2 ? `one of scheme ${list[0]} or ${list[1]}` : `of scheme ${list[0]}`}`;
}, TypeError);
E('ERR_IPC_CHANNEL_CLOSED', 'Channel closed', Error);
E('ERR_IPC_DISCONNECTED', 'IPC channel is already disconnected', Error);
E('ERR_IPC_ONE_PIPE', 'Child process can have only one IPC pipe', Error);
E('ERR_IPC_SYNC_FORK', 'IPC cannot be used with synchronous forks', Error);
E('ERR_IP_BLOCKED', 'IP(%s) is blocked by net.BlockList', Error);
E('ERR_LOADER_CHAIN_INCOMPLETE', '"%s" did not call the next hook in its chain and did not explicitly signal a short circuit. If this is intentional, include `shortCircuit: true` in the hook\'s return.', Error);
E('ERR_METHOD_NOT_IMPLEMENTED', 'The %s method is not implemented', Error);
E('ERR_MISSING_OPTION', '%s is required', TypeError);
E('ERR_MODULE_NOT_FOUND', function(path, base, exactUrl) {
  if (exactUrl) this.url = `${exactUrl}`;
  return `Cannot find ${exactUrl ? 'module' : 'package'} '${path}' imported from ${base}`;
}, Error);
E('ERR_MULTIPLE_CALLBACK', 'Callback called multiple times', Error);
E('ERR_NETWORK_IMPORT_DISALLOWED', "import of '%s' by %s is not supported: %s", Error);
E('ERR_NOT_BUILDING_SNAPSHOT', 'Operation cannot be invoked when not building startup snapshot', Error);
E('ERR_NOT_SUPPORTED_IN_SNAPSHOT', '%s is not supported in startup snapshot', Error);
E('ERR_NO_CRYPTO', 'Node.js is not compiled with OpenSSL crypto support', Error);
E('ERR_NO_ICU', '%s is not supported on Node.js compiled without ICU', TypeError);
E('ERR_OPERATION_FAILED', 'Operation failed: %s', Error, TypeError);
E('ERR_PACKAGE_IMPORT_NOT_DEFINED', (specifier, packagePath, base) =>
  `Package import specifier "${specifier}" is not defined${packagePath ? ` in package ${packagePath}package.json` : ''} imported from ${base}`, TypeError);
E('ERR_PACKAGE_PATH_NOT_EXPORTED', (pkgPath, subpath, base = undefined) => {
  const from = base ? ` imported from ${base}` : '';
  if (subpath === '.') return `No "exports" main defined in ${pkgPath}package.json${from}`;
  return `Package subpath '${subpath}' is not defined by "exports" in ${pkgPath}package.json${from}`;
}, Error);
E('ERR_PARSE_ARGS_INVALID_OPTION_VALUE', '%s', TypeError);
E('ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL', (p) => `Unexpected argument '${p}'. This command does not take positional arguments`, TypeError);
E('ERR_PARSE_ARGS_UNKNOWN_OPTION', (option, allowPositionals) =>
  `Unknown option '${option}'${allowPositionals ? `. To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- ${JSON.stringify(option)}` : ''}`, TypeError);
E('ERR_PERFORMANCE_INVALID_TIMESTAMP', '%d is not a valid timestamp', TypeError);
E('ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS', '%s', TypeError);
E('ERR_PROCESS_EXECVE_FAILED', 'process.execve failed with error code %s', Error);
E('ERR_REQUIRE_ASYNC_MODULE', 'require() cannot be used on an ESM graph with top-level await. Use import() instead. To see where the top-level await comes from, use --experimental-print-required-tla.', Error);
E('ERR_REQUIRE_CYCLE_MODULE', '%s', Error);
E('ERR_REQUIRE_ESM', (filename) => `require() of ES Module ${filename} not supported.`, Error);
E('ERR_SCRIPT_EXECUTION_INTERRUPTED', 'Script execution was interrupted by `SIGINT`', Error);
E('ERR_SERVER_ALREADY_LISTEN', 'Listen method has been called more than once without closing.', Error);
E('ERR_SERVER_NOT_RUNNING', 'Server is not running.', Error);
E('ERR_SOCKET_ALREADY_BOUND', 'Socket is already bound', Error);
E('ERR_SOCKET_BAD_BUFFER_SIZE', 'Buffer size must be a positive integer', TypeError);
E('ERR_SOCKET_BAD_PORT', (name, port, allowZero = true) =>
  `${name} should be ${allowZero ? '>=' : '>'} 0 and < 65536. Received ${determineSpecificType(port)}.`, RangeError);
E('ERR_SOCKET_BAD_TYPE', 'Bad socket type specified. Valid types are: udp4, udp6', TypeError);
E('ERR_SOCKET_BUFFER_SIZE', 'Could not get or set buffer size', Error);
E('ERR_SOCKET_CLOSED', 'Socket is closed', Error);
E('ERR_SOCKET_CLOSED_BEFORE_CONNECTION', 'Socket closed before the connection was established', Error);
E('ERR_SOCKET_CONNECTION_TIMEOUT', 'Socket connection timeout', Error);
E('ERR_SOCKET_DGRAM_IS_CONNECTED', 'Already connected', Error);
E('ERR_SOCKET_DGRAM_NOT_CONNECTED', 'Not connected', Error);
E('ERR_SOCKET_DGRAM_NOT_RUNNING', 'Not running', Error);
E('ERR_SRI_PARSE', 'Subresource Integrity string %j had an unexpected %j at position %d', SyntaxError);
E('ERR_STREAM_ALREADY_FINISHED', 'Cannot call %s after a stream was finished', Error);
E('ERR_STREAM_CANNOT_PIPE', 'Cannot pipe, not readable', Error);
E('ERR_STREAM_DESTROYED', 'Cannot call %s after a stream was destroyed', Error);
E('ERR_STREAM_ITER_MISSING_FLAG', '%s', TypeError);
E('ERR_STREAM_NULL_VALUES', 'May not write null values to stream', TypeError);
E('ERR_STREAM_PREMATURE_CLOSE', 'Premature close', Error);
E('ERR_STREAM_PUSH_AFTER_EOF', 'stream.push() after EOF', Error);
E('ERR_STREAM_UNABLE_TO_PIPE', 'Cannot pipe to a closed or destroyed stream', Error);
E('ERR_STREAM_UNSHIFT_AFTER_END_EVENT', 'stream.unshift() after end event', Error);
E('ERR_STREAM_WRAP', 'Stream has StringDecoder set or is in objectMode', Error);
E('ERR_STREAM_WRITE_AFTER_END', 'write after end', Error);
E('ERR_SYNTHETIC', 'JavaScript Callstack', Error);
E('ERR_SYSTEM_ERROR', 'A system error occurred', Error);
E('ERR_TEST_FAILURE', function(error, failureType) {
  this.failureType = failureType;
  this.cause = error;
  return typeof error === 'string' ? error : error?.message ?? inspect(error);
}, Error);
E('ERR_TRACE_EVENTS_CATEGORY_REQUIRED', 'At least one category is required', TypeError);
E('ERR_TRACE_EVENTS_UNAVAILABLE', 'Trace events are unavailable', Error);
E('ERR_TTY_INIT_FAILED', 'TTY initialization failed', Error);
E('ERR_UNAVAILABLE_DURING_EXIT', 'Cannot call function in process exit handler', Error);
E('ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET', '`process.setupUncaughtExceptionCapture()` was called while a capture callback was already active', Error);
E('ERR_UNESCAPED_CHARACTERS', '%s contains unescaped characters', TypeError);
E('ERR_UNHANDLED_REJECTION', (reason) => 'This error originated either by throwing inside of an async function without a catch block, or by ' +
  `rejecting a promise which was not handled with .catch(). The promise rejected with the reason "${reason}".`, Error);
E('ERR_UNKNOWN_BUILTIN_MODULE', 'No such built-in module: %s', Error);
E('ERR_UNKNOWN_CREDENTIAL', '%s identifier does not exist: %s', Error);
E('ERR_UNKNOWN_ENCODING', 'Unknown encoding: %s', TypeError);
E('ERR_UNKNOWN_FILE_EXTENSION', (ext, path) => `Unknown file extension "${ext}" for ${path}`, TypeError);
E('ERR_UNKNOWN_MODULE_FORMAT', 'Unknown module format: %s for URL %s', RangeError);
E('ERR_UNKNOWN_SIGNAL', 'Unknown signal: %s', TypeError);
E('ERR_UNSUPPORTED_DIR_IMPORT', function(path, base, exactUrl) {
  this.url = exactUrl;
  return `Directory import '${path}' is not supported resolving ES modules imported from ${base}`;
}, Error);
E('ERR_UNSUPPORTED_ESM_URL_SCHEME', (url, supported) =>
  `Only URLs with a scheme in: ${join(supported, 'and')} are supported by the default ESM loader. Received protocol '${url.protocol}'`, Error);
E('ERR_UNSUPPORTED_RESOLVE_REQUEST', 'Failed to resolve module specifier "%s" from "%s": Invalid relative URL or base scheme is not hierarchical.', TypeError);
E('ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING', 'Stripping types is currently unsupported for files under node_modules, for "%s"', Error);
E('ERR_USE_AFTER_CLOSE', '%s was closed', Error);
E('ERR_VALID_PERFORMANCE_ENTRY_TYPE', 'At least one valid performance entry type is required', Error);
E('ERR_VM_MODULE_LINK_FAILURE', '%s', Error);
E('ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING', 'A dynamic import callback was not specified.', TypeError);
E('ERR_WORKER_INIT_FAILED', 'Worker initialization failure: %s', Error);
E('ERR_WORKER_INVALID_EXEC_ARGV', (errors, msg = 'invalid execArgv flags') => `Initiated Worker with ${msg}: ${errors.join(', ')}`, Error);
E('ERR_WORKER_NOT_RUNNING', 'Worker instance not running', Error);
E('ERR_WORKER_OUT_OF_MEMORY', 'Worker terminated due to reaching memory limit: %s', Error);
E('ERR_WORKER_PATH', (filename) => 'The worker script or module filename must be an absolute path or a relative path starting with ' +
  `'./' or '../'.${filename.startsWith('file://') ? ' Wrap file:// URLs with `new URL`.' : ''} Received "${filename}"`, TypeError);
E('ERR_WORKER_UNSERIALIZABLE_ERROR', 'Serializing an uncaught exception failed', Error);
E('ERR_WORKER_UNSUPPORTED_OPERATION', '%s is not supported in workers', TypeError);
E('ERR_ZLIB_INITIALIZATION_FAILED', 'Initialization failed', Error);
E('ERR_BROTLI_INVALID_PARAM', '%s is not a valid Brotli parameter', RangeError);
E('ERR_OPTION_NOT_AVAILABLE', '%s is not available', Error);
E('ERR_FEATURE_NOT_AVAILABLE', '%s is not available in this runtime', Error);

class AbortError extends Error {
  constructor(message = 'The operation was aborted', options = undefined) {
    if (options !== undefined && typeof options !== 'object') {
      throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options);
    }
    super(message, options);
    this.code = 'ABORT_ERR';
    this.name = 'AbortError';
  }
}

// Two errors of one operation: an AggregateError that shows itself as the outer one does.
function aggregateTwoErrors(inner, outer) {
  if (inner && outer && inner !== outer) {
    if (Array.isArray(outer.errors)) {
      outer.errors.push(inner);
      return outer;
    }
    const error = new AggregateError([outer, inner], outer.message);
    error.code = outer.code;
    return error;
  }
  return inner || outer;
}

function aggregateErrors(errors, message, code) {
  const error = new AggregateError(errors, message);
  error.code = code;
  return error;
}

// What a failed system call is told with: `uvException({ errno, syscall, path, dest })`.
let uv;
function uvErrmap(errno) {
  uv ??= internalBinding('uv');
  return uv.getErrorMap().get(errno) ?? ['UNKNOWN', 'unknown error'];
}

function uvException(context) {
  const [code, text] = context.message && context.code ? [context.code, context.message] : uvErrmap(context.errno);
  let message = `${code}: ${context.message || text}, ${context.syscall}`;
  let path;
  let dest;
  if (context.path) {
    path = context.path.toString();
    message += ` '${path}'`;
  }
  if (context.dest) {
    dest = context.dest.toString();
    message += ` -> '${dest}'`;
  }
  const error = new Error(message);
  for (const prop of Object.keys(context)) {
    if (prop === 'message' || prop === 'path' || prop === 'dest') continue;
    error[prop] = context[prop];
  }
  error.code = code;
  if (path) error.path = path;
  if (dest) error.dest = dest;
  Error.captureStackTrace(error, currentHide ?? uvException);
  return error;
}

class ErrnoException extends Error {
  constructor(errno, syscall, original) {
    const code = uvErrmap(errno)[0];
    super(original ? `${syscall} ${code} ${original}` : `${syscall} ${code}`);
    this.errno = errno;
    this.code = code;
    this.syscall = syscall;
    Object.defineProperty(this, 'constructor', { value: Error, enumerable: false, configurable: true, writable: true });
  }
}

class UVExceptionWithHostPort extends Error {
  constructor(errno, syscall, address, port) {
    const [code, text] = uvErrmap(errno);
    let details = '';
    if (port && port > 0) details = ` ${address}:${port}`;
    else if (address) details = ` ${address}`;
    super(`${syscall} ${code}: ${text}${details}`);
    this.code = code;
    this.errno = errno;
    this.syscall = syscall;
    this.address = address;
    if (port) this.port = port;
    Object.defineProperty(this, 'constructor', { value: Error, enumerable: false, configurable: true, writable: true });
  }
}

class ExceptionWithHostPort extends Error {
  constructor(errno, syscall, address, port, additional) {
    const code = uvErrmap(errno)[0];
    let details = '';
    if (port && port > 0) details = ` ${address}:${port}`;
    else if (address) details = ` ${address}`;
    if (additional) details += ` - Local (${additional})`;
    super(`${syscall} ${code}${details}`);
    this.errno = errno;
    this.code = code;
    this.syscall = syscall;
    this.address = address;
    if (port) this.port = port;
    Object.defineProperty(this, 'constructor', { value: Error, enumerable: false, configurable: true, writable: true });
  }
}

class DNSException extends Error {
  constructor(code, syscall, hostname) {
    let errno;
    if (typeof code === 'number') {
      errno = code;
      code = code === -3007 || code === -3008 ? 'ENOTFOUND' : uvErrmap(code)[0].replace(/^EAI_NONAME$/, 'ENOTFOUND');
    }
    super(`${syscall} ${code}${hostname ? ` ${hostname}` : ''}`);
    this.errno = errno;
    this.code = code;
    this.syscall = syscall;
    if (hostname) this.hostname = hostname;
    Object.defineProperty(this, 'constructor', { value: Error, enumerable: false, configurable: true, writable: true });
  }
}

// Errors that tell of a system's refusal with a whole context (`ERR_SYSTEM_ERROR` and its relatives).
class SystemError extends Error {
  constructor(key, context) {
    let message = `${makeMessage(key, [context], {})}: ${context.syscall} returned ${context.code} (${context.message})`;
    if (context.path !== undefined) message += ` ${context.path}`;
    if (context.dest !== undefined) message += ` => ${context.dest}`;
    super(message);
    this.code = key;
    this.name = 'SystemError';
    Object.defineProperties(this, {
      info: { value: context, enumerable: true, configurable: true, writable: false },
      errno: { value: context.errno, enumerable: true, configurable: true, writable: true },
      syscall: { value: context.syscall, enumerable: true, configurable: true, writable: true },
    });
    if (context.path !== undefined) Object.defineProperty(this, 'path', { value: context.path, enumerable: true, configurable: true, writable: true });
    if (context.dest !== undefined) Object.defineProperty(this, 'dest', { value: context.dest, enumerable: true, configurable: true, writable: true });
  }
  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }
}
for (const key of ['ERR_SYSTEM_ERROR', 'ERR_FS_EISDIR', 'ERR_FS_CP_DIR_TO_NON_DIR', 'ERR_FS_CP_EEXIST', 'ERR_FS_CP_EINVAL',
  'ERR_FS_CP_FIFO_PIPE', 'ERR_FS_CP_NON_DIR_TO_DIR', 'ERR_FS_CP_SOCKET', 'ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY', 'ERR_FS_CP_UNKNOWN',
  'ERR_SOCKET_BUFFER_SIZE', 'ERR_TTY_INIT_FAILED']) {
  bases.set(key, [SystemError]);
}
messages.set('ERR_FS_EISDIR', 'Path is a directory');

let stackOverflowName;
let stackOverflowMessage;
function isStackOverflowError(error) {
  if (stackOverflowMessage === undefined) {
    try {
      (function overflow() { overflow(); })();
    } catch (e) {
      stackOverflowMessage = e.message;
      stackOverflowName = e.name;
    }
  }
  return error && error.name === stackOverflowName && error.message === stackOverflowMessage;
}

function isErrorLike(value) {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'stack');
}

function hideInternalStackFrames(error) {
  return error;
}

const genericNodeError = (message, properties) => Object.assign(new Error(message), properties);

function getMessage(key, args, self) {
  return makeMessage(key, args, self);
}

module.exports = {
  codes, E, hideStackFrames, AbortError, aggregateTwoErrors, aggregateErrors, uvException, uvErrmap, ErrnoException,
  UVExceptionWithHostPort, ExceptionWithHostPort, DNSException, SystemError, isStackOverflowError, isErrorLike,
  hideInternalStackFrames, genericNodeError, getMessage, determineSpecificType, addNumericalSeparator, kIsNodeError,
  stampStack, describeExpected,
};
