/* The callbacks of llhttp: heads are collected, checked and passed on whole.
 *
 * Pieces of a head point into the buffer that is being parsed; only when a buffer ends in the middle of a head are they
 * copied. The limit counts the bytes of names, values and the target, as in Node. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runtime/bind/http/http.h"

enum { EXTENSION_LIMIT = 16384, SPARE_ROOM = 64, PART = 32 };

/* Line ends after the bytes of a chunk: their own, and that of the next chunk's size. The first chunk has none before
 * it. */
enum { CHUNK_LINE = 1, TRAILER_LINES = 2 };

/* One list of pieces is enough while heads arrive whole. */
static _Thread_local struct js_http_piece *spare;

static int fail(struct js_http *parser, const char *code, const char *reason) {
  parser->code = code;
  parser->reason = reason;
  return HPE_USER;
}

/* `at`: the place that the error tells; llhttp's own may be further. */
static int fail_at(struct js_http *parser, const char *at, const char *code, const char *reason) {
  parser->failed_at = at;
  return fail(parser, code, reason);
}

void js_http_drop_pieces(struct js_http *parser) {
  for (size_t i = 0; i < parser->piece_count; i++)
    if (parser->pieces[i].owned)
      free((char *)parser->pieces[i].at);
  if (parser->url.owned)
    free((char *)parser->url.at);
  parser->url = (struct js_http_piece){NULL, 0, false};
  if (parser->pieces != NULL && spare == NULL && parser->piece_room == SPARE_ROOM)
    spare = parser->pieces;
  else
    free(parser->pieces);
  parser->pieces = NULL;
  parser->piece_count = parser->piece_room = 0;
}

static bool own(struct js_http_piece *piece, const char *more, size_t length) {
  char *bytes =
      piece->owned ? realloc((char *)piece->at, piece->length + length + 1) : malloc(piece->length + length + 1);
  if (bytes == NULL)
    return false;
  if (!piece->owned && piece->length > 0)
    memcpy(bytes, piece->at, piece->length);
  if (length > 0)
    memcpy(bytes + piece->length, more, length);
  piece->at = bytes;
  piece->length += length;
  piece->owned = true;
  return true;
}

static bool extend(struct js_http_piece *piece, const char *at, size_t length) {
  if (piece->length == 0 && !piece->owned) {
    piece->at = at;
    piece->length = length;
    return true;
  }
  if (!piece->owned && piece->at + piece->length == at) {
    piece->length += length;
    return true;
  }
  return own(piece, at, length);
}

/* The buffer ends in the middle of a head. */
static bool keep_pieces(struct js_http *parser) {
  bool kept = parser->url.owned || parser->url.length == 0 || own(&parser->url, NULL, 0);
  for (size_t i = 0; i < parser->piece_count && kept; i++)
    kept = parser->pieces[i].owned || own(&parser->pieces[i], NULL, 0);
  return kept;
}

static struct js_http_piece *add_piece(struct js_http *parser) {
  if (parser->piece_count == parser->piece_room) {
    if (parser->pieces == NULL && spare != NULL) {
      parser->pieces = spare;
      parser->piece_room = SPARE_ROOM;
      spare = NULL;
    } else {
      size_t room = parser->piece_room == 0 ? SPARE_ROOM : parser->piece_room * 2;
      struct js_http_piece *pieces = realloc(parser->pieces, room * sizeof *pieces);
      if (pieces == NULL)
        return NULL;
      parser->pieces = pieces;
      parser->piece_room = room;
    }
  }
  struct js_http_piece *piece = &parser->pieces[parser->piece_count++];
  *piece = (struct js_http_piece){NULL, 0, false};
  return piece;
}

static int count_head(struct js_http *parser, size_t length) {
  parser->head_size += length;
  return parser->head_size >= parser->head_limit ? fail(parser, "HPE_HEADER_OVERFLOW", "Header overflow") : 0;
}

static int on_message_begin(llhttp_t *llhttp) {
  struct js_http *parser = (struct js_http *)llhttp;
  js_http_drop_pieces(parser);
  parser->head_size = parser->extension_size = 0;
  parser->head_done = parser->silent_done = parser->in_value = parser->surplus = false;
  parser->has_length = parser->has_encoding = parser->drops_rest = false;
  parser->lines.from = NULL;
  parser->started_ms = uv_now(js_env_here->loop);
  parser->begun = true;
  return 0;
}

