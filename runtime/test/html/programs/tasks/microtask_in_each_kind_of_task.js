// Whatever the task is, its microtasks follow at once: each line is preceded by the one of its task.
const order = [];
const note = (name) => {
  order.push(name);
  queueMicrotask(() => {
    if (order.at(-1) !== name) console.log(`something came between ${name} and its microtask`);
    if (order.length === 5) console.log(order.sort().join(', '));
  });
};
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => note('message');
port2.postMessage(0);
setTimeout(note, 0, 'timer');
requestAnimationFrame(() => note('frame'));
requestIdleCallback(() => note('idle'));
fetch('data:,').then(() => note('fetch'));
