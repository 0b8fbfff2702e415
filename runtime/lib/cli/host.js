'use strict';

// What runs the tools (rota fuzz, rota timeline): here the runtime itself. In Node, which runs the same modules,
// command/node/start.js takes the place of this one.

module.exports = {
  program: process.execPath, // rota, which the tools start
  name: 'rota', // as people type it
  lacksRuntime: undefined, // why scripts cannot be run, as words behind "the runtime of rota"
};
