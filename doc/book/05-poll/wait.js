setTimeout(function first() {
  console.log('poll has waited for this timer');
  setTimeout(function second() {
    console.log('and for this one');
  }, 30);
  setImmediate(function immediate() {
    console.log('but not while an immediate was queued');
  });
}, 30);
