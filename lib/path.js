'use strict';

// node:path: pure text, for POSIX and for Windows. Both share the walk over segments (`normalizeSegments`).

const { validateObject, validateString } = require('internal/validators');

const kSlash = 47;
const kBackslash = 92;
const kDot = 46;
const kColon = 58;

function isPosixSeparator(code) {
  return code === kSlash;
}

function isAnySeparator(code) {
  return code === kSlash || code === kBackslash;
}

function isDriveLetter(code) {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

// Resolves '.' and '..' among the segments of a path; with `above`, '..' may climb out of it.
function normalizeSegments(path, above, separator, isSeparator) {
  const kept = [];
  let climbs = 0;
  let start = 0;
  for (let i = 0; i <= path.length; i++) {
    if (i < path.length && !isSeparator(path.charCodeAt(i))) continue;
    if (i > start) {
      const length = i - start;
      if (length === 1 && path.charCodeAt(start) === kDot) {
        // Nothing.
      } else if (length === 2 && path.charCodeAt(start) === kDot && path.charCodeAt(start + 1) === kDot) {
        if (kept.length > climbs) {
          kept.pop();
        } else if (above) {
          kept.push('..');
          climbs++;
        }
      } else {
        kept.push(path.slice(start, i));
      }
    }
    start = i + 1;
  }
  return kept.join(separator);
}

function formatExtension(ext) {
  return ext ? `${ext[0] === '.' ? '' : '.'}${ext}` : '';
}

function formatPath(separator, object) {
  validateObject(object, 'pathObject');
  const dir = object.dir || object.root;
  const base = object.base || `${object.name || ''}${formatExtension(object.ext)}`;
  if (!dir) return base;
  return dir === object.root ? `${dir}${base}` : `${dir}${separator}${base}`;
}

// The last segment's start and end and where its extension begins (-1 for none), from `from` on.
function splitBase(path, from, isSeparator) {
  let end = path.length;
  while (end > from && isSeparator(path.charCodeAt(end - 1))) end--;
  let start = end;
  while (start > from && !isSeparator(path.charCodeAt(start - 1))) start--;
  let dot = -1;
  for (let i = end - 1; i > start; i--) {
    if (path.charCodeAt(i) === kDot) {
      dot = i;
      break;
    }
  }
  // '..' and names that are only dots before have no extension.
  if (dot !== -1 && end - start === 2 && path.charCodeAt(start) === kDot && path.charCodeAt(start + 1) === kDot) dot = -1;
  return { start, end, dot };
}

function basenameFrom(path, suffix, from, isSeparator) {
  const { start, end } = splitBase(path, from, isSeparator);
  const base = path.slice(start, end);
  if (suffix !== undefined && suffix.length > 0 && suffix.length < base.length && base.endsWith(suffix)) return base.slice(0, -suffix.length);
  if (suffix !== undefined && suffix === path) return '';
  return base;
}

function extnameFrom(path, from, isSeparator) {
  const { end, dot } = splitBase(path, from, isSeparator);
  return dot === -1 ? '' : path.slice(dot, end);
}

function posixCwd() {
  if (process.platform === 'win32') {
    const cwd = process.cwd().replaceAll('\\', '/');
    return cwd.slice(cwd.indexOf('/'));
  }
  return process.cwd();
}

function matchesGlob(path, pattern, isWindows) {
  validateString(path, 'path');
  validateString(pattern, 'pattern');
  return require('internal/glob').matchGlobPattern(path, pattern, isWindows);
}

const posix = {
  resolve(...args) {
    if (args.length === 0 || (args.length === 1 && (args[0] === '' || args[0] === '.'))) {
      const cwd = posixCwd();
      if (cwd.charCodeAt(0) === kSlash) return cwd;
    }
    let resolved = '';
    let isAbsolute = false;
    for (let i = args.length - 1; i >= 0 && !isAbsolute; i--) {
      const path = args[i];
      validateString(path, `paths[${i}]`);
      if (path.length === 0) continue;
      resolved = `${path}/${resolved}`;
      isAbsolute = path.charCodeAt(0) === kSlash;
    }
    if (!isAbsolute) {
      const cwd = posixCwd();
      resolved = `${cwd}/${resolved}`;
      isAbsolute = cwd.charCodeAt(0) === kSlash;
    }
    resolved = normalizeSegments(resolved, !isAbsolute, '/', isPosixSeparator);
    if (isAbsolute) return `/${resolved}`;
    return resolved.length > 0 ? resolved : '.';
  },

  normalize(path) {
    validateString(path, 'path');
    if (path.length === 0) return '.';
    const isAbsolute = path.charCodeAt(0) === kSlash;
    const trailing = path.charCodeAt(path.length - 1) === kSlash;
    let result = normalizeSegments(path, !isAbsolute, '/', isPosixSeparator);
    if (result.length === 0) {
      if (isAbsolute) return '/';
      return trailing ? './' : '.';
    }
    if (trailing) result += '/';
    return isAbsolute ? `/${result}` : result;
  },

  isAbsolute(path) {
    validateString(path, 'path');
    return path.length > 0 && path.charCodeAt(0) === kSlash;
  },

  join(...args) {
    if (args.length === 0) return '.';
    const parts = [];
    for (let i = 0; i < args.length; i++) {
      validateString(args[i], 'path');
      if (args[i].length > 0) parts.push(args[i]);
    }
    return parts.length === 0 ? '.' : posix.normalize(parts.join('/'));
  },

  relative(from, to) {
    validateString(from, 'from');
    validateString(to, 'to');
    if (from === to) return '';
    from = posix.resolve(from);
    to = posix.resolve(to);
    if (from === to) return '';
    const fromParts = from === '/' ? [] : from.slice(1).split('/');
    const toParts = to === '/' ? [] : to.slice(1).split('/');
    let common = 0;
    while (common < fromParts.length && common < toParts.length && fromParts[common] === toParts[common]) common++;
    const result = [];
    for (let i = common; i < fromParts.length; i++) result.push('..');
    for (let i = common; i < toParts.length; i++) result.push(toParts[i]);
    return result.join('/');
  },

  toNamespacedPath(path) {
    return path;
  },

  dirname(path) {
    validateString(path, 'path');
    if (path.length === 0) return '.';
    const hasRoot = path.charCodeAt(0) === kSlash;
    let end = path.length;
    while (end > 1 && path.charCodeAt(end - 1) === kSlash) end--;
    while (end > 0 && path.charCodeAt(end - 1) !== kSlash) end--;
    // Without its last segment: and without the slashes before it, but for the doubled root.
    let cut = end - 1;
    if (end <= 0) return hasRoot ? '/' : '.';
    if (cut === 0) return '/';
    if (hasRoot && cut === 1) return '//';
    if (cut < 0) cut = 0;
    return path.slice(0, cut);
  },

  basename(path, suffix) {
    if (suffix !== undefined) validateString(suffix, 'suffix');
    validateString(path, 'path');
    return basenameFrom(path, suffix, 0, isPosixSeparator);
  },

  extname(path) {
    validateString(path, 'path');
    return extnameFrom(path, 0, isPosixSeparator);
  },

  format: formatPath.bind(null, '/'),

  parse(path) {
    validateString(path, 'path');
    const result = { root: '', dir: '', base: '', ext: '', name: '' };
    if (path.length === 0) return result;
    const isAbsolute = path.charCodeAt(0) === kSlash;
    if (isAbsolute) result.root = '/';
    const { start, end, dot } = splitBase(path, isAbsolute ? 1 : 0, isPosixSeparator);
    result.base = path.slice(start, end);
    if (dot === -1) {
      result.name = result.base;
    } else {
      result.name = path.slice(start, dot);
      result.ext = path.slice(dot, end);
    }
    if (start > (isAbsolute ? 1 : 0)) result.dir = path.slice(0, start - 1);
    else if (isAbsolute) result.dir = '/';
    return result;
  },

  matchesGlob(path, pattern) {
    return matchesGlob(path, pattern, false);
  },

  sep: '/',
  delimiter: ':',
  win32: null,
  posix: null,
};

// What a Windows path begins with: its device ('C:' or '\\server\share'), how long the root is, and if it is absolute.
function windowsRoot(path) {
  const length = path.length;
  let rootEnd = 0;
  let device = '';
  let isAbsolute = false;
  if (length === 0) return { rootEnd, device, isAbsolute, isUNC: false };
  const first = path.charCodeAt(0);
  if (isAnySeparator(first)) {
    isAbsolute = true;
    rootEnd = 1;
    if (length > 1 && isAnySeparator(path.charCodeAt(1))) {
      let i = 2;
      let last = i;
      while (i < length && !isAnySeparator(path.charCodeAt(i))) i++;
      if (i < length && i !== last) {
        const server = path.slice(last, i);
        last = i;
        while (i < length && isAnySeparator(path.charCodeAt(i))) i++;
        if (i < length && i !== last) {
          last = i;
          while (i < length && !isAnySeparator(path.charCodeAt(i))) i++;
          if (server === '.' || server === '?') {
            // A device such as \\?\C: has no share.
            device = `\\\\${server}`;
            rootEnd = 4;
            return { rootEnd, device, isAbsolute, isUNC: true, isDevice: true, shareEnd: i, share: path.slice(last, i) };
          }
          if (i === length) return { rootEnd: length, device: `\\\\${server}\\${path.slice(last)}`, isAbsolute: true, isUNC: true, isWhole: true, share: path.slice(last), shareEnd: i };
          if (i !== last) {
            device = `\\\\${server}\\${path.slice(last, i)}`;
            rootEnd = i;
            return { rootEnd, device, isAbsolute, isUNC: true, shareEnd: i, share: path.slice(last, i) };
          }
        }
      }
    }
  } else if (isDriveLetter(first) && length > 1 && path.charCodeAt(1) === kColon) {
    device = path.slice(0, 2);
    rootEnd = 2;
    if (length > 2 && isAnySeparator(path.charCodeAt(2))) {
      isAbsolute = true;
      rootEnd = 3;
    }
  }
  return { rootEnd, device, isAbsolute, isUNC: false };
}

const reservedNames = new Set(['CON', 'PRN', 'AUX', 'NUL', 'COM1', 'COM2', 'COM3', 'COM4', 'COM5', 'COM6', 'COM7', 'COM8', 'COM9',
  'LPT1', 'LPT2', 'LPT3', 'LPT4', 'LPT5', 'LPT6', 'LPT7', 'LPT8', 'LPT9', 'COM\xb9', 'COM\xb2', 'COM\xb3', 'LPT\xb9', 'LPT\xb2', 'LPT\xb3']);

function isReservedName(path, colon) {
  return reservedNames.has(path.slice(0, colon).toUpperCase());
}

const win32 = {
  resolve(...args) {
    let device = '';
    let tail = '';
    let isAbsolute = false;
    for (let i = args.length - 1; i >= -1; i--) {
      let path;
      if (i >= 0) {
        path = args[i];
        validateString(path, `paths[${i}]`);
        if (path.length === 0) continue;
      } else if (device.length === 0) {
        path = process.cwd();
        if (args.length === 0 || (args.length === 1 && (args[0] === '' || args[0] === '.') && isAnySeparator(path.charCodeAt(0)))) {
          if (process.platform === 'win32') return path;
        }
      } else {
        // Windows keeps a current directory for each drive in the environment.
        path = process.env[`=${device}`] || process.cwd();
        if (path === undefined || (path.slice(0, 2).toLowerCase() !== device.toLowerCase() && path.charCodeAt(2) === kBackslash)) path = `${device}\\`;
      }
      const root = windowsRoot(path);
      if (root.device.length > 0) {
        if (device.length > 0) {
          if (root.device.toLowerCase() !== device.toLowerCase()) continue;
        } else {
          device = root.device;
        }
      }
      if (isAbsolute) {
        if (device.length > 0) break;
      } else {
        tail = `${path.slice(root.rootEnd)}\\${tail}`;
        isAbsolute = root.isAbsolute;
        if (root.isAbsolute && device.length > 0) break;
      }
    }
    tail = normalizeSegments(tail, !isAbsolute, '\\', isAnySeparator);
    return isAbsolute ? `${device}\\${tail}` : `${device}${tail}` || '.';
  },

  normalize(path) {
    validateString(path, 'path');
    const length = path.length;
    if (length === 0) return '.';
    if (length === 1) return isPosixSeparator(path.charCodeAt(0)) ? '\\' : path;
    const root = windowsRoot(path);
    if (root.isUNC && root.isWhole) return `${root.device}\\`;
    let { device } = root;
    const { isAbsolute } = root;
    if (root.isDevice) device = root.device;
    let tail = root.rootEnd < length ? normalizeSegments(path.slice(root.rootEnd), !isAbsolute, '\\', isAnySeparator) : '';
    if (tail.length === 0 && !isAbsolute) tail = '.';
    if (tail.length > 0 && isAnySeparator(path.charCodeAt(length - 1))) tail += '\\';
    if (!isAbsolute && device === '' && path.includes(':')) {
      // What looks like a drive or a device only after normalizing must not become one.
      if (tail.length >= 2 && isDriveLetter(tail.charCodeAt(0)) && tail.charCodeAt(1) === kColon) return `.\\${tail}`;
      let index = path.indexOf(':');
      do {
        if (index === length - 1 || isAnySeparator(path.charCodeAt(index + 1))) return `.\\${tail}`;
      } while ((index = path.indexOf(':', index + 1)) !== -1);
    }
    const colon = path.indexOf(':');
    if (colon !== -1 && isReservedName(path, colon)) return `.\\${device}${tail}`;
    if (device === '') return isAbsolute ? `\\${tail}` : tail;
    return isAbsolute ? `${device}\\${tail}` : `${device}${tail}`;
  },

  isAbsolute(path) {
    validateString(path, 'path');
    if (path.length === 0) return false;
    const first = path.charCodeAt(0);
    return isAnySeparator(first) ||
      (path.length > 2 && isDriveLetter(first) && path.charCodeAt(1) === kColon && isAnySeparator(path.charCodeAt(2)));
  },

  join(...args) {
    if (args.length === 0) return '.';
    const parts = [];
    for (let i = 0; i < args.length; i++) {
      validateString(args[i], 'path');
      if (args[i].length > 0) parts.push(args[i]);
    }
    if (parts.length === 0) return '.';
    let joined = parts.join('\\');
    const first = parts[0];
    // Only a first part that is a UNC path by itself makes the whole one.
    let replace = true;
    let slashes = 0;
    if (isAnySeparator(first.charCodeAt(0))) {
      slashes++;
      if (first.length > 1 && isAnySeparator(first.charCodeAt(1))) {
        slashes++;
        if (first.length > 2) {
          if (isAnySeparator(first.charCodeAt(2))) slashes++;
          else replace = false;
        }
      }
    }
    if (replace) {
      while (slashes < joined.length && isAnySeparator(joined.charCodeAt(slashes))) slashes++;
      if (slashes >= 2) joined = `\\${joined.slice(slashes)}`;
    }
    // Parts that end or begin with a reserved name stay what they are.
    const segments = [];
    let part = '';
    for (let i = 0; i < joined.length; i++) {
      if (joined[i] === '\\') {
        if (part) segments.push(part);
        part = '';
        while (i + 1 < joined.length && joined[i + 1] === '\\') i++;
      } else {
        part += joined[i];
      }
    }
    if (part) segments.push(part);
    if (segments.some((segment) => {
      const colon = segment.indexOf(':');
      return colon !== -1 && isReservedName(segment, colon);
    })) {
      return joined.replaceAll('/', '\\');
    }
    return win32.normalize(joined);
  },

  relative(from, to) {
    validateString(from, 'from');
    validateString(to, 'to');
    if (from === to) return '';
    const fromFull = win32.resolve(from);
    const toFull = win32.resolve(to);
    if (fromFull === toFull) return '';
    if (fromFull.toLowerCase() === toFull.toLowerCase()) return '';
    const trim = (text) => {
      let start = 0;
      let end = text.length;
      while (start < end && text.charCodeAt(start) === kBackslash) start++;
      while (end - 1 > start && text.charCodeAt(end - 1) === kBackslash) end--;
      return text.slice(start, end);
    };
    const fromParts = trim(fromFull).split('\\');
    const toParts = trim(toFull).split('\\');
    let common = 0;
    while (common < fromParts.length && common < toParts.length && fromParts[common].toLowerCase() === toParts[common].toLowerCase()) common++;
    if (common === 0) return toFull;
    const result = [];
    for (let i = common; i < fromParts.length; i++) result.push('..');
    for (let i = common; i < toParts.length; i++) result.push(toParts[i]);
    return result.join('\\');
  },

  toNamespacedPath(path) {
    if (typeof path !== 'string' || path.length === 0) return path;
    const resolved = win32.resolve(path);
    if (resolved.length <= 2) return path;
    if (resolved.charCodeAt(0) === kBackslash) {
      if (resolved.charCodeAt(1) === kBackslash) {
        const third = resolved.charCodeAt(2);
        if (third !== 63 && third !== kDot) return `\\\\?\\UNC\\${resolved.slice(2)}`;
      }
    } else if (isDriveLetter(resolved.charCodeAt(0)) && resolved.charCodeAt(1) === kColon && resolved.charCodeAt(2) === kBackslash) {
      return `\\\\?\\${resolved}`;
    }
    return resolved;
  },

  dirname(path) {
    validateString(path, 'path');
    const length = path.length;
    if (length === 0) return '.';
    let rootEnd = -1;
    let offset = 0;
    const first = path.charCodeAt(0);
    if (length === 1) return isAnySeparator(first) ? path : '.';
    if (isAnySeparator(first)) {
      rootEnd = offset = 1;
      if (isAnySeparator(path.charCodeAt(1))) {
        let i = 2;
        let last = i;
        while (i < length && !isAnySeparator(path.charCodeAt(i))) i++;
        if (i < length && i !== last) {
          last = i;
          while (i < length && isAnySeparator(path.charCodeAt(i))) i++;
          if (i < length && i !== last) {
            last = i;
            while (i < length && !isAnySeparator(path.charCodeAt(i))) i++;
            if (i === length) return path;
            if (i !== last) rootEnd = offset = i + 1;
          }
        }
      }
    } else if (isDriveLetter(first) && path.charCodeAt(1) === kColon) {
      rootEnd = length > 2 && isAnySeparator(path.charCodeAt(2)) ? 3 : 2;
      offset = rootEnd;
    }
    let end = -1;
    let matchedSlash = true;
    for (let i = length - 1; i >= offset; i--) {
      if (isAnySeparator(path.charCodeAt(i))) {
        if (!matchedSlash) {
          end = i;
          break;
        }
      } else {
        matchedSlash = false;
      }
    }
    if (end === -1) {
      if (rootEnd === -1) return '.';
      end = rootEnd;
    }
    return path.slice(0, end);
  },

  basename(path, suffix) {
    if (suffix !== undefined) validateString(suffix, 'suffix');
    validateString(path, 'path');
    const from = path.length >= 2 && isDriveLetter(path.charCodeAt(0)) && path.charCodeAt(1) === kColon ? 2 : 0;
    return basenameFrom(path, suffix, from, isAnySeparator);
  },

  extname(path) {
    validateString(path, 'path');
    const from = path.length >= 2 && isDriveLetter(path.charCodeAt(0)) && path.charCodeAt(1) === kColon ? 2 : 0;
    return extnameFrom(path, from, isAnySeparator);
  },

  format: formatPath.bind(null, '\\'),

  parse(path) {
    validateString(path, 'path');
    const result = { root: '', dir: '', base: '', ext: '', name: '' };
    const length = path.length;
    if (length === 0) return result;
    let rootEnd = 0;
    const first = path.charCodeAt(0);
    if (length === 1) {
      if (isAnySeparator(first)) {
        result.root = result.dir = path;
        return result;
      }
      result.base = result.name = path;
      return result;
    }
    if (isAnySeparator(first)) {
      rootEnd = 1;
      if (isAnySeparator(path.charCodeAt(1))) {
        let i = 2;
        let last = i;
        while (i < length && !isAnySeparator(path.charCodeAt(i))) i++;
        if (i < length && i !== last) {
          last = i;
          while (i < length && isAnySeparator(path.charCodeAt(i))) i++;
          if (i < length && i !== last) {
            last = i;
            while (i < length && !isAnySeparator(path.charCodeAt(i))) i++;
            if (i === length) rootEnd = i;
            else if (i !== last) rootEnd = i + 1;
          }
        }
      }
    } else if (isDriveLetter(first) && path.charCodeAt(1) === kColon) {
      if (length <= 2) {
        result.root = result.dir = path;
        return result;
      }
      rootEnd = 2;
      if (isAnySeparator(path.charCodeAt(2))) {
        if (length === 3) {
          result.root = result.dir = path;
          return result;
        }
        rootEnd = 3;
      }
    }
    if (rootEnd > 0) result.root = path.slice(0, rootEnd);
    const { start, end, dot } = splitBase(path, rootEnd, isAnySeparator);
    result.base = path.slice(start, end);
    if (dot === -1) {
      result.name = result.base;
    } else {
      result.name = path.slice(start, dot);
      result.ext = path.slice(dot, end);
    }
    result.dir = start > 0 && start !== rootEnd ? path.slice(0, start - 1) : result.root;
    return result;
  },

  matchesGlob(path, pattern) {
    return matchesGlob(path, pattern, true);
  },

  sep: '\\',
  delimiter: ';',
  win32: null,
  posix: null,
};

posix.win32 = win32.win32 = win32;
posix.posix = win32.posix = posix;
win32._makeLong = win32.toNamespacedPath;
posix._makeLong = posix.toNamespacedPath;

module.exports = process.platform === 'win32' ? win32 : posix;
