/* The binding `http_parser`: llhttp, fed by a stream in C or by a Buffer from JavaScript.
 *
 * Everything in a message's head is collected here and handed over in one call; a message without a body needs no
 * second one. A number stands for a parser in JavaScript, and finds nothing once the parser is freed. A parser that
 * is freed while it runs lives until it has run. */
#include "runtime/bind/http/http.h"

#include "runtime/bind/slots.h"

#include <stdlib.h>
#include <string.h>

static _Thread_local struct rota_slots parsers;

_Thread_local JSObjectRef rota_http_callbacks[ROTA_HTTP_CALLBACKS];

static struct rota_http *argument(JSContextRef context, const struct rota_frame *frame) {
  return rota_slots_find(&parsers, rota_int(context, frame, 0));
}

/* create(object, type (1 requests, 2 responses), most bytes in a head, lenient, most headers) -> number, or an error */
static JSValueRef create(JSContextRef context, struct rota_frame *frame) {
  struct rota_http *parser = calloc(1, sizeof *parser);
  if (parser == NULL)
    return rota_number(context, UV_ENOMEM);
  parser->id = rota_slots_add(&parsers, parser);
  if (parser->id < 0) {
    free(parser);
    return rota_number(context, UV_ENOMEM);
  }
  parser->stream_id = -1;
  parser->object = (JSObjectRef)rota_arg(context, frame, 0);
  JSValueProtect(context, parser->object);
  parser->head_limit = (size_t)rota_to_integer(context, rota_arg(context, frame, 2));
  parser->count_limit = (size_t)rota_to_integer(context, rota_arg(context, frame, 4));
  parser->started_ms = uv_now(rota_env_here->loop);
  parser->lenient = rota_to_boolean(context, rota_arg(context, frame, 3));
  rota_http_init(parser, rota_int(context, frame, 1) == 1 ? HTTP_REQUEST : HTTP_RESPONSE);
  return rota_number(context, parser->id);
}

static void detach(struct rota_http *parser) {
  struct rota_socket *stream = rota_stream_find(parser->stream_id);
  if (stream != NULL && stream->reader_data == parser) {
    stream->reader = NULL;
    stream->reader_data = NULL;
  }
  parser->stream_id = -1;
}

static void dispose(struct rota_http *parser) {
  JSContextRef context = rota_env_here->context;
  JSValueUnprotect(context, parser->object);
  if (parser->last_list != NULL)
    JSValueUnprotect(context, parser->last_list);
  rota_http_drop_pieces(parser);
  free(parser->last_values);
  free(parser);
}

/* free(id) */
static JSValueRef free_parser(JSContextRef context, struct rota_frame *frame) {
  struct rota_http *parser = argument(context, frame);
  if (parser == NULL)
    return rota_undefined(context);
  detach(parser);
  rota_slots_remove(&parsers, parser->id);
  if (parser->running)
    parser->freed = true;
  else
    dispose(parser);
  return rota_undefined(context);
}

/* Calls from a parser are one callback of the loop: ticks run when all of the bytes are parsed. */
static void leave(struct rota_http *parser) {
  parser->running = false;
  if (parser->freed)
    dispose(parser);
}

static void report(struct rota_http *parser, const struct rota_http_result *result, JSObjectRef memory, size_t offset,
                   size_t length) {
  JSContextRef context = rota_env_here->context;
  JSValueRef arguments[] = {
      rota_number(context, (double)result->parsed),
      result->code != NULL ? rota_string(context, result->code) : rota_undefined(context),
      result->reason != NULL ? rota_string(context, result->reason) : rota_undefined(context),
      memory != NULL ? (JSValueRef)memory : rota_undefined(context),
      rota_number(context, (double)offset),
      rota_number(context, (double)length),
  };
  rota_door_call(rota_env_here, rota_http_callbacks[ROTA_HTTP_STOPPED], parser->object, 6, arguments);
}

