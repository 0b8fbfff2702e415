'use strict';

// Every module namespace object that was made, so that they can be told from look-alikes.

module.exports = new WeakSet();
