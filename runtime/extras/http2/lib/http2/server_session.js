'use strict';

// The server's side of a connection: it gets new streams, and tells clients about origins and alternative services.

const { binding, hears, kConnection } = require('internal/http2/connection');
const { constants, codes, NghttpError } = require('internal/http2/constants');
const { Http2Session } = require('internal/http2/session');
const { ServerHttp2Stream } = require('internal/http2/server_stream');
const { validateString } = require('internal/validators');

const { NGHTTP2_SESSION_SERVER, NGHTTP2_FLAG_END_STREAM, NGHTTP2_REFUSED_STREAM } = constants;

const LONGEST_FRAME = 16382;

class ServerHttp2Session extends Http2Session {
  #server;

  constructor(options, socket, server) {
    super(NGHTTP2_SESSION_SERVER, options, socket);
    this.#server = server;
  }

  get server() {
    return this.#server;
  }

  [hears.open](id, headers, flags, raw) {
    if (this.destroyed) return;
    const connection = this[kConnection];
    if (this.closed) {
      binding.reset(connection.native, id, NGHTTP2_REFUSED_STREAM);
      return;
    }
    const stream = new ServerHttp2Stream(this, connection, id, headers);
    const ends = (flags & NGHTTP2_FLAG_END_STREAM) !== 0;
    if (ends) {
      stream.noteHead(flags);
      stream[hears.end]();
    }
    if (!this.emit('stream', stream, headers, flags, raw)) stream.respond({ ':status': 404 }, { endStream: true });
  }

  // ---- origins ----

  origin(...origins) {
    if (this.destroyed) throw new codes.ERR_HTTP2_INVALID_SESSION();
    if (origins.length === 0) return;
    let text = '';
    let size = 0;
    const numbers = new Uint32Array(origins.length * 3);
    for (let i = 0; i < origins.length; i++) {
      const origin = originOf(origins[i], 'ERR_HTTP2_INVALID_ORIGIN');
      text += origin;
      numbers[i * 3] = origin.length;
      size += origin.length + 2;
    }
    if (size > LONGEST_FRAME) throw new codes.ERR_HTTP2_ORIGIN_LENGTH();
    this.submitted(binding.origins(this[kConnection].native, text, numbers, origins.length));
  }

  altsvc(alternative, originOrStream) {
    if (this.destroyed) throw new codes.ERR_HTTP2_INVALID_SESSION();
    let stream = 0;
    let origin;
    if (typeof originOrStream === 'number') {
      if (!(originOrStream > 0 && originOrStream < 2 ** 32 && Number.isInteger(originOrStream))) {
        throw new codes.ERR_OUT_OF_RANGE('originOrStream', '> 0 && < 4294967296', originOrStream);
      }
      stream = originOrStream;
    } else if (originOrStream !== undefined) {
      origin = originOf(originOrStream, 'ERR_HTTP2_ALTSVC_INVALID_ORIGIN', 'originOrStream');
    }
    validateString(alternative, 'alt');
    if (!/^[\x21-\x7e\x80-\xff]*$/.test(alternative.replaceAll(' ', ''))) throw new codes.ERR_INVALID_CHAR('alt');
    if (alternative.length + (origin?.length ?? 0) > LONGEST_FRAME) throw new codes.ERR_HTTP2_ALTSVC_LENGTH();
    binding.alternative(this[kConnection].native, stream, origin ?? '', alternative);
    this[kConnection].wake();
  }

  submitted(result) {
    if (result < 0) this.destroy(new NghttpError(result));
    else this[kConnection].wake();
  }
}

function originOf(given, problem, name = 'origin') {
  let origin;
  if (typeof given === 'string') origin = new URL(given).origin;
  else if (given !== null && typeof given === 'object') ({ origin } = given);
  if (origin === undefined || typeof origin !== 'string') {
    if (origin === undefined && name === 'origin') throw new codes.ERR_INVALID_ARG_TYPE('origin', 'string', given);
    if (typeof origin !== 'string')
      throw new codes.ERR_INVALID_ARG_TYPE(name, ['string', 'URL', 'Object', 'number'], given);
  }
  if (origin === 'null' || origin.length === 0) throw new codes[problem]();
  return origin;
}

module.exports = { ServerHttp2Session };
