// A microtask checkpoint follows each task.
for (const name of ['one', 'two', 'three']) {
  setTimeout(() => {
    console.log(`timer ${name}`);
    queueMicrotask(() => console.log(`microtask of ${name}`));
  }, 0);
}
