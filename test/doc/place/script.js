// Two timers and a tick, in an order that no schedule may change.
setTimeout(() => console.log('timer'), 1);
process.nextTick(() => console.log('tick'));
