// A timer of 100 ms, and a read whose callback takes 10 ms: the timer is never early, and the read comes first.
const fs = require('fs');

const scheduled = Date.now();

setTimeout(() => {
  const delay = Date.now() - scheduled;
  console.log(delay >= 99 ? 'the timer is not early' : `the timer is early: ${delay} ms`);
}, 100);

fs.readFile(__filename, () => {
  const start = Date.now();
  while (Date.now() - start < 10);
  console.log('the file has been read');
});
