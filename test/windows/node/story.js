setTimeout(function first() {
  console.log('timer');
  process.nextTick(() => console.log('tick'));
}, 1);
