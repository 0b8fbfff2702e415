'use strict';

// CommonJS: Node's resolution, its cache, its cycles.

const path = require('path');
const { codes } = require('internal/errors');
const { readText, statKind, realpath, evaluate, checkSyntax: engineCheck } = internalBinding('modules');
const helpers = require('internal/modules/helpers');
const packages = require('internal/modules/package_json');
const stacks = require('internal/process/stacks');
const { hooks, registerHooks, textOf } = require('internal/modules/hooks');

const wrapper = ['(function __rota_module__(exports, require, module, __filename, __dirname', ') {', '\n})'];
const publicWrapper = ['(function (exports, require, module, __filename, __dirname) { ', '\n});'];

function Module(id = '', parent) {
  const fields = { id, path: path.dirname(id), exports: {}, filename: null, loaded: false, children: [] };
  // defined, not assigned: a program may have put setters on Object.prototype
  for (const name of Object.keys(fields)) {
    Object.defineProperty(this, name, { __proto__: null, value: fields[name], writable: true, enumerable: true, configurable: true });
  }
  Object.defineProperty(this, kParent, { value: parent, writable: true, configurable: true, enumerable: false });
  noteChild(parent, this);
}

const kParent = Symbol('parent');
const kIsMain = Symbol('isMain');
const kEsm = Symbol('esm');
const kGiven = Symbol('given'); // a source that came from elsewhere: { text, format }

// Who was the first to ask for a module says little about who uses it: deprecated, and said so when asked for.
let parentWarning = 'due';
function warnOfParent() {
  if (parentWarning !== 'due') return;
  parentWarning = 'done';
  if (!require('internal/process/flags').hasFlag('--pending-deprecation')) return;
  process.emitWarning('module.parent is deprecated due to accuracy issues. Please use require.main to find program entry point instead.',
    'DeprecationWarning', 'DEP0144');
}

Object.defineProperty(Module.prototype, 'parent', {
  get() {
    warnOfParent();
    return this[kParent];
  },
  set(value) {
    warnOfParent();
    this[kParent] = value;
  },
  configurable: true,
});
Object.defineProperty(Module.prototype, 'constructor', { value: Module, writable: true, configurable: true, enumerable: false });

// Who asked for a module first, or again, has it among its children, once.
function noteChild(parent, child) {
  if (parent?.children && !parent.children.includes(child)) parent.children.push(child);
}

Module._cache = { __proto__: null };
Module._pathCache = { __proto__: null };
Module._extensions = { __proto__: null };
Module.globalPaths = [];
Module.Module = Module;
Module._debug = () => {};
Module._stat = (file) => statKind(file);
Module.builtinModules = helpers.builtinModules;
Module.isBuiltin = helpers.isBuiltin;
Module.wrap = (script) => `${publicWrapper[0]}${script}${publicWrapper[1]}`;
Module.wrapper = publicWrapper;
const originalWrap = Module.wrap;
const originalWrapper = [...publicWrapper];

Module._initPaths = function _initPaths() {
  const home = process.env.HOME;
  const list = [path.resolve(process.execPath, '..', '..', 'lib', 'node')];
  if (home) list.unshift(path.resolve(home, '.node_modules'), path.resolve(home, '.node_libraries'));
  if (process.env.NODE_PATH) list.unshift(...process.env.NODE_PATH.split(':').filter(Boolean));
  Module.globalPaths = list;
};

function initialize() {
  Module._initPaths();
}

// ---- resolution ----

function toReal(file) {
  const real = realpath(file);
  return typeof real === 'string' ? real : file;
}

let preserved; // which links are left alone: those of the main module, all others
function preserve(isMain) {
  if (preserved === undefined) {
    const { hasFlag } = require('internal/process/flags');
    preserved = [hasFlag('--preserve-symlinks'), hasFlag('--preserve-symlinks-main')];
  }
  return preserved[isMain ? 1 : 0];
}

function tryFile(file, isMain) {
  if (statKind(file) !== 0) return false;
  return preserve(isMain) ? path.resolve(file) : toReal(path.resolve(file));
}

