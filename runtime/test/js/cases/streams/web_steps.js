// How many jobs the steps of a stream's iterator take, where chunks come while they are read and where the iterator is ended.
const { run, wait } = require('./support/jobs.js');

const programs = {};
for (const type of ['bytes', undefined]) {
  for (const highWaterMark of [0, 1, 2]) {
    for (const [name, before, after] of [['pull', 0, 0], ['later', 1, 0], ['slow loop', 0, 6]]) {
      programs[`${type} ${name} ${highWaterMark}`] = async (at) => {
        let i = 0;
        const give = (c) => { c.enqueue(new Uint8Array([i++])); if (i >= 4) c.close(); };
        const pull = (c) => { at('pull')(); return before > 0 ? wait(before).then(() => give(c)) : give(c); };
        for await (const x of new ReadableStream({ type, pull }, { highWaterMark })) { at(`i${x}`)(); await wait(after); }
        at('end')();
      };
    }
  }
}
const values = (at, options) => new ReadableStream({ start(c) { c.enqueue(1); }, cancel() { at('cancel')(); } }).values(options);
Object.assign(programs, {
  'return first'(at) { const i = values(at); i.return(5).then(at('ret')); i.next().then(at('n')); i.next().then(at('n2')); },
  async 'return, later next'(at) { const i = values(at); i.return(5).then(at('ret')); await wait(6); at('now')(); i.next().then(at('n')); i.next().then(at('n2')); i.return().then(at('ret2')); },
  'return thrice'(at) { const i = values(at); for (const k of [1, 2, 3]) i.return(k).then(at(`ret${k}`)); },
  'return thrice, no cancel'(at) { const i = values(at, { preventCancel: true }); for (const k of [1, 2, 3]) i.return(k).then(at(`ret${k}`)); },
  'next, return'(at) { const i = values(at); i.next().then(at('n')); i.return(6).then(at('ret')); i.return(6).then(at('ret2')); i.next().then(at('n2')); },
  async 'next, later return'(at) { const i = values(at); await i.next(); at('n')(); i.return(6).then(at('ret')); i.return(6).then(at('ret2')); i.next().then(at('n2')); },
});
for (const [name, consume] of Object.entries(require('stream/consumers'))) {
  for (const count of [0, 2]) {
    programs[`${name} ${count}`] = (at) => {
      let i = 0;
      consume(new ReadableStream({ start(c) { c.enqueue(Buffer.from('1')); for (let k = 0; k < count; k++) c.enqueue(new Uint8Array([48])); c.close(); } })).then(at('chunks'));
      consume((async function* () { yield Buffer.from('1'); for (let k = 0; k < count; k++) yield Buffer.from('0'); })()).then(at('generator'));
      consume(new ReadableStream({ type: 'bytes', pull(c) { c.enqueue(new Uint8Array([49])); if (i++ >= count) c.close(); } })).then(at('bytes'));
    };
  }
}

run(programs);
