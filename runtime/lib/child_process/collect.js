'use strict';

// What exec and execFile add to spawn: they collect the output of a child, up to a limit, watch the timeout, and call
// back once.

const { Buffer } = require('internal/buffer/class');
const { codes, genericNodeError } = require('internal/errors');
const { getSystemErrorName } = require('internal/util');

class Gathered {
  #stream;
  #encoding;
  #room;
  #pieces = [];

  constructor(stream, encoding, room, full) {
    this.#stream = stream;
    this.#encoding = encoding;
    this.#room = room;
    if (!stream) return;
    if (encoding !== null) stream.setEncoding(encoding);
    stream.on('data', (piece) => {
      if (!this.#add(piece)) full();
    });
  }

  get #textual() {
    return this.#encoding ?? this.#stream?.readableEncoding ?? null;
  }

  #add(piece) {
    const size = typeof piece === 'string' ? Buffer.byteLength(piece, this.#textual ?? 'utf8') : piece.length;
    const fits = size <= this.#room;
    this.#pieces.push(fits ? piece : piece.slice(0, this.#room));
    this.#room -= size;
    return fits;
  }

  letGo() {
    this.#stream?.destroy();
  }

  get whole() {
    return this.#textual === null ? Buffer.concat(this.#pieces) : this.#pieces.join('');
  }
}

class Execution {
  #child;
  #command;
  #callback;
  #signal;
  #out;
  #err;
  #timer;
  #failure = null;
  #killed = false;
  #told = false;

  // plan: { encoding, timeout, maxBuffer, killSignal }, checked
  constructor(child, command, plan, callback) {
    this.#child = child;
    this.#command = command;
    this.#callback = callback;
    this.#signal = plan.killSignal;
    const { encoding, maxBuffer = Infinity } = plan;
    const known = encoding && encoding !== 'buffer' && Buffer.isEncoding(encoding) ? encoding : null;
    const overflow = (name) => () => {
      this.#failure = new codes.ERR_CHILD_PROCESS_STDIO_MAXBUFFER(name);
      this.#kill();
    };
    this.#out = new Gathered(child.stdout, known, maxBuffer ?? Infinity, overflow('stdout'));
    this.#err = new Gathered(child.stderr, known, maxBuffer ?? Infinity, overflow('stderr'));
    if (plan.timeout > 0) this.#timer = setTimeout(() => this.#kill(), plan.timeout);
    child.on('close', (code, signal) => this.#tell(code, signal));
    child.on('error', (error) => {
      this.#failure = error;
      this.#letGo();
      this.#tell();
    });
  }

  #letGo() {
    this.#out.letGo();
    this.#err.letGo();
  }

  #kill() {
    this.#killed = true;
    this.#letGo();
    try {
      this.#child.kill(this.#signal);
    } catch (error) {
      this.#failure = error;
      this.#tell();
    }
  }

  #tell(code, signal) {
    if (this.#told) return;
    this.#told = true;
    clearTimeout(this.#timer);
    if (!this.#callback) return;
    const out = this.#out.whole;
    const err = this.#err.whole;
    if (this.#failure === null && (code !== 0 || signal !== null)) {
      this.#failure = genericNodeError(`Command failed: ${this.#command}\n${err}`, {
        code: code < 0 ? getSystemErrorName(code) : code,
        killed: this.#killed || this.#child.killed,
        signal,
      });
    }
    if (this.#failure !== null) this.#failure.cmd = this.#command;
    this.#callback(this.#failure, out, err);
  }
}

module.exports = { Execution };
