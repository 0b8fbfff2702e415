let wake;

setImmediate(function onImmediate() {
  console.log('an immediate, while the module waits');
  setTimeout(function onTimeout() {
    console.log('a timer, while the module waits');
    wake();
  }, 5);
});

console.log('before await');
await new Promise((resolve) => {
  wake = resolve;
});
console.log('after await');
