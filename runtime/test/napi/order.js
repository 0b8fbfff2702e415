'use strict';

// What runs after a call from an addon: ticks and microtasks after the outermost callback, and not after an inner one.

const addon = require(process.argv[2]);
const log = [];

function mark(name) {
  log.push(name);
  process.nextTick(() => log.push(`${name} tick`));
  Promise.resolve().then(() => log.push(`${name} micro`));
  queueMicrotask(() => process.nextTick(() => log.push(`${name} late tick`)));
}

function show(title) {
  console.log(`${title}: ${log.splice(0).join(', ')}`);
}

const later = () => new Promise((done) => setTimeout(done, 5));

async function main() {
  addon.call(() => mark('call'));
  log.push('after call');
  await later();
  show('napi_call_function from JavaScript');

  addon.makeCallback(() => mark('callback'));
  log.push('after callback');
  await later();
  show('napi_make_callback from JavaScript');

  await new Promise((done) => {
    let left = 2;
    addon.work(() => {
      mark(`work ${left}`);
      if (--left === 0) setImmediate(done);
    }, 2);
  });
  show('two calls in one completion');

  const promise = addon.promiseWork();
  mark('before');
  log.push(await promise);
  await later();
  show('a promise settled by work');

  for (const [how, name] of [[0, 'napi_call_function'], [1, 'napi_make_callback'], [2, 'napi_open_callback_scope']]) {
    await new Promise((done) => {
      addon.timer(1, how, () => {
        mark(name);
        setImmediate(() => {
          log.push('immediate');
          done();
        });
      });
    });
    await later();
    show(`${name} from the loop`);
  }

  await new Promise((done) => addon.threadsafe((n) => mark(`item ${n}`), 3, 0, () => {
    mark('finished');
    setImmediate(done);
  }));
  await later();
  show('a thread');

  let sum = 0;
  await new Promise((done) => addon.threadsafe((n) => { sum += n; }, 5000, 3, done));
  console.log('five thousand through room for three:', sum);

  const order = [];
  const all = [];
  for (let i = 0; i < 3; i++) all.push(addon.promiseWork().then((text) => order.push(text)));
  await Promise.all(all);
  console.log(order.join());
}

main();
