/* The binding `http2`: sessions; JavaScript knows each by a number, which is invalid once the session is freed. */
#include "runtime/extras/http2/http2.h"

#include "runtime/bind/slots.h"
#include "runtime/engine/value/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_TABLE = 16, FIRST_BYTES = 256 };

static _Thread_local struct js_slots sessions;

_Thread_local JSObjectRef js_http2_callbacks[JS_HTTP2_CALL_COUNT];

struct js_http2 *js_http2_argument(JSContextRef context, const struct js_frame *frame) {
  struct js_http2 *http2 = js_slots_find(&sessions, js_int(context, frame, 0));
  return http2;
}

JSValueRef js_http2_call(struct js_http2 *http2, enum js_http2_call callback, size_t argc, const JSValueRef argv[]) {
  if (http2->freed)
    return NULL;
  return js_enter(js_env_here, js_http2_callbacks[callback], http2->object, argc, argv);
}

bool js_http2_append(struct js_http2_bytes *bytes, const void *data, size_t length) {
  if (bytes->room - bytes->length < length) {
    if (bytes->at > 0) {
      memmove(bytes->data, bytes->data + bytes->at, bytes->length - bytes->at);
      bytes->length -= bytes->at;
      bytes->at = 0;
    }
    if (bytes->room - bytes->length < length) {
      size_t room = bytes->room == 0 ? FIRST_BYTES : bytes->room * 2;
      if (room < bytes->length + length)
        room = bytes->length + length;
      char *grown = realloc(bytes->data, room);
      if (grown == NULL)
        return false;
      bytes->data = grown;
      bytes->room = room;
    }
  }
  if (length > 0)
    memcpy(bytes->data + bytes->length, data, length);
  bytes->length += length;
  return true;
}

/* ---- the streams of a session, by id ---- */

static unsigned place_of(const struct js_http2 *http2, int32_t id) {
  /* Each side uses every second number. */
  return (unsigned)(id >> 1) & (http2->table_size - 1);
}

struct js_http2_stream *js_http2_find(const struct js_http2 *http2, int32_t id) {
  if (http2->table_size == 0)
    return NULL;
  struct js_http2_stream *stream = http2->table[place_of(http2, id)];
  while (stream != NULL && stream->id != id)
    stream = stream->next;
  return stream;
}

static bool grow_table(struct js_http2 *http2) {
  unsigned before = http2->table_size, size = before == 0 ? FIRST_TABLE : before * 2;
  struct js_http2_stream **old = http2->table, **table = calloc(size, sizeof(void *));
  if (table == NULL)
    return false;
  http2->table = table;
  http2->table_size = size;
  for (unsigned i = 0; i < before; i++)
    for (struct js_http2_stream *stream = old[i], *next; stream != NULL; stream = next) {
      unsigned place = place_of(http2, stream->id);
      next = stream->next;
      stream->next = table[place];
      table[place] = stream;
    }
  free(old);
  return true;
}

struct js_http2_stream *js_http2_add(struct js_http2 *http2, int32_t id) {
  struct js_http2_stream *stream = js_http2_find(http2, id);
  if (stream != NULL)
    return stream;
  if (http2->stream_count >= http2->table_size && !grow_table(http2))
    return NULL;
  stream = calloc(1, sizeof *stream);
  if (stream == NULL)
    return NULL;
  unsigned place = place_of(http2, id);
  stream->id = id;
  stream->field_most = nghttp2_session_get_local_settings(http2->session, NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE);
  stream->next = http2->table[place];
  http2->table[place] = stream;
  http2->stream_count++;
  http2->streams_seen++;
  if (http2->stream_count > http2->most_streams)
    http2->most_streams = http2->stream_count;
  http2->memory += sizeof *stream;
  return stream;
}

static void free_stream(struct js_http2 *http2, struct js_http2_stream *stream) {
  http2->memory -= sizeof *stream + stream->kept + (stream->queue.length - stream->queue.at);
  free(stream->fields.data);
  free(stream->queue.data);
  free(stream);
}

void js_http2_remove(struct js_http2 *http2, int32_t id) {
  if (http2->table_size == 0)
    return;
  for (struct js_http2_stream **link = &http2->table[place_of(http2, id)]; *link != NULL; link = &(*link)->next) {
    struct js_http2_stream *stream = *link;
    if (stream->id == id) {
      *link = stream->next;
      http2->stream_count--;
      free_stream(http2, stream);
      return;
    }
  }
}

/* ---- life ---- */

