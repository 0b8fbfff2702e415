'use strict';

// A handle around any Duplex, for TLS on a stream that is no network socket (or that already uses TLS). It has the
// interface of the handles of internal/stream_base that a net.Socket needs; the encrypted bytes are written to the
// Duplex, and bytes that the Duplex gives are passed to TLS.

const tls = internalBinding('tls');
const stream = internalBinding('stream');
const frame = require('internal/async/context');
const { StreamHandle, kOwner, UV_EOF, onwritten } = require('internal/stream_base');

const UV_EPIPE = -32;

class DuplexHandle {
  constructor(underlying) {
    this.underlying = underlying;
    this.frame = frame.current;
    this.id = -1;
    this.number = -1;
    this.reading = false;
    this.onread = undefined;
    this.closed = false;
    this.sending = false;
    this.beforeWriting = undefined;
    this.link = undefined;
    this.connection = undefined;
    this[kOwner] = null;
    this._written = undefined;
    this._writtenMore = undefined;
    this._onshutdown = undefined;
    this.total = { read: 0, written: 0 };
    underlying.on('data', (chunk) => this.#took(chunk));
    underlying.on('end', () => this.#ended());
  }

  #took(chunk) {
    if (this.closed) return;
    if (this.sending) {
      // An echo: data that is sent may arrive before the write has returned.
      process.nextTick(() => this.#took(chunk));
      return;
    }
    tls.feed(this.number, typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  }

  #ended() {
    if (!this.closed) tls.feedEnd(this.number, UV_EOF);
  }

  // ---- called by the link ----

  send(bytes, tell) {
    const { underlying } = this;
    const told =
      tell === 0
        ? undefined
        : (error) => {
            for (let i = 0; i < tell; i++) onwritten.call(this, error ? (error.errno ?? UV_EPIPE) : 0);
          };
    if (underlying.destroyed || underlying.writable === false) {
      if (told !== undefined) process.nextTick(told, underlying.errored ?? new Error('not writable'));
    } else {
      this.sending = true;
      underlying.write(bytes, told);
      this.sending = false;
    }
  }

  // ---- called by a net.Socket ----

  readStart() {
    if (this.underlying.isPaused?.()) this.underlying.resume();
    if (stream.readStart(this.number) === 1) {
      setImmediate(() => {
        if (!this.closed) tls.feed(this.number, undefined);
      });
    }
    return 0;
  }

  // The handshake continues even if the program does not read.
  readStop() {
    stream.readStop(this.number);
    if (this.link.socket._secureEstablished) this.underlying.pause();
    return 0;
  }

  useUserBuffer(buffer) {
    stream.useBuffer(this.number, buffer);
  }

  // The callback is always called: by the Duplex, or by C if a write had to wait for the handshake.
  write(chunk, encoding, callback) {
    this.#beginWriting();
    this._expect(callback);
    const result = stream.write(this.number, typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk, 0);
    return this.#expected(result);
  }

  #beginWriting() {
    const { beforeWriting } = this;
    this.beforeWriting = undefined;
    beforeWriting?.();
  }

  writev(chunks, callback) {
    this.#beginWriting();
    this._expect(callback);
    const bytes = chunks.map(({ chunk, encoding }) =>
      typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk,
    );
    return this.#expected(stream.write(this.number, Buffer.concat(bytes), 0));
  }

  #expected(result) {
    if (result === 1) return 1;
    if (this._writtenMore === undefined) {
      this._written = undefined;
    } else {
      this._writtenMore.pop();
      if (this._writtenMore.length === 0) this._writtenMore = undefined;
    }
    return result;
  }

  shutdown(callback) {
    const result = stream.shutdown(this.number);
    if (result < 0) return result;
    const end = () => {
      const { underlying } = this;
      if (underlying.destroyed || underlying.writableEnded) process.nextTick(callback, 0);
      else underlying.end(() => callback(0));
    };
    if (result === 1) this._onshutdown = end;
    else end();
    return 0;
  }

  // The number is released when nothing can use it any more.
  close(callback) {
    if (this.closed) return;
    this.total = { read: this.bytesRead, written: this.bytesWritten };
    this.closed = true;
    setImmediate(() => {
      tls.forget(this.number);
      this.number = -1;
      callback?.();
    });
  }

  ref() {
    this.underlying.ref?.();
  }

  unref() {
    this.underlying.unref?.();
  }

  hasRef() {
    return this.underlying._handle?.hasRef?.() ?? true;
  }

  getAsyncId() {
    return this.underlying._handle?.getAsyncId?.() ?? 0;
  }

  getProviderType() {
    return 0;
  }

  get bytesRead() {
    return (this.closed ? undefined : stream.count(this.number, 0)) ?? this.total.read;
  }

  get bytesWritten() {
    return (this.closed ? undefined : stream.count(this.number, 1)) ?? this.total.written;
  }

  get writeQueueSize() {
    return this.underlying.writableLength ?? 0;
  }

  get fd() {
    return -1;
  }

  get _parentWrap() {
    return new (require('internal/tls/stream_socket').JSStreamSocket)(this.underlying);
  }
}
DuplexHandle.prototype._expect = StreamHandle.prototype._expect;

for (const [own, theirs] of [
  ['getsockname', 'address'],
  ['getpeername', 'remote'],
]) {
  DuplexHandle.prototype[own] = function (out) {
    const { underlying } = this;
    const name =
      theirs === 'address'
        ? underlying.address?.()
        : { address: underlying.remoteAddress, family: underlying.remoteFamily, port: underlying.remotePort };
    if (name?.address === undefined) return -1;
    Object.assign(out, name);
    return 0;
  };
}
for (const name of ['setNoDelay', 'setKeepAlive']) {
  DuplexHandle.prototype[name] = function (on, seconds) {
    this.underlying[name]?.(on, seconds * 1000 || 0);
    return 0;
  };
}

module.exports = { DuplexHandle };
