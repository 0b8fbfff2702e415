await 0;
let row = Promise.resolve();
for (let i = 0; i < 9; i++) row = row.then(() => console.log(i));
process.nextTick(() => console.log('tick'));
throw 5;
