/* Requests of JavaScript to send. Nothing is sent before the next flush.
 *
 * Headers come as one string (Latin-1) of all names and values, and three numbers for each field: the length of its
 * name, that of its value, and whether it is sensitive. Results are nghttp2's: 0 or more, or a negative error. */
#include "runtime/engine/value/text.h"
#include "runtime/extras/http2/http2.h"

#include <stdlib.h>
#include <string.h>

enum { FEW_FIELDS = 64, LONGEST_TEXT = 4096 };

static JSValueRef result(JSContextRef context, int value) {
  return js_number(context, value);
}

/* ---- headers ---- */

struct fields {
  nghttp2_nv *list, few[FEW_FIELDS];
  size_t count;
  unsigned char *bytes, room[LONGEST_TEXT];
};

static void fields_free(struct fields *fields) {
  if (fields->list != fields->few)
    free(fields->list);
  if (fields->bytes != fields->room)
    free(fields->bytes);
}

/* From the arguments `index` (text), `index + 1` (numbers) and `index + 2` (how many fields). */
static bool fields_read(JSContextRef context, const struct js_frame *frame, int index, struct fields *fields) {
  struct js_characters text;
  unsigned char *numbers;
  size_t size;
  fields->list = fields->few;
  fields->bytes = fields->room;
  fields->count = (size_t)js_int(context, frame, index + 2);
  if (!js_borrow_text(context, js_arg(context, frame, index), &text) ||
      !js_borrow_bytes(context, js_arg(context, frame, index + 1), &numbers, &size) ||
      size / (3 * sizeof(uint32_t)) < fields->count)
    return false;
  if (fields->count > FEW_FIELDS && (fields->list = malloc(fields->count * sizeof *fields->list)) == NULL)
    return false;
  if (text.length > LONGEST_TEXT && (fields->bytes = malloc(text.length)) == NULL)
    return false;
  if (text.wide)
    for (size_t i = 0; i < text.length; i++)
      fields->bytes[i] = (unsigned char)((const JSChar *)text.data)[i];
  else if (text.length > 0)
    memcpy(fields->bytes, text.data, text.length);
  size_t at = 0;
  for (size_t i = 0; i < fields->count; i++) {
    uint32_t sizes[3];
    memcpy(sizes, numbers + i * sizeof sizes, sizeof sizes);
    if (sizes[0] > text.length - at || sizes[1] > text.length - at - sizes[0])
      return false;
    fields->list[i] = (nghttp2_nv){fields->bytes + at, fields->bytes + at + sizes[0], sizes[0], sizes[1],
                                   sizes[2] != 0 ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE};
    at += sizes[0] + sizes[1];
  }
  return true;
}

static struct js_http2_stream *stream_of(JSContextRef context, const struct js_frame *frame,
                                         const struct js_http2 *http2) {
  return http2 != NULL ? js_http2_find(http2, js_int(context, frame, 1)) : NULL;
}

/* request(id, text, numbers, count, flags) -> the stream's id */
static JSValueRef request(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  struct fields fields;
  int flags = js_int(context, frame, 4), id = NGHTTP2_ERR_INVALID_ARGUMENT;
  if (http2 == NULL)
    return result(context, id);
  if (fields_read(context, frame, 1, &fields)) {
    nghttp2_data_provider provider = js_http2_provider();
    id = nghttp2_submit_request(http2->session, NULL, fields.list, fields.count,
                                (flags & JS_HTTP2_BITS_ENDS) != 0 ? NULL : &provider, NULL);
    struct js_http2_stream *stream = id > 0 ? js_http2_add(http2, id) : NULL;
    if (stream != NULL)
      stream->keeps_open = (flags & JS_HTTP2_BITS_KEEPS_OPEN) != 0;
    else if (id > 0)
      id = NGHTTP2_ERR_NOMEM;
  }
  fields_free(&fields);
  return result(context, id);
}

/* Sends fields on an existing stream. -> nghttp2's number: an error, or the result */
typedef int (*submission)(struct js_http2 *http2, struct js_http2_stream *stream, const struct fields *fields,
                          int flags);

