'use strict';

// Resolves a specifier and the URL of a parent to a URL, by the rules of ES modules.

const { codes } = require('internal/errors');
const { statKind } = internalBinding('modules');
const helpers = require('internal/modules/helpers');
const packages = require('internal/modules/package_json');
const { realPath } = packages;
const { packageMap } = require('internal/modules/package_map');
const { resolveExports, resolveImports, splitName, quietly } = require('internal/modules/exports');

// encodeURI keeps these characters, which have another meaning in a URL.
const kReserved = /[%\\\n\r\t?#]/;
function pathToUrl(path) {
  if (/^[\w./@+-]*$/.test(path)) return `file://${path}`;
  if (!kReserved.test(path)) return `file://${encodeURI(path)}`;
  return require('url').pathToFileURL(path).href;
}

function urlToPath(url) {
  const end = url.search(/[?#]/);
  const path = (end === -1 ? url : url.slice(0, end)).slice(7);
  if (!path.includes('%')) return path;
  return require('url').fileURLToPath(url);
}

function shown(base) {
  return base?.startsWith('file://') ? urlToPath(base) : base;
}

// require() is more lenient: if it would have found a file, the error has a hint.
function hint(specifier, base) {
  if (!base?.startsWith('file:')) return '';
  const importer = urlToPath(base);
  const directory = importer.slice(0, importer.lastIndexOf('/')) || '/';
  const { Module } = require('internal/modules/cjs/loader');
  let url;
  try {
    const wanted = specifier.startsWith('file:') ? require('url').fileURLToPath(specifier) : specifier;
    const parent = { id: importer, filename: importer, paths: Module._nodeModulePaths(directory) };
    url = pathToUrl(quietly(() => Module._resolveFilename(wanted, parent, false)));
  } catch {
    return '';
  }
  let better = url;
  if (specifier.startsWith('file:')) {
    better = url.slice(7);
  } else if (/^[./]/.test(specifier)) {
    better = require('path').relative(pathToUrl(directory), url);
    if (!better.startsWith('../')) better = `./${better}`;
  } else {
    const inside = url.lastIndexOf(`/node_modules/${splitName(specifier)[0]}/`);
    if (inside !== -1) better = url.slice(inside + 14);
  }
  return `\nDid you mean to import ${JSON.stringify(better)}?`;
}

function finish(path, suffix, base, specifier) {
  const kind = statKind(path.endsWith('/') ? path.slice(0, -1) : path);
  if (kind === 1) throw new codes.ERR_UNSUPPORTED_DIR_IMPORT(path, shown(base), pathToUrl(path), hint(specifier, base));
  if (kind !== 0)
    throw new codes.ERR_MODULE_NOT_FOUND(path, shown(base), pathToUrl(path) + suffix, hint(specifier, base));
  const real = require('internal/process/flags').hasFlag('--preserve-symlinks') ? path : realPath(path);
  return `${pathToUrl(typeof real === 'string' ? real : path)}${suffix}`;
}

function legacyMain(pkg, base) {
  const directory = pkg.directory;
  if (pkg.main !== undefined) {
    for (const suffix of ['', '.js', '.json', '.node', '/index.js', '/index.json', '/index.node']) {
      const path = require('path').resolve(directory, `${pkg.main}${suffix}`);
      if (statKind(path) !== 0) continue;
      if (suffix !== '' && pkg.type === 'module') {
        warnMain(
          `Package ${directory}/ has a "main" field set to "${pkg.main}", excluding the full filename and ` +
            `extension to the resolved ` +
            `file at "${path.slice(directory.length + 1)}", imported from ${shown(base)}.\n Automatic extension ` +
            `resolution of the "main" field ` +
            'is deprecated for ES modules.',
        );
      }
      return path;
    }
  }
  for (const name of ['index.js', 'index.json', 'index.node']) {
    if (statKind(`${directory}/${name}`) !== 0) continue;
    if (pkg.type === 'module' && name === 'index.js') {
      warnMain(
        `No "main" or "exports" field defined in the package.json for ${directory}/ resolving the main entry point ` +
          `"${name}", ` +
          `imported from ${shown(base)}.\nDefault "index" lookups for the main are deprecated for ES modules.`,
      );
    }
    return `${directory}/${name}`;
  }
  throw new codes.ERR_MODULE_NOT_FOUND(directory, shown(base));
}

function warnMain(message) {
  process.emitWarning(message, 'DeprecationWarning', 'DEP0151');
}

// A package whose directory is known.
function resolveInside(root, subpath, conditions, base, specifier) {
  const pkg = packages.read(root, `"${specifier}" from ${shown(base)}`);
  if (pkg?.exports !== undefined && pkg.exports !== null) {
    return resolveExports(pkg, subpath, shown(base), conditions, (s, f, c) => resolvePackage(s, f, c, base));
  }
  if (subpath === '.') return legacyMain(pkg ?? { directory: root }, base);
  // The rest of the specifier is the path of a URL.
  const [rest] = subpath.slice(2).split(/[?#]/, 1);
  if (/%2f|%5c/i.test(rest)) {
    throw new codes.ERR_INVALID_MODULE_SPECIFIER(rest, 'must not include encoded "/" or "\\" characters', shown(base));
  }
  return `${root}/${rest.includes('%') ? decodeURIComponent(rest) : rest}`;
}

function resolvePackage(specifier, from, conditions, base) {
  if (helpers.isBuiltin(specifier)) return `node:${helpers.builtinName(specifier)}`;
  const [name, subpath] = splitName(specifier, shown(base));
  const self = packages.scopeOf(`${from}x`);
  if (self?.name === name && self.exports !== undefined && self.exports !== null) {
    return resolveExports(self, subpath, shown(base), conditions, (s, f, c) => resolvePackage(s, f, c, base));
  }
  const map = packageMap();
  if (map !== null) {
    const root = map.find(name, specifier, shown(base));
    if (root === undefined) throw new codes.ERR_MODULE_NOT_FOUND(name, shown(base));
    return resolveInside(root, subpath, conditions, base, specifier);
  }
  let directory = from.replace(/\/$/, '');
  for (;;) {
    const root = `${directory}/node_modules/${name}`;
    if (!directory.endsWith('/node_modules') && statKind(root) === 1)
      return resolveInside(root, subpath, conditions, base, specifier);
    if (directory === '') break;
    directory = directory.slice(0, directory.lastIndexOf('/'));
  }
  throw new codes.ERR_MODULE_NOT_FOUND(name, shown(base), undefined, hint(specifier, base));
}

function pathOf(url, base) {
  try {
    return require('url').fileURLToPath(url);
  } catch (error) {
    if (error?.code === 'ERR_INVALID_FILE_URL_HOST') Object.assign(error, { input: url.href, module: base });
    throw error;
  }
}

// A specifier that was resolved once gives the same result again, even if the file has changed.
const resolved = new Map();

// -> a URL as a string
function resolve(specifier, base) {
  specifier = `${specifier}`;
  const key = `${base}\x00${specifier}`;
  let url = resolved.get(key);
  if (url === undefined) {
    url = resolveNew(specifier, base, helpers.importConditions);
    resolved.set(key, url);
  }
  return url;
}

function resolveNew(specifier, base, conditions) {
  if (helpers.isBuiltin(specifier)) return `node:${helpers.builtinName(specifier)}`;
  const isRelative = specifier[0] === '/' || /^\.\.?(?:\/|$)/.test(specifier);
  if (isRelative && base.startsWith('file:') && /^[\w./@+-]*$/.test(specifier) && !specifier.startsWith('//')) {
    // the common case needs no URL parser
    const importer = urlToPath(base);
    const path = require('path').resolve(importer.slice(0, importer.lastIndexOf('/') + 1), specifier);
    return finish(specifier.endsWith('/') ? `${path}/` : path, '', base, specifier);
  }
  if (isRelative || /^(?:file|data):/.test(specifier)) {
    if (specifier.startsWith('data:')) return specifier;
    let url;
    try {
      url = new URL(specifier, isRelative ? (base.startsWith('file:') ? base : undefined) : undefined);
    } catch (cause) {
      if (isRelative && !base.startsWith('file:')) throw new codes.ERR_UNSUPPORTED_RESOLVE_REQUEST(specifier, base);
      throw cause;
    }
    if (url.protocol !== 'file:') throw new codes.ERR_UNSUPPORTED_ESM_URL_SCHEME(url, ['file', 'data']);
    if (/%2f|%5c/i.test(url.pathname)) {
      throw new codes.ERR_INVALID_MODULE_SPECIFIER(
        url.pathname,
        'must not include encoded "/" or "\\" characters',
        shown(base),
      );
    }
    return finish(pathOf(url, base), url.search + url.hash, base, specifier);
  }
  if (specifier.startsWith('node:')) throw new codes.ERR_UNKNOWN_BUILTIN_MODULE(specifier);
  const scheme = /^[a-zA-Z][a-zA-Z\d+.-]*:/.exec(specifier);
  if (scheme !== null)
    throw new codes.ERR_UNSUPPORTED_ESM_URL_SCHEME({ protocol: scheme[0].toLowerCase() }, ['file', 'data']);
  if (!base.startsWith('file:')) {
    throw new codes.ERR_UNSUPPORTED_RESOLVE_REQUEST(specifier, base);
  }
  const parent = urlToPath(base);
  const directory = parent.slice(0, parent.lastIndexOf('/') + 1);
  let path;
  if (specifier[0] === '#') {
    path = resolveImports(specifier, parent, shown(base), conditions, (s, f, c) => resolvePackage(s, f, c, base));
  } else {
    path = resolvePackage(specifier, directory, conditions, base);
  }
  if (path.startsWith('node:')) return path;
  const end = specifier[0] === '#' ? -1 : specifier.search(/[?#]/);
  return finish(path, end === -1 || path.endsWith(specifier.slice(end)) ? '' : specifier.slice(end), base, specifier);
}

// The base URL of a specifier that has no file.
function cwdUrl() {
  return pathToUrl(`${process.cwd()}/`);
}

// The names of -e and standard input as modules.
function textUrl(name) {
  return `${cwdUrl()}${name.replace(']', '1]')}`;
}

module.exports = { resolve, resolveNew, pathToUrl, urlToPath, cwdUrl, textUrl };
