// for await over an async generator, over promises, and over both at once.
async function* numbers(name) {
  for (let i = 1; i <= 3; i++) {
    yield `${name} ${i}`;
    await null;
  }
}
(async () => {
  for await (const each of numbers('generator')) console.log(each);
  console.log('generator ends');
})();
(async () => {
  for await (const each of [Promise.resolve('promise 1'), 'value 2', Promise.resolve('promise 3')]) console.log(each);
  console.log('list ends');
})();
