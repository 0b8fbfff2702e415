'use strict';

// How ports end: 'close' comes in the closing phase, the last one closed first; the other end hears of it in the next iteration's
// poll phase, unless it has something that was not read. What comes for a port that closes is lost, except while it hears messages.
const { MessageChannel, receiveMessageOnPort } = require('worker_threads');

const { log } = console;

function setup(name, listens1 = true, listens2 = true) {
  const { port1, port2 } = new MessageChannel();
  port1.on('close', (...args) => {
    log(name, 'c1', args.length, args[0].constructor.name, args[0].type);
    process.nextTick(() => log(name, 'tick c1'));
  });
  port2.on('close', () => {
    log(name, 'c2');
    Promise.resolve().then(() => log(name, 'micro c2'));
  });
  if (listens1) port1.on('message', (m) => log(name, 'm1', m));
  if (listens2) port2.on('message', (m) => log(name, 'm2', typeof m === 'object' ? 'port' : m));
  return { port1, port2 };
}

const cases = {
  plain() { const { port1 } = setup('plain', false, false); port1.close(() => log('cb')); },
  started() { const { port1 } = setup('started'); port1.close((...a) => log('cb', a.length)); },
  pending1() { const { port1, port2 } = setup('pending'); port2.postMessage(1); port1.close(); },
  pending2() { const { port1, port2 } = setup('pending'); port1.postMessage(1); port1.close(); },
  pendingBoth() { const { port1, port2 } = setup('pending'); port1.postMessage(1); port2.postMessage(2); port1.close(); },
  notStarted2() { const { port1, port2 } = setup('ns2', true, false); port1.postMessage(1); port1.close(); log(receiveMessageOnPort(port2)); },
  both() { const { port1, port2 } = setup('both'); port1.close(); port2.close(); },
  bothReverse() { const { port1, port2 } = setup('bothR'); port2.close(); port1.close(); },
  inMessage() { let n = 0; const { port1, port2 } = setup('inm'); port2.on('message', () => { log('closing'); port2.close(); if (n++ < 4) port1.postMessage(2); }); port1.postMessage(1); port1.postMessage(3); },
  inMessage1() { const { port1, port2 } = setup('inm1'); port2.on('message', () => { log('closing'); port1.close(); }); port1.postMessage(1); port1.postMessage(3); },
  tick() { const { port1, port2 } = setup('t'); port1.postMessage(1); process.nextTick(() => port1.close()); },
  afterClose() { const { port1, port2 } = setup('ac'); port1.close(); port1.postMessage(1); port2.postMessage(2); log(port1.hasRef?.(), port2.hasRef?.()); },
  two() { const a = setup('A'), b = setup('B'); b.port1.close(); a.port2.close(); },
  unref() { const a = setup('A', false, true); a.port1.postMessage(1); a.port2.unref(); a.port1.close(); },
  transfer() { const a = setup('A'), b = setup('B'); a.port2.on('message', (p) => { p.on('close', () => log('pclose')); p.on('message', (m) => { log('pm', m); p.close(); }); }); b.port2.postMessage('early'); a.port1.postMessage(b.port1, [b.port1]); b.port2.postMessage('late'); setImmediate(() => setImmediate(() => setImmediate(() => a.port1.close()))); },
  receive() { const { port1, port2 } = setup('rc', false, false); port1.postMessage(1); port1.close(); port2.on('message', (m) => log('late', m)); },
  inClose() { const { port1, port2 } = setup('ic'); port1.on('close', () => { port2.close(); port2.postMessage(1); port1.postMessage(2); setImmediate(() => log('ici')); }); port1.close(); },
};

let phase = 0;
function spin() {
  log('immediate', ++phase);
  if (phase < 9) setImmediate(spin);
}
const turns = async (n) => { while (n-- > 0) await new Promise((resolve) => setImmediate(resolve)); };

(async () => {
  for (const [name, run] of Object.entries(cases)) {
    for (const from of ['immediate', 'timer']) {
      log('##', name, from);
      phase = 0;
      const start = () => { run(); setImmediate(spin); };
      if (from === 'immediate') setImmediate(start);
      else await new Promise((resolve) => setTimeout(() => { start(); resolve(); }, 1));
      await turns(14);
    }
  }
})();
