'use strict';

// The set of all module namespace objects, so that they can be distinguished from similar objects.

module.exports = new WeakSet();
