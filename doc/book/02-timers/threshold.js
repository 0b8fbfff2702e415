const began = Date.now();

setTimeout(function onTimeout() {
  console.log('30 ms or more have passed:', Date.now() - began >= 30);
}, 5);

while (Date.now() - began < 30);
console.log('the main script was busy for 30 ms');
