/* A fuzzer for HTTP/2 sessions (runtime/bind/http2*.c): frames from a corpus, changed at random, are fed in pieces
 * to a server and to a client, whose program answers, writes, resets, pauses and frees at random. The engine is
 * replaced by a few functions. Nothing must be read or written where it should not, and what data is handed over must
 * lie inside of what was fed. Deterministic: fuzz-http2 [seed] [rounds]. Run under sanitizers by `tools/test fuzz`. */
#include "runtime/extras/http2/http2.h"

#include "runtime/engine/value/text.h"
#include "runtime/test/fuzz/values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 16384, MOST_VALUES = 65536, MOST_ARGUMENTS = 8 };

/* ---- the engine, as far as sessions see it ---- */

static uv_loop_t loop;
static struct js_env env = {.loop = &loop};
_Thread_local struct js_env *js_env_here = &env;

/* Values that are no numbers: bytes or text, freed when a round is over. */
struct value {
  void *bytes;
  size_t length;
  bool text;
};
static struct value *values[MOST_VALUES];
static size_t value_count;

static JSValueRef make_value(const void *bytes, size_t length, bool text) {
  struct value *value = malloc(sizeof *value);
  value->bytes = malloc(length + 1);
  if (length > 0)
    memcpy(value->bytes, bytes, length);
  value->length = length;
  value->text = text;
  if (value_count == MOST_VALUES)
    abort();
  values[value_count++] = value;
  return (JSValueRef)value;
}

static void forget_values(void) {
  for (size_t i = 0; i < value_count; i++) {
    free(values[i]->bytes);
    free(values[i]);
  }
  value_count = 0;
}

static struct value *value_of(JSValueRef value) {
  for (size_t i = value_count; i > 0; i--)
    if ((JSValueRef)values[i - 1] == value)
      return values[i - 1];
  return NULL;
}

JSValueRef js_string(JSContextRef context, const char *text) {
  (void)context;
  return make_value(text, strlen(text), true);
}
JSValueRef js_string_latin1(JSContextRef context, const unsigned char *bytes, size_t length) {
  (void)context;
  return make_value(bytes, length, true);
}
JSValueRef js_http_text(JSContextRef context, const char *bytes, size_t length) {
  (void)context;
  return make_value(bytes, length, true);
}
JSValueRef js_buffer_adopt(JSContextRef context, void *bytes, size_t length) {
  (void)context;
  JSValueRef value = make_value(bytes, length, false);
  free(bytes);
  return value;
}
JSObjectRef js_array(JSContextRef context, size_t count, const JSValueRef list[]) {
  (void)context;
  return (JSObjectRef)make_value(list, count * sizeof *list, false);
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
bool JSValueIsUndefined(JSContextRef context, JSValueRef value) {
  return value == js_undefined(context);
}
double JSValueToNumber(JSContextRef context, JSValueRef value, JSValueRef *exception) {
  (void)context, (void)value, (void)exception;
  return NAN;
}
bool JSValueToBoolean(JSContextRef context, JSValueRef value) {
  (void)context;
  return value_of(value) != NULL;
}
bool js_borrow_text(JSContextRef context, JSValueRef value, struct js_characters *text) {
  (void)context;
  struct value *found = value_of(value);
  if (found == NULL || !found->text)
    return false;
  *text = (struct js_characters){found->bytes, found->length, false};
  return true;
}
bool js_borrow_bytes(JSContextRef context, JSValueRef value, unsigned char **bytes, size_t *length) {
  (void)context;
  struct value *found = value_of(value);
  if (found == NULL || found->text)
    return false;
  *bytes = found->bytes;
  *length = found->length;
  return true;
}
bool js_pin_bytes(JSContextRef context, JSValueRef value, unsigned char **bytes, size_t *length) {
  return js_borrow_bytes(context, value, bytes, length);
}
size_t js_utf8_length(const struct js_characters *text) {
  return text->length;
}
size_t js_utf8_write(const struct js_characters *text, unsigned char *out, size_t room) {
  memcpy(out, text->data, room);
  return text->length;
}
char *js_to_text(JSContextRef context, JSValueRef value, size_t *length) {
  struct js_characters text;
  if (!js_borrow_text(context, value, &text))
    return NULL;
  *length = text.length;
  return memcpy(malloc(text.length + 1), text.data, text.length);
}
JSObjectRef js_object(JSContextRef context) {
  (void)context;
  return (JSObjectRef)make_value("", 0, false);
}
void js_set(JSContextRef context, JSObjectRef object, const char *name, JSValueRef value) {
  (void)context, (void)object, (void)name, (void)value;
}

void js_set_callbacks(JSContextRef context, JSValueRef object, int count, const char *const names[],
                      JSObjectRef callbacks[]) {
  (void)context, (void)object, (void)count, (void)names, (void)callbacks;
}

/* The methods of the binding, by name. */
static struct js_method methods[64];
static size_t method_count;
void js_set_methods(JSContextRef context, JSObjectRef object, const struct js_method *list) {
  (void)context, (void)object;
  for (; list->name != NULL; list++)
    methods[method_count++] = *list;
}

void js_stream_show(const char *bytes, size_t length) {
  volatile char sum = 0;
  for (size_t i = 0; i < length; i++)
    sum ^= bytes[i]; /* a piece that is not there is found */
}
JSValueRef js_bytes_alone(JSContextRef context, const char *bytes, size_t count) {
  (void)context;
  js_stream_show(bytes, count);
  return NULL;
}
struct js_socket *js_stream_find(int id) {
  (void)id;
  return NULL;
}
struct js_socket *js_stream_argument(JSContextRef context, const struct js_frame *frame, int index) {
  (void)context, (void)frame, (void)index;
  return NULL;
}
void js_stream_deliver(struct js_socket *stream, ssize_t nread, const uv_buf_t *buffer) {
  (void)stream, (void)nread, (void)buffer;
}

/* ---- a program that does anything ---- */

static uint64_t state;
static uint32_t next_random(uint32_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 11) % below;
}

