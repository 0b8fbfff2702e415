'use strict';
// pprof's format: a message Profile of profile.proto, compressed by gzip. How often a stack was met, and for how long.

const { gzipSync } = require('zlib');
const { Message } = require('internal/cli/export/protobuf');
const { stacksOf } = require('internal/cli/export/stacks');

// Fields of profile.proto.
const PROFILE = { sampleType: 1, sample: 2, location: 4, function: 5, strings: 6, duration: 10, defaultType: 14 };
const VALUE_TYPE = { type: 1, unit: 2 };
const SAMPLE = { location: 1, value: 2, label: 3 };
const LABEL = { key: 1, text: 2 };
const LOCATION = { id: 1, line: 4 };
const LINE = { function: 1, line: 2 };
const FUNCTION = { id: 1, name: 2, systemName: 3, file: 4 };

class Numbers {
  constructor(first) {
    this.known = new Map();
    this.next = first;
  }
  // Of a new one, `make` is called with its number.
  of(key, make) {
    let number = this.known.get(key);
    if (number === undefined) {
      number = this.next++;
      this.known.set(key, number);
      make?.(number);
    }
    return number;
  }
}

function pprof(trace) {
  const profile = new Message();
  const strings = new Numbers(0);
  const functions = new Numbers(1);
  const locations = new Numbers(1);
  const text = (value) => strings.of(value);
  text(''); // by the format, the first is empty
  const functionOf = ({ name, file = '' }) =>
    functions.of(`${name}\n${file}`, (id) => {
      const message = new Message().number(FUNCTION.id, id).number(FUNCTION.name, text(name));
      profile.message(
        PROFILE.function,
        message.number(FUNCTION.systemName, text(name)).number(FUNCTION.file, text(file)),
      );
    });
  const locationOf = (frame) =>
    locations.of(JSON.stringify(frame), (id) => {
      const line = new Message().number(LINE.function, functionOf(frame)).number(LINE.line, frame.line ?? 0);
      profile.message(PROFILE.location, new Message().number(LOCATION.id, id).message(LOCATION.line, line));
    });
  const typeOf = (type, unit) => new Message().number(VALUE_TYPE.type, text(type)).number(VALUE_TYPE.unit, text(unit));
  profile
    .message(PROFILE.sampleType, typeOf('samples', 'count'))
    .message(PROFILE.sampleType, typeOf('time', 'nanoseconds'));
  let whole = 0;
  for (const { name, stacks } of stacksOf(trace)) {
    const sums = new Map(); // by the locations, the innermost first
    for (const { frames, took } of stacks) {
      const key = [...frames].reverse().map(locationOf);
      const sum = sums.get(String(key)) ?? { key, count: 0, took: 0 };
      sum.count++;
      sum.took += took;
      whole += took;
      sums.set(String(key), sum);
    }
    const label = new Message().number(LABEL.key, text('thread')).number(LABEL.text, text(name));
    for (const { key, count, took } of sums.values())
      profile.message(
        PROFILE.sample,
        new Message().packed(SAMPLE.location, key).packed(SAMPLE.value, [count, took]).message(SAMPLE.label, label),
      );
  }
  profile.number(PROFILE.duration, whole).number(PROFILE.defaultType, text('time'));
  return gzipSync(profile.texts(PROFILE.strings, strings.known.keys()).done());
}

module.exports = { pprof };
