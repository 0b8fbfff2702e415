// The same module imported twice, the second time some microtasks later: the order among other chains of promises.
const modules = ['path', 'os', 'url', 'util', 'events', 'querystring', 'string_decoder', 'timers', 'zlib', 'assert'];
const after = (count, run) => {
  let promise = Promise.resolve();
  for (let i = 0; i < count; i++) promise = promise.then(() => {});
  promise.then(run);
};
for (const [distance, name] of modules.entries()) {
  let order = '';
  const chain = (letter) => {
    let promise = Promise.resolve();
    for (let i = 0; i < 24; i++) promise = promise.then(() => (order += letter));
  };
  chain('a');
  import(`node:${name}`).then(() => (order += 'A'));
  chain('b');
  after(distance, () => {
    chain('c');
    import(`node:${name}`).then(() => (order += 'B'));
    chain('d');
  });
  await new Promise((resolve) => setTimeout(resolve, 5));
  console.log(distance, order);
}
