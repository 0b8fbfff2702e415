'use strict';
// Prints the events of a stream, each with the number of ticks and of rounds of microtasks since the scene began.
const events = ['data', 'end', 'finish', 'close', 'error', 'drain', 'pause', 'resume', 'pipe', 'unpipe', 'readable'];
let ticks = 0;
let rounds = 0;
let scene = 0;
function clock() {
  const mine = ++scene;
  ticks = rounds = 0;
  const tick = () => mine === scene && ++ticks < 40 && process.nextTick(tick);
  process.nextTick(tick);
  const round = () => mine === scene && ++rounds < 40 && Promise.resolve().then(round);
  Promise.resolve().then(round);
}
function text(value) {
  if (value === undefined) return '';
  if (value === null) return 'null';
  if (value instanceof Error) return value.code ?? `${value.name}: ${value.message}`;
  if (Buffer.isBuffer(value)) return `<${value.toString('latin1')}>`;
  if (typeof value === 'object') return typeof value.on === 'function' ? value.constructor.name : JSON.stringify(value);
  return String(value);
}
let counts = true;
function log(...parts) {
  console.log([...(counts ? [`${ticks}.${rounds}`] : []), ...parts.map(text)].join(' ').trimEnd());
}
function watch(name, stream, chosen = events.slice(0, -1)) {
  for (const event of chosen) stream.on(event, (value) => log(name, event, value));
  return stream;
}
// Runs scenes one after the other, each until nothing happens any more. If promises of web streams are involved, only the
// order counts.
async function play(scenes, options) {
  counts = options?.counts ?? true;
  for (const [name, act] of Object.entries(scenes)) {
    console.log('--', name);
    clock();
    await act();
    for (let i = 0; i < 4; i++) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
// Without the numbers: for what comes in the same order, but may come a tick later.
function note(...parts) {
  console.log(['...', ...parts.map(text)].join(' ').trimEnd());
}
module.exports = { watch, log, note, play };
