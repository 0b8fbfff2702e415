/* An HTTP parser between a stream and JavaScript. */
#ifndef JS_BINDING_HTTP_H
#define JS_BINDING_HTTP_H

#include "runtime/bind/net/stream.h"

#include <llhttp.h>

/* A part of a head: in the buffer being parsed, or (once that is released) in memory of its own. */
struct js_http_piece {
  const char *at;
  size_t length;
  bool owned;
};

/* http_lines.c */
struct js_http_lines {
  const char *from;
  unsigned seen;
  bool empty;        /* so far, the line at `from` is */
  bool after_return; /* the last buffer ended with a carriage return */
};
enum js_http_line { JS_HTTP_LINE_MORE, JS_HTTP_LINE_LAST, JS_HTTP_LINE_BARE, JS_HTTP_LINE_FOLDED };
void js_http_lines_begin(struct js_http_lines *lines, const char *from, unsigned seen);
enum js_http_line js_http_lines_check(struct js_http_lines *lines, const char *bytes, const char *end,
                                      unsigned before_end);
void js_http_lines_end(struct js_http_lines *lines, const char *bytes, const char *end);

struct js_http {
  llhttp_t llhttp;
  JSObjectRef object;
  int id, stream_id;
  bool running, freed, lenient;
  bool head_done;                /* the current message is in its body */
  bool silent_done;              /* its end was reported together with its head */
  bool in_value;                 /* the last piece is a header's value */
  bool surplus;                  /* more headers than the limit allows: not kept */
  bool has_length, has_encoding; /* the current message has such a header */
  bool in_parts;                 /* a list of headers was too long for one part, or there were trailers */
  bool begun;                    /* a byte of a message was seen, and its end was not */
  bool drops_rest;               /* nobody listens for the upgrade that the current or last message asks for */
  bool ended_in_newline;         /* the last buffer ended after a newline and blanks */
  size_t head_limit, head_size, count_limit, extension_size;
  uint64_t started_ms; /* when the current message began; 0: there is none */
  struct js_http_piece url;
  struct js_http_piece *pieces; /* name, value, name, value ... */
  size_t piece_count, piece_room;
  const char *code, *reason; /* an error found here and not by llhttp */
  const char *failed_at;     /* its place, if llhttp does not know it */
  const char *failed_code, *failed_reason;
  /* The last list of headers: a client that repeats its headers gets the same list. */
  JSObjectRef last_list;
  JSValueRef *last_values;
  size_t last_count;
  const char *bytes, *end; /* what is being parsed */
  struct js_http_lines lines;
};

struct js_http_result {
  size_t parsed;
  const char *code, *reason; /* NULL: no error */
  bool upgrade;
};

extern _Thread_local JSObjectRef js_http_callbacks[JS_HTTP_CALL_COUNT];

/* http_message.c */
void js_http_init(struct js_http *parser, llhttp_type_t type);
void js_http_run(struct js_http *parser, const char *bytes, size_t length, struct js_http_result *result);
void js_http_finish(struct js_http *parser, struct js_http_result *result);
void js_http_drop_pieces(struct js_http *parser);

/* http_send.c */
JSValueRef js_http_send(JSContextRef context, struct js_frame *frame);

/* http_text.c: a string for bytes of a head (Latin-1); equal bytes usually give the same string. */
JSValueRef js_http_text(JSContextRef context, const char *bytes, size_t length);

#endif
