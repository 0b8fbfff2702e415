/* The binding `zlib`: streams of zlib, brotli and zstd, a step at a time, at once or on a thread of the pool.
 *
 * A stream is an object of the engine that owns its memory and frees it when it is collected. A step reads from one
 * buffer, writes to another, and leaves three words in the stream's state: the remaining output room, the remaining
 * input, and the error. A stream takes one step at a time; while one is on a thread, the object is kept from
 * collection. */
#include <brotli/decode.h>
#include <brotli/encode.h>
#include <rota.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "runtime/bind/binding.h"
#include "runtime/engine/value/text.h"

enum mode {
  NONE,
  DEFLATE,
  INFLATE,
  GZIP,
  GUNZIP,
  DEFLATERAW,
  INFLATERAW,
  UNZIP,
  BROTLI_DECODE,
  BROTLI_ENCODE,
  ZSTD_COMPRESS,
  ZSTD_DECOMPRESS,
};

enum { STATE_OUT, STATE_IN, STATE_WORDS = 2 };

struct stream {
  uv_work_t work;
  struct js_env *env;
  JSObjectRef object;
  uint32_t *state;
  enum mode mode;
  bool ready, in_step, closing, frame_ended;
  bool only_first; /* only the first member of a gzip stream: what follows it is left */
  int id;
  int flush;
  int magic_seen; /* of gzip's two first bytes, while it is not clear what is to be unzipped */
  int err;
  const char *message;
  const char *code;
  unsigned char *dictionary;
  size_t dictionary_length;
  int window_bits, level, mem_level, strategy;
  z_stream z;
  BrotliEncoderState *brotli_encoder;
  BrotliDecoderState *brotli_decoder;
  ZSTD_CCtx *zstd_encoder;
  ZSTD_DCtx *zstd_decoder;
  const unsigned char *in;
  size_t in_length;
  unsigned char *out;
  size_t out_length;
};

static _Thread_local JSClassRef stream_class;
static _Thread_local JSObjectRef step_done;

static void end_stream(struct stream *stream) {
  if (stream->ready) {
    if (stream->mode == DEFLATE || stream->mode == GZIP || stream->mode == DEFLATERAW)
      deflateEnd(&stream->z);
    else if (stream->mode == INFLATE || stream->mode == GUNZIP || stream->mode == INFLATERAW || stream->mode == UNZIP)
      inflateEnd(&stream->z);
  }
  if (stream->brotli_encoder != NULL)
    BrotliEncoderDestroyInstance(stream->brotli_encoder);
  if (stream->brotli_decoder != NULL)
    BrotliDecoderDestroyInstance(stream->brotli_decoder);
  ZSTD_freeCCtx(stream->zstd_encoder);
  ZSTD_freeDCtx(stream->zstd_decoder);
  free(stream->dictionary);
  stream->brotli_encoder = NULL;
  stream->brotli_decoder = NULL;
  stream->zstd_encoder = NULL;
  stream->zstd_decoder = NULL;
  stream->dictionary = NULL;
  stream->ready = false;
  stream->mode = NONE;
}

static void finalize(JSObjectRef object) {
  struct stream *stream = JSObjectGetPrivate(object);
  if (stream == NULL)
    return;
  end_stream(stream);
  free(stream);
}

static struct stream *stream_of(JSContextRef context, struct js_frame *frame) {
  JSValueRef value = js_arg(context, frame, 0);
  if (!JSValueIsObjectOfClass(context, value, stream_class))
    return NULL;
  return JSObjectGetPrivate((JSObjectRef)value);
}

/* create(mode, state: Uint32Array(2)) -> a stream */
static JSValueRef create(JSContextRef context, struct js_frame *frame) {
  if (stream_class == NULL) {
    JSClassDefinition definition = {0};
    definition.className = "Zlib";
    definition.finalize = finalize;
    stream_class = JSClassCreate(&definition);
  }
  struct stream *stream = calloc(1, sizeof *stream);
  unsigned char *state;
  size_t length;
  if (stream == NULL || !js_pin_bytes(context, js_arg(context, frame, 1), &state, &length) || length < 8) {
    free(stream);
    return js_throw_text(context, "no memory for a stream");
  }
  stream->env = js_env_here;
  stream->mode = (enum mode)js_to_integer(context, js_arg(context, frame, 0));
  stream->state = (uint32_t *)(void *)state;
  stream->object = JSObjectMake(context, stream_class, stream);
  return stream->object;
}

