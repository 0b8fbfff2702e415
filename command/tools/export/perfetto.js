'use strict';
// Perfetto's own format: a message Trace of packets, with tracks for threads and loops, and slices on them. Of two
// slices on one track, one must be inside of the other, or they must not touch: what overlaps gets a further track.

const { Message } = require('internal/cli/export/protobuf');

// Fields of trace.proto and those that it includes.
const TRACE = { packet: 1 };
const PACKET = { timestamp: 8, sequence: 10, event: 11, flags: 13, descriptor: 60 };
const DESCRIPTOR = { uuid: 1, name: 2, process: 3, parent: 5 };
const PROCESS = { pid: 1, name: 6 };
const EVENT = { annotation: 4, type: 9, track: 11, category: 22, name: 23 };
const ANNOTATION = { number: 4, text: 6, name: 10 };
const BEGIN = 1;
const END = 2;
const SEQUENCE = 1;
const CLEARED = 1; // nothing that was said before holds
const ROOT = 1;

const kLeftOut = new Set(['sample', 'cause', 'rota']);
const kTracks = { operation: 'operations' }; // those that are not on the thread's own

function slicesOf(trace) {
  const [start, duration, category, track, name, detail] = trace.events.columns;
  const slices = [];
  for (let i = 0; i < trace.events.length; i++) {
    const kind = trace.categories[category[i]];
    if (kLeftOut.has(kind)) continue;
    const details = JSON.parse(trace.details.list[detail[i]]);
    const begin = start[i];
    slices.push({ kind, begin, end: begin + duration[i], track: track[i], name: trace.strings.list[name[i]], details });
  }
  return slices.sort((x, y) => x.begin - y.begin || y.end - x.end);
}

// A track is { uuid, name, open }; open are the ends of slices that go on, the innermost last.
class Tracks {
  constructor(trace) {
    this.lists = new Map();
    this.all = [];
    this.threads = new Map(
      [...trace.tracks].map(([tid, index]) => [index, trace.meta.threads[tid] ?? `thread ${tid}`]),
    );
  }
  for({ kind, track, begin, end }) {
    const key = `${track} ${kTracks[kind] ?? ''}`;
    if (!this.lists.has(key)) this.lists.set(key, []);
    const list = this.lists.get(key);
    for (const each of list) while (each.open.length > 0 && each.open.at(-1) <= begin) each.open.pop();
    let own = list.find(({ open }) => open.length === 0 || open.at(-1) >= end);
    if (own === undefined) {
      const thread = this.threads.get(track);
      const title = kTracks[kind] === undefined ? thread : `${thread}: ${kTracks[kind]}`;
      own = { uuid: ROOT + 1 + this.all.length, name: title, open: [] };
      list.push(own);
      this.all.push(own);
    }
    own.open.push(end);
    return own.uuid;
  }
}

function annotate(event, details) {
  for (const [key, value] of Object.entries(details)) {
    const isCount = Number.isSafeInteger(value) && value >= 0;
    const annotation = new Message().text(ANNOTATION.name, key);
    if (isCount) annotation.number(ANNOTATION.number, value);
    else annotation.text(ANNOTATION.text, String(value));
    event.message(EVENT.annotation, annotation);
  }
  return event;
}

function perfetto(trace, { title }) {
  const tracks = new Tracks(trace);
  const file = new Message();
  const put = (fill, flags = 0) =>
    file.message(TRACE.packet, fill(new Message()).number(PACKET.sequence, SEQUENCE).number(PACKET.flags, flags));
  const steps = [];
  for (const [order, slice] of slicesOf(trace).entries()) {
    const uuid = tracks.for(slice);
    const begins = new Message().number(EVENT.type, BEGIN).number(EVENT.track, uuid).text(EVENT.category, slice.kind);
    steps.push({ at: slice.begin, order, event: annotate(begins.text(EVENT.name, slice.name), slice.details) });
    // At one time: what was open is closed from the inside to the outside, before anything begins. What takes no time
    // ends after its own begin.
    const rank = slice.end > slice.begin ? -1 - order : order + 0.5;
    steps.push({ at: slice.end, order: rank, event: new Message().number(EVENT.type, END).number(EVENT.track, uuid) });
  }
  const process = new Message().number(PROCESS.pid, trace.meta.process).text(PROCESS.name, title);
  put(
    (packet) =>
      packet.message(
        PACKET.descriptor,
        new Message().number(DESCRIPTOR.uuid, ROOT).message(DESCRIPTOR.process, process),
      ),
    CLEARED,
  );
  for (const { uuid, name } of tracks.all)
    put((packet) =>
      packet.message(
        PACKET.descriptor,
        new Message().number(DESCRIPTOR.uuid, uuid).text(DESCRIPTOR.name, name).number(DESCRIPTOR.parent, ROOT),
      ),
    );
  for (const { at, event } of steps.sort((x, y) => x.at - y.at || x.order - y.order))
    put((packet) => packet.number(PACKET.timestamp, at).message(PACKET.event, event));
  return file.done();
}

module.exports = { perfetto };