static int session, calls_left;
static size_t fed;

static JSValueRef call(const char *name, size_t argc, const JSValueRef argv[]) {
  struct {
    struct js_frame frame;
    JSValueRef room[MOST_ARGUMENTS];
  } made;
  memset(&made, 0, sizeof made);
  made.frame.count_with_this = (int32_t)argc + 1;
  memcpy(made.room, argv, argc * sizeof *argv);
  for (size_t i = 0; i < method_count; i++)
    if (strcmp(methods[i].name, name) == 0)
      return methods[i].function(NULL, &made.frame);
  abort();
}

static JSValueRef number(double value) {
  return js_number(NULL, value);
}

/* A block of headers as JavaScript makes it. */
static void fields(bool request, JSValueRef argv[3]) {
  static const char *const asked = ":method"
                                   "GET"
                                   ":path"
                                   "/"
                                   ":scheme"
                                   "http"
                                   ":authority"
                                   "h"
                                   "a"
                                   "b";
  static const uint32_t asked_sizes[] = {7, 3, 0, 5, 1, 0, 7, 4, 0, 10, 1, 0, 1, 1, 1};
  static const char *const answered = ":status"
                                      "200"
                                      "x"
                                      "y";
  static const uint32_t answered_sizes[] = {7, 3, 0, 1, 1, 0};
  argv[0] = request ? js_string(NULL, asked) : js_string(NULL, answered);
  argv[1] = request ? make_value(asked_sizes, sizeof asked_sizes, false)
                    : make_value(answered_sizes, sizeof answered_sizes, false);
  argv[2] = number(request ? 5 : 2);
}

