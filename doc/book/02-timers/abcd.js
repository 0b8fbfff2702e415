setTimeout(function A() {
  console.log('A');
  setImmediate(function afterPhase() {
    console.log('the phase is over');
  });
}, 10);
setTimeout(function B() {
  console.log('B');
}, 20);
setTimeout(function C() {
  console.log('C');
}, 400);
setTimeout(function D() {
  console.log('D');
}, 500);

const began = Date.now();
while (Date.now() - began < 50);