static void fail(struct stream *stream, int err, const char *message) {
  stream->err = err;
  stream->message = message;
  stream->code = NULL;
}

static int bits_for(const struct stream *stream) {
  switch (stream->mode) {
  case GZIP:
  case GUNZIP:
    return stream->window_bits + 16;
  case UNZIP:
    return stream->window_bits + 32;
  case DEFLATERAW:
  case INFLATERAW:
    return -stream->window_bits;
  default:
    return stream->window_bits;
  }
}

static int set_dictionary(struct stream *stream) {
  if (stream->dictionary == NULL)
    return Z_OK;
  int err = Z_OK;
  if (stream->mode == DEFLATE || stream->mode == DEFLATERAW)
    err = deflateSetDictionary(&stream->z, stream->dictionary, (uInt)stream->dictionary_length);
  else if (stream->mode == INFLATERAW)
    err = inflateSetDictionary(&stream->z, stream->dictionary, (uInt)stream->dictionary_length);
  if (err != Z_OK)
    fail(stream, err, "Failed to set dictionary");
  return err;
}

/* The memory is allocated with the first step: a stream that is never used costs little. */
static int make_ready(struct stream *stream) {
  if (stream->ready)
    return Z_OK;
  int err;
  if (stream->mode == DEFLATE || stream->mode == GZIP || stream->mode == DEFLATERAW)
    err = deflateInit2(&stream->z, stream->level, Z_DEFLATED, bits_for(stream), stream->mem_level, stream->strategy);
  else
    err = inflateInit2(&stream->z, bits_for(stream));
  if (err != Z_OK) {
    stream->mode = NONE;
    fail(stream, err, "Failed to init stream");
    return err;
  }
  stream->ready = true;
  return set_dictionary(stream);
}

static bool take_dictionary(JSContextRef context, struct stream *stream, JSValueRef value) {
  unsigned char *bytes;
  size_t length;
  if (!js_borrow_bytes(context, value, &bytes, &length))
    return true;
  stream->dictionary = malloc(length + 1);
  if (stream->dictionary == NULL)
    return false;
  memcpy(stream->dictionary, bytes, length);
  stream->dictionary_length = length;
  return true;
}

/* init(stream, window bits, level, memory level, strategy, dictionary, only first member) */
static JSValueRef init(JSContextRef context, struct js_frame *frame) {
  struct stream *stream = stream_of(context, frame);
  if (stream == NULL)
    return js_throw_text(context, "not a stream");
  stream->window_bits = (int)js_to_integer(context, js_arg(context, frame, 1));
  stream->level = (int)js_to_integer(context, js_arg(context, frame, 2));
  stream->mem_level = (int)js_to_integer(context, js_arg(context, frame, 3));
  stream->strategy = (int)js_to_integer(context, js_arg(context, frame, 4));
  take_dictionary(context, stream, js_arg(context, frame, 5));
  stream->only_first = js_to_boolean(context, js_arg(context, frame, 6));
  return js_undefined(context);
}

/* initBrotli(stream, parameters: Uint32Array, dictionary) -> whether the parameters were accepted */
static JSValueRef init_brotli(JSContextRef context, struct js_frame *frame) {
  struct stream *stream = stream_of(context, frame);
  unsigned char *bytes;
  size_t length;
  if (stream == NULL || !js_borrow_bytes(context, js_arg(context, frame, 1), &bytes, &length))
    return js_throw_text(context, "not a stream");
  if (stream->mode == BROTLI_ENCODE)
    stream->brotli_encoder = BrotliEncoderCreateInstance(NULL, NULL, NULL);
  else
    stream->brotli_decoder = BrotliDecoderCreateInstance(NULL, NULL, NULL);
  for (size_t i = 0; i < length / 4; i++) {
    uint32_t value;
    memcpy(&value, bytes + i * 4, 4);
    if (value == UINT32_MAX)
      continue;
    int fine = stream->mode == BROTLI_ENCODE
                   ? BrotliEncoderSetParameter(stream->brotli_encoder, (BrotliEncoderParameter)i, value)
                   : BrotliDecoderSetParameter(stream->brotli_decoder, (BrotliDecoderParameter)i, value);
    if (!fine)
      return js_boolean(context, false);
  }
  return js_boolean(context, true);
}

