setImmediate(function onImmediate() {
  console.log('an immediate, while the module waits');
  setTimeout(function onTimeout() {
    console.log('a timer, while the module waits');
  }, 5);
});

console.log('before await');
await new Promise((resolve) => setTimeout(resolve, 400));
console.log('after await');
