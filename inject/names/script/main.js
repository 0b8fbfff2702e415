'use strict';
// Runs in Node before the program, with the functions of names.c. It puts in the hooks that tell what Node runs,
// without a trace in what the program can see: no frame in a stack, no mark on a promise, no name in the environment.
// tools/bundle makes one script of these modules, whose value is `start`.

const host = require('./host.js');

// Whether the loader's frames look in V8's stack as they do in JavaScript's.
function isRight({ Module }) {
  const { native } = host;
  const found = /\(?(node:internal\/modules\/[^\s:]+:\d+):\d+\)?$/m.exec(new Error().stack);
  if (found === null || !native.stack().includes(found[1])) return false;
  return native.place(Module.prototype.require).startsWith('node:internal/modules/');
}

// The program sees neither this file nor the variable that brought it.
function hide({ Module }) {
  const { env } = host.process;
  const own = host.native.option;
  const options = env.NODE_OPTIONS;
  delete Module._cache[host.file];
  if (options === own) delete env.NODE_OPTIONS;
  else if (options !== undefined && options.startsWith(`${own} `)) env.NODE_OPTIONS = options.slice(own.length + 1);
}

function wantsMaps({ execArgv, env }) {
  return /(?:^| )--enable-source-maps(?: |$)/.test(`${execArgv.join(' ')} ${env.NODE_OPTIONS ?? ''}`);
}

// Code on the command line (-e) has no file: then the word is an argument of the program, which may be a password.
function mainFile(builtin, word) {
  const { existsSync } = builtin('fs');
  const isFile = builtin('path').isAbsolute(word) && (existsSync(word) || existsSync(`${word}.js`));
  return isFile ? word : '';
}

// Returns whether names can be told in this Node.
function start(native, process, file) {
  const builtin = process.getBuiltinModule ?? ((id) => native.module.require(id));
  Object.assign(host, { native, process, file, builtin });
  const loader = builtin('module');
  const hasMaps = wantsMaps(process);
  hide(loader);
  if (hasMaps) native.maps();
  if (!isRight(loader)) return false;
  if (native.wantsParts) {
    require('./hooks.js').startHooks();
    native.main(mainFile(builtin, process.argv[1] ?? ''));
  } else if (native.maySee) {
    require('./hooks.js').waitForAttach();
  }
  if (native.wantsMakers) {
    require('./alive.js').watchAlive();
    loader.Module.syncBuiltinESMExports();
  }
  return true;
}

module.exports = start;