/* The target of a request, or the reason of a response. */
static int on_url(llhttp_t *llhttp, const char *at, size_t length) {
  struct js_http *parser = (struct js_http *)llhttp;
  int err = count_head(parser, length);
  if (err != 0)
    return err;
  if (parser->lines.from == NULL)
    js_http_lines_begin(&parser->lines, at, 0);
  return extend(&parser->url, at, length) ? 0 : fail(parser, "HPE_INTERNAL", "Out of memory");
}

static int on_field(llhttp_t *llhttp, const char *at, size_t length) {
  struct js_http *parser = (struct js_http *)llhttp;
  int err = count_head(parser, length);
  if (err != 0)
    return err;
  if (parser->lines.from == NULL && !parser->head_done)
    js_http_lines_begin(&parser->lines, at > parser->bytes ? at - 1 : at, 0); /* a response without a reason */
  bool begin = parser->piece_count == 0 || parser->in_value;
  if (begin && parser->count_limit > 0 && parser->piece_count >= parser->count_limit * 2) {
    if (llhttp->type == HTTP_REQUEST)
      return fail(parser, "HPE_HEADER_OVERFLOW", "Header overflow");
    parser->surplus = true; /* of a response, the rest is left out */
  }
  if (parser->surplus)
    return 0;
  struct js_http_piece *piece = begin ? add_piece(parser) : &parser->pieces[parser->piece_count - 1];
  parser->in_value = false;
  return piece != NULL && extend(piece, at, length) ? 0 : fail(parser, "HPE_INTERNAL", "Out of memory");
}

/* Where the line of `at` begins, if there are only blanks before it, else NULL. */
static const char *line_begin(const struct js_http *parser, const char *at) {
  const char *begin = at;
  while (begin > parser->bytes && (begin[-1] == ' ' || begin[-1] == '\t' || begin[-1] == '\r'))
    begin--;
  return (begin > parser->bytes ? begin[-1] == '\n' : parser->ended_in_newline) ? begin : NULL;
}

static bool is_named(const struct js_http_piece *name, const char *wanted) {
  return name->length == strlen(wanted) && strncasecmp(name->at, wanted, name->length) == 0;
}

static bool is_blank(const struct js_http_piece *value) {
  size_t at = 0;
  while (at < value->length && (value->at[at] == ' ' || value->at[at] == '\t'))
    at++;
  return at == value->length;
}

/* A Transfer-Encoding without a value is refused, in trailers, too: llhttp takes it for none, another reader may not.
 */
static int check_encoding(struct js_http *parser) {
  for (size_t i = 0; i < parser->piece_count; i += 2) {
    if (!is_named(&parser->pieces[i], "transfer-encoding"))
      continue;
    if (i + 1 >= parser->piece_count || is_blank(&parser->pieces[i + 1]))
      return fail(parser, "HPE_INVALID_TRANSFER_ENCODING", "Empty Transfer-Encoding");
  }
  return 0;
}

/* A length and an encoding in one message, in whatever order, are refused as soon as the second name is complete: what
 * its value is does not matter. A length in the trailers counts, too. */
static int on_field_complete(llhttp_t *llhttp) {
  struct js_http *parser = (struct js_http *)llhttp;
  if (parser->surplus || parser->piece_count == 0)
    return 0;
  const struct js_http_piece *name = &parser->pieces[parser->piece_count - 1];
  bool length = is_named(name, "content-length");
  bool encoding = !parser->head_done && is_named(name, "transfer-encoding");
  if (!parser->lenient && length && parser->has_encoding) {
    int empty = check_encoding(parser);
    return empty != 0
               ? empty
               : fail(parser, "HPE_INVALID_CONTENT_LENGTH", "Content-Length can't be present with Transfer-Encoding");
  }
  if (!parser->lenient && encoding && parser->has_length)
    return fail(parser, "HPE_INVALID_TRANSFER_ENCODING", "Transfer-Encoding can't be present with Content-Length");
  parser->has_length |= length;
  parser->has_encoding |= encoding;
  return 0;
}

static const char folded_line[] = "Unexpected whitespace after header value";
static const char folded_empty[] = "Invalid header value char";

