// Callbacks of one frame: in order, with the same time, a checkpoint after each.
const times = [];
for (const name of ['first', 'second']) {
  requestAnimationFrame((time) => {
    console.log(name);
    times.push(time);
    queueMicrotask(() => console.log(`microtask of ${name}`));
  });
}
requestAnimationFrame((time) => console.log(times.every((each) => each === time) ? 'one frame' : 'several frames'));
console.log('script');
queueMicrotask(() => console.log('microtask of the script'));
