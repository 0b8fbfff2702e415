'use strict';
// Reads a compact trace (observe/trace/compact.h; doc/TRACE.md has the form): gives the lines that JSON would have.

const fs = require('fs');

const FORMAT = 1;
const HEAD_SIZE = 128;
const BLOCK_HEAD = 16;
const BLOCK_MAX = 1 << 17;

// Words in the place of a template's number.
const TEMPLATE = 0;
const FORGET = 1;
const FIRST = 2;

// What stands for a number in a template.
const INTEGER = 1;
// 2: with three decimals
const TIME = 3;
const DURATION = 4;

function checksum(bytes) {
  let sum = 2166136261; // FNV-1a
  for (let i = 0; i < bytes.length; i++) sum = Math.imul(sum ^ bytes[i], 16777619);
  return sum >>> 0;
}

const decimal = (value) => `${Math.floor(value / 1000)}.${String(value % 1000).padStart(3, '0')}`;

function newTemplate(text) {
  const parts = text.split(/[\x01-\x04]/);
  const kinds = [];
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) <= DURATION) kinds.push(text.charCodeAt(i));
  return { parts, kinds, last: new Array(kinds.length).fill(0) };
}

// The lines of a segment: its templates are its own.
class Lines {
  constructor(fault) {
    this.fault = fault;
    this.templates = [];
    this.time = 0;
  }
  open(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  varint() {
    const { bytes } = this;
    let value = 0;
    for (let factor = 1; this.at < bytes.length && factor <= 2 ** 63; factor *= 128) {
      const byte = bytes[this.at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw this.fault();
  }
  change() {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
  number(template, i) {
    const kind = template.kinds[i];
    if (kind === DURATION) return (template.last[i] = this.varint());
    const value = (kind === TIME ? this.time : template.last[i]) + this.change();
    if (!Number.isSafeInteger(value) || value < 0) throw this.fault();
    if (kind === TIME) this.time = value;
    return (template.last[i] = value);
  }
  template(word) {
    if (word !== TEMPLATE) return this.templates[word - FIRST];
    const length = this.varint();
    if (this.at + length > this.bytes.length) throw this.fault();
    const template = newTemplate(this.bytes.toString('utf8', this.at, (this.at += length)));
    this.templates.push(template);
    return template;
  }
  next() {
    let word = this.varint();
    while (word === FORGET) {
      this.templates = [];
      word = this.varint();
    }
    const template = this.template(word);
    if (template === undefined) throw this.fault();
    const { parts, kinds } = template;
    let text = parts[0];
    for (let i = 0; i < kinds.length; i++) {
      const value = this.number(template, i);
      text += (kinds[i] === INTEGER ? value : decimal(value)) + parts[i + 1];
    }
    return text;
  }
}

function readAt(fd, length, at) {
  const bytes = Buffer.alloc(length);
  let done = 0;
  for (let n = 1; n > 0 && done < length; done += n) n = fs.readSync(fd, bytes, done, length - done, at + done);
  return bytes.subarray(0, done);
}

// The block there: undefined: there is none, or it is not whole.
function readBlock(fd, at, sequence) {
  const head = readAt(fd, BLOCK_HEAD, at);
  if (head.length < BLOCK_HEAD) return undefined;
  const [length, own, sum, lines] = [0, 4, 8, 12].map((place) => head.readUInt32LE(place));
  if (length > BLOCK_MAX || length === 0 || (sequence !== undefined && own !== sequence)) return undefined;
  const bytes = readAt(fd, length, at + BLOCK_HEAD);
  return bytes.length < length ? undefined : { bytes, lines, sequence: own, isSound: checksum(bytes) === sum };
}

// A program that was killed may have left half a block at the end of its file, or of the newest segment.
function readSegment({ fd, file, from, size, isLast }, onLine, TraceError) {
  let at = from;
  let sequence;
  const fault = () => new TraceError(`${file}: the block at byte ${at} is damaged`);
  const lines = new Lines(fault);
  for (;;) {
    const block = readBlock(fd, at, sequence);
    const next = block === undefined ? at : at + BLOCK_HEAD + block.bytes.length;
    if (block === undefined) {
      if (size === undefined && fs.fstatSync(fd).size > at + BLOCK_HEAD + BLOCK_MAX) throw fault();
      return;
    }
    if (!block.isSound) {
      if (isLast && (size !== undefined || fs.fstatSync(fd).size <= next)) return;
      throw fault();
    }
    ({ sequence } = block);
    lines.open(block.bytes);
    for (let i = 0; i < block.lines; i++) onLine(lines.next());
    at = next;
    if (size !== undefined && at + BLOCK_HEAD > from + size) return;
  }
}

// Calls onLine(text) for each event.
function readCompact(fd, file, onLine, TraceError) {
  const head = readAt(fd, HEAD_SIZE, 0).toString('latin1');
  const [, format, segments, size] = /^rota-trace (\d+) .*segments=([14]) segment=(\d{1,13}) /.exec(head) ?? [];
  if (format !== undefined && +format > FORMAT) {
    throw new TraceError(`${file} was written by a newer rota: its form is ${format}`);
  }
  if (format === undefined || (+segments > 1 && +size < 4 * BLOCK_MAX)) {
    throw new TraceError(`${file}: the beginning of this compact trace is damaged`);
  }
  if (+segments === 1) {
    readSegment({ fd, file, from: HEAD_SIZE, isLast: true }, onLine, TraceError);
    return;
  }
  const found = [];
  for (let i = 0; i < +segments; i++) {
    const from = HEAD_SIZE + i * +size;
    const block = readBlock(fd, from);
    if (block !== undefined) found.push({ fd, file, from, size: +size, sequence: block.sequence, isLast: false });
  }
  found.sort((x, y) => x.sequence - y.sequence);
  if (found.length > 0) found.at(-1).isLast = true;
  for (const segment of found) readSegment(segment, onLine, TraceError);
}

module.exports = { readCompact };
