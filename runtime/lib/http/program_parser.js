'use strict';

// HTTPParser of `_http_common`: the parser for programs that provide the bytes themselves, such as libraries that
// simulate a server. Handlers are properties with numbers for names. This parser reports a message together with its
// head, so kOnMessageBegin comes just before kOnHeadersComplete, and a head of any length is reported at once;
// kOnHeaders brings trailers only.

const { kFollows, kUpgrade, kThenUpgrade } = require('internal/shared').httpBody;
const { codes } = require('internal/errors');
const { DEFAULT_COUNT, Receiver, kRequests, kResponses } = require('internal/http/parser');
const { Buffer } = require('internal/buffer/class');

const events = ['MessageBegin', 'Headers', 'HeadersComplete', 'Body', 'MessageComplete', 'Execute', 'Timeout'];
const [kOnMessageBegin, kOnHeaders, kOnHeadersComplete, kOnBody, kOnMessageComplete] = events.keys();
const leniencies = [
  'Headers',
  'ChunkedLength',
  'KeepAlive',
  'TransferEncoding',
  'Version',
  'DataAfterClose',
  'OptionalLFAfterCR',
  'OptionalCRLFAfterChunk',
  'OptionalCRBeforeLF',
  'SpacesAfterChunkSize',
  'HeaderValueRelaxed',
];
const kLenientAll = 1023;

// The functions that C calls. An exception of a handler is thrown after the bytes are parsed, to the
// caller that passed them.
class Teller extends Receiver {
  #program;
  #url = '';
  outcome; // { parsed } after an upgrade, { error } after an error or an exception of a handler

  constructor(program, kind, limits) {
    super(null, kind, limits);
    this.#program = program;
  }

  #tell(event, ...args) {
    const handler = this.#program[event];
    if (typeof handler !== 'function' || this.outcome?.thrown) return undefined;
    try {
      return Reflect.apply(handler, this.#program, args);
    } catch (error) {
      this.outcome = { thrown: true, error };
      return undefined;
    }
  }

  onHead(version, list, code, text, upgrade, keepAlive, complete) {
    const isRequest = this.kind === kRequests;
    this.#url = isRequest ? text : '';
    const line = isRequest ? [code, text, undefined, undefined] : [undefined, undefined, code, text];
    this.#tell(kOnMessageBegin);
    const how = this.#tell(
      kOnHeadersComplete,
      (version / 10) | 0,
      version % 10,
      [...list],
      ...line,
      upgrade,
      keepAlive,
    );
    if (how) {
      if (complete && how !== kUpgrade) this.#tell(kOnMessageComplete);
      return how;
    }
    if (upgrade) return kThenUpgrade;
    if (complete) this.#tell(kOnMessageComplete);
    return kFollows;
  }

  onBody(chunk) {
    this.#tell(kOnBody, chunk);
  }

  onDone(trailers) {
    if (trailers !== undefined) this.#tell(kOnHeaders, [...trailers], this.#url);
    this.#tell(kOnMessageComplete);
  }

  onUpgrade(rest) {
    this.outcome ??= { parsed: this.feeding.length - rest.length };
  }

  onParseError({ code, reason = code === 'HPE_INVALID_EOF_STATE' ? 'Invalid EOF state' : undefined, bytesParsed }) {
    this.outcome ??= { error: Object.assign(new Error('Parse Error'), { bytesParsed, code, reason }) };
  }
}

class HTTPParser {
  #teller;

  initialize(kind, resource, headLimit = 0, lenient = 0) {
    if (kind !== kRequests && kind !== kResponses) throw new codes.ERR_INVALID_ARG_VALUE('type', kind);
    this.#teller?.free();
    this.#teller = new Teller(this, kind, { head: headLimit, lenient: lenient !== 0, count: DEFAULT_COUNT });
  }

  // How many bytes were parsed, or an error.
  execute(chunk) {
    if (!ArrayBuffer.isView(chunk))
      throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['Buffer', 'TypedArray', 'DataView'], chunk);
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    return this.#outcome((teller) => teller.feed(bytes), bytes.length);
  }

  finish() {
    if (this.#teller?.outcome !== undefined) return undefined;
    return this.#outcome((teller) => teller.feedEnd(), undefined);
  }

  #outcome(step, otherwise) {
    const teller = this.#teller;
    if (teller === undefined || teller.outcome !== undefined) return otherwise;
    step(teller);
    const { outcome } = teller;
    if (outcome === undefined) return otherwise;
    if (outcome.thrown) throw outcome.error;
    return outcome.error ?? outcome.parsed;
  }

  free() {
    this.#teller?.free();
    this.#teller = undefined;
  }

  close() {
    this.free();
  }

  remove() {}

  unconsume() {}

  getCurrentBuffer() {
    return Buffer.from(this.#teller?.feeding ?? []);
  }
}

for (const name of ['pause', 'resume', 'consume']) {
  HTTPParser.prototype[name] = {
    [name]() {
      throw new codes.ERR_METHOD_NOT_IMPLEMENTED(`HTTPParser.${name}()`);
    },
  }[name];
}
Object.assign(HTTPParser, { REQUEST: kRequests, RESPONSE: kResponses });
events.forEach((name, i) => {
  HTTPParser[`kOn${name}`] = i;
});
HTTPParser.kLenientNone = 0;
leniencies.forEach((name, i) => {
  HTTPParser[`kLenient${name}`] = 1 << i;
});
HTTPParser.kLenientAll = kLenientAll;

module.exports = { HTTPParser };
