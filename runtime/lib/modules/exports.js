'use strict';

// The maps "exports" and "imports" of package.json: patterns, conditions, targets.

const { codes } = require('internal/errors');
const packages = require('internal/modules/package_json');

const kInvalidSegment = /(?:^|\/|\\)(?:\.\.?|node_modules|%2e(?:%2e)?|\.%2e|%2e\.)(?:\/|\\|$)/i;

function patternOrder(a, b) {
  const aStar = a.indexOf('*');
  const bStar = b.indexOf('*');
  const aBase = aStar === -1 ? a.length : aStar + 1;
  const bBase = bStar === -1 ? b.length : bStar + 1;
  if (aBase !== bBase) return bBase - aBase;
  if (aStar === -1) return 1;
  if (bStar === -1) return -1;
  return b.length - a.length;
}

function matchKey(map, key) {
  if (Object.hasOwn(map, key) && !key.includes('*') && !key.endsWith('/')) return { key, match: '' };
  let best;
  for (const candidate of Object.keys(map)) {
    const star = candidate.indexOf('*');
    if (star === -1 || star !== candidate.lastIndexOf('*')) continue;
    const prefix = candidate.slice(0, star);
    const suffix = candidate.slice(star + 1);
    if (
      key.startsWith(prefix) &&
      key.length >= candidate.length &&
      key.endsWith(suffix) &&
      key !== prefix &&
      (best === undefined || patternOrder(best.key, candidate) > 0)
    ) {
      best = { key: candidate, match: key.slice(star, key.length - suffix.length) };
    }
  }
  return best;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

let isQuiet = false;

// Resolves something that was resolved before, for a hint: deprecation warnings are not repeated.
function quietly(resolve) {
  isQuiet = true;
  try {
    return resolve();
  } finally {
    isQuiet = false;
  }
}

// Two slashes in a row, and patterns that match one at their ends, are deprecated.
function warnOfSlashes(pkg, rest, match, key, base, isImport, isPattern) {
  const request = isPattern ? key.replace('*', () => match) : key;
  const isDouble = /[/\\]{2}/.test(`./${rest}`) || (isPattern && /[/\\]{2}/.test(request));
  if (isQuiet || (!isDouble && !(isPattern && /^\/|\/$/.test(match) && !request.endsWith('/')))) return;
  process.emitWarning(
    `Use of deprecated ${isDouble ? 'double slash' : 'leading or trailing slash matching'} resolving "./${rest}" for ` +
      `module request "${request}" ${isPattern ? `matched to "${key}" ` : ''}in the ` +
      `"${isImport ? 'imports' : 'exports'}" field module ` +
      `resolution of the package at ${pkg.path}${base ? ` imported from ${base}` : ''}.`,
    'DeprecationWarning',
    'DEP0166',
  );
}

const warnedTrailing = new Set();
function warnOfTrailing(pkg, key, base) {
  const id = `${pkg.path}|${key}`;
  if (isQuiet || warnedTrailing.has(id)) return;
  warnedTrailing.add(id);
  process.emitWarning(
    `Use of deprecated trailing slash pattern mapping "${key}" in the "exports" field module resolution of the ` +
      `package at ` +
      `${pkg.path}${base ? ` imported from ${base}` : ''}. Mapping specifiers ending in "/" is no longer supported.`,
    'DeprecationWarning',
    'DEP0155',
  );
}

// -> a path, null (forbidden) or undefined (no target)
function resolveTarget(pkg, target, match, key, base, isImport, isPattern, conditions, resolvePackage) {
  if (typeof target === 'string') {
    if (!target.startsWith('./')) {
      if (isImport && !target.startsWith('../') && !target.startsWith('/')) {
        if (!/^[a-zA-Z][a-zA-Z\d+.-]*:/.test(target)) {
          return resolvePackage(
            isPattern ? target.replaceAll('*', () => match) : target,
            `${pkg.directory}/`,
            conditions,
          );
        }
      }
      throw new codes.ERR_INVALID_PACKAGE_TARGET(`${pkg.directory}/`, key, target, isImport, base);
    }
    if (kInvalidSegment.test(target.slice(2))) {
      throw new codes.ERR_INVALID_PACKAGE_TARGET(`${pkg.directory}/`, key, target, isImport, base);
    }
    if (isPattern && (kInvalidSegment.test(match) || kInvalidSegment.test(decoded(match)))) {
      throw new codes.ERR_INVALID_MODULE_SPECIFIER(
        key.replace('*', () => match),
        `request is not a valid match in pattern "${key}" for the "${isImport ? 'imports' : 'exports'}" resolution ` +
          `of ${pkg.path}`,
        base,
      );
    }
    const rest = isPattern ? target.slice(2).replaceAll('*', () => match) : target.slice(2);
    warnOfSlashes(pkg, rest, match, key, base, isImport, isPattern);
    if (/%2f|%5c/i.test(rest))
      throw new codes.ERR_INVALID_MODULE_SPECIFIER(rest, 'must not include encoded "/" or "\\" characters', base);
    return `${pkg.directory}/${rest.includes('%') ? decodeURIComponent(rest) : rest}`;
  }
  if (Array.isArray(target)) {
    if (target.length === 0) return null;
    let lastError;
    let last;
    for (const item of target) {
      try {
        last = resolveTarget(pkg, item, match, key, base, isImport, isPattern, conditions, resolvePackage);
      } catch (error) {
        if (error.code !== 'ERR_INVALID_PACKAGE_TARGET') throw error;
        lastError = error;
        continue;
      }
      if (last === undefined) continue;
      if (last === null) {
        lastError = undefined;
        continue;
      }
      return last;
    }
    if (lastError) throw lastError;
    return last;
  }
  if (typeof target === 'object' && target !== null) {
    for (const name of Object.keys(target)) {
      if (String(+name) === name) {
        throw new codes.ERR_INVALID_PACKAGE_CONFIG(pkg.path, base, '"exports" cannot contain numeric property keys.');
      }
    }
    for (const name of Object.keys(target)) {
      if (name !== 'default' && !conditions.has(name)) continue;
      const found = resolveTarget(pkg, target[name], match, key, base, isImport, isPattern, conditions, resolvePackage);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (target === null) return null;
  throw new codes.ERR_INVALID_PACKAGE_TARGET(`${pkg.directory}/`, key, target, isImport, base);
}

function isSugar(map, pkg, base) {
  if (typeof map === 'string' || Array.isArray(map)) return true;
  if (typeof map !== 'object' || map === null) return false;
  let sugar;
  for (const key of Object.keys(map)) {
    const plain = key === '' || key[0] !== '.';
    if (sugar === undefined) sugar = plain;
    else if (sugar !== plain) {
      throw new codes.ERR_INVALID_PACKAGE_CONFIG(
        pkg.path,
        base,
        '"exports" cannot contain some keys starting with \'.\' and some not. The exports object must either be an ' +
          'object of package subpath keys or an object of main entry condition name keys only.',
      );
    }
  }
  return sugar === true;
}

function resolveExports(pkg, subpath, base, conditions, resolvePackage) {
  let map = pkg.exports;
  if (isSugar(map, pkg, base)) map = { '.': map };
  const found = matchKey(map, subpath);
  if (subpath.endsWith('/')) warnOfTrailing(pkg, subpath, base);
  if (found !== undefined) {
    const isPattern = found.key.includes('*');
    const path = resolveTarget(
      pkg,
      map[found.key],
      found.match,
      found.key,
      base,
      false,
      isPattern,
      conditions,
      resolvePackage,
    );
    if (path !== undefined && path !== null) return path;
  }
  throw new codes.ERR_PACKAGE_PATH_NOT_EXPORTED(`${pkg.directory}/`, subpath, base);
}

function resolveImports(name, file, base, conditions, resolvePackage) {
  if (name === '#' || name.endsWith('/')) {
    throw new codes.ERR_INVALID_MODULE_SPECIFIER(name, 'is not a valid internal imports specifier name', base);
  }
  const pkg = packages.scopeOf(file);
  if (pkg?.imports) {
    const found = matchKey(pkg.imports, name);
    if (found !== undefined) {
      const path = resolveTarget(
        pkg,
        pkg.imports[found.key],
        found.match,
        found.key,
        base,
        true,
        found.key.includes('*'),
        conditions,
        resolvePackage,
      );
      if (path !== undefined && path !== null) return path;
    }
  }
  throw new codes.ERR_PACKAGE_IMPORT_NOT_DEFINED(name, pkg && `${pkg.directory}/`, base);
}

// 'pkg/sub' -> ['pkg', './sub']; scoped names take two parts.
function splitName(specifier, base) {
  let slash = specifier.indexOf('/');
  let valid = specifier.length > 0;
  if (specifier[0] === '@') {
    if (slash === -1) valid = false;
    else slash = specifier.indexOf('/', slash + 1);
  }
  const name = slash === -1 ? specifier : specifier.slice(0, slash);
  if (!valid || /^\.|\\|%/.test(name)) {
    throw new codes.ERR_INVALID_MODULE_SPECIFIER(specifier, 'is not a valid package name', base);
  }
  return [name, `.${slash === -1 ? '' : specifier.slice(slash)}`];
}

module.exports = { resolveExports, resolveImports, splitName, quietly };