/* initZstd(stream, parameters: Int32Array of number, value, ...; pledged size or undefined; dictionary)
 * -> an error's text, or undefined */
static JSValueRef init_zstd(JSContextRef context, struct js_frame *frame) {
  struct stream *stream = stream_of(context, frame);
  unsigned char *bytes;
  size_t length;
  if (stream == NULL || !js_borrow_bytes(context, js_arg(context, frame, 1), &bytes, &length))
    return js_throw_text(context, "not a stream");
  size_t err = 0;
  if (stream->mode == ZSTD_COMPRESS)
    stream->zstd_encoder = ZSTD_createCCtx();
  else
    stream->zstd_decoder = ZSTD_createDCtx();
  for (size_t i = 0; i + 8 <= length && !ZSTD_isError(err); i += 8) {
    int32_t pair[2];
    memcpy(pair, bytes + i, 8);
    err = stream->mode == ZSTD_COMPRESS
              ? ZSTD_CCtx_setParameter(stream->zstd_encoder, (ZSTD_cParameter)pair[0], pair[1])
              : ZSTD_DCtx_setParameter(stream->zstd_decoder, (ZSTD_dParameter)pair[0], pair[1]);
  }
  JSValueRef pledged = js_arg(context, frame, 2);
  if (!ZSTD_isError(err) && stream->mode == ZSTD_COMPRESS && JSValueIsNumber(context, pledged))
    err = ZSTD_CCtx_setPledgedSrcSize(stream->zstd_encoder, (unsigned long long)js_to_number(context, pledged));
  take_dictionary(context, stream, js_arg(context, frame, 3));
  bool is_pledged = JSValueIsNumber(context, pledged) && stream->mode == ZSTD_COMPRESS;
  if (!ZSTD_isError(err) && stream->dictionary != NULL)
    err = stream->mode == ZSTD_COMPRESS
              ? ZSTD_CCtx_loadDictionary(stream->zstd_encoder, stream->dictionary, stream->dictionary_length)
              : ZSTD_DCtx_loadDictionary(stream->zstd_decoder, stream->dictionary, stream->dictionary_length);
  if (!ZSTD_isError(err) && is_pledged) {
    /* The frame begins now: if the first step is also the last, the real size would replace the pledged one. */
    ZSTD_inBuffer none = {NULL, 0, 0};
    ZSTD_outBuffer nowhere = {NULL, 0, 0};
    err = ZSTD_compressStream2(stream->zstd_encoder, &nowhere, &none, ZSTD_e_continue);
  }
  return ZSTD_isError(err) ? js_string(context, ZSTD_getErrorString(ZSTD_getErrorCode(err))) : js_undefined(context);
}

static void inflate_step(struct stream *stream) {
  z_stream *z = &stream->z;
  /* Gzip, or plain zlib? The first two bytes decide; they may come in two steps. */
  if (stream->mode == UNZIP && stream->in_length > 0) {
    static const unsigned char magic[] = {0x1F, 0x8B};
    size_t at = 0;
    while (stream->magic_seen < 2 && at < stream->in_length && stream->in[at] == magic[stream->magic_seen]) {
      stream->magic_seen++;
      at++;
    }
    if (stream->magic_seen == 2)
      stream->mode = GUNZIP;
    else if (at < stream->in_length)
      stream->mode = INFLATE;
  }
  stream->err = inflate(z, stream->flush);
  if (stream->err == Z_NEED_DICT && stream->dictionary != NULL && stream->mode != INFLATERAW) {
    stream->err = inflateSetDictionary(z, stream->dictionary, (uInt)stream->dictionary_length);
    if (stream->err == Z_OK)
      stream->err = inflate(z, stream->flush);
    else if (stream->err == Z_DATA_ERROR)
      stream->err = Z_NEED_DICT; /* distinguished from bad data below */
  }
  /* Further members may follow the first; zeros are padding. */
  while (z->avail_in > 0 && stream->mode == GUNZIP && !stream->only_first && stream->err == Z_STREAM_END &&
         z->next_in[0] != 0) {
    inflateReset(z);
    stream->err = inflate(z, stream->flush);
  }
}