static void do_anything(int stream) {
  JSValueRef argv[MOST_ARGUMENTS] = {number(session), number(stream)};
  if (calls_left-- <= 0 || value_count > MOST_VALUES / 2)
    return;
  switch (next_random(16)) {
  case 0:
  case 1:
    fields(false, argv + 2);
    argv[5] = number(next_random(4));
    call("respond", 6, argv);
    break;
  case 2:
  case 3: {
    static const char data[20000];
    argv[2] = make_value(data, next_random(sizeof data), next_random(2) == 0);
    argv[3] = js_boolean(NULL, true);
    call("write", 4, argv);
    break;
  }
  case 4:
    call("end", 2, argv);
    break;
  case 5:
    argv[2] = number(next_random(14));
    call("reset", 3, argv);
    break;
  case 6:
    call("pause", 2, argv);
    break;
  case 7:
    call("resume", 2, argv);
    break;
  case 8:
    fields(false, argv + 2);
    call(next_random(2) == 0 ? "trailers" : "inform", 5, argv);
    break;
  case 9:
    fields(true, argv + 2);
    call("push", 5, argv);
    break;
  case 10: {
    uint32_t pairs[] = {next_random(9), next_random(100000), 4, next_random(70000)};
    argv[1] = make_value(pairs, sizeof pairs, false);
    argv[2] = number(next_random(3));
    call("settings", 3, argv);
    break;
  }
  case 11:
    argv[1] = make_value("12345678", 8, false);
    call("ping", 2, argv);
    break;
  case 12:
    argv[1] = number(next_random(14));
    argv[2] = number(next_random(9));
    call(next_random(8) == 0 ? "terminate" : "goaway", 3, argv);
    break;
  case 13:
    call("flush", 1, argv);
    break;
  case 14:
    fields(true, argv + 1);
    argv[4] = number(next_random(4));
    call("request", 5, argv);
    break;
  default:
    call(next_random(2) == 0 ? "state" : "streamState", 2, argv);
    if (next_random(40) == 0)
      call("free", 1, argv);
  }
}

JSValueRef js_enter(struct js_env *where, JSObjectRef function, JSObjectRef object, size_t argc,
                    const JSValueRef argv[]) {
  (void)where, (void)object, (void)argc;
  enum js_http2_call which = (enum js_http2_call)((uintptr_t)function - 1);
  int stream = which == JS_HTTP2_CALL_SEND || which == JS_HTTP2_CALL_FAILED ? 1 : (int)js_to_integer(NULL, argv[0]);
  if (which == JS_HTTP2_CALL_DATA) {
    if ((size_t)js_to_integer(NULL, argv[1]) > fed)
      abort();
  }
  if (next_random(3) == 0)
    do_anything(next_random(4) == 0 ? (int)next_random(9) : stream);
  return js_boolean(NULL, next_random(8) != 0);
}

/* ---- frames ---- */

static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
static const char *const corpus[] = {
    "\0\0\0\x04\0\0\0\0\0",                            /* SETTINGS */
    "\0\0\0\x04\1\0\0\0\0",                            /* its acknowledgement */
    "\0\0\6\x04\0\0\0\0\0\0\4\0\0\xff\xff",            /* a window size */
    "\0\0\6\1\5\0\0\0\1\x82\x84\x86\x41\1x",           /* GET */
    "\0\0\6\1\4\0\0\0\3\x83\x84\x86\x41\1x",           /* POST */
    "\0\0\5\0\0\0\0\0\3hello",                         /* DATA */
    "\0\0\5\0\1\0\0\0\3world",                         /* DATA, the last */
    "\0\0\x0a\0\x09\0\0\0\3\4hello\0\0\0\0",           /* DATA, padded */
    "\0\0\4\3\0\0\0\0\3\0\0\0\x08",                    /* RST_STREAM */
    "\0\0\x08\6\0\0\0\0\0abcdefgh",                    /* PING */
    "\0\0\x08\6\1\0\0\0\0abcdefgh",                    /* its answer */
    "\0\0\x08\7\0\0\0\0\0\0\0\0\1\0\0\0\0",            /* GOAWAY */
    "\0\0\4\x08\0\0\0\0\0\0\0\x10\0",                  /* WINDOW_UPDATE */
    "\0\0\1\1\4\0\0\0\1\x88",                          /* 200 */
    "\0\0\1\1\0\0\0\0\1\x88",                          /* 200, to be continued */
    "\0\0\5\x09\4\0\0\0\1\x40\1a\1b",                  /* CONTINUATION */
    "\0\0\x0a\5\4\0\0\0\1\0\0\0\2\x82\x84\x86\x41\1x", /* PUSH_PROMISE */
    "\0\0\6\x0a\0\0\0\0\1\0\0h2=1",                    /* ALTSVC */
    "\0\0\x0c\x0c\0\0\0\0\0\0\x0ahttp://a.b",          /* ORIGIN */
    "\0\0\5\2\0\0\0\0\5\0\0\0\0\x10",                  /* PRIORITY */
    "\0\0\5\1\5\0\0\0\3\x40\1z\1y",                    /* trailers */
};
enum { FRAME_HEAD = 9, CONTINUED = 14, CORPUS = sizeof corpus / sizeof *corpus };

