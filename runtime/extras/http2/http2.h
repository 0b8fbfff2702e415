/* An HTTP/2 session between a stream and JavaScript: nghttp2 makes and reads the frames.
 *
 * Nothing is sent while frames are being read, nor the other way round, and a session that is freed meanwhile is
 * destroyed afterwards: nghttp2 must not be entered twice. Events that occur while frames are made are reported when
 * they are passed on. */
#ifndef JS_BINDING_HTTP2_H
#define JS_BINDING_HTTP2_H

#include "runtime/bind/net/stream.h"

#include <nghttp2/nghttp2.h>

struct js_http2_bytes {
  char *data;
  size_t at, length, room; /* what is used begins at `at` */
};

struct js_http2_stream {
  int32_t id;
  struct js_http2_stream *next;   /* in its place of the table */
  struct js_http2_bytes fields;   /* the incoming block of headers: sizes and bytes, see http2_receive.c */
  size_t field_count, field_size; /* of this block */
  size_t field_most;              /* the limit of a block, when the stream began */
  size_t kept;                    /* counted as memory in use for all of its blocks */
  struct js_http2_bytes queue;    /* data to be sent */
  bool ended;                     /* no more will come into the queue */
  bool keeps_open;                /* trailers follow the data */
  bool waiting;                   /* for the queue to be emptied */
  bool paused;                    /* JavaScript reads no more for now */
  size_t unread;                  /* received while paused */
};

struct js_http2_event {
  enum js_http2_call kind;
  int32_t stream;
  double value, other;
};

struct js_http2_reset {
  int32_t stream;
  uint32_t code;
};

struct js_http2 {
  nghttp2_session *session;
  JSObjectRef object;
  int id, stream_id;
  unsigned entered; /* active calls that will use the session again */
  bool server, receiving, sending, flushing, freed, held;
  bool failed; /* JavaScript knows; nothing is read any more */
  bool over;   /* nghttp2 has nothing left to do, and JavaScript knows */
  bool terminates;
  uint32_t terminate_code;
  struct js_http2_stream **table;
  unsigned table_size, stream_count; /* the size is a power of two */
  struct js_http2_bytes out;
  struct js_http2_event *events; /* what happened while sending */
  size_t event_count, event_room;
  struct js_http2_reset *resets; /* streams to be reset when all that can be sent is */
  size_t reset_count, reset_room;
  size_t memory;
  double limits[JS_HTTP2_OPTION_COUNT];
  unsigned invalid_frames, rejected_streams;
  /* Counted for perf_hooks. */
  double frames_received, frames_sent, data_received, data_sent, streams_seen, most_streams;
};

extern _Thread_local JSObjectRef js_http2_callbacks[JS_HTTP2_CALL_COUNT];

/* http2.c */
struct js_http2 *js_http2_argument(JSContextRef context, const struct js_frame *frame);
JSValueRef js_http2_call(struct js_http2 *http2, enum js_http2_call callback, size_t argc, const JSValueRef argv[]);
struct js_http2_stream *js_http2_add(struct js_http2 *http2, int32_t id);
struct js_http2_stream *js_http2_find(const struct js_http2 *http2, int32_t id);
void js_http2_remove(struct js_http2 *http2, int32_t id);
bool js_http2_append(struct js_http2_bytes *bytes, const void *data, size_t length);

/* http2_receive.c */
void js_http2_receive_callbacks(nghttp2_session_callbacks *callbacks);
void js_http2_receive(struct js_http2 *http2, const char *bytes, size_t length);

/* http2_send.c */
void js_http2_send_callbacks(nghttp2_session_callbacks *callbacks);
/* The source of a stream's data for nghttp2: its queue. */
nghttp2_data_provider js_http2_provider(void);
void js_http2_flush(struct js_http2 *http2);
void js_http2_note(struct js_http2 *http2, enum js_http2_call kind, int32_t stream, double value, double other);

/* http2_submit.c */
extern const struct js_method js_http2_submit_methods[];
/* http2_state.c */
extern const struct js_method js_http2_state_methods[];

#endif
