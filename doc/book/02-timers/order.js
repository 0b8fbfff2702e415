setTimeout(() => console.log('800 ms, set first'), 800);
setTimeout(() => console.log('20 ms, set second'), 20);
setTimeout(() => console.log('800 ms, set third'), 800);
setTimeout(() => console.log('20 ms, set fourth'), 20);

// The main script sleeps: now all are due.
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900);