/* -> its length */
static size_t put_frame(char *into, uint32_t which) {
  const char *bytes = corpus[which];
  size_t length = FRAME_HEAD + (size_t)bytes[2];
  memcpy(into, bytes, length);
  return length;
}

static size_t mutate(char *input, bool server) {
  size_t length = 0;
  if (server && next_random(20) != 0) {
    length = sizeof preface - 1;
    memcpy(input, preface, length);
  }
  size_t fixed = length;
  length += put_frame(input + length, 0);
  for (uint32_t count = 1 + next_random(40); count > 0; count--) {
    uint32_t which = next_random(CORPUS);
    size_t size = put_frame(input + length, which);
    if (which == CONTINUED)
      size += put_frame(input + length + size, which + 1);
    else if (input[length + 8] != 0 && next_random(3) == 0)
      input[length + 8] = (char)(1 + next_random(9)); /* another stream */
    length += size;
  }
  for (uint32_t changes = next_random(5); changes > 0; changes--) {
    size_t at = fixed + next_random((uint32_t)(length - fixed));
    if (next_random(3) == 0) {
      size_t gone = 1 + next_random(4);
      gone = gone > length - at ? length - at : gone;
      memmove(input + at, input + at + gone, length - at - gone);
      length -= gone;
      if (length <= fixed)
        break;
    } else {
      input[at] = (char)next_random(256);
    }
  }
  return length;
}

static void run(bool server) {
  static char input[LONGEST];
  double limits[JS_HTTP2_OPTION_COUNT] = {100, NAN, NAN, NAN, 32, NAN, NAN, 0, 20, 0, 1e6, 100, 10};
  limits[JS_HTTP2_OPTION_PADDING] = next_random(3);
  JSValueRef argv[3] = {make_value("", 0, false), js_boolean(NULL, server), make_value(limits, sizeof limits, false)};
  session = (int)js_to_integer(NULL, call("create", 3, argv));
  calls_left = 200;
  uint32_t none = 0;
  JSValueRef settings[] = {number(session), make_value(&none, sizeof none, false), number(0)};
  call("settings", 3, settings);
  for (int i = 0; !server && i < 4; i++) {
    JSValueRef request[5] = {number(session)};
    fields(true, request + 1);
    request[4] = number(next_random(4));
    call("request", 5, request);
  }
  size_t length = mutate(input, server), done = 0, piece = 1 + next_random(next_random(2) == 0 ? 12 : 3000);
  while (done < length && value_count < MOST_VALUES / 2) {
    fed = 1 + next_random((uint32_t)piece);
    fed = fed > length - done ? length - done : fed;
    JSValueRef bytes[] = {number(session), make_value(input + done, fed, false)};
    call("receive", 2, bytes);
    done += fed;
    if (next_random(4) == 0)
      do_anything((int)next_random(9));
  }
  JSValueRef last[] = {number(session), js_boolean(NULL, true)};
  call("flush", 2, last);
  call("free", 1, last);
  forget_values();
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  long rounds = argc > 2 ? strtol(argv[2], NULL, 10) : 20000;
  js_binding_http2(&env);
  for (int i = 0; i < JS_HTTP2_CALL_COUNT; i++)
    js_http2_callbacks[i] = (JSObjectRef)(uintptr_t)(i + 1);
  for (long round = 0; round < rounds; round++) {
    state = (seed * 1000003 + (uint64_t)round) * 0x9E3779B97F4A7C15u + 1;
    run(round % 2 == 0);
  }
  forget_values();
  printf("%ld rounds\n", rounds);
  return 0;
}
