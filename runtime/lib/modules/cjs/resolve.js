'use strict';

// Resolves the argument of require() to a file name: Node's resolution, with node_modules,
// package.json and its exports.

const path = require('path');
const { codes } = require('internal/errors');
const { statKind } = internalBinding('modules');
const helpers = require('internal/modules/helpers');
const packages = require('internal/modules/package_json');
const { realPath } = packages;
const { kParent, Module } = require('internal/modules/cjs/module');

function toReal(file) {
  const real = realPath(file);
  return typeof real === 'string' ? real : file;
}

let preserved; // which symbolic links are kept: those of the main module, all others
function preserve(isMain) {
  if (preserved === undefined) {
    const { hasFlag, variable } = require('internal/modules/helpers');
    preserved = [
      hasFlag('--preserve-symlinks') || variable('NODE_PRESERVE_SYMLINKS') === '1',
      hasFlag('--preserve-symlinks-main') || variable('NODE_PRESERVE_SYMLINKS_MAIN') === '1',
    ];
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
  const found =
    tryFile(file, isMain) ||
    tryExtensions(file, extensions, isMain) ||
    tryExtensions(path.resolve(file, 'index'), extensions, isMain);
  if (found) return found;
  const index = tryExtensions(path.resolve(directory, 'index'), extensions, isMain);
  if (!index) {
    const error = new Error(
      `Cannot find module '${file}'. Please verify that the package.json has a valid "main" entry`,
    );
    error.code = 'MODULE_NOT_FOUND';
    error.path = path.resolve(directory, 'package.json');
    error.requestPath = request;
    throw error;
  }
  process.emitWarning(
    `Invalid 'main' field in '${pkg.path}' of '${pkg.main}'. Please either fix that or report it to the module author`,
    'DeprecationWarning',
    'DEP0128',
  );
  return index;
}

function finishExports(file, request, base) {
  if (statKind(file) === 0) return preserve(false) ? file : toReal(file);
  const error = new Error(`Cannot find module '${file}'`);
  error.code = 'MODULE_NOT_FOUND';
  error.path = base;
  throw error;
}

// Resolves a target of "imports" that names a package.
function resolvePackageTarget(specifier, from) {
  if (helpers.isBuiltin(specifier)) return specifier;
  return Module._resolveFilename(
    specifier,
    { id: from, filename: `${from}_`, paths: Module._nodeModulePaths(from.slice(0, -1)) },
    false,
  );
}

// Whether a request begins with a valid package name.
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
  const trailing =
    /(?:^|\/)\.?\.?\/?$/.test(request) &&
    /(?:\/|^|\/)\.{0,2}\/?$/.test(request) &&
    (request.endsWith('/') || /(?:^|\/)\.\.?$/.test(request));
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

// The directories in which a request is searched; `starts` are the directories given to require.resolve().
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
    const file = resolveImports(
      request,
      parent.filename,
      parent.filename,
      helpers.requireConditions,
      resolvePackageTarget,
    );
    return helpers.isBuiltin(file) ? file : finishExports(file, request, parent.path);
  }
  // A package may import itself by its name.
  if (parent?.filename && request[0] !== '.' && request[0] !== '/') {
    const pkg = packages.scopeOf(parent.filename);
    if (
      pkg?.exports !== undefined &&
      pkg.exports !== null &&
      pkg.name !== undefined &&
      (request === pkg.name || request.startsWith(`${pkg.name}/`))
    ) {
      const { resolveExports } = require('internal/modules/exports');
      return finishExports(
        resolveExports(
          pkg,
          `.${request.slice(pkg.name.length)}`,
          parent.filename,
          helpers.requireConditions,
          resolvePackageTarget,
        ),
        request,
        pkg.path,
      );
    }
  }
  const file = resolveMapped(request, parent, isMain) ?? Module._findPath(request, paths, isMain);
  if (file) return file;
  const stack = [];
  for (let cursor = parent; cursor && !stack.includes(cursor.filename || cursor.id); cursor = cursor[kParent])
    stack.push(cursor.filename || cursor.id);
  let message = `Cannot find module '${request}'`;
  if (stack.length > 0) message += `\nRequire stack:\n- ${stack.join('\n- ')}`;
  const error = new Error(message);
  error.code = 'MODULE_NOT_FOUND';
  error.requireStack = stack;
  throw error;
};

// With a package map, the map alone resolves bare specifiers. undefined: the specifier is not bare.
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
