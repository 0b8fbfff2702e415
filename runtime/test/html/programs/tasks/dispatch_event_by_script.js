// Between two listeners that a script calls there is none.
const target = new EventTarget();
for (const name of ['first', 'second']) {
  target.addEventListener('hello', () => {
    console.log(`${name} listener`);
    queueMicrotask(() => console.log(`microtask of the ${name}`));
  });
}
setTimeout(() => {
  target.dispatchEvent(new Event('hello'));
  console.log('dispatched');
}, 0);
