'use strict';

// Parses answers of name servers (RFC 1035). Every length is checked before it is used; an invalid answer throws, and
// becomes EBADRESP.

class BadResponse extends Error {}

const types = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  NAPTR: 35,
  TLSA: 52,
  ANY: 255,
  CAA: 257,
};

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  need(count) {
    if (this.at + count > this.bytes.length) throw new BadResponse();
  }

  u8() {
    this.need(1);
    return this.bytes[this.at++];
  }

  u16() {
    this.need(2);
    const value = this.bytes[this.at] * 256 + this.bytes[this.at + 1];
    this.at += 2;
    return value;
  }

  u32() {
    return this.u16() * 65536 + this.u16();
  }

  text(length) {
    this.need(length);
    const value = require('buffer')
      .Buffer.from(this.bytes.buffer, this.bytes.byteOffset + this.at, length)
      .toString('latin1');
    this.at += length;
    return value;
  }

  // A name: labels, ended by an empty one or by a pointer backwards. Pointers are counted, so that a cycle ends.
  name() {
    const labels = [];
    let jumps = 0;
    let back = -1;
    for (;;) {
      const length = this.u8();
      if (length === 0) break;
      if ((length & 0xc0) === 0xc0) {
        const target = (length & 0x3f) * 256 + this.u8();
        if (back === -1) back = this.at;
        if (++jumps > 128 || target >= this.bytes.length) throw new BadResponse();
        this.at = target;
        continue;
      }
      if (length & 0xc0) throw new BadResponse();
      labels.push(this.text(length).replace(/[.\\"]/g, '\\$&'));
      if (labels.length > 128) throw new BadResponse();
    }
    if (back !== -1) this.at = back;
    return labels.join('.');
  }
}

function ipv6(bytes) {
  const groups = [];
  for (let i = 0; i < 16; i += 2) groups.push((bytes[i] * 256 + bytes[i + 1]).toString(16));
  return internalBinding('stream').addressText(groups.join(':'), 6);
}

// One record's data, by its type. Unknown types are skipped.
function data(reader, type, end) {
  switch (type) {
    case types.A: {
      if (end - reader.at !== 4) throw new BadResponse();
      const address = `${reader.u8()}.${reader.u8()}.${reader.u8()}.${reader.u8()}`;
      return { address };
    }
    case types.AAAA: {
      if (end - reader.at !== 16) throw new BadResponse();
      const bytes = reader.bytes.subarray(reader.at, end);
      return { address: ipv6(bytes) };
    }
    case types.NS:
    case types.CNAME:
    case types.PTR:
      return { value: reader.name() };
    case types.MX: {
      const priority = reader.u16();
      return { exchange: reader.name(), priority };
    }
    case types.TXT: {
      const entries = [];
      while (reader.at < end) {
        const length = reader.u8();
        if (reader.at + length > end) throw new BadResponse();
        entries.push(reader.text(length));
      }
      return { entries };
    }
    case types.SRV: {
      const priority = reader.u16();
      const weight = reader.u16();
      const port = reader.u16();
      return { name: reader.name(), port, priority, weight };
    }
    case types.SOA: {
      const nsname = reader.name();
      const hostmaster = reader.name();
      return {
        nsname,
        hostmaster,
        serial: reader.u32(),
        refresh: reader.u32(),
        retry: reader.u32(),
        expire: reader.u32(),
        minttl: reader.u32(),
      };
    }
    case types.NAPTR: {
      const order = reader.u16();
      const preference = reader.u16();
      const flags = reader.text(reader.u8());
      const service = reader.text(reader.u8());
      const regexp = reader.text(reader.u8());
      return { flags, service, regexp, replacement: reader.name(), order, preference };
    }
    case types.CAA: {
      const critical = reader.u8();
      const tag = reader.text(reader.u8());
      if (reader.at > end) throw new BadResponse();
      return { critical, [tag]: reader.text(end - reader.at) };
    }
    case types.TLSA: {
      const certUsage = reader.u8();
      const selector = reader.u8();
      const match = reader.u8();
      if (reader.at > end) throw new BadResponse();
      const bytes = reader.bytes.slice(reader.at, end);
      return { certUsage, selector, match, data: bytes.buffer };
    }
    default:
      return undefined;
  }
}

// All records of the answer section: { type, ttl, data }.
function parse(memory) {
  const reader = new Reader(new Uint8Array(memory));
  reader.u16();
  reader.u16();
  const questions = reader.u16();
  const answers = reader.u16();
  reader.u32();
  for (let i = 0; i < questions; i++) {
    reader.name();
    reader.u32();
  }
  const records = [];
  for (let i = 0; i < answers; i++) {
    reader.name();
    const type = reader.u16();
    reader.u16();
    const ttl = reader.u32();
    const length = reader.u16();
    reader.need(length);
    const end = reader.at + length;
    const value = data(reader, type, end);
    if (reader.at > end && type !== types.AAAA) throw new BadResponse();
    reader.at = end;
    if (value !== undefined) records.push({ type, ttl, data: value });
  }
  return records;
}

module.exports = { parse, types };
