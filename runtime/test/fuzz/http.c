/* A fuzzer for the HTTP parser (runtime/bind/http/http_message.c): messages from a corpus, changed at random, are
 * parsed whole and again in pieces, and both must say the same. The engine is replaced by a few functions that write
 * down what the parser hands over. Deterministic: fuzz-http [seed] [rounds]. Run under sanitizers by `tools/test fuzz`.
 */
#include "runtime/bind/http/http.h"
#include "runtime/test/fuzz/values.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 8192, SLOTS = 4096 };

/* ---- the engine, as far as the parser sees it ---- */

static uv_loop_t loop;
static struct js_env env = {.loop = &loop};
_Thread_local struct js_env *js_env_here = &env;
_Thread_local JSObjectRef js_http_callbacks[JS_HTTP_CALL_COUNT];

/* Values that are no numbers and the like are slots that hold text. */
static struct slot {
  char *text;
  size_t length;
} slots[SLOTS];
static size_t slot_count;

static char *log_text;
static size_t log_length, log_room, rest_of_message;
static int answer_next;

static void note(const char *bytes, size_t length) {
  if (log_room - log_length < length + 1) {
    log_room = log_room * 2 + length + 256;
    log_text = realloc(log_text, log_room);
  }
  memcpy(log_text + log_length, bytes, length);
  log_length += length;
  log_text[log_length] = 0;
}

static JSValueRef slot(const char *bytes, size_t length) {
  if (slot_count + 1 >= SLOTS)
    slot_count = 0;
  struct slot *at = &slots[++slot_count];
  free(at->text);
  at->text = malloc(length + 1);
  memcpy(at->text, bytes, length);
  at->length = length;
  return (JSValueRef)at;
}

JSValueRef js_http_text(JSContextRef context, const char *bytes, size_t length) {
  (void)context;
  return slot(bytes, length);
}
double JSValueToNumber(JSContextRef context, JSValueRef value, JSValueRef *exception) {
  (void)context, (void)value, (void)exception;
  return NAN;
}
bool JSValueToBoolean(JSContextRef context, JSValueRef value) {
  (void)context, (void)value;
  return true;
}
JSObjectRef js_array(JSContextRef context, size_t count, const JSValueRef values[]) {
  (void)context;
  if (count % 2 != 0)
    abort(); /* a name without a value */
  char text[LONGEST * 4];
  size_t length = 0;
  for (size_t i = 0; i < count; i++) {
    const struct slot *item = (const struct slot *)values[i];
    if (length + item->length + 2 > sizeof text)
      break;
    memcpy(text + length, item->text, item->length);
    length += item->length;
    text[length++] = i % 2 == 0 ? ':' : ';';
  }
  return (JSObjectRef)slot(text, length);
}
void JSObjectSetPropertyAtIndex(JSContextRef context, JSObjectRef object, unsigned index, JSValueRef value,
                                JSValueRef *exception) {
  (void)context, (void)object, (void)index, (void)value, (void)exception;
}
void JSValueProtect(JSContextRef context, JSValueRef value) {
  (void)context, (void)value;
}
void JSValueUnprotect(JSContextRef context, JSValueRef value) {
  (void)context, (void)value;
}
static const char *shown;
static size_t shown_length;
void js_stream_show(const char *bytes, size_t length) {
  shown = bytes;
  shown_length = length;
}
JSValueRef js_bytes_alone(JSContextRef context, const char *bytes, size_t count) {
  (void)context;
  js_stream_show(bytes, count);
  return NULL;
}
uint64_t uv_now(const uv_loop_t *which) {
  (void)which;
  return 1;
}

static void note_value(JSValueRef value) {
  char text[32];
  if (value == js_boolean(NULL, true) || value == js_boolean(NULL, false))
    note(value == js_boolean(NULL, true) ? "yes" : "no", value == js_boolean(NULL, true) ? 3 : 2);
  else if (js_is_integer(value))
    note(text, (size_t)snprintf(text, sizeof text, "%d", (int)js_to_integer(NULL, value)));
  else if (value != js_undefined(NULL))
    note(((const struct slot *)value)->text, ((const struct slot *)value)->length);
}

/* The error of a line may depend on how much of it was there; the refusal does not. */
static const char *outcome_of(const struct js_http_result *result) {
  return result->code != NULL ? "refused" : result->upgrade ? "upgrade" : "fine";
}

static struct js_http *current;

/* There are no ticks here. */
void js_enter_finish(struct js_env *where) {
  (void)where;
}

/* Bodies arrive in other pieces if the input is split differently: their bytes are joined in the log. */
JSValueRef js_enter(struct js_env *where, JSObjectRef function, JSObjectRef object, size_t argc,
                    const JSValueRef argv[]) {
  (void)where, (void)object;
  enum js_http_call which = (enum js_http_call)((uintptr_t)function - 1);
  if (which == JS_HTTP_CALL_BODY) {
    if ((size_t)js_to_integer(NULL, argv[0]) != shown_length)
      abort();
    if (rest_of_message == 0)
      note("\nbody ", 6);
    rest_of_message = 1;
    note(shown, shown_length);
    return NULL;
  }
  rest_of_message = 0;
  note(which == JS_HTTP_CALL_HEAD ? "\nhead" : "\ndone", 5);
  for (size_t i = 0; i < argc; i++) {
    note(" ", 1);
    note_value(argv[i]);
  }
  return js_number(NULL, answer_next);
}

/* ---- messages ---- */

