'use strict';

// Common parts of both kinds of paths. A path is a root and segments; the two kinds differ in what separates segments
// (`second` is the code of the separator besides the slash, or that of the slash itself) and in what a root looks like.

const kSlash = 47;
const kDot = 46;

// The segments of text from `from` on, as a stack: '.' and empty ones are left out, '..' removes the last one; if there
// is none to remove, it stays, unless the path is absolute.
function fold(text, from, absolute, second, separator) {
  const kept = [];
  let depth = 0; // how many of those kept are names
  const end = text.length;
  for (let begin = from, at = from; at <= end; at++) {
    const code = at === end ? kSlash : text.charCodeAt(at);
    if (code !== kSlash && code !== second) continue;
    const length = at - begin;
    if (length === 2 && text.charCodeAt(begin) === kDot && text.charCodeAt(begin + 1) === kDot) {
      if (depth > 0) {
        kept.pop();
        depth--;
      } else if (!absolute) {
        kept.push('..');
      }
    } else if (length > 1 || (length === 1 && text.charCodeAt(begin) !== kDot)) {
      kept.push(text.slice(begin, at));
      depth++;
    }
    begin = at + 1;
  }
  return kept.length === 1 ? kept[0] : kept.join(separator);
}

// Where the last segment is, without separators after it: [begin, end), not before `from`.
function lastSegment(text, from, second) {
  let end = text.length;
  while (end > from && isSeparator(text.charCodeAt(end - 1), second)) end--;
  let begin = end;
  while (begin > from && !isSeparator(text.charCodeAt(begin - 1), second)) begin--;
  return { begin, end };
}

function isSeparator(code, second) {
  return code === kSlash || code === second;
}

// With a suffix, the base name of a path of separators is the path itself, as in Node.
function cutSuffix(base, suffix, path) {
  if (base === '' && suffix !== '' && suffix.length <= path.length && !/^[A-Za-z]:/.test(path)) return path;
  return base.length > suffix.length && base.endsWith(suffix) ? base.slice(0, base.length - suffix.length) : base;
}

// Where the extension of a file name begins; its length if there is none. A dot at the start hides a file.
function extensionAt(base) {
  const dot = base.lastIndexOf('.');
  return dot <= 0 || base === '..' ? base.length : dot;
}

function parts(root, dir, base) {
  const at = extensionAt(base);
  return { root, dir, base, ext: base.slice(at), name: base.slice(0, at) };
}

function assemble(separator, pathObject) {
  require('internal/validators').validateObject(pathObject, 'pathObject');
  const { root, base, ext } = pathObject;
  const dir = pathObject.dir || root;
  const file = base || `${pathObject.name || ''}${ext ? `${ext[0] === '.' ? '' : '.'}${ext}` : ''}`;
  if (!dir) return file;
  return dir === root ? `${dir}${file}` : `${dir}${separator}${file}`;
}

function formatter(separator) {
  const { 'bound _format': format } = { 'bound _format': (pathObject) => assemble(separator, pathObject) };
  return format;
}

function requireString(value, name) {
  if (typeof value === 'string') return;
  const { codes } = require('internal/errors');
  throw new codes.ERR_INVALID_ARG_TYPE(name, 'string', value);
}

// The rest of the module's functions and properties, but for those that refer to both systems (node:path).
function complete(paths, parse, sep, delimiter) {
  paths.format = formatter(sep);
  paths.parse = parse;
  paths.matchesGlob = function matchesGlob(path, pattern) {
    requireString(path, 'path');
    requireString(pattern, 'pattern');
    return require('internal/glob').matchGlobPattern(path, pattern, sep === '\\');
  };
  paths.sep = sep;
  paths.delimiter = delimiter;
  return paths;
}

module.exports = { fold, lastSegment, isSeparator, cutSuffix, extensionAt, parts, complete, requireString };
