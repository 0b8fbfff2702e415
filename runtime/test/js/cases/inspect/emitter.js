'use strict';

// The properties of an emitter, in the order in which they are shown.
const EventEmitter = require('events');

class Own extends EventEmitter {
  field = 1;
}
console.log(new EventEmitter());
console.log(new Own());
console.log(Object.keys(new Own().on('x', () => {})));
console.log(Object.keys(require('fs')).filter((name) => name.startsWith('stat')));
console.log(require('crypto').pseudoRandomBytes.name);