static const char *const corpus[] = {
    "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
    "POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhelloGET /next HTTP/1.1\r\nHost: h\r\n\r\n",
    "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\nA\r\n0123456789\r\n0\r\nX: y\r\n\r\n",
    "GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nrest",
    "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\nrest",
    "GET /long?aaaaaaaaaaaaaaaaaaaaaaaa HTTP/1.0\r\nA:b\r\nC: d \r\nE:\tf\r\nCookie: a=b; c=d\r\n\r\n",
    "POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
    "HTTP/1.0 200 OK\r\nX: y\r\n\r\nuntil the end",
    "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n",
    "GET / HTTP/1.1\r\n: v\r\n\r\n",
};
static const char *const words[] = {"\r\n",
                                    "\r",
                                    "\n",
                                    ":",
                                    " ",
                                    "\t",
                                    "\0",
                                    "chunked",
                                    "Content-Length: 1\r\n",
                                    "Transfer-Encoding: ",
                                    "0\r\n\r\n",
                                    "HTTP/1.1",
                                    "\xff",
                                    "ffffffff",
                                    "Connection: close\r\n",
                                    ";",
                                    "\r\n\r\n",
                                    "Upgrade: x\r\n"};

static uint64_t state;
static uint32_t next_random(uint32_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 11) % below;
}

static size_t mutate(char *message) {
  size_t count = sizeof corpus / sizeof *corpus, length = 0;
  for (uint32_t parts = 1 + next_random(2); parts > 0; parts--) {
    const char *from = corpus[next_random((uint32_t)count)];
    size_t size = strlen(from);
    memcpy(message + length, from, size);
    length += size;
  }
  for (uint32_t changes = next_random(6); changes > 0 && length > 0; changes--) {
    size_t at = next_random((uint32_t)length);
    uint32_t how = next_random(4);
    const char *word = words[next_random(sizeof words / sizeof *words)];
    size_t size = word[0] == 0 ? 1 : strlen(word);
    if (how == 0) {
      message[at] = (char)next_random(256);
    } else if (how == 1 && length + size < LONGEST) {
      memmove(message + at + size, message + at, length - at);
      memcpy(message + at, word, size);
      length += size;
    } else if (how == 2) {
      size_t gone = 1 + next_random(8);
      gone = gone > length - at ? length - at : gone;
      memmove(message + at, message + at + gone, length - at - gone);
      length -= gone;
    } else if (how == 3 && length * 2 < LONGEST / 2) {
      memcpy(message + length, message + at, length - at);
      length += length - at;
    }
  }
  return length;
}

/* -> what was said; the caller frees it. The bytes lie in memory of their own, so that reading behind them is seen. */
static char *parse(const char *message, size_t length, llhttp_type_t type, bool lenient, size_t piece_limit) {
  struct js_http parser;
  memset(&parser, 0, sizeof parser);
  parser.head_limit = 1000;
  parser.count_limit = 20;
  parser.lenient = lenient;
  current = &parser;
  log_length = rest_of_message = 0;
  note("", 0);
  js_http_init(&parser, type);
  struct js_http_result result = {0, NULL, NULL, false};
  size_t done = 0;
  while (done < length && result.code == NULL && !result.upgrade) {
    size_t size = piece_limit == 0 ? length - done : 1 + next_random((uint32_t)piece_limit);
    size = size > length - done ? length - done : size;
    char *bytes = malloc(size);
    memcpy(bytes, message + done, size);
    env.depth = 1;
    js_http_run(&parser, bytes, size, &result);
    if (result.parsed > size)
      abort();
    free(bytes);
    done += size;
    if (parser.drops_rest && !parser.begun)
      done = length; /* how much of the rest is dropped depends on the pieces */
  }
  if (result.code == NULL && !result.upgrade)
    js_http_finish(&parser, &result);
  note("\nend ", 5);
  const char *outcome = outcome_of(&result);
  note(outcome, strlen(outcome));
  if (result.code != NULL) { /* a program may go on after an error; what it is told is of no interest */
    size_t told = log_length;
    js_http_run(&parser, "GET", 3, &result);
    log_length = told;
    log_text[told] = 0;
  }
  js_http_drop_pieces(&parser);
  free(parser.last_values);
  return strdup(log_text);
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  long rounds = argc > 2 ? strtol(argv[2], NULL, 10) : 100000;
  for (int i = 0; i < JS_HTTP_CALL_COUNT; i++)
    js_http_callbacks[i] = (JSObjectRef)(uintptr_t)(i + 1);
  for (long round = 0; round < rounds; round++) {
    state = (seed * 1000003 + (uint64_t)round) * 0x9E3779B97F4A7C15u + 1;
    char message[LONGEST + 64];
    size_t length = mutate(message);
    llhttp_type_t type = next_random(3) == 0 ? HTTP_RESPONSE : HTTP_REQUEST;
    bool lenient = next_random(4) == 0;
    answer_next = (int)next_random(3) == 0 ? 2 : 0;
    char *whole = parse(message, length, type, lenient, 0);
    char *pieces = parse(message, length, type, lenient, 1 + next_random(12));
    if (strcmp(whole, pieces) != 0) {
      printf("seed %llu round %ld: whole and in pieces differ\n%.*s\n--- whole%s\n--- pieces%s\n",
             (unsigned long long)seed, round, (int)length, message, whole, pieces);
      return 1;
    }
    free(whole);
    free(pieces);
  }
  printf("1 passed, 0 failed, 0 skipped\n");
  return 0;
}
