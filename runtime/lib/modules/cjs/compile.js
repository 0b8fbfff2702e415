'use strict';

// Compiles the text of a module to a function and calls it; the loaders of each kind of file.

const path = require('path');
const { codes } = require('internal/errors');
const { evaluate } = internalBinding('modules');
const packages = require('internal/modules/package_json');
const frames = require('internal/errors/frames');
const stacks = require('internal/errors/stacks');
const { kEsm, kGiven, kIsMain, kParent, Module, readSource } = require('internal/modules/cjs/module');
const { makeRequire } = require('internal/modules/cjs/require');
const order = require('internal/modules/order_edits');

const wrapper = ['(function __rota_module__(exports, require, module, __filename, __dirname', ') {', '\n})'];
const publicWrapper = ['(function (exports, require, module, __filename, __dirname) { ', '\n});'];
Module.wrap = (script) => `${publicWrapper[0]}${script}${publicWrapper[1]}`;
Module.wrapper = publicWrapper;
const originalWrap = Module.wrap;
const originalWrapper = [...publicWrapper];

const kImport = /\bimport\s*(?:\/\*[^]*?\*\/\s*)*(?:\.\s*source\s*)?\(/;

const kAsyncGenerator = /\basync\s*(?:function\s*)?\*/;
const kDelegation = /\byield\s*\*/;

// The engine's importer gets neither the file nor the options, and the engine handles `yield*` in asynchronous
// generators wrongly, or more (internal/modules/order_edits). Such expressions are replaced by calls of our functions;
// positions stay close. A text that C cannot rewrite, and that would take long to parse, stays as it is: the importer
// finds the file on the stack (internal/modules/esm/import), and only options are lost. That needs an engine with
// such an importer.
const kLongText = internalBinding('runtime').hidesImports ? Infinity : 200_000;
function rewriteCalls(text, isScript, name) {
  if (
    !kImport.test(text) &&
    !order.concerns(text) &&
    !(order.marksDelegation && kAsyncGenerator.test(text) && kDelegation.test(text))
  )
    return undefined;
  const rewritten = isScript ? undefined : require('internal/modules/esm/rewrite').rewriteCommonJS(text, name);
  if (rewritten !== undefined) return rewritten ?? undefined;
  if (text.length > kLongText) return undefined;
  return require('internal/modules/esm/transform').rewriteScript(text, isScript, name);
}

function compileFunction(text, filename, mayUse = false) {
  const { wrap, wrapper: parts } = Module;
  if (wrap !== originalWrap || parts[0] !== originalWrapper[0] || parts[1] !== originalWrapper[1]) {
    // the program has replaced the wrapper
    if (text.startsWith('#!')) text = `//${text}`;
    const whole = wrap !== originalWrap ? wrap(text) : `${parts[0]}${text}${parts[1]}`;
    return { compiled: evaluate(whole, filename), imports: false };
  }
  const rewritten = mayUse ? rewriteUsing(text, false, filename) : rewriteCalls(text, false, filename);
  if (mayUse && rewritten === undefined) return undefined;
  const head = `${wrapper[0]}${rewritten === undefined ? '' : ', __rota_import__'}${wrapper[1]}`;
  frames.registerSource(filename, head.length, text);
  if (text.charCodeAt(0) === 35 && text.charCodeAt(1) === 33) text = `//${text}`;
  const body = rewritten === undefined ? text : rewritten.charCodeAt(0) === 35 ? `//${rewritten}` : rewritten;
  return { compiled: evaluate(`${head}${body}${wrapper[2]}`, filename), imports: rewritten !== undefined };
}

const kUsing = /\busing\b/;

// For text that the engine has refused: it may use `using`, which is rewritten. undefined: it does not.
function rewriteUsing(text, isScript, name) {
  return kUsing.test(text)
    ? require('internal/modules/esm/transform').rewriteScript(text, isScript, name, true)
    : undefined;
}

function compileUsing(text, filename) {
  try {
    return compileFunction(text, filename, true);
  } catch {
    return undefined; // something else is wrong with it, too
  }
}

Module.prototype._compile = function _compile(content, filename, format) {
  // Types are removed here and not before: a program that replaces this function gets the text with types.
  if (typeof format === 'string' && /(?:^|-)typescript$/.test(format)) {
    content = require('internal/modules/typescript').strip(content, filename);
    require('internal/state').sources.set(filename, content);
    format = format === 'typescript' ? undefined : format.slice(0, format.indexOf('-'));
  }
  if (format === 'module') return compileEsm(this, content, filename);
  // not from this loader: the program may have changed it
  if (arguments.length < 3) require('internal/state').sources.set(filename, content);
  let result;
  try {
    result = compileFunction(content, filename);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    result = compileUsing(content, filename);
    if (result === undefined) return refuse(this, error, content, filename, format);
  }
  const require_ = makeRequire(this);
  const dirname = path.dirname(filename);
  if (result.imports) {
    const { importerFor, fileUrl } = require('internal/modules/esm/loader');
    const importer = importerFor(filename[0] === '/' ? fileUrl(filename) : filename);
    return Reflect.apply(result.compiled, this.exports, [this.exports, require_, this, filename, dirname, importer]);
  }
  return Reflect.apply(result.compiled, this.exports, [this.exports, require_, this, filename, dirname]);
};

// The name of a CommonJS variable may be declared in an ES module.
const kTaken = /^Identifier '(?:module|exports|require|__filename|__dirname)' has already been declared$/;

// A text that is not valid CommonJS may be an ES module without a marker.
function refuse(module, error, content, filename, format) {
  if ((format === undefined || format === 'detect') && require('internal/modules/esm/format').mayDetect()) {
    const { looksLikeModule } = require('internal/modules/esm/rewrite');
    const url = require('internal/modules/esm/resolve').pathToUrl(filename);
    if ((module[kIsMain] || mayRequireEsm()) && looksLikeModule(content, url, kTaken.test(error.message)))
      return compileEsm(module, content, filename);
  } else {
    warnOfModule(content, filename);
  }
  throw stacks.adopt(require('internal/modules/syntax_error').decorate(error, content, filename, false));
}

// A file that is marked as CommonJS, and is not.
function warnOfModule(text, filename) {
  const { looksLikeModule } = require('internal/modules/esm/transform');
  if (!/^\s*(?:import|export)\b|\bawait\b/m.test(text) || !looksLikeModule(text)) return;
  // Synchronously: the error that follows may end the process.
  const warning = new Error(
    `Failed to load the ES module: ${filename}. Make sure to set "type": "module" in the nearest package.json file ` +
      'or use the .mjs extension.',
  );
  warning.name = 'Warning';
  process.emit('warning', warning);
}

Module._extensions['.js'] = function (module, filename) {
  const given = module[kGiven];
  let content = given?.text ?? readSource(filename);
  let format;
  if (filename.endsWith('ts') && given?.format === undefined) {
    const typescript = require('internal/modules/typescript');
    if (typescript.isTypeScript(filename)) {
      if (filename.endsWith('.mts') && !module[kIsMain] && !mayRequireEsm())
        return compileEsm(module, content, filename);
      const kind = typescript.kindOf(filename, packages.scopeOf(filename)?.type);
      return module._compile(content, filename, kind === undefined ? 'typescript' : `${kind}-typescript`);
    }
  }
  if (given?.format !== undefined) {
    format = given.format;
  } else if (filename.endsWith('.cjs')) {
    format = 'commonjs';
  } else if (filename.endsWith('.js')) {
    const type = packages.scopeOf(filename)?.type ?? 'none';
    format = type === 'none' ? undefined : type;
  } else if (path.extname(filename) === '') {
    const type = packages.scopeOf(filename)?.type ?? 'none';
    format = type === 'none' ? undefined : type;
  } else {
    format = 'commonjs';
  }
  module._compile(content, filename, format);
};

Module._extensions['.json'] = function (module, filename) {
  const content = module[kGiven]?.text ?? readSource(filename);
  module.exports = require('internal/modules/json').parseJson(content, `${filename}: `);
};

// A program may have replaced process.dlopen.
Module._extensions['.node'] = (module, filename) => process.dlopen(module, filename);

function loadEsm(module, filename) {
  compileEsm(module, readSource(filename), filename);
}

function mayRequireEsm() {
  const { hasFlag } = require('internal/process/flags');
  return !hasFlag('--no-experimental-require-module') && !hasFlag('--no-require-module');
}

// If the main module is an ES module after all: its promise.
const main = { promise: undefined };

// --trace-require-module: prints where ES modules are required; with `no-node-modules` only in the program's own files.
function tellOfRequire(parent, filename) {
  const mode = require('internal/process/flags')
    .words()
    .findLast((option) => option.startsWith('--trace-require-module='))
    ?.slice(23);
  if (
    mode === undefined ||
    (mode === 'no-node-modules' && (parent === undefined || /[/\\]node_modules[/\\]/.test(parent)))
  )
    return;
  process.emitWarning(
    `CommonJS module ${parent} is loading ES Module ${filename} using require().\n` +
      'Support for loading ES Module in require() is an experimental feature and might change at any time',
    'ExperimentalWarning',
  );
}

function compileEsm(module, content, filename) {
  const esm = require('internal/modules/esm/loader');
  if (!module[kIsMain] && !mayRequireEsm()) {
    const isPlain = filename.endsWith('.js') && !require('internal/modules/esm/transform').looksLikeModule(content);
    throw new codes.ERR_REQUIRE_ESM(
      filename,
      module[kParent]?.filename,
      isPlain ? packages.scopeOf(filename)?.path : undefined,
    );
  }
  if (module[kIsMain]) {
    delete Module._cache[filename];
    main.promise = esm.runMain(filename);
    return;
  }
  module[kEsm] = true;
  tellOfRequire(module[kParent]?.filename, filename);
  module.exports = esm.requireEsm(filename, content, module);
}

module.exports = { compileEsm, compileFunction, loadEsm, main, rewriteCalls, rewriteUsing };
