// The mocked clock: callbacks, promises, dates, signals, and what is there again afterwards.
const { mock } = require('node:test');
const timers = require('node:timers');
const promised = require('node:timers/promises');
const real = [setTimeout, timers.setTimeout, promised.setTimeout, promised.setImmediate, Date];

const pause = async () => {
  for (let i = 0; i < 4; i++) await new Promise(process.nextTick);
};

async function main() {
  mock.timers.enable({ now: 1000 });
  console.log(Date.now(), new Date().toISOString(), `${Date}`);
  const said = [];
  setTimeout((word) => said.push(word, Date.now()), 10, 'timeout');
  timers.setInterval(() => said.push('interval'), 4);
  setImmediate(() => said.push('immediate'));
  promised.setTimeout(5, 'promised').then((value) => said.push(value));
  promised.scheduler.wait(6).then((value) => said.push('waited', value));
  promised.setImmediate('soon').then((value) => said.push(value));
  AbortSignal.timeout(8).addEventListener('abort', ({ target }) => said.push(target.reason.name));
  const controller = new AbortController();
  promised.setTimeout(5, 'never', { signal: controller.signal }).catch((error) => said.push(error.name, error.cause));
  controller.abort('enough');
  const cleared = setTimeout(() => said.push('cleared'), 1);
  clearTimeout(cleared);
  mock.timers.tick(4);
  await pause();
  console.log(said.splice(0));
  mock.timers.tick(6);
  await pause();
  console.log(said.splice(0), Date.now());
  mock.timers.setTime(5000);
  console.log(Date.now());
  mock.timers.tick(2);
  console.log(new Set(said.splice(0)), Date.now());
  const turns = [];
  const loop = (async () => {
    for await (const value of promised.setInterval(3, 'turn')) if (turns.push(value) === 2) break;
  })();
  await pause();
  mock.timers.tick(3);
  await pause();
  mock.timers.tick(3);
  await loop;
  console.log(turns);
  mock.timers.reset();
  console.log([setTimeout, timers.setTimeout, promised.setTimeout, promised.setImmediate, Date].map((each, i) => each === real[i]));
  for (const options of [{ now: -1 }, { now: 'x' }, { apis: ['none'] }, { apis: 'Date' }]) {
    try {
      mock.timers.enable(options);
    } catch (error) {
      console.log(error.code);
    }
  }
  try {
    mock.timers.tick();
  } catch (error) {
    console.log(error.code);
  }

  class A { method() { return 1; } }
  class B extends A {}
  const b = new B();
  const method = mock.method(b, 'method', () => 2, { times: 1 });
  console.log(b.method(), b.method(), method.mock.callCount(), Object.hasOwn(b, 'method'));
  mock.restoreAll();
  console.log(b.method(), Object.hasOwn(b, 'method'));
  try {
    mock.method(Object.freeze({ m() {} }), 'm');
  } catch (error) {
    console.log(error.name, error.message);
  }
}
main();