static JSValueRef submit(JSContextRef context, struct js_frame *frame, submission how) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  struct js_http2_stream *stream = stream_of(context, frame, http2);
  struct fields fields;
  int outcome = NGHTTP2_ERR_INVALID_ARGUMENT;
  if (stream == NULL)
    return result(context, outcome);
  if (fields_read(context, frame, 2, &fields))
    outcome = how(http2, stream, &fields, js_int(context, frame, 5));
  fields_free(&fields);
  return result(context, outcome);
}

static int submit_response(struct js_http2 *http2, struct js_http2_stream *stream, const struct fields *fields,
                           int flags) {
  nghttp2_data_provider provider = js_http2_provider();
  stream->keeps_open = (flags & JS_HTTP2_BITS_KEEPS_OPEN) != 0;
  return nghttp2_submit_response(http2->session, stream->id, fields->list, fields->count,
                                 (flags & JS_HTTP2_BITS_ENDS) != 0 ? NULL : &provider);
}

static int submit_headers(struct js_http2 *http2, struct js_http2_stream *stream, const struct fields *fields,
                          int flags) {
  (void)flags;
  return nghttp2_submit_headers(http2->session, NGHTTP2_FLAG_NONE, stream->id, NULL, fields->list, fields->count, NULL);
}

static int submit_trailers(struct js_http2 *http2, struct js_http2_stream *stream, const struct fields *fields,
                           int flags) {
  (void)flags;
  if (fields->count > 0)
    return nghttp2_submit_trailer(http2->session, stream->id, fields->list, fields->count);
  nghttp2_data_provider provider = js_http2_provider();
  stream->keeps_open = false;
  stream->ended = true;
  return nghttp2_submit_data(http2->session, NGHTTP2_FLAG_END_STREAM, stream->id, &provider);
}

static int submit_promise(struct js_http2 *http2, struct js_http2_stream *stream, const struct fields *fields,
                          int flags) {
  (void)flags;
  int id =
      nghttp2_submit_push_promise(http2->session, NGHTTP2_FLAG_NONE, stream->id, fields->list, fields->count, NULL);
  return id > 0 && js_http2_add(http2, id) == NULL ? NGHTTP2_ERR_NOMEM : id;
}

/* respond(id, stream, text, numbers, count, flags) */
static JSValueRef respond(JSContextRef context, struct js_frame *frame) {
  return submit(context, frame, submit_response);
}

/* inform(id, stream, text, numbers, count): headers before the response's */
static JSValueRef inform(JSContextRef context, struct js_frame *frame) {
  return submit(context, frame, submit_headers);
}

/* trailers(id, stream, text, numbers, count): without any field, an empty DATA frame ends the stream. */
static JSValueRef trailers(JSContextRef context, struct js_frame *frame) {
  return submit(context, frame, submit_trailers);
}

/* push(id, stream, text, numbers, count) -> the promised stream's id */
static JSValueRef push(JSContextRef context, struct js_frame *frame) {
  return submit(context, frame, submit_promise);
}

/* ---- data ---- */

static bool queue_text(struct js_http2_bytes *queue, const struct js_characters *text, bool latin1) {
  size_t size = latin1 ? text->length : js_utf8_length(text);
  if (!text->wide && size == text->length)
    return js_http2_append(queue, text->data, text->length);
  char *bytes = malloc(size + 1);
  if (bytes == NULL)
    return false;
  if (latin1)
    for (size_t i = 0; i < size; i++)
      bytes[i] = (char)((const JSChar *)text->data)[i];
  else
    js_utf8_write(text, (unsigned char *)bytes, size);
  bool ok = js_http2_append(queue, bytes, size);
  free(bytes);
  return ok;
}