static void judge(struct stream *stream) {
  switch (stream->err) {
  case Z_OK:
  case Z_BUF_ERROR:
    if (stream->z.avail_out != 0 && stream->flush == Z_FINISH)
      fail(stream, Z_BUF_ERROR, "unexpected end of file");
    else
      stream->err = Z_OK;
    break;
  case Z_STREAM_END:
    stream->err = Z_OK;
    break;
  case Z_NEED_DICT:
    fail(stream, Z_NEED_DICT, stream->dictionary == NULL ? "Missing dictionary" : "Bad dictionary");
    break;
  default:
    fail(stream, stream->err, stream->z.msg != NULL ? stream->z.msg : "Zlib error");
  }
}

static void zlib_step(struct stream *stream) {
  if (make_ready(stream) != Z_OK)
    return;
  z_stream *z = &stream->z;
  z->next_in = (unsigned char *)stream->in;
  z->avail_in = (uInt)stream->in_length;
  z->next_out = stream->out;
  z->avail_out = (uInt)stream->out_length;
  z->msg = NULL;
  if (stream->mode == DEFLATE || stream->mode == GZIP || stream->mode == DEFLATERAW)
    stream->err = deflate(z, stream->flush);
  else
    inflate_step(stream);
  stream->in_length = z->avail_in;
  stream->out_length = z->avail_out;
  judge(stream);
}

static void brotli_step(struct stream *stream) {
  if (stream->brotli_encoder != NULL) {
    if (!BrotliEncoderCompressStream(stream->brotli_encoder, (BrotliEncoderOperation)stream->flush, &stream->in_length,
                                     &stream->in, &stream->out_length, &stream->out, NULL)) {
      fail(stream, -1, "Compression failed");
      stream->code = "ERR_BROTLI_COMPRESSION_FAILED";
    }
    return;
  }
  BrotliDecoderResult result = BrotliDecoderDecompressStream(stream->brotli_decoder, &stream->in_length, &stream->in,
                                                             &stream->out_length, &stream->out, NULL);
  if (result == BROTLI_DECODER_RESULT_ERROR) {
    BrotliDecoderErrorCode code = BrotliDecoderGetErrorCode(stream->brotli_decoder);
    fail(stream, (int)code, "Decompression failed");
    stream->code = BrotliDecoderErrorString(code);
  } else if (stream->flush == BROTLI_OPERATION_FINISH && result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT) {
    fail(stream, Z_BUF_ERROR, "unexpected end of file");
    stream->code = "Z_BUF_ERROR";
  }
}

/* Whether these bytes are, as far as they go, the beginning of a frame: a data frame, or a skippable one. */
static bool begins_frame(const unsigned char *bytes, size_t length) {
  static const unsigned char data[] = {0x28, 0xB5, 0x2F, 0xFD}, skipped[] = {0x50, 0x2A, 0x4D, 0x18};
  bool is_data = true, is_skipped = true;
  for (size_t i = 0; i < length && i < 4; i++) {
    is_data = is_data && bytes[i] == data[i];
    is_skipped = is_skipped && (i == 0 ? bytes[i] & 0xF0 : bytes[i]) == skipped[i];
  }
  return is_data || is_skipped;
}

/* One frame after the other; data after the last one that is no frame is left. */
static size_t zstd_decode(struct stream *stream, ZSTD_outBuffer *out, ZSTD_inBuffer *in) {
  if (stream->frame_ended && in->size > 0 && !begins_frame(stream->in, in->size))
    return 0;
  size_t left;
  do
    left = ZSTD_decompressStream(stream->zstd_decoder, out, in);
  while (left == 0 && in->pos < in->size && begins_frame(stream->in + in->pos, in->size - in->pos));
  return left;
}

static void zstd_step(struct stream *stream) {
  ZSTD_inBuffer in = {stream->in, stream->in_length, 0};
  ZSTD_outBuffer out = {stream->out, stream->out_length, 0};
  size_t left = stream->zstd_encoder != NULL
                    ? ZSTD_compressStream2(stream->zstd_encoder, &out, &in, (ZSTD_EndDirective)stream->flush)
                    : zstd_decode(stream, &out, &in);
  stream->in_length -= in.pos;
  stream->out_length -= out.pos;
  if (ZSTD_isError(left)) {
    fail(stream, (int)ZSTD_getErrorCode(left), ZSTD_getErrorString(ZSTD_getErrorCode(left)));
    stream->code = "ZSTD";
    return;
  }
  if (left == 0)
    stream->frame_ended = true;
  else if (in.pos > 0)
    stream->frame_ended = false;
  if (stream->zstd_decoder != NULL && stream->flush == ZSTD_e_end && !stream->frame_ended && stream->in_length == 0 &&
      stream->out_length != 0) {
    fail(stream, Z_BUF_ERROR, "unexpected end of file");
    stream->code = "Z_BUF_ERROR";
  }
}