function tryExtensions(base, extensions, isMain) {
  for (const extension of extensions) {
    const file = tryFile(base + extension, isMain);
    if (file) return file;
  }
  return false;
}

function tryPackage(directory, extensions, isMain, request) {
  const pkg = packages.read(directory);
  if (pkg?.main === undefined) return tryExtensions(path.resolve(directory, 'index'), extensions, isMain);
  const file = path.resolve(directory, pkg.main);
  const found = tryFile(file, isMain) || tryExtensions(file, extensions, isMain) ||
    tryExtensions(path.resolve(file, 'index'), extensions, isMain);
  if (found) return found;
  const index = tryExtensions(path.resolve(directory, 'index'), extensions, isMain);
  if (!index) {
    const error = new Error(`Cannot find module '${file}'. Please verify that the package.json has a valid "main" entry`);
    error.code = 'MODULE_NOT_FOUND';
    error.path = path.resolve(directory, 'package.json');
    error.requestPath = request;
    throw error;
  }
  process.emitWarning(`Invalid 'main' field in '${pkg.path}' of '${pkg.main}'. Please either fix that or report it to the module author`,
    'DeprecationWarning', 'DEP0128');
  return index;
}

// What Node has built in and rota has not. Nobody asks for one that is there, or for which there is a package.
function isMissingBuiltin(request) {
  const missing = ['inspector/promises', 'sqlite',
    'trace_events', 'wasi'];
  return missing.includes(request);
}

function finishExports(file, request, base) {
  if (statKind(file) === 0) return preserve(false) ? file : toReal(file);
  const error = new Error(`Cannot find module '${file}'`);
  error.code = 'MODULE_NOT_FOUND';
  error.path = base;
  throw error;
}

// What a target of "imports" that names a package resolves to.
function resolvePackageTarget(specifier, from) {
  if (helpers.isBuiltin(specifier)) return specifier;
  return Module._resolveFilename(specifier, { id: from, filename: `${from}_`, paths: Module._nodeModulePaths(from.slice(0, -1)) }, false);
}

// Whether a request begins with what may be the name of a package.
function isPackageName(request) {
  const [first, second] = request.split('/', 2);
  const mayBe = (part) => part !== undefined && part !== '' && !/[\\%]/.test(part);
  if (!mayBe(first)) return false;
  return first[0] === '@' ? first !== '@' && mayBe(second) : first[0] !== '.';
}

function resolveInPackage(directory, request, base) {
  const { resolveExports, splitName } = require('internal/modules/exports');
  if (!isPackageName(request)) return undefined;
  const [name, subpath] = splitName(request);
  const pkg = packages.read(path.resolve(directory, name));
  if (pkg?.exports === undefined || pkg.exports === null) return undefined;
  const file = resolveExports(pkg, subpath, base, helpers.requireConditions, resolvePackageTarget);
  return finishExports(file, request, pkg.path);
}

Module._findPath = function _findPath(request, paths, isMain) {
  const absolute = path.isAbsolute(request);
  if (absolute) paths = [''];
  else if (!paths || paths.length === 0) return false;
  const key = `${request}\x00${paths.join('\x00')}`;
  const known = Module._pathCache[key];
  if (known) return known;
  const trailing = /(?:^|\/)\.?\.?\/?$/.test(request) && /(?:\/|^|\/)\.{0,2}\/?$/.test(request) && (request.endsWith('/') || /(?:^|\/)\.\.?$/.test(request));
  const relative = request === '.' || request === '..' || request.startsWith('./') || request.startsWith('../');
  let extensions;
  for (const directory of paths) {
    if (directory && !request.startsWith('..') && statKind(directory) !== 1) continue;
    if (!absolute && !relative) {
      const exported = resolveInPackage(directory, request);
      if (exported) return exported;
    }
    const base = path.resolve(directory, request);
    let file;
    const kind = statKind(base);
    if (!trailing) {
      if (kind === 0) file = preserve(isMain) ? base : toReal(base);
      if (!file) {
        extensions ??= Object.keys(Module._extensions);
        file = tryExtensions(base, extensions, isMain);
      }
    }
    if (!file && kind === 1) {
      extensions ??= Object.keys(Module._extensions);
      file = tryPackage(base, extensions, isMain, request);
    }
    if (file) {
      Module._pathCache[key] = file;
      return file;
    }
  }
  return false;
};