/* write(id, stream, bytes or string, whether a string is Latin-1) -> 1 if its bytes are queued, 0 if there are none */
static JSValueRef write_data(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  struct js_http2_stream *stream = stream_of(context, frame, http2);
  JSValueRef chunk = js_arg(context, frame, 2);
  struct js_characters text;
  unsigned char *bytes;
  size_t length;
  if (stream == NULL || stream->ended)
    return result(context, NGHTTP2_ERR_INVALID_ARGUMENT);
  size_t before = stream->queue.length - stream->queue.at;
  bool ok = false;
  if (js_borrow_text(context, chunk, &text))
    ok = queue_text(&stream->queue, &text, js_to_boolean(context, js_arg(context, frame, 3)));
  else if (js_borrow_bytes(context, chunk, &bytes, &length))
    ok = js_http2_append(&stream->queue, bytes, length);
  if (!ok)
    return result(context, NGHTTP2_ERR_NOMEM);
  size_t there = stream->queue.length - stream->queue.at;
  http2->memory += there - before;
  if (there == 0)
    return result(context, 0);
  stream->waiting = true;
  nghttp2_session_resume_data(http2->session, stream->id);
  return result(context, 1);
}

/* end(id, stream): no more data */
static JSValueRef end_data(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  struct js_http2_stream *stream = stream_of(context, frame, http2);
  if (stream == NULL)
    return result(context, NGHTTP2_ERR_INVALID_ARGUMENT);
  stream->ended = true;
  nghttp2_session_resume_data(http2->session, stream->id);
  return result(context, 0);
}

/* forgetTrailers(id, stream): the end of data is the end of the stream after all */
static JSValueRef forget_trailers(JSContextRef context, struct js_frame *frame) {
  struct js_http2_stream *stream = stream_of(context, frame, js_http2_argument(context, frame));
  if (stream != NULL && !stream->ended)
    stream->keeps_open = false;
  return js_undefined(context);
}

/* reset(id, stream, code): queued data is sent before, as far as the peer accepts it */
static JSValueRef reset(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  if (http2 == NULL)
    return result(context, NGHTTP2_ERR_INVALID_ARGUMENT);
  uint32_t code = (uint32_t)js_to_integer(context, js_arg(context, frame, 2));
  int32_t id = js_int(context, frame, 1);
  struct js_http2_stream *stream = js_http2_find(http2, id);
  if (stream == NULL || stream->queue.at == stream->queue.length)
    return result(context, nghttp2_submit_rst_stream(http2->session, NGHTTP2_FLAG_NONE, id, code));
  if (http2->reset_count == http2->reset_room) {
    size_t room = http2->reset_room == 0 ? 8 : http2->reset_room * 2;
    struct js_http2_reset *resets = realloc(http2->resets, room * sizeof *resets);
    if (resets == NULL)
      return result(context, NGHTTP2_ERR_NOMEM);
    http2->resets = resets;
    http2->reset_room = room;
  }
  http2->resets[http2->reset_count++] = (struct js_http2_reset){id, code};
  return result(context, 0);
}

/* pause(id, stream): data that arrives from now on uses up the peer's window. */
static JSValueRef pause_data(JSContextRef context, struct js_frame *frame) {
  struct js_http2_stream *stream = stream_of(context, frame, js_http2_argument(context, frame));
  if (stream != NULL)
    stream->paused = true;
  return js_undefined(context);
}

/* resume(id, stream) -> whether the peer has to be told that its window is open again */
static JSValueRef resume_data(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  struct js_http2_stream *stream = stream_of(context, frame, http2);
  if (stream == NULL)
    return js_boolean(context, false);
  stream->paused = false;
  size_t unread = stream->unread;
  stream->unread = 0;
  if (unread > 0)
    nghttp2_session_consume_stream(http2->session, stream->id, unread);
  return js_boolean(context, unread > 0);
}

/* ---- frames of the session ---- */

/* settings(id, Uint32Array of ids and values, how many) */
static JSValueRef settings(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  enum { MOST = 32 };
  nghttp2_settings_entry entries[MOST];
  unsigned char *bytes;
  size_t size, count = (size_t)js_int(context, frame, 2);
  if (http2 == NULL || count > MOST || !js_borrow_bytes(context, js_arg(context, frame, 1), &bytes, &size) ||
      size < count * 2 * sizeof(uint32_t))
    return result(context, NGHTTP2_ERR_INVALID_ARGUMENT);
  for (size_t i = 0; i < count; i++) {
    uint32_t pair[2];
    memcpy(pair, bytes + i * sizeof pair, sizeof pair);
    entries[i] = (nghttp2_settings_entry){(int32_t)pair[0], pair[1]};
  }
  return result(context, nghttp2_submit_settings(http2->session, NGHTTP2_FLAG_NONE, entries, count));
}

