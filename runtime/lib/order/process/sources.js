'use strict';

// Source text that is on no disk (-e, standard input, data: URLs), by the name under which it was compiled.

module.exports = new Map();
