// A promise that an async function or a reaction returns takes more microtasks than a value.
const ticks = (n) => {
  let chain = Promise.resolve();
  for (let i = 1; i <= n; i++) chain = chain.then(() => console.log(`tick ${i}`));
};
(async () => Promise.resolve())().then(() => console.log('async function'));
Promise.resolve()
  .then(() => Promise.resolve())
  .then(() => console.log('reaction'));
new Promise((resolve) => resolve(Promise.resolve())).then(() => console.log('resolved with a promise'));
ticks(6);
