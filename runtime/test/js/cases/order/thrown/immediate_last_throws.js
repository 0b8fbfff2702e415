// When the last immediate of a round throws, the next round begins at once, before the timers.
process.on('uncaughtException', (e) => console.log('uncaught', e));
const due = () => { const start = Date.now(); while (Date.now() - start < 4); };
setImmediate(() => {
  setTimeout(() => console.log('timeout'), 1);
  due();
  setImmediate(() => console.log('next round'));
  process.nextTick(() => console.log('tick'));
  throw 'last';
});
