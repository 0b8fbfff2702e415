/* The binding `http_parser`: llhttp, fed by a stream in C or by a Buffer from JavaScript.
 *
 * The whole head of a message is collected here and passed on in one call; a message without a body needs no second
 * one. JavaScript knows a parser by a number, which is invalid once the parser is freed. A parser that is freed while
 * it runs is destroyed after it has run. */
#include "runtime/bind/http/http.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/bind/slots.h"

static _Thread_local struct js_slots parsers;

_Thread_local JSObjectRef js_http_callbacks[JS_HTTP_CALL_COUNT];

static struct js_http *argument(JSContextRef context, const struct js_frame *frame) {
  return js_slots_find(&parsers, js_int(context, frame, 0));
}

/* create(object, type (1 requests, 2 responses), most bytes in a head, lenient, most headers) -> number, or an error */
static JSValueRef create(JSContextRef context, struct js_frame *frame) {
  struct js_http *parser = calloc(1, sizeof *parser);
  if (parser == NULL)
    return js_number(context, UV_ENOMEM);
  parser->id = js_slots_add(&parsers, parser);
  if (parser->id < 0) {
    free(parser);
    return js_number(context, UV_ENOMEM);
  }
  parser->stream_id = -1;
  parser->object = (JSObjectRef)js_arg(context, frame, 0);
  JSValueProtect(context, parser->object);
  parser->head_limit = (size_t)js_to_integer(context, js_arg(context, frame, 2));
  parser->count_limit = (size_t)js_to_integer(context, js_arg(context, frame, 4));
  parser->started_ms = uv_now(js_env_here->loop);
  parser->lenient = js_to_boolean(context, js_arg(context, frame, 3));
  js_http_init(parser, js_int(context, frame, 1) == JS_HTTP_KIND_REQUESTS ? HTTP_REQUEST : HTTP_RESPONSE);
  return js_number(context, parser->id);
}

static void detach(struct js_http *parser) {
  struct js_socket *stream = js_stream_find(parser->stream_id);
  if (stream != NULL && stream->reader_data == parser) {
    stream->reader = NULL;
    stream->reader_data = NULL;
  }
  parser->stream_id = -1;
}

static void dispose(struct js_http *parser) {
  JSContextRef context = js_env_here->context;
  JSValueUnprotect(context, parser->object);
  if (parser->last_list != NULL)
    JSValueUnprotect(context, parser->last_list);
  js_http_drop_pieces(parser);
  free(parser->last_values);
  free(parser);
}

/* free(id) */
static JSValueRef free_parser(JSContextRef context, struct js_frame *frame) {
  struct js_http *parser = argument(context, frame);
  if (parser == NULL)
    return js_undefined(context);
  detach(parser);
  js_slots_remove(&parsers, parser->id);
  if (parser->running)
    parser->freed = true;
  else
    dispose(parser);
  return js_undefined(context);
}

/* Calls from a parser are one callback of the loop: ticks run when all of the bytes are parsed. */
static void leave(struct js_http *parser) {
  parser->running = false;
  if (parser->freed)
    dispose(parser);
}

/* `memory`: the bytes that were read; null if JavaScript has them already */
static void report(struct js_http *parser, const struct js_http_result *result, JSValueRef memory) {
  JSContextRef context = js_env_here->context;
  JSValueRef arguments[] = {
      js_number(context, (double)result->parsed),
      result->code != NULL ? js_string(context, result->code) : js_undefined(context),
      result->reason != NULL ? js_string(context, result->reason) : js_undefined(context),
      memory != NULL ? memory : js_undefined(context),
  };
  js_enter(js_env_here, js_http_callbacks[JS_HTTP_CALL_STOPPED], parser->object, 4, arguments);
}

static void on_stream(struct js_socket *stream, ssize_t nread, const uv_buf_t *buffer) {
  struct js_http *parser = stream->reader_data;
  if (nread <= 0) {
    js_stream_deliver(stream, nread, buffer);
    return;
  }
  struct js_env *env = js_env_here;
  struct js_http_result result;
  parser->running = true;
  env->depth++;
  js_http_run(parser, buffer->base, (size_t)nread, &result);
  env->depth--;
  if ((result.code != NULL || result.upgrade) && !parser->freed) {
    report(parser, &result, js_block_take(env->context, buffer, (size_t)nread));
  } else {
    js_enter_finish(env);
  }
  leave(parser);
}

/* attach(id, stream): from now on the parser gets the bytes that the stream reads. */
static JSValueRef attach(JSContextRef context, struct js_frame *frame) {
  struct js_http *parser = argument(context, frame);
  struct js_socket *stream = js_stream_argument(context, frame, 1);
  if (parser == NULL || stream == NULL || stream->reader != NULL || stream->own_buffer != NULL)
    return js_boolean(context, false);
  parser->stream_id = stream->id;
  stream->reader = on_stream;
  stream->reader_data = parser;
  return js_boolean(context, true);
}

static JSValueRef detach_parser(JSContextRef context, struct js_frame *frame) {
  struct js_http *parser = argument(context, frame);
  if (parser != NULL)
    detach(parser);
  return js_undefined(context);
}

/* execute(id, bytes): undefined is the end of the input. The callback `stopped` gets the result if it is an error or an
 * upgrade. */
static JSValueRef execute(JSContextRef context, struct js_frame *frame) {
  struct js_http *parser = argument(context, frame);
  unsigned char *bytes;
  size_t length;
  if (parser == NULL || parser->running)
    return js_boolean(context, false);
  struct js_http_result result;
  parser->running = true;
  js_env_here->depth++;
  if (js_to_bytes(context, js_arg(context, frame, 1), &bytes, &length)) {
    js_http_run(parser, (const char *)bytes, length, &result);
  } else {
    js_http_finish(parser, &result);
  }
  js_env_here->depth--;
  if ((result.code != NULL || result.upgrade) && !parser->freed)
    report(parser, &result, NULL);
  leave(parser);
  return js_boolean(context, true);
}

/* age(id, which of enum js_http_age): milliseconds since the current message began, or -1. */
static JSValueRef age(JSContextRef context, struct js_frame *frame) {
  struct js_http *parser = argument(context, frame);
  int which = js_int(context, frame, 1);
  if (parser == NULL || parser->started_ms == 0 || (which == JS_HTTP_AGE_HEAD && parser->head_done) ||
      (which == JS_HTTP_AGE_BEGUN && !parser->begun))
    return js_number(context, -1);
  return js_number(context, (double)(uv_now(js_env_here->loop) - parser->started_ms));
}

/* setCallbacks({name: function}): by the names of http_call in runtime/shared.table */
static JSValueRef set_callbacks(JSContextRef context, struct js_frame *frame) {
  static const char *const names[] = JS_HTTP_CALL_NAMES;
  js_set_callbacks(context, js_arg(context, frame, 0), JS_HTTP_CALL_COUNT, names, js_http_callbacks);
  return js_undefined(context);
}

JSObjectRef js_binding_http_parser(struct js_env *env) {
  static const struct js_method methods[] = {
      {"create", create, 5},   {"free", free_parser, 1}, {"attach", attach, 2},     {"detach", detach_parser, 1},
      {"execute", execute, 2}, {"age", age, 2},          {"send", js_http_send, 5}, {"setCallbacks", set_callbacks, 1},
      {NULL, NULL, 0}};
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  return binding;
}
