'use strict';

// process.exit() while callbacks are running.

const addon = require(process.argv[2].replace('exiting', 'lifetime'));
globalThis.kept = {};
addon.atEnd(globalThis.kept);
process.on('exit', () => console.log('exit event'));
setImmediate(() => process.exit(3));