/* A value that continues on a second line is refused: not every reader of the message would see the same value. */
static int on_value(llhttp_t *llhttp, const char *at, size_t length) {
  struct js_http *parser = (struct js_http *)llhttp;
  int err = count_head(parser, length);
  if (err != 0)
    return err;
  if (parser->surplus)
    return 0;
  const char *line = length > 0 && !parser->lenient ? line_begin(parser, at) : NULL;
  if (line != NULL) {
    bool continues = parser->in_value && parser->pieces[parser->piece_count - 1].length > 0;
    return fail_at(parser, continues ? line : line + 1, "HPE_INVALID_HEADER_TOKEN",
                   continues ? folded_line : folded_empty);
  }
  /* A value without a name would be taken for a name. */
  if (!parser->in_value && (parser->piece_count % 2 == 0 || parser->pieces[parser->piece_count - 1].length == 0))
    return fail(parser, "HPE_INVALID_HEADER_TOKEN", "Invalid header token");
  struct js_http_piece *piece = parser->in_value ? &parser->pieces[parser->piece_count - 1] : add_piece(parser);
  parser->in_value = true;
  return piece != NULL && extend(piece, at, length) ? 0 : fail(parser, "HPE_INTERNAL", "Out of memory");
}

static JSValueRef piece_text(JSContextRef context, const struct js_http_piece *piece, bool trim) {
  size_t length = piece->length;
  while (trim && length > 0 && (piece->at[length - 1] == ' ' || piece->at[length - 1] == '\t'))
    length--;
  return js_http_text(context, piece->at, length);
}

/* The headers as a list; the last list again if they are the same strings. */
static JSValueRef take_headers(struct js_http *parser) {
  JSContextRef context = js_env_here->context;
  size_t count = parser->piece_count;
  if (parser->in_value == false && count % 2 == 1 && add_piece(parser) != NULL)
    count++; /* a name without a value */
  JSValueRef few[SPARE_ROOM];
  JSValueRef *values = count <= SPARE_ROOM ? few : malloc(count * sizeof *values);
  if (values == NULL)
    return js_array(context, 0, NULL);
  bool same = parser->last_list != NULL && count == parser->last_count;
  /* Strings that only this list refers to must survive while the others are made; the collector sees those in `few`. */
  JSObjectRef list = count <= SPARE_ROOM ? NULL : js_array(context, 0, NULL);
  for (size_t i = 0; i < count; i++) {
    values[i] = piece_text(context, &parser->pieces[i], i % 2 == 1);
    if (list != NULL)
      JSObjectSetPropertyAtIndex(context, list, (unsigned)i, values[i], NULL);
    same = same && values[i] == parser->last_values[i];
  }
  if (same) {
    list = parser->last_list;
  } else if (list == NULL) {
    list = js_array(context, count, values);
    JSValueRef *kept = realloc(parser->last_values, (count + 1) * sizeof *kept);
    if (kept != NULL) {
      memcpy(kept, values, count * sizeof *kept);
      parser->last_values = kept;
      parser->last_count = count;
      JSValueProtect(context, list);
      if (parser->last_list != NULL)
        JSValueUnprotect(context, parser->last_list);
      parser->last_list = list;
    }
  }
  if (values != few)
    free(values);
  return list;
}

static bool has_body(const llhttp_t *llhttp) {
  return (llhttp->flags & (F_CHUNKED | F_TRANSFER_ENCODING)) != 0 || llhttp->content_length > 0;
}

static const char line_after_version[] = "Expected CRLF after version";

static int check_lines(struct js_http *parser, unsigned before_end) {
  struct js_http_lines *lines = &parser->lines;
  if (parser->lenient)
    return 0;
  enum js_http_line found = js_http_lines_check(lines, parser->bytes, parser->end, before_end);
  if (found == JS_HTTP_LINE_FOLDED)
    return fail_at(parser, lines->from + 1, "HPE_INVALID_HEADER_TOKEN", folded_empty);
  if (found != JS_HTTP_LINE_BARE)
    return 0;
  return lines->seen == 0 ? fail_at(parser, lines->from, "HPE_INVALID_VERSION", line_after_version)
                          : fail_at(parser, lines->from, "HPE_INVALID_HEADER_TOKEN", "Invalid header field char");
}

/* Node hands over headers in parts: trailers, and headers beyond the first 32, are a callback of their own, after which
 * ticks run. From the first such part on, this is so for each head of the connection. */
