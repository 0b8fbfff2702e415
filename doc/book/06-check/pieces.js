let piece = 0;
function compute() {
  console.log(`piece ${++piece} of a long computation`);
  if (piece === 1) {
    setTimeout(function onTimeout() {
      console.log('a timer gets its turn');
    }, 1);
  }
  const start = Date.now();
  while (Date.now() - start < 10);
  if (piece < 3) setImmediate(compute);
}
setImmediate(compute);
