setImmediate(function onImmediate() {
  console.log('setImmediate: when poll is over');
});
process.nextTick(function onTick() {
  console.log('nextTick: as soon as this script has ended');
});
console.log('the script ends');
