'use strict';

// Source text that is in no file (-e, standard input, data: URLs), by the name under which it was compiled.

module.exports = new Map();