static void dispose(struct js_http2 *http2) {
  nghttp2_session_del(http2->session);
  for (unsigned i = 0; i < http2->table_size; i++)
    for (struct js_http2_stream *stream = http2->table[i], *next; stream != NULL; stream = next) {
      next = stream->next;
      free_stream(http2, stream);
    }
  JSValueUnprotect(js_env_here->context, http2->object);
  free(http2->table);
  free(http2->out.data);
  free(http2->events);
  free(http2->resets);
  free(http2);
}

static void set_options(nghttp2_option *option, const double *limits) {
  if (!isnan(limits[JS_HTTP2_OPTION_PEER_STREAMS]))
    nghttp2_option_set_peer_max_concurrent_streams(option, (uint32_t)limits[JS_HTTP2_OPTION_PEER_STREAMS]);
  if (!isnan(limits[JS_HTTP2_OPTION_RESERVED_STREAMS]))
    nghttp2_option_set_max_reserved_remote_streams(option, (uint32_t)limits[JS_HTTP2_OPTION_RESERVED_STREAMS]);
  if (!isnan(limits[JS_HTTP2_OPTION_SEND_BLOCK]))
    nghttp2_option_set_max_send_header_block_length(option, (size_t)limits[JS_HTTP2_OPTION_SEND_BLOCK]);
  if (!isnan(limits[JS_HTTP2_OPTION_DEFLATE_TABLE]))
    nghttp2_option_set_max_deflate_dynamic_table_size(option, (size_t)limits[JS_HTTP2_OPTION_DEFLATE_TABLE]);
  if (!isnan(limits[JS_HTTP2_OPTION_SETTINGS_COUNT]))
    nghttp2_option_set_max_settings(option, (size_t)limits[JS_HTTP2_OPTION_SETTINGS_COUNT]);
  if (!isnan(limits[JS_HTTP2_OPTION_RESET_BURST]))
    nghttp2_option_set_stream_reset_rate_limit(option, (uint64_t)limits[JS_HTTP2_OPTION_RESET_BURST],
                                               (uint64_t)limits[JS_HTTP2_OPTION_RESET_RATE]);
  if (limits[JS_HTTP2_OPTION_LOOSE_BLANKS] == 1)
    nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(option, 1);
  /* Data that JavaScript has not read yet counts against the peer's window. */
  nghttp2_option_set_no_auto_window_update(option, 1);
  nghttp2_option_set_no_closed_streams(option, 1);
  nghttp2_option_set_builtin_recv_extension_type(option, NGHTTP2_ALTSVC);
  nghttp2_option_set_builtin_recv_extension_type(option, NGHTTP2_ORIGIN);
}

static int open_session(struct js_http2 *http2) {
  nghttp2_session_callbacks *callbacks = NULL;
  nghttp2_option *option = NULL;
  int err = nghttp2_session_callbacks_new(&callbacks);
  if (err == 0)
    err = nghttp2_option_new(&option);
  if (err == 0) {
    js_http2_receive_callbacks(callbacks);
    js_http2_send_callbacks(callbacks);
    set_options(option, http2->limits);
    err = http2->server ? nghttp2_session_server_new2(&http2->session, callbacks, http2, option)
                        : nghttp2_session_client_new2(&http2->session, callbacks, http2, option);
  }
  nghttp2_option_del(option);
  nghttp2_session_callbacks_del(callbacks);
  return err;
}

/* create(object, server, Float64Array of options) -> number, or a negative error */
static JSValueRef create(JSContextRef context, struct js_frame *frame) {
  unsigned char *bytes;
  size_t length;
  struct js_http2 *http2 = calloc(1, sizeof *http2);
  if (http2 == NULL)
    return js_number(context, NGHTTP2_ERR_NOMEM);
  if (!js_borrow_bytes(context, js_arg(context, frame, 2), &bytes, &length) || length != sizeof http2->limits) {
    free(http2);
    return js_number(context, NGHTTP2_ERR_INVALID_ARGUMENT);
  }
  memcpy(http2->limits, bytes, length);
  http2->server = js_to_boolean(context, js_arg(context, frame, 1));
  http2->stream_id = -1;
  http2->id = js_slots_add(&sessions, http2);
  int err = http2->id < 0 ? NGHTTP2_ERR_NOMEM : open_session(http2);
  if (err != 0) {
    if (http2->id >= 0)
      js_slots_remove(&sessions, http2->id);
    free(http2);
    return js_number(context, err);
  }
  http2->object = (JSObjectRef)js_arg(context, frame, 0);
  JSValueProtect(context, http2->object);
  return js_number(context, http2->id);
}

static void leave(struct js_http2 *http2) {
  if (--http2->entered == 0 && http2->freed)
    dispose(http2);
}

