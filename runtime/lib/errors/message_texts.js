'use strict';

// Messages that are computed from their arguments. A writer gives the text, or the text and further
// properties of the error.

const { describeExpected, describeReceived, listed, show, withSeparators } = require('internal/errors/message_parts');

const kLongestValue = 128;
const isProperty = (name) => name.includes('.');
const from = (base) => (base ? ` imported from ${base}` : '');
const quoted = (name) => `"${name}"`;

function subjectOf(name) {
  if (name.endsWith(' argument')) return `The ${name}`;
  return `The ${quoted(name)} ${isProperty(name) ? 'property' : 'argument'}`;
}

function numberReceived(value) {
  if (typeof value === 'bigint')
    return `${value > 2n ** 32n || value < -(2n ** 32n) ? withSeparators(`${value}`) : value}n`;
  return Number.isInteger(value) && Math.abs(value) > 2 ** 32 ? withSeparators(`${value}`) : show(value);
}

const whose = (value) =>
  value?.constructor?.name ? `an instance of ${value.constructor.name}` : `type ${typeof value}`;

const bugNotice =
  'This is caused by either a bug in Node.js or incorrect usage of Node.js internals.\n' +
  'Please open an issue with this stack trace at https://github.com/nodejs/node/issues\n';

// [classes, writer]
module.exports = {
  __proto__: null,
  ERR_INVALID_ARG_TYPE: [
    'TypeError',
    (name, expected, value) =>
      `${subjectOf(name)} must be ${describeExpected(expected)}. Received ${describeReceived(value)}`,
  ],
  ERR_INVALID_ARG_VALUE: [
    'TypeError,RangeError',
    (name, value, reason = 'is invalid') => {
      const text = show(value);
      const shown = text.length > kLongestValue ? `${text.slice(0, kLongestValue)}...` : text;
      return `The ${isProperty(name) ? 'property' : 'argument'} '${name}' ${reason}. Received ${shown}`;
    },
  ],
  ERR_OUT_OF_RANGE: [
    'RangeError,TypeError',
    (name, range, value, isSentence = false) =>
      `${isSentence ? name : `The value of ${quoted(name)} is out of range.`} It must be ${range}. Received ` +
      `${numberReceived(value)}`,
  ],
  ERR_MISSING_ARGS: [
    'TypeError',
    (...names) => {
      const shown = names.map((name) => [name].flat().map(quoted).join(' or '));
      return `The ${listed(shown, 'and')} argument${shown.length === 1 ? '' : 's'} must be specified`;
    },
  ],
  ERR_INVALID_RETURN_VALUE: [
    'TypeError,RangeError',
    (wanted, name, value) =>
      `Expected ${wanted} to be returned from the ${quoted(name)} function but got ${describeReceived(value)}.`,
  ],
  ERR_INVALID_RETURN_PROPERTY: [
    'TypeError',
    (wanted, name, property, value) =>
      `Expected a valid ${wanted} to be returned for the ${quoted(property)} from the ${quoted(name)} function but ` +
      `got ${value}.`,
  ],
  ERR_INVALID_RETURN_PROPERTY_VALUE: [
    'TypeError',
    (wanted, name, property, value, what = 'function') =>
      `Expected ${wanted} to be returned for the ${quoted(property)} from the ${quoted(name)} ${what} but got ` +
      `${what === 'hook' ? describeReceived(value) : whose(value)}.`,
  ],
  ERR_FALSY_VALUE_REJECTION: ['Error', (reason) => ({ message: 'Promise was rejected with falsy value', reason })],
  ERR_UNHANDLED_ERROR: ['Error', (error) => (error === undefined ? 'Unhandled error.' : `Unhandled error. (${error})`)],
  ERR_UNHANDLED_REJECTION: [
    'Error',
    (reason) =>
      'This error originated either by throwing inside of an async function without a catch block, or by rejecting a ' +
      'promise which was ' +
      `not handled with .catch(). The promise rejected with the reason "${reason}".`,
  ],
  ERR_INTERNAL_ASSERTION: ['Error', (message) => (message === undefined ? bugNotice : `${message}\n${bugNotice}`)],
  ERR_BUFFER_OUT_OF_BOUNDS: [
    'RangeError',
    (name) => (name ? `${quoted(name)} is outside of buffer bounds` : 'Attempt to access memory outside buffer bounds'),
  ],
  ERR_ENCODING_INVALID_ENCODED_DATA: [
    'TypeError',
    (encoding, errno) => ({ message: `The encoded data was not valid for encoding ${encoding}`, errno }),
  ],
  ERR_ENCODING_NOT_SUPPORTED: ['RangeError', (encoding) => `The ${quoted(encoding)} encoding is not supported`],
  ERR_INVALID_ADDRESS_FAMILY: [
    'RangeError',
    (family, host, port) => ({ message: `Invalid address family: ${family} ${host}:${port}`, host, port }),
  ],
  ERR_INVALID_CHAR: [
    'TypeError',
    (name, field) => `Invalid character in ${name}${field === undefined ? '' : ` ["${field}"]`}`,
  ],
  ERR_INVALID_FILE_URL_PATH: ['TypeError', (reason) => `File URL path ${reason}`],
  ERR_INVALID_MIME_SYNTAX: [
    'TypeError',
    (production, text, index) =>
      `The MIME syntax for a ${production} in ${JSON.stringify(text)} is invalid${index === -1 ? '' : ` at ${index}`}`,
  ],
  ERR_INVALID_URL: [
    'TypeError',
    (input, base) => (base == null ? { message: 'Invalid URL', input } : { message: 'Invalid URL', input, base }),
  ],
  ERR_INVALID_URL_SCHEME: [
    'TypeError',
    (expected) => {
      const schemes = [expected].flat();
      return `The URL must be ${schemes.length === 2 ? 'one ' : ''}of scheme ${schemes.slice(0, 2).join(' or ')}`;
    },
  ],
  ERR_SOCKET_BAD_PORT: [
    'RangeError',
    (name, port, allowZero = true) =>
      `${name} should be ${allowZero ? '>=' : '>'} 0 and < 65536. Received ${describeReceived(port)}.`,
  ],
  ERR_INVALID_MODULE_SPECIFIER: [
    'TypeError',
    (request, reason, base) => `Invalid module "${request}" ${reason}${from(base)}`,
  ],
  ERR_INVALID_PACKAGE_CONFIG: [
    'Error',
    (path, base, message) =>
      `Invalid package config ${path}${base ? ` while importing ${base}` : ''}.${message ? ` ${message}` : ''}`,
  ],
  ERR_INVALID_PACKAGE_TARGET: [
    'Error',
    (folder, key, target, isImport = false, base = undefined) => {
      const isOutside = typeof target === 'string' && target !== '' && !isImport && !target.startsWith('./');
      const what = key === '.' ? '"exports" main target' : `"${isImport ? 'imports' : 'exports'}" target`;
      const where = key === '.' ? 'defined' : `defined for '${key}'`;
      return (
        `Invalid ${what} ${JSON.stringify(target)} ${where} in the package config ${folder}package.json${from(base)}` +
        `${isOutside ? '; targets must start with "./"' : ''}`
      );
    },
  ],
  ERR_MODULE_NOT_FOUND: [
    'Error',
    (path, base, url, hint = '') => {
      const message = `Cannot find ${url ? 'module' : 'package'} '${path}' imported from ${base}${hint}`;
      return url ? { message, url: `${url}` } : message;
    },
  ],
  ERR_PACKAGE_IMPORT_NOT_DEFINED: [
    'TypeError',
    (specifier, folder, base) =>
      `Package import specifier "${specifier}" is not defined${folder ? ` in package ${folder}package.json` : ''} ` +
      `imported from ${base}`,
  ],
  ERR_PACKAGE_PATH_NOT_EXPORTED: [
    'Error',
    (folder, subpath, base) => {
      const what =
        subpath === '.' ? 'No "exports" main defined' : `Package subpath '${subpath}' is not defined by "exports"`;
      return `${what} in ${folder}package.json${from(base)}`;
    },
  ],
  ERR_REQUIRE_ESM_RACE_CONDITION: [
    'Error',
    (filename, parent) =>
      `Cannot require() ES Module ${filename} because it is not yet fully loaded.\n` +
      'This may be caused by a race condition if the module is simultaneously dynamically import()-ed via ' +
      'Promise.all().\n' +
      `Try await-ing the import() sequentially in a loop instead.\n (From ${parent ?? 'unknown'} in ` +
      `non-loader-hook thread)`,
  ],
  ERR_REQUIRE_ESM: [
    'Error',
    (filename, parent, packageFile) => {
      const base = filename.slice(filename.lastIndexOf('/') + 1);
      const message = `require() of ES Module ${filename}${parent ? ` from ${parent}` : ''} not supported.\n`;
      if (packageFile !== undefined) {
        return (
          `${message}${base} is treated as an ES module file as it is a .js file whose nearest parent package.json ` +
          `contains ` +
          '"type": "module" which declares all .js files in that package scope as ES modules.\n' +
          `Instead either rename ${base} to end in .cjs, change the requiring code to use dynamic import() which ` +
          `is available in all CommonJS ` +
          `modules, or change "type": "module" to "type": "commonjs" in ${packageFile} to treat all .js files as ` +
          `CommonJS (using .mjs for all ` +
          'ES modules instead).\n'
        );
      }
      const what = filename.endsWith('.js') ? `${base}${parent ? ` in ${parent}` : ''}` : filename;
      return (
        `${message}Instead change the require of ${what} to a dynamic import() which is available in all ` +
        `CommonJS modules.`
      );
    },
  ],
  ERR_UNKNOWN_FILE_EXTENSION: ['TypeError', (extension, path) => `Unknown file extension "${extension}" for ${path}`],
  ERR_UNSUPPORTED_DIR_IMPORT: [
    'Error',
    (path, base, url, hint = '') => ({
      message: `Directory import '${path}' is not supported resolving ES modules imported from ${base}${hint}`,
      url,
    }),
  ],
  ERR_UNSUPPORTED_ESM_URL_SCHEME: [
    'Error',
    (url, supported) =>
      `Only URLs with a scheme in: ${listed(supported, 'and')} are supported by the default ESM loader. Received ` +
      `protocol '${url.protocol}'`,
  ],
  ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL: [
    'TypeError',
    (argument) => `Unexpected argument '${argument}'. This command does not take positional arguments`,
  ],
  ERR_PARSE_ARGS_UNKNOWN_OPTION: [
    'TypeError',
    (option, mayBePositional) => {
      const hint =
        ". To specify a positional argument starting with a '-', place it at the end of the command after '--', as " +
        "in '-- ";
      return `Unknown option '${option}'${mayBePositional ? hint + JSON.stringify(option) : ''}`;
    },
  ],
  ERR_TEST_FAILURE: [
    'Error',
    (cause, failureType) => ({
      message: typeof cause === 'string' ? cause : (cause?.message ?? show(cause)),
      failureType,
      cause,
    }),
  ],
  ERR_WORKER_INVALID_EXEC_ARGV: [
    'Error',
    (errors, what = 'invalid execArgv flags') => `Initiated Worker with ${what}: ${errors.join(', ')}`,
  ],
  ERR_WORKER_PATH: [
    'TypeError',
    (filename) =>
      "The worker script or module filename must be an absolute path or a relative path starting with './' or '../'." +
      `${filename.startsWith('file://') ? ' Wrap file:// URLs with `new URL`.' : ''} Received "${filename}"`,
  ],
};
