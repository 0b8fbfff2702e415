// Each round of the iteration waits for a task.
async function* ticks() {
  for (let i = 1; i <= 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    yield i;
  }
}
(async () => {
  for await (const i of ticks()) {
    console.log(`round ${i}`);
    queueMicrotask(() => console.log(`microtask of ${i}`));
  }
  console.log('end');
})();
