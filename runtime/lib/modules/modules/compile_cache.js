'use strict';

// NODE_COMPILE_CACHE and module.enableCompileCache(): texts that were expensive to make are kept in a directory. The
// engine gives nothing of what it compiles to, and the pass that rewrites modules (runtime/modules) is faster than
// reading a file. So what is kept is TypeScript without its types, and modules that only the parser could rewrite.
//
// An entry is one file: a line with its kind, its lengths and a digest, the text as it was, and what became of it. It
// counts only if it is whole and if its text is the one that is asked for. A file is made under another name and then
// renamed, so that nobody sees half of one. Directory and files are the user's own and closed to others; those of somebody
// else are not used.

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

// One for each version of what makes the texts.
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

// What the environment says counts from the first text or question on.
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

// -> what became of this text, or undefined
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

module.exports = { current, enable, flush, kStatus, read, write };
