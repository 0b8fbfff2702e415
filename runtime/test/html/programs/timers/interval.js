// An interval, with microtasks after each of its tasks, until it is cleared.
let count = 0;
const id = setInterval(() => {
  console.log(`interval ${++count}`);
  Promise.resolve().then(() => console.log(`promise ${count}`));
  if (count === 3) clearInterval(id);
}, 1);
