'use strict';

// Ports deliver in the order in which they were made, not in the order of their messages; in the poll phase, before immediates; a
// message to a port that comes later in the same round is delivered in that round. A listener that throws does not stop others.

const { setImmediate: later } = require('node:timers/promises');

function channel(name, onMessage = () => {}) {
  const made = new MessageChannel();
  for (const side of ['port1', 'port2']) {
    made[side].on('message', (value) => {
      console.log(name, side, value);
      process.nextTick(() => console.log('  tick'));
      if (value !== 5) queueMicrotask(() => console.log('  job'));
      onMessage(made[side], value);
    });
  }
  return made;
}

const tests = {
  async order() {
    const [a, b] = [channel('a'), channel('b')];
    setImmediate(() => console.log('immediate'));
    b.port1.postMessage(1);
    a.port1.postMessage(2);
    a.port2.postMessage(3);
    b.port2.postMessage(4);
    return [a, b];
  },
  async rounds() {
    const c = channel('c', (port, value) => { if (value < 3) port.postMessage(value + 1); });
    setImmediate(() => {
      c.port1.postMessage(0);
      c.port2.postMessage(0);
      c.port1.postMessage(10);
      setImmediate(() => console.log('immediate'));
    });
    return [c];
  },
  async broadcasts() {
    const made = ['x', 'y', 'z'].map((name) => {
      const one = new BroadcastChannel('port_order');
      one.onmessage = ({ data }) => console.log(name, data);
      return one;
    });
    setImmediate(() => console.log('immediate'));
    made[1].postMessage('from y');
    made[0].postMessage('from x');
    for (let i = 0; i < 9; i++) await later();
    for (const one of made) one.close();
    return [];
  },
  async failing() {
    const d = channel('d', (port, value) => { if (value === 5) throw new Error('five'); });
    const e = channel('e');
    process.once('uncaughtException', ({ message }) => console.log('uncaught', message));
    for (const { port1 } of [e, d]) for (const value of [5, 6]) port1.postMessage(value);
    return [d, e];
  },
};

(async () => {
  for (const name in tests) {
    console.log(`-- ${name}`);
    const channels = await tests[name]();
    for (let i = 0; i < 9; i++) await later();
    for (const { port1 } of channels) port1.close();
    await later();
  }
})();
