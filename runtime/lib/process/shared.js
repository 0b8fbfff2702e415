'use strict';

// The words of memory shared with the loop, and their names (runtime/shared.table).

const { words } = internalBinding('runtime');

module.exports = { words, ...require('internal/shared').word };
