'use strict';

// Which modules are built in, and small things that both module systems need.

const { builtinSet, requireBuiltin } = internalBinding('runtime');

// Names that may only be used with the prefix `node:`.
const schemeOnly = new Set(['sea', 'sqlite', 'test', 'test/reporters', 'quic', 'stream/iter', 'zlib/iter', 'ffi', 'vfs', 'dtls']);

function isSwitchedOff(id) {
  return id === 'sqlite' && require('internal/process/flags').hasFlag('--no-experimental-sqlite');
}

const publicIds = [...builtinSet].filter((id) => !id.startsWith('internal/') && !isSwitchedOff(id)).sort();
const publicSet = new Set(publicIds);

const builtinModules = Object.freeze([...publicIds.filter((id) => !schemeOnly.has(id)),
  ...publicIds.filter((id) => schemeOnly.has(id)).map((id) => `node:${id}`)]);

function isBuiltin(id) {
  if (typeof id !== 'string') return false;
  if (id.startsWith('node:')) return publicSet.has(id.slice(5));
  return publicSet.has(id) && !schemeOnly.has(id);
}

function builtinName(id) {
  return id.startsWith('node:') ? id.slice(5) : id;
}

function loadBuiltin(id) {
  if (id === 'console' || id === 'node:console') return internalBinding('runtime').fillConsole();
  return requireBuiltin(builtinName(id));
}

function stripBOM(text) {
  return text.charCodeAt(0) === 0xFEFF ? text.slice(1) : text;
}

// Conditions of package exports; -C and --conditions add to them.
let userConditions;
function conditions(base) {
  if (userConditions === undefined) {
    userConditions = [];
    const argv = require('internal/process/flags').words();
    for (let i = 0; i < argv.length; i++) {
      if (argv[i] === '-C' || argv[i] === '--conditions') userConditions.push(argv[++i]);
      else if (argv[i].startsWith('--conditions=')) userConditions.push(argv[i].slice(13));
    }
  }
  const names = require('internal/process/flags').hasFlag('--no-addons') ? base.filter((name) => name !== 'node-addons') : base;
  return new Set([...names, ...userConditions]);
}

let requireConditions;
let importConditions;

// ---- syntax errors ----

let acorn;
function getAcorn() {
  return (acorn ??= require('internal/deps/acorn'));
}

const kParseOptions = { ecmaVersion: 'latest', allowHashBang: true, locations: false };

function unexpected(text, pos) {
  const rest = text.slice(pos);
  if (rest === '') return 'Unexpected end of input';
  const word = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/u.exec(rest);
  if (word) {
    if (getAcorn().keywordTypes[word[0]]) return `Unexpected token '${word[0]}'`;
    return /^(?:implements|interface|let|package|private|protected|public|static|yield)$/.test(word[0]) ?
      'Unexpected strict mode reserved word' : `Unexpected identifier '${word[0]}'`;
  }
  if (/^\d/.test(rest)) return 'Unexpected number';
  if (/^['"]/.test(rest)) return 'Unexpected string';
  if (rest[0] === '`') return 'Unexpected template string';
  const token = /^(?:=>|===|!==|==|!=|<=|>=|\.\.\.|\?\?=|\?\?|\?\.|&&|\|\||\+\+|--|\*\*|<<|>>>|>>|[^])/.exec(rest);
  return `Unexpected token '${token[0]}'`;
}

// Says where a syntax error is, and what, in V8's words as far as they are known. The parser is asked only when the
// engine has refused the text already.
function decorateSyntaxError(error, text, file, isModule) {
  try {
    getAcorn().parse(text, { ...kParseOptions, sourceType: isModule ? 'module' : 'script', allowReturnOutsideFunction: !isModule,
      allowAwaitOutsideFunction: isModule });
  } catch (found) {
    if (typeof found.pos !== 'number') return error;
    fillSyntaxError(error, found, text, file);
  }
  return error;
}

function fillSyntaxError(error, found, text, file) {
  const isUsing = found.message.startsWith('Using declaration cannot');
  const pos = isUsing ? found.pos + /^(?:await\s+)?using\s*/.exec(text.slice(found.pos))[0].length : found.pos;
  const lines = text.slice(0, pos).split('\n');
  let message = found.message.replace(/ \(\d+:\d+\)$/, '');
  if (message === 'Unexpected token') message = /\bconst\s+[\w$]+\s*$/.test(text.slice(0, pos)) ? 'Missing initializer in const declaration' : unexpected(text, pos);
  else if (isUsing) message = unexpected(text, pos);
  else if (/^The keyword '\w+' is reserved$/.test(message)) message = 'Unexpected reserved word';
  else if (/^Unterminated (string constant|regular expression)|^Unexpected character/.test(message)) message = 'Invalid or unexpected token';
  else if (message === 'Unterminated template') message = 'Unterminated template literal';
  else if (/^'return' outside/.test(message)) message = 'Illegal return statement';
  else if (/^Cannot use keyword 'await'/.test(message)) message = 'await is only valid in async functions and the top level bodies of modules';
  else if (/^'import' and 'export' may appear only with/.test(message)) {
    message = text.startsWith('import', pos) ? 'Cannot use import statement outside a module' : "Unexpected token 'export'";
  } else if (/^Cannot use 'import.meta' outside a module/.test(message)) message = "Cannot use 'import.meta' outside a module";
  if (error.message === 'missing ) after argument list') message = error.message; // the engine knows better
  Object.defineProperty(error, 'message', { value: message, writable: true, configurable: true, enumerable: false });
  Object.defineProperty(error, '__rotaSyntax', { value: { file, line: lines.length, column: lines[lines.length - 1].length + 1 },
    writable: true, configurable: true, enumerable: false });
}

module.exports = {
  isBuiltin, builtinName, loadBuiltin, builtinModules, publicIds, stripBOM, getAcorn, decorateSyntaxError, fillSyntaxError, kParseOptions,
  get requireConditions() { return (requireConditions ??= conditions(['require', 'node', 'node-addons', 'module-sync'])); },
  get importConditions() { return (importConditions ??= conditions(['node', 'import', 'module-sync', 'node-addons'])); },
};
