/* Outgoing frames: nghttp2 makes them, they are collected in one piece of memory, and JavaScript passes that to the
 * carrier in one write. Events of nghttp2 meanwhile (a stream is closed, a frame could not be sent)
 * are reported afterwards. */
#include "runtime/engine/value/text.h"
#include "runtime/extras/http2/http2.h"

#include <stdlib.h>
#include <string.h>

enum { ENOUGH = 256 * 1024, FRAME_HEAD = 9, ALIGNMENT = 8 };

void js_http2_note(struct js_http2 *http2, enum js_http2_call kind, int32_t stream, double value, double other) {
  if (http2->event_count == http2->event_room) {
    size_t room = http2->event_room == 0 ? 8 : http2->event_room * 2;
    struct js_http2_event *events = realloc(http2->events, room * sizeof *events);
    if (events == NULL)
      return;
    http2->events = events;
    http2->event_room = room;
  }
  http2->events[http2->event_count++] = (struct js_http2_event){kind, stream, value, other};
}

/* ---- data ---- */

static ssize_t on_read(nghttp2_session *session, int32_t id, uint8_t *buffer, size_t length, uint32_t *flags,
                       nghttp2_data_source *source, void *data) {
  struct js_http2 *http2 = data;
  struct js_http2_stream *stream = js_http2_find(http2, id);
  (void)session, (void)buffer, (void)source;
  if (stream == NULL)
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  size_t there = stream->queue.length - stream->queue.at;
  if (there == 0 && !stream->ended)
    return NGHTTP2_ERR_DEFERRED;
  size_t count = there < length ? there : length;
  if (count == there && stream->ended) {
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    if (stream->keeps_open) {
      *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
      js_http2_note(http2, JS_HTTP2_CALL_TRAILERS, id, 0, 0);
    }
  }
  *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
  return (ssize_t)count;
}

static int on_send_data(nghttp2_session *session, nghttp2_frame *frame, const uint8_t *head, size_t length,
                        nghttp2_data_source *source, void *data) {
  struct js_http2 *http2 = data;
  struct js_http2_stream *stream = js_http2_find(http2, frame->hd.stream_id);
  static const char padding[256];
  (void)session, (void)source;
  if (stream == NULL)
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  size_t padded = frame->data.padlen;
  bool ok = js_http2_append(&http2->out, head, FRAME_HEAD);
  if (ok && padded > 0) {
    unsigned char byte = (unsigned char)(padded - 1);
    ok = js_http2_append(&http2->out, &byte, 1);
  }
  ok = ok && js_http2_append(&http2->out, stream->queue.data + stream->queue.at, length);
  if (ok && padded > 1)
    ok = js_http2_append(&http2->out, padding, padded - 1);
  if (!ok)
    return NGHTTP2_ERR_CALLBACK_FAILURE;
  stream->queue.at += length;
  http2->memory -= length;
  http2->data_sent += (double)length;
  if (stream->queue.at == stream->queue.length) {
    stream->queue.at = stream->queue.length = 0;
    if (stream->waiting) {
      stream->waiting = false;
      js_http2_note(http2, JS_HTTP2_CALL_SEND, stream->id, 0, 0);
    }
  }
  return 0;
}

static ssize_t on_padding(nghttp2_session *session, const nghttp2_frame *frame, size_t most, void *data) {
  const struct js_http2 *http2 = data;
  size_t length = frame->hd.length;
  (void)session;
  if (http2->limits[JS_HTTP2_OPTION_PADDING] == 2)
    return (ssize_t)most;
  if (http2->limits[JS_HTTP2_OPTION_PADDING] != 1)
    return (ssize_t)length;
  size_t over = (length + FRAME_HEAD) % ALIGNMENT;
  size_t padded = over == 0 ? length : length + (ALIGNMENT - over);
  return (ssize_t)(padded < most ? padded : most);
}

/* ---- events of nghttp2 meanwhile ---- */

static int on_frame_sent(nghttp2_session *session, const nghttp2_frame *frame, void *data) {
  struct js_http2 *http2 = data;
  (void)session, (void)frame;
  http2->frames_sent++;
  return 0;
}

/* A frame for a stream that has been closed meanwhile is not reported. */
static int on_unsent(nghttp2_session *session, const nghttp2_frame *frame, int error, void *data) {
  struct js_http2 *http2 = data;
  (void)session;
  if (error == NGHTTP2_ERR_SESSION_CLOSING || error == NGHTTP2_ERR_STREAM_CLOSED || error == NGHTTP2_ERR_STREAM_CLOSING)
    if (frame->hd.type != NGHTTP2_HEADERS || error != NGHTTP2_ERR_SESSION_CLOSING)
      return 0;
  js_http2_note(http2, JS_HTTP2_CALL_UNSENT, frame->hd.stream_id, error, frame->hd.type);
  return 0;
}

