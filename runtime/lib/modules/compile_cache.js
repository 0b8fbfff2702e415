'use strict';

// NODE_COMPILE_CACHE and module.enableCompileCache(): texts that were expensive to make are kept in a directory. The
// engine does not export compiled code, and the pass that rewrites modules (runtime/modules) is faster than reading a
// file. So the cache keeps TypeScript without its types, and modules that only the parser could rewrite.
//
// An entry is one file: a line with its kind, its lengths and a digest, the original text, and the result. An entry is
// valid only if it is complete and its original text equals the given one. A file is written under another name and
// then renamed, so that no reader sees a part of it. Directory and files belong to the user and are closed to others;
// those of another user are not used.

const { digest } = internalBinding('modules');
const { codes } = require('internal/errors');

const kStatus = { FAILED: 0, ENABLED: 1, ALREADY_ENABLED: 2, DISABLED: 3 };
const kFormat = 'rota-cache 1';
const kWritableByOthers = 0o022;

let directory; // of this version and user, once it is enabled

const isOff = () => process.env.NODE_DISABLE_COMPILE_CACHE === '1';
const user = () => process.geteuid();

function isOwn(stat) {
  return stat.uid === user() && (stat.mode & kWritableByOthers) === 0;
}

// One directory for each version of the tools that make the texts.
function nameOfVersion() {
  const { rota, amaro, acorn } = process.versions;
  return `${process.version}-${process.arch}-${digest(`${kFormat} ${rota} ${amaro} ${acorn}`).slice(0, 8)}-${user()}`;
}

function prepare(given) {
  const fs = require('fs');
  const path = require('path');
  const parent = path.resolve(given);
  const wanted = path.join(parent, nameOfVersion());
  try {
    fs.mkdirSync(wanted, { recursive: true, mode: 0o700 });
    const stat = fs.lstatSync(wanted);
    if (!stat.isDirectory() || !isOwn(stat))
      return { status: kStatus.FAILED, message: 'Cannot use cache directory: it belongs to somebody else' };
  } catch (error) {
    const reason = require('util').getSystemErrorMap().get(error.errno)?.[1] ?? error.message;
    return { status: kStatus.FAILED, message: `Cannot create cache directory: ${reason}` };
  }
  directory = wanted;
  return { status: kStatus.ENABLED, directory: parent };
}

function enable(options) {
  let given = options;
  if (typeof options === 'object' && options !== null) given = options.directory;
  if (given !== undefined && typeof given !== 'string') {
    const error = new codes.ERR_INVALID_ARG_TYPE('cacheDir', 'string', given);
    error.message = 'cacheDir should be a string';
    throw error;
  }
  if (isOff()) return { status: kStatus.DISABLED, message: 'Disabled by NODE_DISABLE_COMPILE_CACHE' };
  if (directory !== undefined) return { status: kStatus.ALREADY_ENABLED, directory };
  return prepare(
    given || process.env.NODE_COMPILE_CACHE || require('path').join(require('os').tmpdir(), 'node-compile-cache'),
  );
}

// The environment variable is read with the first text or question.
let hasLooked = false;
function current() {
  if (!hasLooked) {
    hasLooked = true;
    if (directory === undefined && process.env.NODE_COMPILE_CACHE && !isOff()) prepare(process.env.NODE_COMPILE_CACHE);
  }
  return directory;
}

const headOf = (kind, text, result) =>
  `${kFormat} ${kind} ${text.length} ${result.length} ${digest(text)} ${digest(result)}\n`;

function parseEntry(entry, kind, text) {
  const end = entry.indexOf('\n') + 1;
  const result = entry.slice(end + text.length);
  return entry.startsWith(text, end) && entry.slice(0, end) === headOf(kind, text, result) ? result : undefined;
}

// -> the result for this text, or undefined
function read(kind, text) {
  if (current() === undefined) return undefined;
  const fs = require('fs');
  let fd;
  try {
    fd = fs.openSync(`${directory}/${kind}-${digest(text)}`, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
    const stat = fs.fstatSync(fd);
    return stat.isFile() && isOwn(stat) ? parseEntry(fs.readFileSync(fd, 'utf8'), kind, text) : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

function write(kind, text, result) {
  if (current() === undefined) return;
  const fs = require('fs');
  const name = `${directory}/${kind}-${digest(text)}`;
  const made = `${name}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    fs.writeFileSync(made, `${headOf(kind, text, result)}${text}${result}`, { flag: 'wx', mode: 0o600 });
    fs.renameSync(made, name);
  } catch {
    try {
      fs.unlinkSync(made);
    } catch {
      // it was not made
    }
  }
}

// Every entry is written when it is made.
function flush() {}

module.exports = { current, enable, flush, read, write };
