/* Incoming frames. A block of headers is collected and passed on in one call; data stays in the buffer into which it
 * was read.
 *
 * Each call is a callback of its own: ticks run after it, unless JavaScript fed the session. */
#include "runtime/bind/http/http.h"
#include "runtime/engine/value/text.h"
#include "runtime/extras/http2/http2.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 128, FIELD_OVERHEAD = 32 };

/* The layout of a field in `fields`; its name and its value follow. */
struct field {
  uint32_t name_length, value_length, sensitive;
};

static struct js_http2 *from(void *data) {
  return data;
}

/* JavaScript may have freed the session while it was called. */
static int verdict(const struct js_http2 *http2) {
  return http2->freed || http2->failed ? NGHTTP2_ERR_CALLBACK_FAILURE : 0;
}

static void fail(struct js_http2 *http2, int error) {
  if (http2->failed || http2->freed)
    return;
  http2->failed = true;
  JSValueRef argument = js_number(js_env_here->context, error);
  js_http2_call(http2, JS_HTTP2_CALL_FAILED, 1, &argument);
}

/* ---- blocks of headers ---- */

static int32_t target_of(const nghttp2_frame *frame) {
  return frame->hd.type == NGHTTP2_PUSH_PROMISE ? frame->push_promise.promised_stream_id : frame->hd.stream_id;
}