/* ping(id, 8 bytes) */
static JSValueRef ping(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  unsigned char *bytes;
  size_t length;
  if (http2 == NULL || !js_borrow_bytes(context, js_arg(context, frame, 1), &bytes, &length) || length != 8)
    return result(context, NGHTTP2_ERR_INVALID_ARGUMENT);
  return result(context, nghttp2_submit_ping(http2->session, NGHTTP2_FLAG_NONE, bytes));
}

/* goaway(id, code, last stream (0: the last one that was seen), bytes or undefined) */
static JSValueRef goaway(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  unsigned char *bytes = NULL;
  size_t length = 0;
  if (http2 == NULL)
    return result(context, NGHTTP2_ERR_INVALID_ARGUMENT);
  js_borrow_bytes(context, js_arg(context, frame, 3), &bytes, &length);
  int32_t last = js_int(context, frame, 2);
  if (last <= 0)
    last = nghttp2_session_get_last_proc_stream_id(http2->session);
  return result(context,
                nghttp2_submit_goaway(http2->session, NGHTTP2_FLAG_NONE, last,
                                      (uint32_t)js_to_integer(context, js_arg(context, frame, 1)), bytes, length));
}

/* terminate(id, code): sends what can be sent, then GOAWAY, and nothing after it */
static JSValueRef terminate(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  if (http2 == NULL)
    return result(context, NGHTTP2_ERR_INVALID_ARGUMENT);
  http2->terminates = true;
  http2->terminate_code = (uint32_t)js_to_integer(context, js_arg(context, frame, 1));
  return result(context, 0);
}

/* alternative(id, stream, origin, value), both Latin-1 */
static JSValueRef alternative(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  size_t origin_length, value_length;
  int err = NGHTTP2_ERR_INVALID_ARGUMENT;
  char *origin = js_to_text(context, js_arg(context, frame, 2), &origin_length);
  char *value = js_to_text(context, js_arg(context, frame, 3), &value_length);
  if (http2 != NULL && origin != NULL && value != NULL)
    err = nghttp2_submit_altsvc(http2->session, NGHTTP2_FLAG_NONE, js_int(context, frame, 1), (uint8_t *)origin,
                                origin_length, (uint8_t *)value, value_length);
  free(origin);
  free(value);
  return result(context, err);
}

/* origins(id, text, numbers, count): as headers, the names being the origins */
static JSValueRef origins(JSContextRef context, struct js_frame *frame) {
  struct js_http2 *http2 = js_http2_argument(context, frame);
  struct fields fields;
  int err = NGHTTP2_ERR_INVALID_ARGUMENT;
  if (http2 == NULL)
    return result(context, err);
  if (fields_read(context, frame, 1, &fields)) {
    nghttp2_origin_entry *entries = calloc(fields.count + 1, sizeof *entries);
    for (size_t i = 0; entries != NULL && i < fields.count; i++)
      entries[i] = (nghttp2_origin_entry){fields.list[i].name, fields.list[i].namelen};
    err = entries == NULL ? NGHTTP2_ERR_NOMEM
                          : nghttp2_submit_origin(http2->session, NGHTTP2_FLAG_NONE, entries, fields.count);
    free(entries);
  }
  fields_free(&fields);
  return result(context, err);
}

const struct js_method js_http2_submit_methods[] = {{"request", request, 5},     {"respond", respond, 6},
                                                    {"inform", inform, 5},       {"trailers", trailers, 5},
                                                    {"push", push, 5},           {"write", write_data, 4},
                                                    {"end", end_data, 2},        {"forgetTrailers", forget_trailers, 2},
                                                    {"reset", reset, 3},         {"pause", pause_data, 2},
                                                    {"resume", resume_data, 2},  {"settings", settings, 3},
                                                    {"ping", ping, 2},           {"goaway", goaway, 4},
                                                    {"terminate", terminate, 2}, {"alternative", alternative, 4},
                                                    {"origins", origins, 4},     {NULL, NULL, 0}};