static void step(struct stream *stream) {
  stream->err = 0;
  stream->message = NULL;
  stream->code = NULL;
  if (stream->mode == BROTLI_ENCODE || stream->mode == BROTLI_DECODE)
    brotli_step(stream);
  else if (stream->mode == ZSTD_COMPRESS || stream->mode == ZSTD_DECOMPRESS)
    zstd_step(stream);
  else if (stream->mode != NONE)
    zlib_step(stream);
}

static void tell(struct stream *stream) {
  stream->state[STATE_OUT] = (uint32_t)stream->out_length;
  stream->state[STATE_IN] = (uint32_t)stream->in_length;
}

static void run(uv_work_t *work) {
  static const char *const names[] = {
      "zlib",       "deflate", "inflate",          "gzip",           "gunzip",       "deflateRaw",
      "inflateRaw", "unzip",   "brotliDecompress", "brotliCompress", "zstdCompress", "zstdDecompress"};
  struct stream *stream = (struct stream *)work;
  rota_job_about(names[stream->mode], NULL);
  step(stream);
}

static void on_done(uv_work_t *work, int status) {
  struct stream *stream = (struct stream *)work;
  JSContextRef context = stream->env->context;
  (void)status;
  stream->in_step = false;
  JSValueRef id = js_number(context, stream->id);
  if (stream->closing)
    end_stream(stream);
  else
    tell(stream);
  js_enter(stream->env, step_done, NULL, 1, &id);
  JSValueUnprotect(context, stream->object);
}

/* write(stream, id or -1, flush, in, in offset, in length, out, out offset, out length)
 * -> at once: whether it went well; else step_done(id) follows */
static JSValueRef write_step(JSContextRef context, struct js_frame *frame) {
  struct stream *stream = stream_of(context, frame);
  if (stream == NULL || stream->mode == NONE || stream->in_step)
    return js_throw_text(context, "write after close, or while another write is under way");
  int id = (int)js_to_integer(context, js_arg(context, frame, 1));
  stream->flush = (int)js_to_integer(context, js_arg(context, frame, 2));
  unsigned char *in = NULL, *out;
  size_t in_room = 0, out_room;
  double numbers[4];
  for (int i = 0; i < 4; i++)
    numbers[i] = js_to_number(context, js_arg(context, frame, i < 2 ? 4 + i : 5 + i));
  JSValueRef in_value = js_arg(context, frame, 3);
  bool has_in =
      id >= 0 ? js_pin_bytes(context, in_value, &in, &in_room) : js_borrow_bytes(context, in_value, &in, &in_room);
  bool has_out = id >= 0 ? js_pin_bytes(context, js_arg(context, frame, 6), &out, &out_room)
                         : js_borrow_bytes(context, js_arg(context, frame, 6), &out, &out_room);
  for (int i = 0; i < 4; i++)
    if (!(numbers[i] >= 0))
      return js_throw_text(context, "buffers of a write out of range");
  if (!has_out || (!has_in && numbers[1] > 0) || numbers[0] + numbers[1] > (double)in_room ||
      numbers[2] + numbers[3] > (double)out_room)
    return js_throw_text(context, "buffers of a write out of range");
  stream->in = in != NULL ? in + (size_t)numbers[0] : NULL;
  stream->in_length = (size_t)numbers[1];
  stream->out = out + (size_t)numbers[2];
  stream->out_length = (size_t)numbers[3];
  if (id < 0) {
    step(stream);
    tell(stream);
    return js_boolean(context, stream->err == 0);
  }
  stream->id = id;
  stream->in_step = true;
  JSValueProtect(context, stream->object);
  uv_queue_work(stream->env->loop, &stream->work, run, on_done);
  return js_undefined(context);
}

/* error(stream) -> undefined, or [number, message, code] of the last step */
static JSValueRef error(JSContextRef context, struct js_frame *frame) {
  struct stream *stream = stream_of(context, frame);
  if (stream == NULL || stream->err == 0)
    return js_undefined(context);
  JSValueRef row[] = {js_number(context, stream->err),
                      js_string(context, stream->message != NULL ? stream->message : ""),
                      stream->code != NULL ? js_string(context, stream->code) : js_undefined(context)};
  return js_array(context, 3, row);
}

