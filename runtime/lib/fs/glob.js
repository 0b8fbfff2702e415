'use strict';

// fs.glob: walks the tree as far as the patterns reach, and yields the paths that one of them matches.

const {
  validateFunction,
  validateObject,
  validateString,
  validateStringArray,
  validateBoolean,
} = require('internal/validators');
const { expandBraces, matchGlobPattern, translateSegment, startsWithWildcard } = require('internal/glob');
const { binding } = require('internal/fs/native');
const { looksLikeURL } = require('internal/fs/arguments');
const { Dirent, kindAt, makeDirent } = require('internal/fs/dirent');
const { takeStats } = require('internal/fs/stats');
const pathModule = require('path');

// A pattern as a list of segments: a literal name, a test, or '**'.
function compile(pattern) {
  const absolute = pattern.startsWith('/');
  const segments = pattern.split('/').filter((part, i, all) => part !== '' && (part !== '.' || all.length === 1));
  const steps = segments.map((segment) => {
    if (segment === '**') return { all: true };
    if (!/[*?[\]\\]|[+@!]\(/.test(segment)) return { text: segment };
    const guard = startsWithWildcard(segment) ? '(?!\\.)' : '';
    return { test: new RegExp(`^${guard}${translateSegment(segment)}$`, 'u') };
  });
  return { absolute, steps, directoryOnly: pattern.endsWith('/') };
}

function prepare(pattern, options) {
  const patterns = Array.isArray(pattern) ? pattern : [pattern];
  if (typeof pattern === 'object') validateStringArray(pattern, 'patterns');
  else validateString(pattern, 'patterns');
  if (options === undefined) options = {};
  else validateObject(options, 'options');
  let { cwd } = options;
  if (looksLikeURL(cwd)) cwd = require('url').fileURLToPath(cwd);
  cwd ??= process.cwd();
  const { exclude, withFileTypes = false, followSymlinks = false } = options;
  validateBoolean(followSymlinks, 'options.followSymlinks');
  let excluded = () => false;
  if (exclude !== undefined && exclude !== null) {
    if (Array.isArray(exclude)) {
      validateStringArray(exclude, 'options.exclude');
      excluded = (entry, path) =>
        exclude.some(
          (each) =>
            matchGlobPattern(path, each.replace(/^\.\//, '')) || matchGlobPattern(pathModule.resolve(cwd, path), each),
        );
    } else {
      validateFunction(exclude, 'options.exclude');
      excluded = (entry, path) => exclude(withFileTypes ? entry : path);
    }
  }
  return {
    compiled: patterns.flatMap((each) => expandBraces(each)).map(compile),
    cwd,
    excluded,
    withFileTypes,
    followSymlinks,
  };
}

// An entry that the program has no permission to read is treated as absent.
function quietly(look, ...rest) {
  try {
    return look(...rest);
  } catch (error) {
    if (error.code === 'ERR_ACCESS_DENIED') return -1;
    throw error;
  }
}

function list(directory) {
  const flat = quietly(binding.scandir, -1, directory, false);
  if (typeof flat === 'number') return [];
  const entries = [];
  for (let i = 0; i < flat.length; i += 2) entries.push(makeDirent(directory, flat[i], flat[i + 1]));
  return entries;
}

function direntAt(path) {
  const kind = quietly(kindAt, path);
  return kind === undefined || kind === -1
    ? undefined
    : new Dirent(pathModule.basename(path), kind, pathModule.dirname(path));
}

function isDirectory(entry, path, follow) {
  if (entry.isDirectory()) return true;
  return follow && entry.isSymbolicLink() && quietly(binding.stat, -1, path) >= 0 && takeStats(false).isDirectory();
}

function* walk(pattern, options) {
  const { compiled, cwd, excluded, withFileTypes, followSymlinks } = prepare(pattern, options);
  const seen = new Set();
  for (const { absolute, steps, directoryOnly } of compiled) {
    const visited = new Set();
    const emit = function* (shown, full, entry) {
      if (directoryOnly && !isDirectory(entry, full, true)) return;
      const result = directoryOnly && shown !== '.' ? `${shown}/` : shown;
      if (seen.has(result)) return;
      seen.add(result);
      yield withFileTypes ? entry : result;
    };
    const visit = function* (shown, full, at) {
      const key = `${at}:${full}`;
      if (visited.has(key)) return;
      visited.add(key);
      if (at === steps.length) {
        const entry = direntAt(full);
        if (entry !== undefined && !excluded(entry, shown || '.')) yield* emit(shown || '.', full, entry);
        return;
      }
      const step = steps[at];
      if (step.text !== undefined) {
        const next = pathModule.join(full, step.text);
        const nextShown =
          shown === '' ? step.text : shown === '/' ? `/${step.text}` : pathModule.join(shown, step.text);
        const entry = direntAt(next);
        if (entry === undefined) return;
        if (step.text !== '..' && step.text !== '.' && excluded(entry, nextShown)) return;
        if (at + 1 < steps.length && !isDirectory(entry, next, true)) return;
        yield* visit(nextShown, next, at + 1);
        return;
      }
      if (step.all) {
        yield* visit(shown, full, at + 1);
        for (const entry of list(full)) {
          if (entry.name.startsWith('.')) continue;
          const next = pathModule.join(full, entry.name);
          const nextShown = shown === '' ? entry.name : pathModule.join(shown, entry.name);
          if (excluded(entry, nextShown)) continue;
          if (isDirectory(entry, next, followSymlinks)) {
            if (followSymlinks && entry.isSymbolicLink()) {
              const real = quietly(binding.realpath, -1, next, false);
              if (typeof real !== 'string' || `${full}/`.startsWith(`${real}/`)) continue;
            }
            yield* visit(nextShown, next, at);
          } else if (at + 1 === steps.length) {
            yield* emit(nextShown, next, entry);
          } else if (entry.isSymbolicLink() || entry.isFile()) {
            continue;
          }
        }
        return;
      }
      for (const entry of list(full)) {
        if (!step.test.test(entry.name)) continue;
        const next = pathModule.join(full, entry.name);
        const nextShown = shown === '' ? entry.name : pathModule.join(shown, entry.name);
        if (excluded(entry, nextShown)) continue;
        if (at + 1 === steps.length) yield* emit(nextShown, next, entry);
        else if (isDirectory(entry, next, true)) yield* visit(nextShown, next, at + 1);
      }
    };
    yield* visit(absolute ? '/' : '', absolute ? '/' : cwd, 0);
  }
}

function globSync(pattern, options) {
  return [...walk(pattern, options)];
}

// The arguments are checked here, not when the first entry is read.
function globCallback(pattern, options, callback) {
  prepare(pattern, options);
  Array.fromAsync(walk(pattern, options)).then(
    (list) => process.nextTick(callback, null, list),
    (error) => process.nextTick(callback, error),
  );
}

async function* globAsync(pattern, options) {
  yield* walk(pattern, options);
}

module.exports = { globSync, globAsync, globCallback };
