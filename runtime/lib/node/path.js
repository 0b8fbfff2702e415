'use strict';

// node:path: the paths of this system, with slashes: the root is a slash or nothing. posix and win32
// refer to each other.

const { fold, lastSegment, cutSuffix, extensionAt, parts, complete, requireString } = require('internal/path/segments');
const win32 = require('internal/path/win32');

const kDot = 46;
const kSlash = 47;
// Whether `fold` has something to do: an empty segment, or one of dots only.
function isUntidy(path) {
  for (let start = 0; ;) {
    const end = path.indexOf('/', start);
    const length = (end === -1 ? path.length : end) - start;
    if (length === 0 && start !== 0 && end !== -1) return true;
    if ((length === 1 || length === 2) && path.charCodeAt(start) === kDot)
      if (length === 1 || path.charCodeAt(start + 1) === kDot) return true;
    if (end === -1) return false;
    start = end + 1;
  }
}

function normalize(path) {
  requireString(path, 'path');
  if (path === '') return '.';
  if (!isUntidy(path)) return path;
  const absolute = path.charCodeAt(0) === kSlash;
  const inner = fold(path, 0, absolute, kSlash, '/');
  const tail = path.charCodeAt(path.length - 1) === kSlash ? '/' : '';
  if (inner === '') return absolute ? '/' : `.${tail}`;
  return `${absolute ? '/' : ''}${inner}${tail}`;
}

function resolve(...args) {
  let whole = '';
  let absolute = false;
  for (let i = args.length - 1; i >= 0 && !absolute; i--) {
    const path = args[i];
    requireString(path, `paths[${i}]`);
    if (path === '') continue;
    whole = whole === '' ? path : `${path}/${whole}`;
    absolute = path.charCodeAt(0) === kSlash;
  }
  if (!absolute) {
    const here = process.cwd();
    whole = whole === '' ? here : `${here}/${whole}`;
    absolute = here.charCodeAt(0) === kSlash;
  }
  const inner =
    isUntidy(whole) || whole.endsWith('/') || !absolute ? fold(whole, 0, absolute, kSlash, '/') : whole.slice(1);
  return absolute ? `/${inner}` : inner || '.';
}

function join(...args) {
  let whole = '';
  for (let i = 0; i < args.length; i++) {
    const path = args[i];
    requireString(path, 'path');
    if (path !== '') whole = whole === '' ? path : `${whole}/${path}`;
  }
  return normalize(whole);
}

function relative(from, to) {
  requireString(from, 'from');
  requireString(to, 'to');
  const start = resolve(from);
  const goal = resolve(to);
  if (start === goal) return '';
  const up = start === '/' ? [] : start.slice(1).split('/');
  const down = goal === '/' ? [] : goal.slice(1).split('/');
  let shared = 0;
  while (shared < up.length && shared < down.length && up[shared] === down[shared]) shared++;
  return [...up.slice(shared).fill('..'), ...down.slice(shared)].join('/');
}

function dirname(path) {
  requireString(path, 'path');
  if (path === '') return '.';
  const { begin } = lastSegment(path, 0, kSlash);
  if (begin > 2 || (begin === 2 && path.charCodeAt(0) !== kSlash)) return path.slice(0, begin - 1);
  if (path.charCodeAt(0) !== kSlash) return '.';
  return begin === 2 ? '//' : '/';
}

function basename(path, suffix) {
  if (suffix !== undefined) requireString(suffix, 'suffix');
  requireString(path, 'path');
  if (suffix === path) return '';
  const { begin, end } = lastSegment(path, 0, kSlash);
  const base = path.slice(begin, end);
  return suffix === undefined ? base : cutSuffix(base, suffix, path);
}

function extname(path) {
  requireString(path, 'path');
  const { begin, end } = lastSegment(path, 0, kSlash);
  const base = path.slice(begin, end);
  return base.slice(extensionAt(base));
}

function parse(path) {
  requireString(path, 'path');
  const root = path.charCodeAt(0) === kSlash ? '/' : '';
  const { begin, end } = lastSegment(path, root.length, kSlash);
  return parts(root, begin > root.length ? path.slice(0, begin - 1) : root, path.slice(begin, end));
}

function isAbsolute(path) {
  requireString(path, 'path');
  return path.charCodeAt(0) === kSlash;
}

function toNamespacedPath(path) {
  return path;
}

const posix = complete(
  { resolve, normalize, isAbsolute, join, relative, toNamespacedPath, dirname, basename, extname },
  parse,
  '/',
  ':',
);

for (const paths of [posix, win32]) {
  paths.win32 = win32;
  paths.posix = posix;
  paths._makeLong = paths.toNamespacedPath;
}

module.exports = posix;
