'use strict';

// Damaged input for everything that reads a format: URLs, compressed data, structured clones, source maps, changesets of SQLite, traces, answers of name
// servers, frames of WebSocket, messages of a child's channel, recorded schedules. Samples are made, damaged by the rules of `damage`, and read.
//
//   rota runtime/test/fuzz/formats.js SEED ROUNDS [part]     the same seed damages in the same way
//
// Any answer and any error of the interface is fine. Failures: the process dies, a sanitizer reports, or an error comes from the middle of the
// runtime (an error without a code whose first line is in node:internal): somebody did not check what he read.

const choices = require('../js/random');
const { sync } = require('./formats_sync');
const { answers, frames, messages, schedules } = require('./formats_async');

const [, , seed = '1', rounds = '200', only] = process.argv;
const chance = choices(Number(seed), 77);
const counts = { read: 0, refused: 0, failed: 0 };

// ---- damage ----

const kWords = ['', '\0', '%', '%zz', '//', '\\', '@', ':', '[::1]', '..', '?', '#', '{', '}', '"', '\\u', '\ud800', ',', ';', '\uff0e', 'xn--', '-1', '1e999', 'AAAA', 'null', '\r\n'];
const kNumbers = [0, 1, 0x7f, 0x80, 0xff];

function damage(sample) {
  let bytes = Buffer.from(sample);
  for (let n = 1 + chance.below(3); n > 0; n--) {
    const at = chance.below(bytes.length + 1);
    const rest = bytes.subarray(at);
    const how = chance.below(7);
    if (how === 0 && at < bytes.length) bytes[at] = chance.below(256);
    else if (how === 1 && at < bytes.length) bytes[at] ^= 1 << chance.below(8);
    else if (how === 2) bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(chance.pick(kWords)), rest]);
    else if (how === 3) bytes = Buffer.concat([bytes.subarray(0, at), rest.subarray(chance.below(9))]);
    else if (how === 4) bytes = Buffer.from(bytes.subarray(0, at));
    else if (how === 5 && bytes.length < 20000) bytes = Buffer.concat([bytes.subarray(0, at), rest.subarray(0, 40), rest]);
    else if (at < bytes.length) bytes.fill(chance.pick(kNumbers), at, Math.min(bytes.length, at + 1 + chance.below(8)));
  }
  return bytes;
}

// ---- what is wrong ----

function judge(error, part, bytes) {
  counts.refused++;
  const place = /\n\s+at (.*)/.exec(error?.stack ?? '')?.[1] ?? '';
  const isOurs = error instanceof Error && error.code === undefined && /TypeError|ReferenceError|RangeError/.test(error.name) && /node:internal/.test(place);
  if (!isOurs || isUsual(error)) return;
  counts.failed++;
  console.log(`${part}: ${error.stack.split('\n').slice(0, 4).join('\n')}\n  of ${Buffer.from(bytes).toString('base64').slice(0, 400)}`);
}

// The language's own words for what was damaged.
const isUsual = (error) => /Invalid (array|string) length|Out of memory|out of memory|Maximum call stack|Array buffer allocation/.test(error.message);

let current = ['start', ''];
process.on('uncaughtException', (error) => judge(error, ...current));
process.on('unhandledRejection', (error) => judge(error, ...current));

function readOne(part, { sample, read }) {
  const bytes = damage(sample(chance));
  current = [part, bytes];
  counts.read++;
  try {
    return read(bytes, chance);
  } catch (error) {
    judge(error, part, bytes);
  }
}

async function main() {
  const wanted = ([name]) => only === undefined || name === only;
  for (let n = 0; n < Number(rounds); n++) for (const [name, format] of Object.entries(sync).filter(wanted)) readOne(name, format);
  for (const [name, format] of Object.entries({ answers, frames, messages, schedules }).filter(wanted)) {
    const open = await format.open(chance);
    for (let n = 0; n < Number(rounds) / format.costs; n++) {
      await readOne(name, { sample: open.sample, read: (bytes) => open.read(bytes, chance).catch((error) => judge(error, name, bytes)) });
    }
    const trouble = await open.close();
    if (trouble !== undefined) {
      counts.failed++;
      console.log(`${name}: ${trouble}`);
    }
  }
  console.log(`${counts.read} read, ${counts.refused} refused, ${counts.failed} failed`);
  process.exit(counts.failed > 0 ? 1 : 0);
}
main().catch((error) => {
  console.log(error);
  process.exit(1);
});
