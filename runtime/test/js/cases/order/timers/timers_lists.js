// Many timers of many lengths, cleared and started anew while others run: each runs once, in the order of its time, and those of
// one length in the order in which they were started.
let seed = 20;
const random = (n) => (seed = Math.imul(seed, 1103515245) + 12345 & 0x7fffffff) % 65521 % n;
const lengths = [1, 2, 3, 5, 8, 129, 257, 40]; // some share their low bits
const timers = [];
const log = new Map(lengths.map((length) => [length, []]));
let alive = 0;
let starts = 0;

function add() {
  const length = lengths[random(lengths.length)];
  const entry = { length, order: ++starts, runs: 0 };
  entry.timer = setTimeout(() => {
    alive--;
    entry.runs++;
    log.get(length).push(entry.order);
    const other = timers[random(timers.length)];
    const chance = random(4);
    if (chance === 0 && !other.timer._destroyed && other !== entry) {
      clearTimeout(other.timer);
      other.cleared = true;
      alive--;
    } else if (chance === 1 && !other.timer._destroyed && other.timer._idleNext !== null) {
      other.timer.refresh();
      other.order = ++starts;
    } else if (chance === 2 && starts < 4000) {
      process.nextTick(add);
    } else if (starts < 4000) {
      Promise.resolve().then(add);
    }
  }, length);
  alive++;
  timers.push(entry);
}
for (let i = 0; i < 1500; i++) add();

process.on('exit', () => {
  console.log(alive, timers.every(({ runs, cleared }) => runs === (cleared ? 0 : 1)), timers.every(({ timer }) => timer._destroyed));
  for (const [length, orders] of log) console.log(length, orders.length > 0, orders.every((order, i) => i === 0 || order > orders[i - 1]));
});
