// Messages to the window: a task each, a checkpoint after each listener.
for (const name of ['first', 'second']) {
  addEventListener('message', ({ data }) => {
    console.log(`${name} hears ${data}`);
    queueMicrotask(() => console.log(`microtask of ${name}`));
  });
}
postMessage('a', '*');
postMessage('b', '*');
console.log('script');
