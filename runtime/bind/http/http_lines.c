/* Ends of lines in heads, between chunks and in trailers: each is a carriage return and a newline.
 *
 * Debian's llhttp accepts a newline alone after the version, and for the empty line at the end. If two readers of a
 * stream disagree about the end of a head, one message can be smuggled inside of another; so such a message is refused,
 * as Node's own version of llhttp refuses it. llhttp does not give its position in the buffer: the lines are scanned
 * from the last known position to the empty line.
 *
 * Invariant: `from` is null or points into the buffer that is being parsed, at the first byte that was not scanned. */
#include <string.h>

#include "runtime/bind/http/http.h"

/* `seen`: the number of line ends since the message began, or since the last bytes of its body. */
void js_http_lines_begin(struct js_http_lines *lines, const char *from, unsigned seen) {
  lines->from = from;
  lines->seen = seen;
  lines->empty = seen > 0;
}

/* Handles the end of a line. */
static enum js_http_line take(struct js_http_lines *lines, const char *newline, bool behind_return,
                              unsigned before_end) {
  size_t length = (size_t)(newline - lines->from);
  bool empty = lines->empty && length <= 1;
  lines->from = newline + 1;
  lines->empty = true;
  if (!behind_return)
    return JS_HTTP_LINE_BARE;
  if (empty && lines->seen >= before_end)
    return JS_HTTP_LINE_LAST;
  lines->seen++;
  return JS_HTTP_LINE_MORE;
}

/* A line that begins with a blank continues the one before it. llhttp takes it for a part of that header, or for
 * nothing. */
static bool is_folded(const struct js_http_lines *lines, const char *end) {
  return lines->seen > 0 && lines->empty && lines->from < end && (*lines->from == ' ' || *lines->from == '\t');
}

/* Scans the lines up to the empty one. An empty line does not count before `before_end` others. */
enum js_http_line js_http_lines_check(struct js_http_lines *lines, const char *bytes, const char *end,
                                      unsigned before_end) {
  if (lines->from == NULL)
    return JS_HTTP_LINE_MORE;
  const char *newline;
  if (is_folded(lines, end))
    return JS_HTTP_LINE_FOLDED;
  while ((newline = memchr(lines->from, '\n', (size_t)(end - lines->from))) != NULL) {
    bool behind_return = newline > bytes ? newline[-1] == '\r' : lines->after_return;
    enum js_http_line found = take(lines, newline, behind_return, before_end);
    if (found != JS_HTTP_LINE_MORE)
      return found;
    if (is_folded(lines, end))
      return JS_HTTP_LINE_FOLDED;
  }
  size_t rest = (size_t)(end - lines->from);
  lines->empty = lines->empty && (rest == 0 || (rest == 1 && *lines->from == '\r'));
  lines->from = end;
  return JS_HTTP_LINE_MORE;
}

/* The end of the buffer: keeps what the next one needs. */
void js_http_lines_end(struct js_http_lines *lines, const char *bytes, const char *end) {
  if (lines->from == NULL) {
    /* No callback gave a position so far: at most the line of a status without a reason. */
    const char *last = end > bytes && end[-1] == '\r' ? end - 1 : end;
    lines->empty = last > bytes && last[-1] == '\n';
    lines->seen = lines->empty;
  }
  if (end > bytes)
    lines->after_return = end[-1] == '\r';
  lines->from = NULL;
}
