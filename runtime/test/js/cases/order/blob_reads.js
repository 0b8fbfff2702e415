'use strict';

// After how many jobs the bytes of a blob come, and in which turn of the loop its stream gives a part.
let jobs = 0;
const count = () => { if (++jobs < 40) queueMicrotask(count); };
const start = () => {
  jobs = 0;
  queueMicrotask(count);
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

const reads = {
  'nothing': () => new Blob([]).arrayBuffer(),
  'nothing as bytes': () => new Blob([]).bytes(),
  'an empty part': () => new Blob(['']).text(),
  'one part': () => new Blob(['a']).arrayBuffer(),
  'one part as text': () => new Blob(['a']).text(),
  'one part as bytes': () => new Blob(['a']).bytes(),
  'a file': () => new File(['a'], 'name').text(),
  'four parts': () => new Blob(['a', 'b', 'c', 'd']).arrayBuffer(),
  'blobs within': () => new Blob([new Blob(['c', 'd']), 'e']).arrayBuffer(),
  'an empty part between': () => new Blob(['a', '', 'b']).arrayBuffer(),
  'the first of three': () => new Blob(['a', 'b', 'c']).slice(0, 1).arrayBuffer(),
  'the second of three': () => new Blob(['a', 'b', 'c']).slice(1, 2).arrayBuffer(),
  'the last two': () => new Blob(['a', 'b', 'c']).slice(1, 3).arrayBuffer(),
  'none of three': () => new Blob(['a', 'b', 'c']).slice(0, 0).arrayBuffer(),
  'large': () => new Blob([Buffer.alloc(2000000)]).arrayBuffer(),
};

(async () => {
  for (const [name, read] of Object.entries(reads)) {
    await turn();
    start();
    const value = await read();
    console.log(name, jobs, value.byteLength ?? value);
  }
  for (const parts of [[], ['a'], ['a', 'b', 'c'], [Buffer.alloc(200000), 'end']]) {
    let turns = 0;
    let done = false;
    const spin = () => { turns++; if (!done) setImmediate(spin); };
    await turn();
    setImmediate(spin);
    const reader = new Blob(parts).stream().getReader();
    while (!done) {
      const answer = await reader.read();
      done = answer.done;
      console.log('turn', turns, answer.value?.length, done);
    }
  }
})();
