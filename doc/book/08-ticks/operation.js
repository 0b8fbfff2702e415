const { EventEmitter } = require('node:events');
const emitter = new EventEmitter();

function listener(name) {
  console.log('listener', name);
  process.nextTick(() => console.log('tick of listener', name));
}
emitter.on('event', () => listener('A'));
emitter.on('event', () => listener('B'));

setImmediate(function onImmediate() {
  emitter.emit('event');
  console.log('emit has returned');
});
