// Awaits of promises and of thenables, beside a chain of reactions.
const thenable = { then: (resolve) => resolve('thenable') };
(async () => console.log(await Promise.resolve('promise')))();
(async () => console.log(await thenable))();
(async () => console.log(await 'value'))();
let chain = Promise.resolve();
for (let i = 1; i <= 4; i++) chain = chain.then(() => console.log(`reaction ${i}`));
