setTimeout(() => console.log('eight hundred'), 800);
setTimeout(() => console.log('zero'), 0);
setTimeout(() => console.log('one'), 1);
setTimeout(() => console.log('minus five'), -5);
setTimeout(() => console.log('nothing'));

// The main script sleeps: now all are due.
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900);
