'use strict';

// `require` for the files of npm packages that are embedded whole (runtime/build.mk: RUNTIME_PACKAGES). A file's id is
// its path below internal/deps/, without .js. A relative request is resolved among the embedded files, never on the
// disk; a bare name is one of our own modules, so that a package shares our Buffer, events and signals. Polyfill
// packages are replaced by our own modules.

const { requireBuiltin, hasBuiltin } = internalBinding('runtime');

const kRoot = 'internal/deps/';

const standIns = {
  '__proto__': null,
  'abort-controller': () => requireBuiltin('internal/abort_controller'),
  'process': () => globalThis.process,
};

function notFound(request, from) {
  const error = new Error(`Cannot find module '${request}' (asked for by node:${from})`);
  error.code = 'MODULE_NOT_FOUND';
  return error;
}

// The path of `request` for a file in `directory`, without the .js at its end.
function join(directory, request) {
  const parts = directory.split('/');
  for (const part of request.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  const path = parts.join('/');
  return path.endsWith('.js') ? path.slice(0, -3) : path;
}

function find(path) {
  if (hasBuiltin(path)) return path;
  for (const end of ['/index', '.json']) if (hasBuiltin(path + end)) return path + end;
  return undefined;
}

// -> a function that loads `request` for the file `id`
function way(request, id) {
  if (request[0] === '.') {
    const found = find(join(id.slice(0, id.lastIndexOf('/')), request));
    if (found === undefined || !found.startsWith(kRoot)) throw notFound(request, id);
    return () => requireBuiltin(found);
  }
  const name = request.startsWith('node:') ? request.slice(5) : request.endsWith('/') ? request.slice(0, -1) : request;
  if (standIns[name] !== undefined) return standIns[name];
  const found = hasBuiltin(name) ? name : find(kRoot + name);
  if (found === undefined) throw notFound(request, id);
  return () => requireBuiltin(found);
}

// Some packages call require() very often: streams, for instance, for each instance.
function requireFrom(id) {
  const ways = new Map();
  return function require(request) {
    let get = ways.get(request);
    if (get === undefined) {
      get = way(request, id);
      ways.set(request, get);
    }
    return get();
  };
}

module.exports = { requireFrom };