Module._nodeModulePaths = function _nodeModulePaths(from) {
  from = path.resolve(from);
  if (from === '/') return ['/node_modules'];
  const list = [];
  for (let at = from.length; at > 0; at = from.lastIndexOf('/', at - 1)) {
    const directory = from.slice(0, at);
    if (!directory.endsWith('/node_modules')) list.push(`${directory}/node_modules`);
  }
  list.push('/node_modules');
  return list;
};

Module._resolveLookupPaths = function _resolveLookupPaths(request, parent) {
  if (helpers.isBuiltin(request)) return null;
  if (request[0] !== '.' || (request.length > 1 && request[1] !== '.' && request[1] !== '/')) {
    const list = parent?.paths?.length ? parent.paths.concat(Module.globalPaths) : [...Module.globalPaths];
    return list.length > 0 ? list : null;
  }
  if (!parent || !parent.id || !parent.filename) return ['.'].concat(Module._nodeModulePaths('.'), Module.globalPaths);
  return [path.dirname(parent.filename)];
};

// Where a request is looked for; `starts` are the directories that the caller of require.resolve() named.
function lookupPaths(request, parent, starts) {
  if (starts === undefined) return Module._resolveLookupPaths(request, parent);
  if (!Array.isArray(starts)) throw new codes.ERR_INVALID_ARG_VALUE('options.paths', starts);
  const wrong = starts.findIndex((start) => typeof start !== 'string');
  if (wrong !== -1) throw new codes.ERR_INVALID_ARG_TYPE('path', 'string', starts[wrong]);
  if (/^\.\.?(?:\/|$)/.test(request)) return starts;
  const all = starts.flatMap((start) => Module._resolveLookupPaths(request, { paths: Module._nodeModulePaths(start) }));
  return [...new Set(all)];
}

Module._resolveFilename = function _resolveFilename(request, parent, isMain, options) {
  if (helpers.isBuiltin(request)) return request;
  if (request.startsWith('node:')) throw new codes.ERR_UNKNOWN_BUILTIN_MODULE(request);
  const paths = lookupPaths(request, parent, options?.paths);
  if (request[0] === '#' && parent?.filename && packages.scopeOf(parent.filename)?.imports) {
    const { resolveImports } = require('internal/modules/exports');
    const file = resolveImports(request, parent.filename, parent.filename, helpers.requireConditions, resolvePackageTarget);
    return helpers.isBuiltin(file) ? file : finishExports(file, request, parent.path);
  }
  // A package may name itself.
  if (parent?.filename && request[0] !== '.' && request[0] !== '/') {
    const pkg = packages.scopeOf(parent.filename);
    if (pkg?.exports !== undefined && pkg.exports !== null && pkg.name !== undefined && (request === pkg.name || request.startsWith(`${pkg.name}/`))) {
      const { resolveExports } = require('internal/modules/exports');
      return finishExports(resolveExports(pkg, `.${request.slice(pkg.name.length)}`, parent.filename, helpers.requireConditions, resolvePackageTarget),
        request, pkg.path);
    }
  }
  const file = resolveMapped(request, parent, isMain) ?? Module._findPath(request, paths, isMain);
  if (file) return file;
  const stack = [];
  for (let cursor = parent; cursor && !stack.includes(cursor.filename || cursor.id); cursor = cursor[kParent]) stack.push(cursor.filename || cursor.id);
  let message = `Cannot find module '${request}'`;
  if (isMissingBuiltin(request)) message += `: rota does not have Node's built-in module ${request} yet`;
  if (stack.length > 0) message += `\nRequire stack:\n- ${stack.join('\n- ')}`;
  const error = new Error(message);
  error.code = 'MODULE_NOT_FOUND';
  error.requireStack = stack;
  throw error;
};

