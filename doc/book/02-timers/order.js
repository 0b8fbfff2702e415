setTimeout(() => console.log('100 ms, set first'), 100);
setTimeout(() => console.log('20 ms, set second'), 20);
setTimeout(() => console.log('100 ms, set third'), 100);
setTimeout(() => console.log('20 ms, set fourth'), 20);

const began = Date.now();
while (Date.now() - began < 180); // now all are due