static void detach(struct js_http2 *http2) {
  struct js_socket *stream = js_stream_find(http2->stream_id);
  if (stream != NULL && stream->reader_data == http2) {
    stream->reader = NULL;
    stream->reader_data = NULL;
  }
  http2->stream_id = -1;
}

/* free(id) */
static JSValueRef free_session(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  if (http2 == NULL)
    return js_undefined(context);
  detach(http2);
  js_slots_remove(&sessions, http2->id);
  http2->freed = true;
  if (http2->entered == 0)
    dispose(http2);
  return js_undefined(context);
}

/* ---- input of a session ---- */

/* nghttp2 ends a session itself if the peer violates the protocol. */
static void tell_over(struct js_http2 *http2) {
  if (http2->over || http2->failed || nghttp2_session_want_read(http2->session) != 0 ||
      nghttp2_session_want_write(http2->session) != 0)
    return;
  http2->over = true;
  JSValueRef argument = js_number(js_env_here->context, 0);
  js_http2_call(http2, JS_HTTP2_CALL_FAILED, 1, &argument);
}

static void feed(struct js_http2 *http2, const char *bytes, size_t length) {
  http2->entered++;
  js_http2_receive(http2, bytes, length);
  if (!http2->freed)
    js_http2_flush(http2);
  if (!http2->freed)
    tell_over(http2);
  leave(http2);
}

static void on_stream(struct js_socket *stream, ssize_t nread, const uv_buf_t *buffer) {
  struct js_http2 *http2 = stream->reader_data;
  if (nread <= 0) {
    js_stream_deliver(stream, nread, buffer);
    return;
  }
  feed(http2, buffer->base, (size_t)nread);
}

/* attach(id, stream): from now on the session gets the bytes that the stream reads. */
static JSValueRef attach(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  struct js_socket *stream = js_stream_argument(context, frame, 1);
  if (http2 == NULL || stream == NULL || stream->reader != NULL || stream->own_buffer != NULL)
    return js_boolean(context, false);
  http2->stream_id = stream->id;
  stream->reader = on_stream;
  stream->reader_data = http2;
  return js_boolean(context, true);
}

static JSValueRef detach_session(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  if (http2 != NULL)
    detach(http2);
  return js_undefined(context);
}

/* receive(id, bytes) -> false if the session is busy with other bytes */
static JSValueRef receive(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  unsigned char *bytes;
  size_t length;
  if (http2 == NULL)
    return js_boolean(context, true);
  if (http2->receiving || http2->sending)
    return js_boolean(context, false);
  if (!js_pin_bytes(context, js_arg(context, frame, 1), &bytes, &length))
    return js_boolean(context, true);
  feed(http2, (const char *)bytes, length);
  return js_boolean(context, true);
}

/* flush(id[, whether the carrier accepts bytes again]) */
static JSValueRef flush(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  if (http2 == NULL)
    return js_undefined(context);
  if (js_to_boolean(context, js_arg(context, frame, 1)))
    http2->held = false;
  http2->entered++;
  js_http2_flush(http2);
  if (!http2->freed && !http2->receiving && !http2->sending && !http2->flushing)
    tell_over(http2);
  leave(http2);
  return js_undefined(context);
}

/* setCallbacks({name: function}): by the names of http2_call in runtime/shared.table */
static JSValueRef set_callbacks(JSContextRef context, struct js_frame *frame) {
  static const char *const names[] = JS_HTTP2_CALL_NAMES;
  js_set_callbacks(context, js_arg(context, frame, 0), JS_HTTP2_CALL_COUNT, names, js_http2_callbacks);
  return js_undefined(context);
}

/* describe(error) -> nghttp2's message for one of its errors */
static JSValueRef describe(JSContextRef context, struct js_frame *frame) {
  return js_string(context, nghttp2_strerror(js_int(context, frame, 0)));
}

JSObjectRef js_binding_http2(struct js_env *env) {
  static const struct js_method methods[] = {{"create", create, 3},
                                             {"free", free_session, 1},
                                             {"attach", attach, 2},
                                             {"detach", detach_session, 1},
                                             {"receive", receive, 2},
                                             {"flush", flush, 2},
                                             {"setCallbacks", set_callbacks, 1},
                                             {"describe", describe, 1},
                                             {NULL, NULL, 0}};
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  js_set_methods(env->context, binding, js_http2_submit_methods);
  js_set_methods(env->context, binding, js_http2_state_methods);
  js_set(env->context, binding, "version", js_string(env->context, nghttp2_version(0)->version_str));
  return binding;
}
