// An await takes one microtask; what is before it runs at once.
async function step(name) {
  console.log(`${name} begins`);
  await null;
  console.log(`${name} goes on`);
  await new Promise((resolve) => setTimeout(resolve, name === 'a' ? 0 : 30));
  console.log(`${name} ends`);
  return name;
}
step('a').then((name) => console.log(`${name} has ended`));
step('b').then((name) => console.log(`${name} has ended`));
queueMicrotask(() => console.log('microtask'));
console.log('script');