// With a package map, a bare specifier is what the map says; what it does not say is not found. undefined: no matter of the map.
function resolveMapped(request, parent, isMain) {
  if (isMain || !parent?.filename || /^(?:\.\.?(?:\/|$)|\/)/.test(request)) return undefined;
  const map = require('internal/modules/package_map').packageMap();
  if (map === null) return undefined;
  const [name, subpath] = require('internal/modules/exports').splitName(request, parent.filename);
  const root = map.find(name, request, parent.filename);
  if (root === undefined) return false;
  const exported = resolveInPackage(path.dirname(root), path.basename(root) + subpath.slice(1), parent.filename);
  return exported ?? Module._findPath(path.resolve(root, subpath), [], false);
}

// ---- loading ----

const relativeCache = new Map();

// A module that is required while it still runs: reading a name that it has not set yet is worth a warning.
function watchCycle(module) {
  const { exports } = module;
  if (exports !== null && typeof exports === 'object' && !require('util').types.isProxy(exports) && Object.getPrototypeOf(exports) === Object.prototype && !exports.__esModule &&
      module[kWatched] === undefined) {
    module[kWatched] = true;
    Object.setPrototypeOf(exports, new Proxy({}, {
      get(target, key) {
        if (key in target || key === '__esModule') return target[key];
        warnCycle(key);
        return undefined;
      },
      getOwnPropertyDescriptor(target, key) {
        if (Object.hasOwn(target, key) || key === '__esModule') return Object.getOwnPropertyDescriptor(target, key);
        warnCycle(key);
        return undefined;
      },
      getPrototypeOf: () => Object.prototype,
    }));
  }
  return exports;
}

function warnCycle(key) {
  process.emitWarning(`Accessing non-existent property '${String(key)}' of module exports inside circular dependency`);
}

const kWatched = Symbol('watched');

// ---- through the program's hooks ----

const toUrl = (filename) => require('internal/modules/esm/resolve').pathToUrl(filename);
const toFilename = (url) => (url.startsWith('file:') ? require('internal/modules/esm/resolve').urlToPath(url) : url);

// -> { filename, format }; a URL that is no file's stands for itself.
function resolveHooked(request, parent, isMain, options) {
  const parentURL = parent?.filename ? (parent.filename[0] === '/' ? toUrl(parent.filename) : parent.filename) : undefined;
  const { url, format } = hooks.resolve(request, parentURL, undefined, [...helpers.requireConditions], (specifier) => {
    const wanted = specifier.startsWith('file:') ? toFilename(specifier) : specifier;
    const found = Module._resolveFilename(wanted, parent, isMain, options);
    const isBuiltin = helpers.isBuiltin(found);
    return { __proto__: null, url: isBuiltin ? `node:${helpers.builtinName(found)}` : toUrl(found), format: undefined, importAttributes: undefined };
  });
  return { filename: toFilename(url), format };
}

function formatHint(filename) {
  if (helpers.isBuiltin(filename)) return 'builtin';
  if (filename.endsWith('.json')) return 'json';
  if (filename.endsWith('.mjs')) return 'module';
  if (filename.endsWith('.cjs')) return 'commonjs';
  if (filename.endsWith('.node')) return 'addon';
  const type = filename.endsWith('.js') ? packages.scopeOf(filename)?.type ?? 'none' : 'none';
  return type === 'none' ? undefined : type;
}

function loadHooked(filename, hint) {
  const url = filename[0] === '/' ? toUrl(filename) : `${filename}`;
  return hooks.load(url, hint ?? formatHint(filename), undefined, [...helpers.requireConditions], (wanted, { format }) => {
    if (format === 'builtin') return { source: undefined, format };
    return { source: format === 'addon' ? undefined : readSource(toFilename(wanted)), format };
  });
}

