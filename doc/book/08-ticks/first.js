setTimeout(() => console.log('a timer'), 0);
Promise.resolve().then(() => console.log('a promise'));
process.nextTick(() => console.log('a tick'));
console.log('the main script');