/* params(stream, level, strategy) -> whether it went well */
static JSValueRef params(JSContextRef context, struct js_frame *frame) {
  struct stream *stream = stream_of(context, frame);
  if (stream == NULL)
    return js_boolean(context, false);
  stream->err = make_ready(stream);
  stream->level = (int)js_to_integer(context, js_arg(context, frame, 1));
  stream->strategy = (int)js_to_integer(context, js_arg(context, frame, 2));
  if (stream->err == Z_OK && (stream->mode == DEFLATE || stream->mode == GZIP || stream->mode == DEFLATERAW)) {
    unsigned char scratch[1];
    stream->z.next_in = NULL;
    stream->z.avail_in = 0;
    stream->z.next_out = scratch;
    stream->z.avail_out = 0;
    int err = deflateParams(&stream->z, stream->level, stream->strategy);
    if (err != Z_OK && err != Z_BUF_ERROR)
      fail(stream, err, "Failed to set parameters");
  }
  return js_boolean(context, stream->err == 0);
}

static JSValueRef reset(JSContextRef context, struct js_frame *frame) {
  struct stream *stream = stream_of(context, frame);
  if (stream == NULL || stream->mode == NONE)
    return js_boolean(context, false);
  stream->err = 0;
  if (stream->brotli_encoder != NULL) {
    BrotliEncoderDestroyInstance(stream->brotli_encoder);
    stream->brotli_encoder = BrotliEncoderCreateInstance(NULL, NULL, NULL);
  } else if (stream->brotli_decoder != NULL) {
    BrotliDecoderDestroyInstance(stream->brotli_decoder);
    stream->brotli_decoder = BrotliDecoderCreateInstance(NULL, NULL, NULL);
  } else if (stream->zstd_encoder != NULL) {
    ZSTD_CCtx_reset(stream->zstd_encoder, ZSTD_reset_session_only);
  } else if (stream->zstd_decoder != NULL) {
    ZSTD_DCtx_reset(stream->zstd_decoder, ZSTD_reset_session_only);
  } else if (make_ready(stream) == Z_OK) {
    stream->magic_seen = 0;
    bool compresses = stream->mode == DEFLATE || stream->mode == GZIP || stream->mode == DEFLATERAW;
    int err = compresses ? deflateReset(&stream->z) : inflateReset(&stream->z);
    if (err != Z_OK)
      fail(stream, err, "Failed to reset stream");
    else
      set_dictionary(stream);
  }
  return js_boolean(context, stream->err == 0);
}

static JSValueRef close_stream(JSContextRef context, struct js_frame *frame) {
  struct stream *stream = stream_of(context, frame);
  if (stream != NULL && stream->in_step)
    stream->closing = true;
  else if (stream != NULL)
    end_stream(stream);
  return js_undefined(context);
}

/* crc32(bytes or text, start) */
static JSValueRef checksum(JSContextRef context, struct js_frame *frame) {
  uLong value = (uLong)(uint32_t)js_to_integer(context, js_arg(context, frame, 1));
  unsigned char *bytes;
  size_t length;
  if (js_borrow_bytes(context, js_arg(context, frame, 0), &bytes, &length))
    return js_number(context, (double)crc32_z(value, bytes, length));
  char *text = js_to_text(context, js_arg(context, frame, 0), &length);
  if (text != NULL)
    value = crc32_z(value, (unsigned char *)text, length);
  free(text);
  return js_number(context, (double)value);
}

static JSValueRef set_callback(JSContextRef context, struct js_frame *frame) {
  step_done = (JSObjectRef)js_arg(context, frame, 0);
  JSValueProtect(context, step_done);
  return js_undefined(context);
}

JSObjectRef js_binding_zlib(struct js_env *env) {
  static const struct js_method methods[] = {
      {"create", create, 2},
      {"init", init, 7},
      {"initBrotli", init_brotli, 3},
      {"initZstd", init_zstd, 4},
      {"write", write_step, 9},
      {"error", error, 1},
      {"params", params, 3},
      {"reset", reset, 1},
      {"close", close_stream, 1},
      {"crc32", checksum, 2},
      {"setCallback", set_callback, 1},
      {NULL, NULL, 0},
  };
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  js_set(env->context, binding, "zlibVersion", js_string(env->context, zlibVersion()));
  return binding;
}
