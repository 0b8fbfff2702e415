let done = false;

setTimeout(function onTimeout() {
  done = true;
  console.log('the timer ran');
}, 10);

function again() {
  const began = Date.now();
  while (Date.now() - began < 4);
  if (!done) setImmediate(again);
  else console.log('the immediates end');
}
setImmediate(again);
