setTimeout(() => console.log('eighty'), 80);
setTimeout(() => console.log('zero'), 0);
setTimeout(() => console.log('one'), 1);
setTimeout(() => console.log('minus five'), -5);
setTimeout(() => console.log('nothing'));

const began = Date.now();
while (Date.now() - began < 150); // now all are due
