// Nothing else can run while it is busy.
function busy(ms) {
  const start = Date.now();
  while (Date.now() - start < ms);
}

setTimeout(function first() {
  console.log('due before the first iteration');
  setTimeout(function second() {
    console.log('due during it: at its end');
  }, 1);
  busy(10);
}, 1);
setImmediate(function immediate() {
  console.log('check of the first iteration');
});
busy(10);
