// An event that a listener dispatches has no checkpoints, the outer one has.
const { port1, port2 } = new MessageChannel();
const target = new EventTarget();
for (const name of ['a', 'b']) {
  target.addEventListener('inner', () => {
    console.log(`inner ${name}`);
    queueMicrotask(() => console.log(`microtask of inner ${name}`));
  });
  port1.addEventListener('message', () => {
    console.log(`outer ${name}`);
    queueMicrotask(() => console.log(`microtask of outer ${name}`));
    target.dispatchEvent(new Event('inner'));
  });
}
port1.start();
port2.postMessage(0);
