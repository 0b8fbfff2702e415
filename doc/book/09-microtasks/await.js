async function task() {
  console.log('an async function begins at once');
  await null;
  console.log('what follows await is a microtask');
}

task();
process.nextTick(function tick() {
  console.log('a tick');
});
console.log('the main script ends');
