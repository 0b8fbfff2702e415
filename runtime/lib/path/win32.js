'use strict';

// Paths of Windows: both slashes separate, and a root is a drive (`C:`, with or without a separator after it), a share
// (`\\server\share`), a device (`\\.\`, `\\?\`), or a single separator.

const {
  fold,
  lastSegment,
  isSeparator,
  cutSuffix,
  extensionAt,
  parts,
  complete,
  requireString,
} = require('internal/path/segments');

const kBackslash = 92;
const drive = /^[A-Za-z]:/;
// Server and share; the rest, if there is any, begins with a separator.
const share = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)/;
const reserved = /^(?:CON|PRN|AUX|NUL|(?:COM|LPT)[1-9\u00b9\u00b2\u00b3])$/i;

// -> { device: normal form of the drive, share or device ('' without one), end: where what
// follows begins (separator included),
//      absolute, closed: the path is no more than a share }
function rootOf(path) {
  if (isSeparator(path.charCodeAt(0), kBackslash)) {
    const found = share.exec(path);
    if (found === null) return { device: '', end: 0, absolute: true, closed: false };
    const [whole, server, name] = found;
    if (server === '.' || server === '?') return { device: `\\\\${server}`, end: 3, absolute: true, closed: false };
    return {
      device: `\\\\${server}\\${name}`,
      end: whole.length,
      absolute: true,
      closed: whole.length === path.length,
    };
  }
  if (drive.test(path)) {
    return { device: path.slice(0, 2), end: 2, absolute: isSeparator(path.charCodeAt(2), kBackslash), closed: false };
  }
  return { device: '', end: 0, absolute: false, closed: false };
}

// The length of the root as dirname, basename and parse see it: one separator after drive or share belongs to it.
function rootLength(path) {
  const separatorAt = (at) => (isSeparator(path.charCodeAt(at), kBackslash) ? 1 : 0);
  if (separatorAt(0) === 0) return drive.test(path) ? 2 + separatorAt(2) : 0;
  const found = share.exec(path);
  return found === null ? 1 : found[0].length + separatorAt(found[0].length);
}

// A name before the first colon that means a device ('CON:', 'LPT1:x') must not be read as a file name.
function reservedPrefix(path) {
  const colon = path.indexOf(':');
  return colon > 0 && reserved.test(path.slice(0, colon)) ? path.slice(0, colon + 1) : '';
}

function normalize(path) {
  requireString(path, 'path');
  if (path === '') return '.';
  if (path.length === 1) return path === '/' ? '\\' : path;
  const { device, end, absolute, closed } = rootOf(path);
  if (closed) return `${device}\\`;
  const prefix = device === '' && !absolute ? reservedPrefix(path) : '';
  let tail = fold(path, prefix === '' ? end : prefix.length, absolute, kBackslash, '\\');
  if (tail === '' && !absolute) tail = '.';
  if (tail !== '' && isSeparator(path.charCodeAt(path.length - 1), kBackslash)) tail += '\\';
  if (prefix !== '') return `.\\${prefix}${tail}`;
  // After the cut, the rest must not begin with a drive.
  if (device === '' && !absolute && (drive.test(tail) || /:(?:[\\/]|$)/.test(path))) return `.\\${tail}`;
  return `${device}${absolute ? '\\' : ''}${tail}`;
}

// The directory against which a path without a root, or with a drive only, is resolved.
function startFor(device) {
  if (device === '') return process.cwd();
  const here = process.env[`=${device}`] || process.cwd();
  const elsewhere = here.slice(0, 2).toLowerCase() !== device.toLowerCase() && here.charCodeAt(2) === kBackslash;
  return elsewhere ? `${device}\\` : here;
}

