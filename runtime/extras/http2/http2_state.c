/* Queries of JavaScript about a session and its streams, and a few settings. */
#include "runtime/extras/http2/http2.h"

static JSValueRef numbers(JSContextRef context, size_t count, const double values[]) {
  JSValueRef list[16];
  for (size_t i = 0; i < count; i++)
    list[i] = js_number(context, values[i]);
  return js_array(context, count, list);
}

/* settingsOf(id, remote?) -> the values of settings 1 to 6, and of 8 */
static JSValueRef settings_of(JSContextRef context, struct js_frame *frame) {
  static const nghttp2_settings_id ids[] = {
      NGHTTP2_SETTINGS_HEADER_TABLE_SIZE,      NGHTTP2_SETTINGS_ENABLE_PUSH,    NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS,
      NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE,    NGHTTP2_SETTINGS_MAX_FRAME_SIZE, NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE,
      NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL};
  enum { COUNT = sizeof ids / sizeof *ids };
  struct js_http2 *http2 = js_http2_argument(context, frame);
  if (http2 == NULL)
    return js_undefined(context);
  bool remote = js_to_boolean(context, js_arg(context, frame, 1));
  double values[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    values[i] = remote ? nghttp2_session_get_remote_settings(http2->session, ids[i])
                       : nghttp2_session_get_local_settings(http2->session, ids[i]);
  return numbers(context, COUNT, values);
}

/* state(id) -> effective local window, received of it, next stream, local window, last stream, remote window, frames
 * waiting, size of the table for sending, and for receiving */
static JSValueRef state(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  if (http2 == NULL)
    return js_undefined(context);
  nghttp2_session *session = http2->session;
  double values[] = {
      nghttp2_session_get_effective_local_window_size(session),
      nghttp2_session_get_effective_recv_data_length(session),
      nghttp2_session_get_next_stream_id(session),
      nghttp2_session_get_local_window_size(session),
      nghttp2_session_get_last_proc_stream_id(session),
      nghttp2_session_get_remote_window_size(session),
      (double)nghttp2_session_get_outbound_queue_size(session),
      (double)nghttp2_session_get_hd_deflate_dynamic_table_size(session),
      (double)nghttp2_session_get_hd_inflate_dynamic_table_size(session),
  };
  return numbers(context, sizeof values / sizeof *values, values);
}

/* streamState(id, stream) -> state, local close, remote close, local window; undefined when there is no such stream */
static JSValueRef stream_state(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  int32_t id = js_int(context, frame, 1);
  nghttp2_stream *stream = http2 != NULL ? nghttp2_session_find_stream(http2->session, id) : NULL;
  if (stream == NULL)
    return js_undefined(context);
  double values[] = {
      nghttp2_stream_get_state(stream),
      nghttp2_session_get_stream_local_close(http2->session, id),
      nghttp2_session_get_stream_remote_close(http2->session, id),
      nghttp2_session_get_stream_local_window_size(http2->session, id),
  };
  return numbers(context, sizeof values / sizeof *values, values);
}

/* counts(id) -> frames received and sent, data received and sent, streams, most of them at a time, memory in use */
static JSValueRef counts(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  if (http2 == NULL)
    return js_undefined(context);
  double values[] = {http2->frames_received, http2->frames_sent,  http2->data_received, http2->data_sent,
                     http2->streams_seen,    http2->most_streams, (double)http2->memory};
  return numbers(context, sizeof values / sizeof *values, values);
}

/* setNextStream(id, stream), setWindow(id, size) -> 0 or a negative error */
static JSValueRef set_next_stream(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  return js_number(context, http2 == NULL
                                ? NGHTTP2_ERR_INVALID_ARGUMENT
                                : nghttp2_session_set_next_stream_id(http2->session, js_int(context, frame, 1)));
}

static JSValueRef set_window(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  return js_number(context, http2 == NULL ? NGHTTP2_ERR_INVALID_ARGUMENT
                                          : nghttp2_session_set_local_window_size(http2->session, NGHTTP2_FLAG_NONE, 0,
                                                                                  js_int(context, frame, 1)));
}

const struct js_method js_http2_state_methods[] = {{"settingsOf", settings_of, 2},
                                                   {"state", state, 1},
                                                   {"streamState", stream_state, 2},
                                                   {"counts", counts, 1},
                                                   {"setNextStream", set_next_stream, 2},
                                                   {"setWindow", set_window, 2},

                                                   {NULL, NULL, 0}};
