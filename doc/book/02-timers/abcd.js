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
}, 1500);
setTimeout(function D() {
  console.log('D');
}, 1600);

const began = Date.now();
while (Date.now() - began < 50);