static int refuse(struct js_http2 *http2, int32_t id) {
  nghttp2_submit_rst_stream(http2->session, NGHTTP2_FLAG_NONE, id, NGHTTP2_ENHANCE_YOUR_CALM);
  return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

static int on_begin_headers(nghttp2_session *session, const nghttp2_frame *frame, void *data) {
  struct js_http2 *http2 = from(data);
  int32_t id = target_of(frame);
  (void)session;
  struct js_http2_stream *stream = js_http2_find(http2, id);
  if (stream == NULL) {
    bool full = (double)http2->memory > http2->limits[JS_HTTP2_OPTION_MEMORY];
    if (full || (stream = js_http2_add(http2, id)) == NULL) {
      if (++http2->rejected_streams > http2->limits[JS_HTTP2_OPTION_REJECTED_STREAMS])
        return NGHTTP2_ERR_CALLBACK_FAILURE;
      return refuse(http2, id);
    }
  }
  stream->fields.at = stream->fields.length = 0;
  stream->field_count = 0;
  stream->field_size = 0;
  return 0;
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t name_length,
                     const uint8_t *value, size_t value_length, uint8_t flags, void *data) {
  struct js_http2 *http2 = from(data);
  struct js_http2_stream *stream = js_http2_find(http2, target_of(frame));
  (void)session;
  if (stream == NULL)
    return 0;
  size_t size = name_length + value_length + FIELD_OVERHEAD;
  struct field field = {(uint32_t)name_length, (uint32_t)value_length, (flags & NGHTTP2_NV_FLAG_NO_INDEX) != 0};
  if ((double)stream->field_count >= http2->limits[JS_HTTP2_OPTION_PAIRS] ||
      stream->field_size + size > stream->field_most || !js_http2_append(&stream->fields, &field, sizeof field) ||
      !js_http2_append(&stream->fields, name, name_length) || !js_http2_append(&stream->fields, value, value_length))
    return refuse(http2, stream->id);
  stream->field_count++;
  stream->field_size += size;
  stream->kept += size;
  http2->memory += size;
  return 0;
}

/* Names and values alternate, then the sensitive names. The strings made so far are on the stack or in the list. */
static JSObjectRef take_fields(struct js_http2_stream *stream, JSValueRef *sensitive) {
  JSContextRef context = js_env_here->context;
  JSValueRef few[FEW], secret[FEW / 2];
  few[0] = NULL;
  size_t count = stream->field_count * 2, secrets = 0;
  JSObjectRef list = count > FEW ? js_array(context, 0, NULL) : NULL;
  const char *at = stream->fields.data;
  for (size_t i = 0; i < count; i += 2) {
    struct field field;
    memcpy(&field, at, sizeof field);
    at += sizeof field;
    JSValueRef name = js_http_text(context, at, field.name_length);
    if (list != NULL)
      JSObjectSetPropertyAtIndex(context, list, (unsigned)i, name, NULL);
    else
      few[i] = name;
    if (field.sensitive && secrets < FEW / 2)
      secret[secrets++] = name;
    at += field.name_length;
    JSValueRef value = js_http_text(context, at, field.value_length);
    if (list != NULL)
      JSObjectSetPropertyAtIndex(context, list, (unsigned)i + 1, value, NULL);
    else
      few[i + 1] = value;
    at += field.value_length;
  }
  if (list == NULL)
    list = js_array(context, count, few);
  *sensitive = secrets > 0 ? js_array(context, secrets, secret) : js_undefined(context);
  return list;
}

static int tell_head(struct js_http2 *http2, const nghttp2_frame *frame) {
  JSContextRef context = js_env_here->context;
  bool push = frame->hd.type == NGHTTP2_PUSH_PROMISE;
  struct js_http2_stream *stream = js_http2_find(http2, target_of(frame));
  if (stream == NULL)
    return 0;
  JSValueRef sensitive;
  JSValueRef fields = take_fields(stream, &sensitive);
  free(stream->fields.data);
  stream->fields = (struct js_http2_bytes){NULL, 0, 0, 0};
  JSValueRef arguments[] = {
      js_number(context, stream->id),
      js_number(context, push ? NGHTTP2_HCAT_REQUEST : frame->headers.cat),
      js_number(context, frame->hd.flags),
      fields,
      sensitive,
      js_number(context, push ? frame->hd.stream_id : 0),
  };
  js_http2_call(http2, JS_HTTP2_CALL_HEAD, 6, arguments);
  return verdict(http2);
}

/* ---- data ---- */

static int on_data(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *bytes, size_t length,
                   void *data) {
  struct js_http2 *http2 = from(data);
  struct js_http2_stream *stream = js_http2_find(http2, id);
  JSContextRef context = js_env_here->context;
  (void)flags;
  if (length == 0)
    return 0;
  http2->data_received += (double)length;
  /* A stream that is not read must not stop the others: the window of the session moves on. */
  int err = nghttp2_session_consume_connection(session, length);
  if (err != 0 && nghttp2_is_fatal(err))
    return err;
  if (stream == NULL) {
    nghttp2_session_consume_stream(session, id, length);
    return 0;
  }
  stream->unread += length;
  JSValueRef arguments[] = {
      js_number(context, id),
      js_number(context, (double)length),
      js_undefined(context),
  };
  if (length <= JS_SMALL_BYTES)
    js_stream_show((const char *)bytes, length);
  else
    arguments[2] = js_bytes_alone(context, (const char *)bytes, length);
  js_http2_call(http2, JS_HTTP2_CALL_DATA, 3, arguments);
  if (verdict(http2) != 0)
    return verdict(http2);
  stream = js_http2_find(http2, id);
  if (stream != NULL && !stream->paused) {
    nghttp2_session_consume_stream(session, id, stream->unread);
    stream->unread = 0;
  }
  return 0;
}

/* ---- other frames ---- */

static void tell_settings(struct js_http2 *http2, const nghttp2_settings *settings) {
  JSContextRef context = js_env_here->context;
  JSValueRef values[FEW];
  size_t count = settings->niv < FEW / 2 ? settings->niv : FEW / 2;
  for (size_t i = 0; i < count; i++) {
    values[i * 2] = js_number(context, settings->iv[i].settings_id);
    values[i * 2 + 1] = js_number(context, settings->iv[i].value);
  }
  JSValueRef arguments[] = {js_boolean(context, (settings->hd.flags & NGHTTP2_FLAG_ACK) != 0),
                            js_array(context, count * 2, values)};
  js_http2_call(http2, JS_HTTP2_CALL_SETTINGS, 2, arguments);
}

static JSValueRef bytes_value(JSContextRef context, const void *bytes, size_t length) {
  void *copy = length > 0 ? malloc(length) : NULL;
  if (copy == NULL)
    return js_undefined(context);
  memcpy(copy, bytes, length);
  return js_buffer_adopt(context, copy, length);
}

static void tell_ping(struct js_http2 *http2, const nghttp2_ping *ping) {
  JSContextRef context = js_env_here->context;
  JSValueRef arguments[] = {js_boolean(context, (ping->hd.flags & NGHTTP2_FLAG_ACK) != 0),
                            bytes_value(context, ping->opaque_data, sizeof ping->opaque_data)};
  js_http2_call(http2, JS_HTTP2_CALL_PING, 2, arguments);
}

static void tell_goaway(struct js_http2 *http2, const nghttp2_goaway *goaway) {
  JSContextRef context = js_env_here->context;
  JSValueRef arguments[] = {js_number(context, goaway->error_code), js_number(context, goaway->last_stream_id),
                            bytes_value(context, goaway->opaque_data, goaway->opaque_data_len)};
  js_http2_call(http2, JS_HTTP2_CALL_GOAWAY, 3, arguments);
}

static void tell_alternative(struct js_http2 *http2, const nghttp2_frame *frame) {
  JSContextRef context = js_env_here->context;
  const nghttp2_ext_altsvc *alternative = frame->ext.payload;
  JSValueRef arguments[] = {
      js_number(context, frame->hd.stream_id),
      js_string_latin1(context, alternative->origin, alternative->origin_len),
      js_string_latin1(context, alternative->field_value, alternative->field_value_len),
  };
  js_http2_call(http2, JS_HTTP2_CALL_ALTERNATIVE, 3, arguments);
}

static void tell_origins(struct js_http2 *http2, const nghttp2_frame *frame) {
  JSContextRef context = js_env_here->context;
  const nghttp2_ext_origin *origin = frame->ext.payload;
  JSObjectRef list = js_array(context, 0, NULL);
  for (size_t i = 0; i < origin->nov; i++)
    JSObjectSetPropertyAtIndex(context, list, (unsigned)i,
                               js_string_latin1(context, origin->ov[i].origin, origin->ov[i].origin_len), NULL);
  JSValueRef argument = list;
  js_http2_call(http2, JS_HTTP2_CALL_ORIGINS, 1, &argument);
}

static int on_empty_data(struct js_http2 *http2) {
  if (http2->invalid_frames++ <= http2->limits[JS_HTTP2_OPTION_INVALID_FRAMES])
    return 0;
  fail(http2, 1);
  return NGHTTP2_ERR_CALLBACK_FAILURE;
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *data) {
  struct js_http2 *http2 = from(data);
  (void)session;
  http2->frames_received++;
  switch (frame->hd.type) {
  case NGHTTP2_HEADERS:
  case NGHTTP2_PUSH_PROMISE:
    return tell_head(http2, frame);
  case NGHTTP2_DATA:
    /* An empty frame without END_STREAM: a peer that sends many of these is attacking. */
    if (frame->hd.length == 0 && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) == 0)
      return on_empty_data(http2);
    if ((frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0 && js_http2_find(http2, frame->hd.stream_id) != NULL) {
      JSValueRef argument = js_number(js_env_here->context, frame->hd.stream_id);
      js_http2_call(http2, JS_HTTP2_CALL_END, 1, &argument);
    }
    break;
  case NGHTTP2_SETTINGS:
    tell_settings(http2, &frame->settings);
    break;
  case NGHTTP2_PING:
    tell_ping(http2, &frame->ping);
    break;
  case NGHTTP2_GOAWAY:
    tell_goaway(http2, &frame->goaway);
    break;
  case NGHTTP2_ALTSVC:
    tell_alternative(http2, frame);
    break;
  case NGHTTP2_ORIGIN:
    tell_origins(http2, frame);
    break;
  default:
    break;
  }
  return verdict(http2);
}

static int on_stream_close(nghttp2_session *session, int32_t id, uint32_t code, void *data) {
  struct js_http2 *http2 = from(data);
  JSContextRef context = js_env_here->context;
  (void)session;
  if (http2->freed || js_http2_find(http2, id) == NULL)
    return 0;
  js_http2_remove(http2, id);
  if (http2->sending) {
    js_http2_note(http2, JS_HTTP2_CALL_CLOSED, id, code, 0);
    return 0;
  }
  JSValueRef arguments[] = {js_number(context, id), js_number(context, code)};
  js_http2_call(http2, JS_HTTP2_CALL_CLOSED, 2, arguments);
  return 0;
}

static int on_invalid_frame(nghttp2_session *session, const nghttp2_frame *frame, int error, void *data) {
  struct js_http2 *http2 = from(data);
  (void)session;
  (void)frame;
  if (http2->invalid_frames++ > http2->limits[JS_HTTP2_OPTION_INVALID_FRAMES]) {
    fail(http2, 1);
    return NGHTTP2_ERR_CALLBACK_FAILURE;
  }
  if (nghttp2_is_fatal(error) || error == NGHTTP2_ERR_STREAM_CLOSED || error == NGHTTP2_ERR_PROTO ||
      error == NGHTTP2_ERR_FLOW_CONTROL)
    fail(http2, error);
  return 0;
}

/* Invalid fields are dropped; a message with a bad pseudo-header is invalid. */
static int on_invalid_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name,
                             size_t name_length, const uint8_t *value, size_t value_length, uint8_t flags, void *data) {
  (void)session, (void)frame, (void)name, (void)name_length, (void)value, (void)value_length, (void)flags, (void)data;
  return 0;
}

void js_http2_receive_callbacks(nghttp2_session_callbacks *callbacks) {
  nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin_headers);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
  nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks, on_invalid_header);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
  nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, on_invalid_frame);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_stream_close);
}

void js_http2_receive(struct js_http2 *http2, const char *bytes, size_t length) {
  if (http2->failed)
    return;
  http2->receiving = true;
  ssize_t n = nghttp2_session_mem_recv(http2->session, (const uint8_t *)bytes, length);
  http2->receiving = false;
  if (n < 0)
    fail(http2, (int)n);
}
