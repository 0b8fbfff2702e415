const began = Date.now();
let ticks = 0;

setTimeout(function onTimeout() {
  console.log('the timer of 1 ms, after the last of', ticks, 'ticks');
}, 1);

function again() {
  const start = Date.now();
  while (Date.now() - start < 3);
  if (++ticks < 5) process.nextTick(again);
}
process.nextTick(again);
