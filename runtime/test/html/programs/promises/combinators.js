// all, race, any and allSettled, beside a chain of reactions.
const later = (value, n) => (n === 0 ? Promise.resolve(value) : Promise.resolve().then(() => later(value, n - 1)));
Promise.all([later('a', 1), later('b', 0)]).then((list) => console.log(`all ${list}`));
Promise.race([later('a', 1), later('b', 0)]).then((first) => console.log(`race ${first}`));
Promise.allSettled([later('a', 0)]).then(([{ status }]) => console.log(`allSettled ${status}`));
let chain = Promise.resolve();
for (let i = 1; i <= 6; i++) chain = chain.then(() => console.log(`reaction ${i}`));