static void let_ticks_run(struct js_http *parser) {
  parser->in_parts = true;
  if (parser->llhttp.type != HTTP_REQUEST)
    return;
  js_env_here->depth--;
  js_enter_finish(js_env_here);
  js_env_here->depth++;
}

/* Complete without a body: 'done' is not told. */
static void end_silently(struct js_http *parser) {
  parser->silent_done = true;
  parser->started_ms = 0;
  parser->begun = false;
}

/* 0, or the parser's error. */
static int check_head(struct js_http *parser, int version) {
  if (!parser->lenient && version != 9 && version != 10 && version != 11 && version != 20)
    return fail(parser, "HPE_INVALID_VERSION", "Invalid HTTP version");
  int err = check_lines(parser, 1);
  return err != 0 ? err : check_encoding(parser);
}

/* Calls JavaScript with the head. -> what comes next (js_http_body); the parser may be freed. */
static int tell_head(struct js_http *parser, int version, bool complete) {
  llhttp_t *llhttp = &parser->llhttp;
  JSContextRef context = js_env_here->context;
  JSValueRef arguments[] = {
      js_number(context, version),
      take_headers(parser),
      js_number(context, llhttp->type == HTTP_REQUEST ? llhttp->method : llhttp->status_code),
      js_http_text(context, parser->url.at != NULL ? parser->url.at : "", parser->url.length),
      js_boolean(context, llhttp->upgrade),
      js_boolean(context, llhttp_should_keep_alive(llhttp)),
      js_boolean(context, complete),
  };
  js_http_drop_pieces(parser);
  parser->in_value = false;
  parser->head_size = 0;
  parser->head_done = true;
  parser->surplus = false;
  parser->silent_done = false;
  if (complete && !llhttp->upgrade)
    end_silently(parser);
  JSValueRef answer = js_enter(js_env_here, js_http_callbacks[JS_HTTP_CALL_HEAD], parser->object, 7, arguments);
  return answer != NULL ? (int)js_to_integer(context, answer) : JS_HTTP_BODY_FOLLOWS;
}

static int on_headers_complete(llhttp_t *llhttp) {
  struct js_http *parser = (struct js_http *)llhttp;
  int version = llhttp->http_major * 10 + llhttp->http_minor;
  int err = check_head(parser, version);
  if (err != 0)
    return err;
  js_http_lines_begin(&parser->lines, parser->lines.from, CHUNK_LINE);
  if (parser->in_parts || parser->piece_count >= PART * 2) {
    let_ticks_run(parser);
    if (parser->freed)
      return fail(parser, NULL, NULL);
  }
  bool complete = llhttp->type == HTTP_REQUEST && llhttp->method != HTTP_CONNECT && !has_body(llhttp);
  int next = tell_head(parser, version, complete);
  if (parser->freed)
    return fail(parser, NULL, NULL);
  if (next == JS_HTTP_BODY_THEN_UPGRADE)
    return 0; /* accepted, but its body comes first */
  if (next != JS_HTTP_BODY_FOLLOWS)
    parser->lines.from = NULL; /* no body that this parser reads follows */
  if (next != JS_HTTP_BODY_UPGRADE) {
    /* There is no listener: an ordinary message. What stands behind it in the bytes of this read may be the other
     * protocol, and is dropped, as Node drops it. */
    parser->drops_rest = llhttp->upgrade && llhttp->type == HTTP_REQUEST && next == JS_HTTP_BODY_FOLLOWS;
    llhttp->upgrade = parser->drops_rest;
    if (complete && !parser->silent_done)
      end_silently(parser);
  }
  return next;
}

static int on_body(llhttp_t *llhttp, const char *at, size_t length) {
  struct js_http *parser = (struct js_http *)llhttp;
  if (length == 0)
    return 0;
  JSContextRef context = js_env_here->context;
  js_http_lines_begin(&parser->lines, at + length, 0);
  parser->lines.empty = true;
  JSValueRef arguments[] = {js_number(context, (double)length), js_undefined(context)};
  if (length <= JS_SMALL_BYTES)
    js_stream_show(at, length);
  else
    arguments[1] = js_bytes_alone(context, at, length);
  /* A part of a request's body is a callback of its own: ticks run after it, unless JavaScript called the parser. For a
   * response, all bytes of one read are one callback. Both are Node's order, as observed. */
  unsigned own = llhttp->type == HTTP_REQUEST ? 1 : 0;
  js_env_here->depth -= own;
  js_enter(js_env_here, js_http_callbacks[JS_HTTP_CALL_BODY], parser->object, 2, arguments);
  js_env_here->depth += own;
  return parser->freed ? fail(parser, NULL, NULL) : 0;
}

