// Run it by both loops, and look at both:
//
//   rota --timeline=node.html examples/browser_loop.js
//   rota --loop=html --timeline=html.html examples/browser_loop.js
//
// The same tasks by Node's phases and by a browser's task sources.
const { port1, port2 } = new MessageChannel();
const fs = require('fs');

port1.onmessage = function onMessage() {
  console.log('message');
  queueMicrotask(() => console.log('microtask of the message'));
  port1.close();
};
setTimeout(function onTimer() {
  console.log('timer');
  process.nextTick(() => console.log('tick of the timer'));
  Promise.resolve().then(() => console.log('promise of the timer'));
}, 1);
setTimeout(function onZero() {
  console.log('zero');
}, 0);
setImmediate(function onImmediate() {
  console.log('immediate');
});
fs.readFile(__filename, function onFile() {
  console.log('file');
});
port2.postMessage('hello');
Promise.resolve().then(() => console.log('promise of the script'));
process.nextTick(() => console.log('tick of the script'));
console.log('script');