void js_http2_send_callbacks(nghttp2_session_callbacks *callbacks) {
  nghttp2_session_callbacks_set_send_data_callback(callbacks, on_send_data);
  nghttp2_session_callbacks_set_select_padding_callback(callbacks, on_padding);
  nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, on_frame_sent);
  nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks, on_unsent);
}

nghttp2_data_provider js_http2_provider(void) {
  return (nghttp2_data_provider){.source = {.ptr = NULL}, .read_callback = on_read};
}

/* ---- passing on ---- */

/* The last operations: resets, and then the session's end. */
static void submit_last(struct js_http2 *http2) {
  if (http2->reset_count == 0) {
    http2->terminates = false;
    nghttp2_session_terminate_session(http2->session, http2->terminate_code);
    return;
  }
  for (size_t i = 0; i < http2->reset_count; i++)
    nghttp2_submit_rst_stream(http2->session, NGHTTP2_FLAG_NONE, http2->resets[i].stream, http2->resets[i].code);
  http2->reset_count = 0;
}

/* -> how many bytes nghttp2 had, or a negative error; the next round finds out whether there is more. */
static ssize_t gather(struct js_http2 *http2) {
  ssize_t n = 0;
  http2->sending = true;
  while (http2->out.length < ENOUGH) {
    const uint8_t *bytes;
    n = nghttp2_session_mem_send(http2->session, &bytes);
    if (n <= 0)
      break;
    if (!js_http2_append(&http2->out, bytes, (size_t)n)) {
      n = NGHTTP2_ERR_NOMEM;
      break;
    }
  }
  http2->sending = false;
  return n;
}

/* The streams among the events whose queue is empty now: a list for the call that sends their last bytes. */
static JSValueRef take_emptied(struct js_http2 *http2) {
  JSContextRef context = js_env_here->context;
  JSObjectRef list = NULL;
  unsigned count = 0;
  size_t kept = 0;
  for (size_t i = 0; i < http2->event_count; i++) {
    struct js_http2_event *event = &http2->events[i];
    if (event->kind != JS_HTTP2_CALL_SEND) {
      http2->events[kept++] = *event;
      continue;
    }
    if (list == NULL)
      list = js_array(context, 0, NULL);
    JSObjectSetPropertyAtIndex(context, list, count++, js_number(context, event->stream), NULL);
  }
  http2->event_count = kept;
  return list != NULL ? (JSValueRef)list : js_undefined(context);
}

static void tell_events(struct js_http2 *http2) {
  JSContextRef context = js_env_here->context;
  size_t count = http2->event_count;
  struct js_http2_event *events = http2->events;
  /* JavaScript may cause more of them. */
  http2->events = NULL;
  http2->event_count = http2->event_room = 0;
  for (size_t i = 0; i < count && !http2->freed; i++) {
    JSValueRef arguments[] = {js_number(context, events[i].stream), js_number(context, events[i].value),
                              js_number(context, events[i].other)};
    js_http2_call(http2, events[i].kind, 3, arguments);
  }
  free(events);
}

/* bytes and the streams whose last ones are among them; without bytes, those are only noted */
static JSValueRef tell_send(struct js_http2 *http2, JSValueRef emptied, bool with_bytes) {
  JSContextRef context = js_env_here->context;
  JSValueRef bytes = js_undefined(context);
  if (with_bytes) {
    bytes = js_buffer_adopt(context, http2->out.data, http2->out.length);
    http2->out = (struct js_http2_bytes){NULL, 0, 0, 0};
  }
  JSValueRef arguments[] = {bytes, emptied};
  return js_http2_call(http2, JS_HTTP2_CALL_SEND, 2, arguments);
}

/* The order of the callbacks is Node's: the close of a stream comes before the report that its bytes were written. */
void js_http2_flush(struct js_http2 *http2) {
  JSContextRef context = js_env_here->context;
  if (http2->receiving || http2->sending || http2->flushing)
    return;
  http2->flushing = true;
  while (!http2->freed && !http2->held) {
    ssize_t n = gather(http2);
    JSValueRef emptied = take_emptied(http2);
    bool sends = http2->out.length > 0, news = http2->event_count > 0;
    if (news) {
      if (!JSValueIsUndefined(context, emptied))
        tell_send(http2, emptied, false);
      emptied = js_undefined(context);
      tell_events(http2);
    }
    if (sends && !http2->freed) {
      JSValueRef more = tell_send(http2, emptied, true);
      http2->held = more != NULL && !js_to_boolean(context, more);
    }
    if (n < 0 && !http2->failed && !http2->freed) {
      http2->failed = true;
      JSValueRef argument = js_number(context, (double)n);
      js_http2_call(http2, JS_HTTP2_CALL_FAILED, 1, &argument);
      break;
    }
    if (sends || news)
      continue;
    if (http2->reset_count == 0 && !http2->terminates)
      break;
    submit_last(http2);
  }
  http2->flushing = false;
}