function resolve(...args) {
  let device = '';
  let tail = '';
  let absolute = false;
  for (let i = args.length - 1; i >= -1 && !(absolute && device !== ''); i--) {
    const path = i === -1 ? startFor(device) : args[i];
    if (i !== -1) requireString(path, `paths[${i}]`);
    if (path === '') continue;
    const root = rootOf(path);
    if (root.device !== '') {
      if (device === '') device = root.device;
      else if (root.device.toLowerCase() !== device.toLowerCase()) continue; // of another drive
    }
    if (absolute) continue;
    tail = `${path.slice(root.end)}\\${tail}`;
    absolute = root.absolute;
  }
  const inner = fold(tail, 0, absolute, kBackslash, '\\');
  return absolute ? `${device}\\${inner}` : `${device}${inner}` || '.';
}

function join(...args) {
  let whole;
  let first;
  for (const path of args) {
    requireString(path, 'path');
    if (path === '') continue;
    first ??= path;
    whole = whole === undefined ? path : `${whole}\\${path}`;
  }
  if (whole === undefined) return '.';
  // The joined path is a share only if its first part looks like one: otherwise extra separators at
  // the front are removed.
  if (!/^[\\/]{2}(?:[^\\/]|$)/.test(first) || first.length === 2) whole = whole.replace(/^[\\/]{2,}/, '\\');
  if (whole.split('\\').some((segment) => reservedPrefix(segment) !== '')) return whole.replaceAll('/', '\\');
  return normalize(whole);
}

function relative(from, to) {
  requireString(from, 'from');
  requireString(to, 'to');
  if (from === to) return '';
  const start = resolve(from);
  const goal = resolve(to);
  if (start.toLowerCase() === goal.toLowerCase()) return '';
  const segments = (path) => path.split('\\').filter((segment) => segment !== '');
  const up = segments(start);
  const down = segments(goal);
  let shared = 0;
  while (shared < up.length && shared < down.length && up[shared].toLowerCase() === down[shared].toLowerCase())
    shared++;
  // Another drive, or another server: the result is the whole path.
  if (shared === 0 && up.length > 0 && down.length > 0) return goal;
  return [...up.slice(shared).fill('..'), ...down.slice(shared)].join('\\');
}

function dirname(path) {
  requireString(path, 'path');
  if (path === '') return '.';
  if (path.length === 1) return isSeparator(path.charCodeAt(0), kBackslash) ? path : '.';
  const root = rootLength(path);
  const { begin } = lastSegment(path, root, kBackslash);
  if (begin > root) return path.slice(0, begin - 1);
  return root === 0 ? '.' : path.slice(0, root);
}

// A drive's letter is no part of a name, a share is.
const driveLength = (path) => (drive.test(path) ? 2 : 0);

function basename(path, suffix) {
  if (suffix !== undefined) requireString(suffix, 'suffix');
  requireString(path, 'path');
  if (suffix === path) return '';
  const { begin, end } = lastSegment(path, driveLength(path), kBackslash);
  const base = path.slice(begin, end);
  return suffix === undefined ? base : cutSuffix(base, suffix, path);
}

function extname(path) {
  const base = basename(path);
  return base.slice(extensionAt(base));
}

function parse(path) {
  requireString(path, 'path');
  const root = rootLength(path);
  const { begin, end } = lastSegment(path, root, kBackslash);
  return parts(path.slice(0, root), path.slice(0, begin > root ? begin - 1 : root), path.slice(begin, end));
}

function isAbsolute(path) {
  requireString(path, 'path');
  return rootOf(path).absolute;
}

function toNamespacedPath(path) {
  if (typeof path !== 'string' || path === '') return path;
  const whole = resolve(path);
  if (whole.length <= 2) return path;
  if (/^\\\\[^?.]/.test(whole)) return `\\\\?\\UNC\\${whole.slice(2)}`;
  return /^[A-Za-z]:\\/.test(whole) ? `\\\\?\\${whole}` : whole;
}

module.exports = complete(
  { resolve, normalize, isAbsolute, join, relative, toNamespacedPath, dirname, basename, extname },
  parse,
  '\\',
  ';',
);
