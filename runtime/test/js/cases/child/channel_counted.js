'use strict';
// What keeps a process with a channel alive: listeners, reference counts (execa), or the last call of ref() or unref().
const { fork } = require('child_process');

const names = (channel) => Object.getOwnPropertyNames(Object.getPrototypeOf(channel)).sort().join();

if (process.send === undefined) {
  const ways = ['nothing', 'counted', 'twice', 'below', 'listener', 'decided', 'undecided'];
  const next = () => {
    const way = ways.shift();
    if (way === undefined) return;
    const child = fork(__filename, [way]);
    const { channel } = child;
    channel.on('unref', () => console.log('parent: unref'));
    console.log(way, names(channel), channel.fd >= 0);
    if (way === 'counted') {
      channel.refCounted();
      channel.unrefCounted();
    }
    child.on('message', (message) => console.log('parent:', message));
    child.on('exit', (code) => {
      console.log('parent: exit', code);
      next();
    });
  };
  next();
} else {
  const { channel } = process;
  const later = (work) => setTimeout(work, 20);
  channel.on('unref', () => process.send('unref'));
  const ways = {
    nothing() {},
    counted() {
      channel.refCounted();
      later(() => channel.unrefCounted()).unref();
    },
    twice() {
      channel.refCounted();
      channel.refCounted();
      later(() => {
        channel.unrefCounted();
        later(() => channel.unrefCounted()).unref();
      }).unref();
    },
    below() {
      channel.unrefCounted();
      channel.refCounted();
      channel.refCounted();
      later(() => channel.unrefCounted()).unref();
    },
    listener() {
      const hear = () => {};
      process.on('message', hear);
      channel.refCounted();
      later(() => {
        process.off('message', hear);
        later(() => channel.unrefCounted()).unref();
      }).unref();
    },
    decided() {
      channel.unref();
      channel.refCounted();
    },
    undecided() {
      channel.ref();
      channel.refCounted();
      channel.unrefCounted();
      later(() => channel.unref()).unref();
    },
  };
  ways[process.argv[2]]();
  process.on('exit', () => process.send(`end of ${process.argv[2]}`));
}