Module._load = function _load(request, parent, isMain) {
  if (hooks.inThread) {
    const { filename, format } = resolveHooked(request, parent, isMain);
    if (!helpers.isBuiltin(filename)) return loadFile(filename, parent, isMain, { hint: format });
    loadHooked(filename, 'builtin');
    return helpers.loadBuiltin(filename);
  }
  if (helpers.isBuiltin(request) && (request.startsWith('node:') || Module._cache[request] === undefined)) return helpers.loadBuiltin(request);
  // What this directory has asked for before is found again even when its directory is gone.
  const key = parent?.path === undefined ? undefined : `${parent.path}\x00${request}`;
  const before = key === undefined ? undefined : relativeCache.get(key);
  const filename = before !== undefined && Module._cache[before] !== undefined ? before : Module._resolveFilename(request, parent, isMain);
  if (key !== undefined) relativeCache.set(key, filename);
  return loadFile(filename, parent, isMain);
};

let observeLoad; // told of each module that has run, once an ES module has imported one
function setLoadObserver(observer) {
  observeLoad = observer;
}

// A file by its name. `given` may bring its text, or what a hook said of its format.
function loadFile(filename, parent, isMain, given) {
  const cached = Module._cache[filename];
  if (cached !== undefined) {
    noteChild(parent, cached);
    if (!cached.loaded && cached[kEsm] === undefined) return watchCycle(cached);
    if (cached[kEsm] !== undefined && !cached.loaded) return require('internal/modules/esm/loader').requireCycle(cached, parent);
    return cached.exports;
  }
  if (helpers.isBuiltin(filename)) return helpers.loadBuiltin(filename);
  const module = new Module(filename, parent);
  if (given !== undefined) module[kGiven] = given;
  if (isMain) {
    process.mainModule = module;
    module.id = '.';
    module[kIsMain] = true;
  }
  Module._cache[filename] = module;
  let ok = false;
  try {
    module.load(filename);
    ok = true;
    if (observeLoad !== undefined && module[kEsm] === undefined && filename[0] === '/') observeLoad(module);
  } finally {
    if (module[kWatched]) {
      module[kWatched] = undefined;
      if (module.exports !== null && typeof module.exports === 'object' && !require('util').types.isProxy(module.exports)) {
        Object.setPrototypeOf(module.exports, Object.prototype);
      }
    }
    if (!ok) {
      delete Module._cache[filename];
      const children = parent?.children;
      if (Array.isArray(children)) {
        const at = children.indexOf(module);
        if (at !== -1) children.splice(at, 1);
      }
    }
  }
  return module.exports;
}

// A CommonJS module whose text an import has brought already.
function loadGiven(filename, text, isMain) {
  return loadFile(filename, undefined, isMain, { text, format: 'commonjs' });
}

function findExtension(filename) {
  const name = path.basename(filename);
  let at = 0;
  while ((at = name.indexOf('.', at)) !== -1) {
    if (at > 0) {
      const extension = name.slice(at);
      if (Module._extensions[extension]) return extension;
    }
    at++;
  }
  return '.js';
}

Module.prototype.load = function load(filename) {
  this.filename = filename;
  this.paths = Module._nodeModulePaths(path.dirname(filename));
  const extension = findExtension(filename);
  if (hooks.inThread && this[kGiven]?.text === undefined) {
    const { source, format } = loadHooked(filename, this[kGiven]?.hint);
    this[kGiven] = source == null ? undefined : { text: textOf(source), format: format ?? undefined };
    if (format === 'module' || format === 'json') {
      if (source == null) throw hooks.needSource(source);
      if (format === 'module') compileEsm(this, this[kGiven].text, filename);
      else Module._extensions['.json'](this, filename);
      this.loaded = true;
      return;
    }
  }
  if (filename.endsWith('.mjs') && !Module._extensions['.mjs']) loadEsm(this, filename);
  else Module._extensions[extension](this, filename);
  this.loaded = true;
};

