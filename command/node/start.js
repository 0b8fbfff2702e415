'use strict';

// Begins a tool of rota in Node, which takes the place of rota-graft (command/alone/main.c):
//
//   node start.js ROTA NAME REASON COMMAND [ARGUMENT]...
//
// Beside it is modules.js, which tools/bundle makes: a function for each module of the tools. Old releases of Node read
// this file far enough to say that they are too old.

var kOldest = 18;
var kAside = 'ROTA_ASIDE_'; // variables that were meant for the program, not for this Node

var words = process.argv.splice(2, 4);
var command = words[3];
var loaded = {
  'internal/cli/host': {
    exports: { program: words[0], name: words[1], lacksRuntime: words[2] === '' ? undefined : words[2] },
  },
};

function takeBack() {
  Object.keys(process.env).forEach(function (name) {
    if (name.indexOf(kAside) !== 0) return;
    process.env[name.slice(kAside.length)] = process.env[name];
    delete process.env[name];
  });
}

// A module of the tools, or one of Node's.
function load(id) {
  var make = require('./modules.js')[id];
  if (loaded[id] !== undefined) return loaded[id].exports;
  if (make === undefined) return require(id);
  var module = (loaded[id] = { exports: {} });
  make(module.exports, load, module);
  return module.exports;
}

if (parseInt(process.versions.node, 10) < kOldest) {
  process.stderr.write(
    'rota: ' + command + ' needs Node ' + kOldest + ' or later; the first node in PATH is ' + process.version + '\n',
  );
  process.exitCode = 1;
} else {
  takeBack();
  load('internal/cli/' + command).main();
}
