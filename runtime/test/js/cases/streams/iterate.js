'use strict';
// Async iteration, and the helpers that are built on it.
const { Readable, PassThrough } = require('stream');
const { watch, log, play } = require('./support/watch.js');
const source = (items, options) => new Readable({ ...options, read() { this.push(items.length > 0 ? items.shift() : null); } });
const few = ['end', 'close', 'error', 'pause', 'resume'];
const said = (name) => (...args) => log(name, ...args);

play({
  async whole() {
    for await (const chunk of watch('r', source(['a', 'b', 'c']), few)) log('chunk', chunk);
    log('done');
  },
  async 'break'() {
    const r = watch('r', source(['a', 'b', 'c']), few);
    for await (const chunk of r) { log('chunk', chunk); break; }
    log('broken', r.destroyed);
  },
  async 'throw'() {
    const r = watch('r', source(['a', 'b', 'c']), few);
    try { for await (const chunk of r) throw new Error(`at ${chunk}`); } catch (error) { log('caught', error); }
    log(r.destroyed);
  },
  async 'the stream fails'() {
    let n = 0;
    const r = watch('r', new Readable({ read() { if (n++ < 2) this.push('x'); else this.destroy(new Error('source')); } }), few);
    try { for await (const chunk of r) log('chunk', chunk); } catch (error) { log('caught', error); }
  },
  async 'destroyed before'() {
    const r = watch('r', source(['a']), few);
    r.destroy();
    try { for await (const chunk of r) log('chunk', chunk); log('nothing'); } catch (error) { log('caught', error); }
  },
  async 'kept'() {
    const r = watch('r', source(['a', 'b', 'c']), few);
    for await (const chunk of r.iterator({ destroyOnReturn: false })) { log('first', chunk); break; }
    log(r.destroyed);
    for await (const chunk of r) log('then', chunk);
  },
  async 'pushed while waiting'() {
    const r = watch('r', new PassThrough(), few);
    setImmediate(() => { r.write('a'); r.write('b'); setImmediate(() => r.end('c')); });
    for await (const chunk of r) log('chunk', chunk);
    log('done');
  },
  async 'by hand'() {
    const iterator = source(['a', 'b'])[Symbol.asyncIterator]();
    const all = [iterator.next(), iterator.next(), iterator.next()];
    for (const each of all) each.then(({ value, done }) => log(value, done));
    await Promise.all(all);
    log((await iterator.return()).done);
  },
  async 'helpers'() {
    const from = () => Readable.from([1, 2, 3, 4]);
    log(await from().map((x) => x * 2).toArray());
    log(await from().filter(async (x) => x % 2 === 0).toArray());
    log(await from().flatMap((x) => [x, x]).toArray());
    log(await from().take(2).toArray(), await from().drop(2).toArray());
    log(await from().reduce((sum, x) => sum + x, 0), await from().reduce((sum, x) => sum + x));
    log(await from().some((x) => x > 3), await from().every((x) => x > 3), await from().find((x) => x > 2));
    await from().forEach((x) => log('each', x));
  },
  async 'helpers, at once'() {
    let running = 0;
    const work = async (x) => { log('begin', x, ++running); await new Promise((resolve) => setImmediate(resolve)); running--; return x; };
    log(await Readable.from([1, 2, 3, 4]).map(work, { concurrency: 2 }).toArray());
  },
  async 'helpers, failing'() {
    await Readable.from([1, 2]).map((x) => { throw new Error(`no ${x}`); }).toArray().catch(said('rejected'));
    await Readable.from([]).reduce((a, b) => a + b).catch(said('rejected'));
    const controller = new AbortController();
    const running = Readable.from([1, 2]).toArray({ signal: controller.signal });
    controller.abort();
    await running.catch(said('rejected'));
    for (const wrong of [() => Readable.from([]).map(5), () => Readable.from([]).take(-1), () => Readable.from([]).drop('x')]) try { wrong(); } catch (error) { log(error); }
  },
});
