// process.memoryUsage() and the figures of v8 are plausible, and cheap enough to be asked for often.
const v8 = require('v8');
const vm = require('vm');

const before = process.memoryUsage();
console.log(Object.keys(before).join(' '));
console.log('used at most total', before.heapUsed <= before.heapTotal, before.heapUsed > 100_000);
const kept = Array.from({ length: 64 }, () => Buffer.alloc(1 << 20));
const after = process.memoryUsage();
const large = (name) => after[name] - before[name] > 32 << 20;
console.log('buffers', large('external'), large('arrayBuffers'), large('heapTotal'), large('heapUsed'), kept.length);
const objects = Array.from({ length: 200_000 }, (_, index) => ({ index }));
console.log('objects', process.memoryUsage().heapUsed - after.heapUsed > 2 << 20, objects.length);

const started = process.cpuUsage();
for (let i = 0; i < 200; i++) process.memoryUsage();
const { user, system } = process.cpuUsage(started);
console.log('200 calls below a second of processor time', user + system < 1e6);

const contexts = v8.getHeapStatistics().number_of_native_contexts;
const more = [vm.createContext(), vm.createContext()];
console.log('contexts', contexts, v8.getHeapStatistics().number_of_native_contexts, more.length);

const [seconds, rest] = process.hrtime();
const whole = process.hrtime.bigint() - (BigInt(seconds) * 1_000_000_000n + BigInt(rest));
console.log('clock', whole >= 0n, whole < 1_000_000_000n);
