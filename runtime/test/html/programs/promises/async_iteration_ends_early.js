// break runs the generator's finally, and waits for it.
async function* endless() {
  try {
    for (let i = 1; ; i++) yield i;
  } finally {
    console.log('finally');
    await null;
    console.log('after the await in finally');
  }
}
(async () => {
  for await (const i of endless()) {
    console.log(i);
    if (i === 2) break;
  }
  console.log('left');
})();
queueMicrotask(() => console.log('microtask'));
