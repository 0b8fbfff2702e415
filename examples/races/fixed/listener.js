'use strict';
// A race: a listener that comes too late. The loader tells that it is ready when its file is there; whoever does something else
// first, and listens then, hears it only if that took no longer.
//
//   rota fuzz examples/races/listener.js

const { EventEmitter } = require('events');
const fs = require('fs');

class Loader extends EventEmitter {
  constructor(file) {
    super();
    fs.stat(file, () => fs.readFile(file, (error, data) => this.emit('ready', data)));
  }
}

const loader = new Loader(__filename);
let ready = false;
loader.on('ready', () => { ready = true; });
fs.stat(__dirname, function onFolder() {});
process.on('exit', () => {
  if (!ready) throw new Error('nobody heard that it is ready');
});