static int on_message_complete(llhttp_t *llhttp) {
  struct js_http *parser = (struct js_http *)llhttp;
  JSContextRef context = js_env_here->context;
  parser->started_ms = 0;
  parser->begun = false;
  parser->head_size = 0;
  if (parser->silent_done)
    return 0;
  int err = (llhttp->flags & F_CHUNKED) != 0 ? check_lines(parser, TRAILER_LINES) : 0;
  if (err == 0)
    err = check_encoding(parser);
  if (err != 0)
    return err;
  if (parser->piece_count > 0) {
    let_ticks_run(parser);
    if (parser->freed)
      return fail(parser, NULL, NULL);
  }
  JSValueRef trailers = parser->piece_count > 0 ? take_headers(parser) : js_undefined(context);
  js_http_drop_pieces(parser);
  parser->in_value = false;
  js_enter(js_env_here, js_http_callbacks[JS_HTTP_CALL_DONE], parser->object, 1, &trailers);
  return parser->freed ? fail(parser, NULL, NULL) : 0;
}

static int on_extension(llhttp_t *llhttp, const char *at, size_t length) {
  struct js_http *parser = (struct js_http *)llhttp;
  (void)at;
  parser->extension_size += length;
  return parser->extension_size > EXTENSION_LIMIT
             ? fail(parser, "HPE_CHUNK_EXTENSIONS_OVERFLOW", "Chunk extensions overflow")
             : 0;
}

static int on_chunk_header(llhttp_t *llhttp) {
  struct js_http *parser = (struct js_http *)llhttp;
  parser->extension_size = 0;
  parser->head_size = 0;
  return 0;
}

static const llhttp_settings_t settings = {
    .on_message_begin = on_message_begin,
    .on_url = on_url,
    .on_status = on_url,
    .on_header_field = on_field,
    .on_header_field_complete = on_field_complete,
    .on_header_value = on_value,
    .on_headers_complete = on_headers_complete,
    .on_body = on_body,
    .on_message_complete = on_message_complete,
    .on_chunk_extension_name = on_extension,
    .on_chunk_extension_value = on_extension,
    .on_chunk_header = on_chunk_header,
};

void js_http_init(struct js_http *parser, llhttp_type_t type) {
  llhttp_init(&parser->llhttp, type, &settings);
  if (parser->lenient) {
    llhttp_set_lenient_headers(&parser->llhttp, 1);
    llhttp_set_lenient_chunked_length(&parser->llhttp, 1);
    llhttp_set_lenient_keep_alive(&parser->llhttp, 1);
    llhttp_set_lenient_transfer_encoding(&parser->llhttp, 1);
  }
}

/* A newline without a carriage return, where llhttp refuses it as any other character. */
static void name_bare_newline(struct js_http *parser, struct js_http_result *result) {
  static const struct {
    const char *found, *meant;
    bool told_behind; /* the place is the next one */
  } reasons[] = {
      {folded_empty, "Missing expected CR after header value", false},
      {"Invalid character in chunk size", "Missing expected CR after chunk size", false},
      {"Expected CRLF after chunk", "Missing expected CR after chunk data", false},
      {"Invalid character in chunk extensions value", "Missing expected CR after chunk extension value", true}};
  const char *at = llhttp_get_error_pos(&parser->llhttp);
  if (at == NULL || at < parser->bytes || at > parser->end)
    return;
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
    if (strcmp(result->reason, reasons[i].found) != 0)
      continue;
    if (reasons[i].found == folded_empty && (!parser->in_value || parser->pieces[parser->piece_count - 1].length == 0))
      return; /* a header without a value */
    bool newline = !reasons[i].told_behind ? at < parser->end && *at == '\n'
                   : at > parser->bytes    ? at[-1] == '\n'
                                           : parser->ended_in_newline;
    if (newline) {
      result->code = "HPE_CR_EXPECTED";
      result->reason = reasons[i].meant;
    }
    return;
  }
}

static bool is_reason(const struct js_http_result *result, const char *reason) {
  return strcmp(result->reason, reason) == 0;
}

