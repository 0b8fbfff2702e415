'use strict';
// What this script was started with: the functions of names.c, and Node's process. main.js fills it in before any other
// module runs.

module.exports = { native: undefined, process: undefined, file: undefined, builtin: undefined };