Module.prototype.require = function require(id) {
  if (typeof id !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('id', 'string', id);
  if (id === '') throw new codes.ERR_INVALID_ARG_VALUE('id', id, 'must be a non-empty string');
  return Module._load(id, this, false);
};

function makeRequire(module) {
  function require(id) {
    return module.require(id);
  }
  require.resolve = function resolve(request, options) {
    if (typeof request !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('request', 'string', request);
    if (hooks.inThread) return resolveHooked(request, module, false, options).filename;
    return Module._resolveFilename(request, module, false, options);
  };
  require.resolve.paths = function paths(request) {
    if (typeof request !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('request', 'string', request);
    return Module._resolveLookupPaths(request, module);
  };
  require.main = process.mainModule;
  require.extensions = Module._extensions;
  require.cache = Module._cache;
  return require;
}

const kImport = /\bimport\s*(?:\/\*[^]*?\*\/\s*)*(?:\.\s*source\s*)?\(/;

// The engine has no dynamic import of its own: where the text has one, it becomes a call of ours. Positions stay close.
function rewriteImports(text, isScript) {
  if (!kImport.test(text)) return undefined;
  const { rewriteDynamicImports } = require('internal/modules/esm/transform');
  return rewriteDynamicImports(text, isScript);
}

function compileFunction(text, filename) {
  const { wrap, wrapper: parts } = Module;
  if (wrap !== originalWrap || parts[0] !== originalWrapper[0] || parts[1] !== originalWrapper[1]) {
    // somebody wraps modules in their own way
    if (text.startsWith('#!')) text = `//${text}`;
    const whole = wrap !== originalWrap ? wrap(text) : `${parts[0]}${text}${parts[1]}`;
    return { compiled: evaluate(whole, filename), imports: false };
  }
  const rewritten = rewriteImports(text, false);
  const head = `${wrapper[0]}${rewritten === undefined ? '' : ', __rota_import__'}${wrapper[1]}`;
  stacks.registerSource(filename, head.length);
  if (text.charCodeAt(0) === 35 && text.charCodeAt(1) === 33) text = `//${text}`;
  const body = rewritten === undefined ? text : rewritten.charCodeAt(0) === 35 ? `//${rewritten}` : rewritten;
  return { compiled: evaluate(`${head}${body}${wrapper[2]}`, filename), imports: rewritten !== undefined };
}

Module.prototype._compile = function _compile(content, filename, format) {
  if (format === 'module') return compileEsm(this, content, filename);
  let result;
  try {
    result = compileFunction(content, filename);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (format === undefined || format === 'detect') {
      const { looksLikeModule } = require('internal/modules/esm/transform');
      if ((this[kIsMain] || mayRequireEsm()) && looksLikeModule(content)) return compileEsm(this, content, filename);
    } else {
      warnOfModule(content, filename);
    }
    throw stacks.adopt(helpers.decorateSyntaxError(error, content, filename, false));
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

// A file that says of itself that it is CommonJS, and is not.
function warnOfModule(text, filename) {
  const { looksLikeModule } = require('internal/modules/esm/transform');
  if (!/^\s*(?:import|export)\b/m.test(text) || !looksLikeModule(text)) return;
  // At once: the error that follows may end the process.
  const warning = new Error(`Failed to load the ES module: ${filename}. Make sure to set "type": "module" in the nearest package.json file ` +
    'or use the .mjs extension.');
  warning.name = 'Warning';
  process.emit('warning', warning);
}

function readSource(filename) {
  const text = readText(filename);
  if (typeof text === 'number') {
    const { uvException } = require('internal/errors');
    throw uvException({ errno: text, syscall: 'open', path: filename });
  }
  return helpers.stripBOM(text);
}

Module._extensions['.js'] = function(module, filename) {
  const given = module[kGiven];
  const content = given?.text ?? readSource(filename);
  let format;
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

Module._extensions['.json'] = function(module, filename) {
  const content = module[kGiven]?.text ?? readSource(filename);
  module.exports = require('internal/modules/json').parseJson(content, `${filename}: `);
};

Module._extensions['.node'] = function(module, filename) {
  throw new codes.ERR_FEATURE_NOT_AVAILABLE(`Loading of native add-ons (${filename})`);
};

// ---- ES modules by require ----

function loadEsm(module, filename) {
  compileEsm(module, readSource(filename), filename);
}

function mayRequireEsm() {
  return !process.execArgv.includes('--no-experimental-require-module') && !process.execArgv.includes('--no-require-module');
}

function compileEsm(module, content, filename) {
  const esm = require('internal/modules/esm/loader');
  if (!module[kIsMain] && !mayRequireEsm()) {
    const isPlain = filename.endsWith('.js') && !require('internal/modules/esm/transform').looksLikeModule(content);
    throw new codes.ERR_REQUIRE_ESM(filename, module[kParent]?.filename, isPlain ? packages.scopeOf(filename)?.path : undefined);
  }
  if (module[kIsMain]) {
    delete Module._cache[filename];
    mainPromise = esm.runMain(filename);
    return;
  }
  module[kEsm] = true;
  module.exports = esm.requireEsm(filename, content, module);
}

// The main module as the bootstrap has made it gets what a module has.
function adoptMain(main) {
  Object.setPrototypeOf(main, Module.prototype);
  Object.defineProperty(main, kParent, { value: null, writable: true, configurable: true, enumerable: false });
  main[kIsMain] = true;
  main.paths = Module._nodeModulePaths(main.path);
  Module._cache[main.filename] = main;
  initialize();
  const require_ = makeRequire(main);
  require_.main = main;
  return require_;
}

let mainPromise;

function runMain(main = process.argv[1]) {
  const file = Module._findPath(path.resolve(main), null, true);
  if (file && (hooks.remote !== undefined || /\.(?:mjs|wasm)$/.test(file) || (!/\.(?:cjs|json|node)$/.test(file) && packages.scopeOf(file)?.type === 'module'))) {
    return require('internal/modules/esm/loader').runMain(file);
  }
  Module._load(path.resolve(main), null, true);
  return mainPromise;
}
Module.runMain = runMain;

// The working directory; it may have been removed.
function startDirectory() {
  try {
    return process.cwd();
  } catch {
    return path.dirname(process.execPath);
  }
}

function preload(id) {
  const parent = new Module('internal/preload', null);
  parent.paths = Module._nodeModulePaths(startDirectory());
  parent.filename = path.join(startDirectory(), 'noop');
  parent.require(id);
}
Module._preloadModules = (list) => list?.forEach(preload);

// -e and standard input: a script in the global scope, with `require` and its companions as globals.
function runText(name, text, settle) {
  const module = new Module(name, undefined);
  module.filename = path.join(startDirectory(), name);
  module.paths = Module._nodeModulePaths(startDirectory());
  globalThis.exports = module.exports;
  globalThis.module = module;
  globalThis.require = makeRequire(module);
  globalThis.__filename = name;
  globalThis.__dirname = '.';
  for (const id of helpers.builtinModules) {
    if (id.includes('/') || id.startsWith('_') || id.startsWith('node:') || Object.hasOwn(globalThis, id)) continue;
    Object.defineProperty(globalThis, id, {
      get: () => helpers.loadBuiltin(id),
      set(value) { Object.defineProperty(globalThis, id, { value, writable: true, configurable: true, enumerable: true }); },
      configurable: true,
      enumerable: false,
    });
  }
  try {
    const rewritten = rewriteImports(text, true);
    if (rewritten !== undefined) {
      const { importerFor, cwdUrl } = require('internal/modules/esm/loader');
      Object.defineProperty(globalThis, '__rota_import__', { value: importerFor(cwdUrl()), configurable: true, writable: true });
    }
    return { value: evaluate(rewritten ?? text, name) };
  } catch (error) {
    if (!(error instanceof SyntaxError) || error.stack?.includes('at ')) throw error;
    const { looksLikeModule } = require('internal/modules/esm/transform');
    if (looksLikeModule(text)) {
      const promise = require('internal/modules/esm/loader').runText(text, name);
      settle(promise);
      return { promise };
    }
    throw stacks.adopt(helpers.decorateSyntaxError(error, text, name, false));
  }
}

function checkSyntax(file) {
  const filename = Module._findPath(file, null, true) || file;
  const text = readSource(filename);
  const isModule = filename.endsWith('.mjs') || (filename.endsWith('.js') && packages.scopeOf(filename)?.type === 'module');
  const transform = require('internal/modules/esm/transform');
  if (isModule) {
    transform.parse(text, filename);
    return;
  }
  try {
    engineCheck(`(function () {${text.startsWith('#!') ? `//${text}` : text}\n})`, filename);
  } catch (error) {
    if (transform.looksLikeModule(text)) return;
    throw stacks.adopt(helpers.decorateSyntaxError(error, text, filename, false));
  }
}

Module.createRequire = function createRequire(filename) {
  let file;
  if (filename instanceof URL || (typeof filename === 'string' && !path.isAbsolute(filename))) {
    try {
      file = require('url').fileURLToPath(filename);
    } catch {
      throw new codes.ERR_INVALID_ARG_VALUE('filename', filename, 'must be a file URL object, file URL string, or absolute path string');
    }
  } else if (typeof filename !== 'string') {
    throw new codes.ERR_INVALID_ARG_VALUE('filename', filename, 'must be a file URL object, file URL string, or absolute path string');
  } else {
    file = filename;
  }
  const module = new Module(file.endsWith('/') ? path.join(file, 'noop.js') : file);
  module.filename = file.endsWith('/') ? path.join(file, 'noop.js') : file;
  module.paths = Module._nodeModulePaths(module.path);
  return makeRequire(module);
};

Module.syncBuiltinESMExports = () => require('internal/modules/esm/loader').syncBuiltins();
Module.findPackageJSON = (specifier, base) => {
  const toPath = (value) => (value instanceof URL || String(value).startsWith('file:') ? require('url').fileURLToPath(value) : String(value));
  const from = base === undefined ? undefined : toPath(base);
  const text = String(specifier);
  if (text.startsWith('file:') || path.isAbsolute(text)) return packages.scopeOf(toPath(specifier))?.path;
  if (text === '.' || text === '..' || text.startsWith('./') || text.startsWith('../')) return packages.scopeOf(path.resolve(path.dirname(from), text, 'x'))?.path;
  for (const directory of Module._nodeModulePaths(path.dirname(from))) {
    const { splitName } = require('internal/modules/exports');
    const found = packages.read(`${directory}/${splitName(text)[0]}`);
    if (found) return found.path;
  }
  return undefined;
};
let sourceMaps = { __proto__: null, enabled: false, nodeModules: false, generatedCode: false };
Module.getSourceMapsSupport = () => Object.freeze({ ...sourceMaps, __proto__: null });
Module.setSourceMapsSupport = (enabled, options = {}) => {
  const { validateBoolean, validateObject } = require('internal/validators');
  validateBoolean(enabled, 'enabled');
  validateObject(options, 'options');
  const { nodeModules = false, generatedCode = false } = options;
  validateBoolean(nodeModules, 'options.nodeModules');
  validateBoolean(generatedCode, 'options.generatedCode');
  sourceMaps = { __proto__: null, enabled, nodeModules, generatedCode };
};
Module.findSourceMap = () => undefined;
Module.SourceMap = class SourceMap {};
Module.enableCompileCache = () => ({ status: 3 });
Module.getCompileCacheDir = () => undefined;
Module.flushCompileCache = () => {};
Module.constants = Object.freeze({ compileCacheStatus: Object.freeze({ FAILED: 0, ENABLED: 1, ALREADY_ENABLED: 2, DISABLED: 3 }) });
Module.registerHooks = registerHooks;
Module.register = function register(specifier, parentURL, options) {
  return require('internal/modules/hooks_remote').register(specifier, parentURL, options);
};

module.exports = { Module, initialize, preload, runMain, runText, adoptMain, checkSyntax, makeRequire, compileFunction, readSource, loadGiven, setLoadObserver, kEsm, kParent };