static void on_stream(struct rota_socket *stream, ssize_t nread, const uv_buf_t *buffer) {
  struct rota_http *parser = stream->reader_data;
  if (nread <= 0) {
    rota_stream_deliver(stream, nread, buffer);
    return;
  }
  struct rota_env *env = rota_env_here;
  struct rota_http_result result;
  parser->buffer = buffer;
  parser->count = (size_t)nread;
  parser->memory = NULL;
  parser->running = true;
  env->depth++;
  rota_http_run(parser, buffer->base, (size_t)nread, &result);
  env->depth--;
  if ((result.code != NULL || result.upgrade) && !parser->freed) {
    size_t offset;
    JSObjectRef memory = rota_slab_take(env->context, buffer, (size_t)nread, &offset);
    report(parser, &result, memory, offset, (size_t)nread);
  } else {
    rota_door_settle(env);
  }
  leave(parser);
}

/* attach(id, stream): what the stream reads goes to the parser from now on. */
static JSValueRef attach(JSContextRef context, struct rota_frame *frame) {
  struct rota_http *parser = argument(context, frame);
  struct rota_socket *stream = rota_stream_argument(context, frame, 1);
  if (parser == NULL || stream == NULL || stream->reader != NULL || stream->own_buffer != NULL)
    return rota_boolean(context, false);
  parser->stream_id = stream->id;
  stream->reader = on_stream;
  stream->reader_data = parser;
  return rota_boolean(context, true);
}

static JSValueRef detach_parser(JSContextRef context, struct rota_frame *frame) {
  struct rota_http *parser = argument(context, frame);
  if (parser != NULL)
    detach(parser);
  return rota_undefined(context);
}

/* execute(id, bytes): bytes undefined is the end of the input. The outcome goes to the callback `stopped` when it is
 * an error or an upgrade. */
static JSValueRef execute(JSContextRef context, struct rota_frame *frame) {
  struct rota_http *parser = argument(context, frame);
  unsigned char *bytes;
  size_t length;
  if (parser == NULL || parser->running)
    return rota_boolean(context, false);
  struct rota_http_result result;
  parser->buffer = NULL;
  parser->memory = NULL;
  parser->running = true;
  rota_env_here->depth++;
  if (rota_to_bytes(context, rota_arg(context, frame, 1), &bytes, &length)) {
    parser->count = length;
    rota_http_run(parser, (const char *)bytes, length, &result);
  } else {
    parser->count = 0;
    rota_http_finish(parser, &result);
  }
  rota_env_here->depth--;
  if ((result.code != NULL || result.upgrade) && !parser->freed)
    report(parser, &result, NULL, 0, parser->count);
  leave(parser);
  return rota_boolean(context, true);
}

/* age(id, which): milliseconds since the message under way began (0), or since then while its head is not complete (1);
 * -1 when there is none. The time until the first message counts as its own; 2 asks without that. */
static JSValueRef age(JSContextRef context, struct rota_frame *frame) {
  struct rota_http *parser = argument(context, frame);
  int which = rota_int(context, frame, 1);
  if (parser == NULL || parser->started_ms == 0 || (which == 1 && parser->head_done) || (which == 2 && !parser->begun))
    return rota_number(context, -1);
  return rota_number(context, (double)(uv_now(rota_env_here->loop) - parser->started_ms));
}

static JSValueRef set_callbacks(JSContextRef context, struct rota_frame *frame) {
  for (int i = 0; i < ROTA_HTTP_CALLBACKS; i++) {
    JSValueRef value = rota_arg(context, frame, i);
    JSValueProtect(context, value);
    rota_http_callbacks[i] = (JSObjectRef)value;
  }
  return rota_undefined(context);
}

JSObjectRef rota_binding_http_parser(struct rota_env *env) {
  static const struct rota_method methods[] = {{"create", create, 5},
                                               {"free", free_parser, 1},
                                               {"attach", attach, 2},
                                               {"detach", detach_parser, 1},
                                               {"execute", execute, 2},
                                               {"age", age, 2},
                                               {"send", rota_http_send, 5},
                                               {"setCallbacks", set_callbacks, 4},
                                               {NULL, NULL, 0}};
  JSObjectRef binding = rota_object(env->context);
  rota_set_methods(env->context, binding, methods);
  return binding;
}
