'use strict';

// A module that only the program of gates.sh has: the bindings themselves, which no program can get.
module.exports = { internalBinding, streamKind: require('internal/shared').streamKind };
