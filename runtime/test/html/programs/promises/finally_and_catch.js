// Reactions that pass a value or an error on.
Promise.resolve('value')
  .finally(() => console.log('finally'))
  .then((value) => console.log(value));
Promise.reject('reason')
  .finally(() => console.log('finally of the rejected'))
  .catch((reason) => console.log(reason));
let chain = Promise.resolve();
for (let i = 1; i <= 6; i++) chain = chain.then(() => console.log(`reaction ${i}`));
