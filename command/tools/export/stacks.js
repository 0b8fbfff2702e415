'use strict';
// What the threads of a trace did, as stacks with times: for tools that show profiles. A callback that was sampled has
// the stacks that were seen, each for the time since the one before it; what nobody has looked at counts for the
// callback alone. Waits are left out: nothing runs then.

const kSeenNs = 30e6; // a sample tells of no longer time than this, but for code of C++, which answers when it is over

// "parse (/srv/parse.js:7)".
function frameOf(text) {
  const [, name, file, line] = /^([^]*) \(([^()]*?)(?::(\d+))?\)$/.exec(text) ?? [text, text];
  return { name, file, line: line === undefined ? undefined : Number(line) };
}

function callsByTrack(trace) {
  const [start, duration, category, track] = trace.events.columns;
  const call = trace.categories.indexOf('call');
  const tracks = new Map();
  for (let i = 0; i < trace.events.length; i++) {
    if (category[i] !== call) continue;
    if (!tracks.has(track[i])) tracks.set(track[i], []);
    tracks.get(track[i]).push(i);
  }
  for (const list of tracks.values()) list.sort((x, y) => start[x] - start[y] || duration[y] - duration[x]);
  return tracks;
}

function stacksOfCall(trace, i, samples) {
  const [start, duration, , , name, detail] = trace.events.columns;
  const { file, line } = JSON.parse(trace.details.list[detail[i]]);
  const own = { name: trace.strings.list[name[i]], file, line };
  const stacks = [];
  let left = duration[i];
  let before = start[i];
  for (const { at, stack } of samples) {
    const isNative = !stack.at(-1).includes(' (');
    const took = Math.min(at - before, left, isNative ? Infinity : kSeenNs);
    before = at;
    if (took <= 0) continue;
    stacks.push({ frames: stack.map(frameOf), took });
    left -= took;
  }
  if (left > 0 || stacks.length === 0) stacks.push({ frames: [own], took: left });
  return stacks;
}

// By thread: { name, stacks: [{ frames, took }] }, the outermost frame first. A callback inside of another one is a
// part of that.
function stacksOf(trace) {
  const [start, duration, , , , , , , number] = trace.events.columns;
  const samples = new Map();
  for (const sample of trace.samples) {
    if (sample.stack.length === 0) continue;
    if (!samples.has(sample.call)) samples.set(sample.call, []);
    samples.get(sample.call).push(sample);
  }
  const names = new Map([...trace.tracks].map(([tid, index]) => [index, trace.meta.threads[tid] ?? `thread ${tid}`]));
  return [...callsByTrack(trace)].map(([track, calls]) => {
    let until = -1;
    const stacks = [];
    for (const i of calls) {
      if (start[i] < until) continue;
      until = start[i] + duration[i];
      stacks.push(
        ...stacksOfCall(
          trace,
          i,
          (samples.get(number[i]) ?? []).sort((x, y) => x.at - y.at),
        ),
      );
    }
    return { name: names.get(track), stacks };
  });
}

module.exports = { stacksOf };
