// A timer can be cleared by one that runs before it, also if both are due.
const ids = [];
setTimeout(() => {
  console.log('first clears the second');
  clearTimeout(ids[0]);
  clearInterval(ids[1]);
}, 0);
ids.push(setTimeout(() => console.log('second'), 0));
ids.push(setTimeout(() => console.log('third'), 0));
setTimeout(() => console.log('fourth'), 0);
clearTimeout(12345678);
clearTimeout(undefined);