/* Node's parser is a later version: the names that differ. */
static void name_as_node(struct js_http *parser, llhttp_errno_t err, struct js_http_result *result) {
  struct js_http_lines lines = parser->lines;
  const char *at = llhttp_get_error_pos(&parser->llhttp);
  bool inside = at != NULL && at >= parser->bytes && at <= parser->end;
  name_bare_newline(parser, result);
  if (!parser->lenient && !parser->head_done && lines.seen == 0 && inside &&
      js_http_lines_check(&lines, parser->bytes, at, UINT_MAX) == JS_HTTP_LINE_BARE && lines.seen == 0) {
    parser->failed_at = lines.from;
    result->code = "HPE_INVALID_VERSION";
    result->reason = line_after_version;
  } else if (is_reason(result, line_after_version) && inside && at > parser->bytes && at[-1] == '\r') {
    result->code = "HPE_STRICT";
  } else if (is_reason(result, "Expected CRLF after chunk")) {
    result->reason = "Expected LF after chunk data";
  } else if (is_reason(result, "Invalid characters in url (strict mode)")) {
    result->reason = "Invalid characters in url";
  } else if (err == HPE_INVALID_CONSTANT && is_reason(result, "Expected HTTP/")) {
    result->reason = "Expected HTTP/, RTSP/ or ICE/";
  }
}

static void conclude(struct js_http *parser, llhttp_errno_t err, struct js_http_result *result) {
  if (parser->code != NULL) {
    result->code = parser->code;
    result->reason = parser->reason;
  } else if (err != HPE_OK && err != HPE_PAUSED_UPGRADE && !parser->freed) {
    result->code = llhttp_errno_name(err);
    result->reason = llhttp_get_error_reason(&parser->llhttp);
    name_as_node(parser, err, result);
  }
}

static void run(struct js_http *parser, const char *bytes, size_t length, struct js_http_result *result) {
  *result = (struct js_http_result){length, NULL, NULL, false};
  parser->bytes = bytes;
  parser->end = bytes + length;
  parser->code = parser->reason = parser->failed_at = NULL;
  parser->lines.from = parser->begun ? bytes : NULL;
  llhttp_errno_t err = llhttp_execute(&parser->llhttp, bytes, length);
  if (err == HPE_OK && parser->begun && !parser->freed &&
      !(parser->head_done && (parser->llhttp.flags & F_CHUNKED) == 0) && check_lines(parser, UINT_MAX) != 0)
    err = HPE_USER;
  conclude(parser, err, result);
  js_http_lines_end(&parser->lines, bytes, parser->end);
  parser->ended_in_newline = line_begin(parser, parser->end) != NULL;
  if (parser->freed)
    return;
  if (err != HPE_OK) {
    const char *at = parser->failed_at != NULL ? parser->failed_at : llhttp_get_error_pos(&parser->llhttp);
    result->parsed = at != NULL && at >= bytes ? (size_t)(at - bytes) : 0;
    if (err == HPE_PAUSED_UPGRADE) {
      llhttp_resume_after_upgrade(&parser->llhttp);
      result->upgrade = !parser->drops_rest;
    }
  } else if ((parser->piece_count > 0 || parser->url.length > 0) && !keep_pieces(parser)) {
    result->code = "HPE_INTERNAL";
    result->reason = "Out of memory";
  }
}

static void keep_failure(struct js_http *parser, const struct js_http_result *result) {
  if (parser->freed)
    return;
  parser->failed_code = result->code;
  parser->failed_reason = result->reason;
}

/* After an error the parser says the same again, and nothing at the end, as llhttp does: the bytes that its pieces
 * point into are gone. */
void js_http_run(struct js_http *parser, const char *bytes, size_t length, struct js_http_result *result) {
  if (parser->failed_code != NULL) {
    *result = (struct js_http_result){0, parser->failed_code, parser->failed_reason, false};
    return;
  }
  run(parser, bytes, length, result);
  keep_failure(parser, result);
}

void js_http_finish(struct js_http *parser, struct js_http_result *result) {
  *result = (struct js_http_result){0, NULL, NULL, false};
  if (parser->failed_code != NULL)
    return;
  /* llhttp takes the end behind a message with an upgrade for one in its middle. */
  if (parser->drops_rest && !parser->begun)
    return;
  parser->code = parser->reason = NULL;
  conclude(parser, llhttp_finish(&parser->llhttp), result);
  keep_failure(parser, result);
}
