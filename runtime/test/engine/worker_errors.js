// Natives of the engine that throw, in a worker whose heap is measured meanwhile: each error arrives.
const { Worker, isMainThread } = require('worker_threads');

if (isMainThread) new Worker(__filename).on('exit', (code) => console.log('exit', code));
else {
  const size = Object.getOwnPropertyDescriptor(Set.prototype, 'size').get;
  let thrown = 0;
  const { user } = process.cpuUsage();
  while (process.cpuUsage().user - user < 400_000) {
    for (let i = 0; i < 1000; i++) {
      try {
        size.call(1);
      } catch {
        thrown++;
      }
    }
  }
  process.exitCode = thrown % 1000 === 0 ? 0 : 1;
}
