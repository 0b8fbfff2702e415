// Two listeners of one event that the loop has fired.
const { port1, port2 } = new MessageChannel();
for (const name of ['first', 'second']) {
  port1.addEventListener('message', () => {
    console.log(`${name} listener`);
    queueMicrotask(() => console.log(`microtask of the ${name}`));
  });
}
port1.start();
port2.postMessage('hello');
setTimeout(() => port1.close(), 20);
