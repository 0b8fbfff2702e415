'use strict';

// TypeScript: type annotations are replaced by blanks, so that lines and columns stay. amaro, the package that Node
// uses for it, does the work; it is loaded with the first such text.

const { codes } = require('internal/errors');

const kFile = /\.([cm]?)ts$/;
const kSwitches = new Map([
  ['--strip-types', true],
  ['--experimental-strip-types', true],
  ['--no-strip-types', false],
  ['--no-experimental-strip-types', false],
]);

let enabled;
function isEnabled() {
  if (enabled === undefined) {
    const last = require('internal/process/flags')
      .words()
      .findLast((word) => kSwitches.has(word));
    enabled = last === undefined || kSwitches.get(last);
  }
  return enabled;
}

const isTypeScript = (filename) => kFile.test(filename) && isEnabled();

// 'module', 'commonjs', or undefined if only the text decides; `scope` is the type in the nearest package.json.
function kindOf(filename, scope) {
  const letter = kFile.exec(filename)[1];
  if (letter === 'm') return 'module';
  if (letter === 'c') return 'commonjs';
  return scope === 'module' || scope === 'commonjs' ? scope : undefined;
}

const errorsByCode = new Map([
  ['UnsupportedSyntax', 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX'],
  ['InvalidSyntax', 'ERR_INVALID_TYPESCRIPT_SYNTAX'],
]);

// The compile cache is used only if it was switched on.
function blank(text, filename) {
  const cache = require('internal/modules/compile_cache');
  const known = cache.read('typescript', text);
  if (known !== undefined) return known;
  const code = blankNew(text, filename);
  cache.write('typescript', text, code);
  return code;
}

let amaro;
function blankNew(text, filename) {
  if (require('internal/process/flags').hasFlag('--jitless'))
    throw new codes.ERR_WEBASSEMBLY_NOT_SUPPORTED('TypeScript');
  amaro ??= require('internal/deps/amaro');
  try {
    return amaro.transformSync(text, { __proto__: null, mode: 'strip-only', filename, sourceMap: false }).code;
  } catch (found) {
    const code = errorsByCode.get(found?.code);
    if (code === undefined) throw found;
    const error = new codes[code](found.message);
    const width = found.endLine === found.startLine ? Math.max(1, found.endColumn - found.startColumn) : 1;
    const place = { file: filename, line: found.startLine, column: found.startColumn + 1, width };
    Object.defineProperty(error, '__rotaSyntax', {
      value: place,
      writable: true,
      configurable: true,
      enumerable: false,
    });
    require('internal/state').sources.set(filename, text);
    throw error;
  }
}

// The text of a file, ready to run.
function strip(text, filename) {
  if (/[/\\]node_modules[/\\]/.test(filename)) throw new codes.ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING(filename);
  return blank(text, filename);
}

// The text of a module that an import names by its URL.
function stripModule(text, url, path) {
  if (/[/\\]node_modules[/\\]/.test(path)) throw new codes.ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING(path);
  const code = blank(text, url);
  require('internal/state').sources.set(url, code);
  return code;
}

let warned = false;

// module.stripTypeScriptTypes
function stripTypeScriptTypes(code, options = { __proto__: null }) {
  if (!warned)
    process.emitWarning(
      'stripTypeScriptTypes is an experimental feature and might change at any time',
      'ExperimentalWarning',
    );
  warned = true;
  const { validateObject, validateOneOf, validateString } = require('internal/validators');
  validateString(code, 'code');
  validateObject(options, 'options');
  const { mode = 'strip', sourceUrl = '', sourceMap = false } = options;
  validateOneOf(mode, 'options.mode', ['strip']);
  validateOneOf(sourceMap, 'options.sourceMap', [false, undefined]);
  validateString(sourceUrl, 'options.sourceUrl');
  const stripped = blank(code, sourceUrl === '' ? undefined : sourceUrl);
  return sourceUrl === '' ? stripped : `${stripped}\n\n//# sourceURL=${sourceUrl}`;
}

module.exports = { blank, isEnabled, isTypeScript, kindOf, strip, stripModule, stripTypeScriptTypes };
