/* The binding `trace`: JavaScript reports which callback begins, which tick runs, and uncaught errors
 * (runtime/lib/trace). */
#include "runtime/observe/trace.h"
#include "runtime/bind/binding.h"
#include "runtime/engine/value/stack.h"

#include <rota.h>
#include <stdio.h>
#include <stdlib.h>

/* The note that was made when something was scheduled (internal/trace/install): the number of the callback that
 * scheduled it, above it the number of a name, 0 for none; negative: it has run before. */
struct note {
  uint32_t by, name;
  bool is_first;
};

static struct note read_note(JSContextRef context, JSValueRef value) {
  double number = js_to_number(context, value);
  uint64_t bits = number > 0 ? (uint64_t)number : number < 0 ? (uint64_t)-number : 0;
  return (struct note){.by = (uint32_t)bits, .name = (uint32_t)(bits >> 32), .is_first = number > 0};
}

static void set_cause(struct js_env *env, uint32_t by, bool is_first) {
  rota_call_cause(env->loop, by, is_first);
  env->words[JS_WORD_BY] = 0;
  env->words[JS_WORD_CALL] = rota_call_number(env->loop);
}

/* enter(function, due, note): a timer or an immediate begins; due by JavaScript's clock, 0 for none. */
static JSValueRef enter(JSContextRef context, struct js_frame *frame) {
  struct js_env *env = js_env_here;
  double due_ms = js_to_number(context, js_arg(context, frame, 1));
  struct note note = read_note(context, js_arg(context, frame, 2));
  bool own = false;
  uint32_t name = note.name != 0 ? note.name : js_trace_name(context, js_arg(context, frame, 0), &own);
  js_trace_drained(env);
  js_trace_turn(env);
  env->unnamed = NULL;
  rota_call_next(env->loop, name, due_ms > 0 ? (uint64_t)((due_ms + (double)env->clock_base_ms) * 1e6) : 0);
  set_cause(env, note.by, note.is_first);
  env->words[JS_WORD_NAMELESS] = own;
  env->words[JS_WORD_INSIDE] = !own;
  return js_undefined(context);
}

/* queue(name): what runs now came from that queue. */
static JSValueRef queue(JSContextRef context, struct js_frame *frame) {
  char *name = js_to_text(context, js_arg(context, frame, 0), NULL);
  if (name != NULL)
    rota_call_queue(js_env_here->loop, rota_name(name, NULL, 0));
  free(name);
  return js_undefined(context);
}

static JSValueRef tick(JSContextRef context, struct js_frame *frame) {
  js_trace_tick(js_env_here, js_arg(context, frame, 0));
  return js_undefined(context);
}

static void begin_part(struct js_env *env, uint32_t name) {
  if (env->words[JS_WORD_NAMELESS] != 0) {
    env->words[JS_WORD_NAMELESS] = 0;
    rota_name_call(env->loop, name);
  } else {
    js_trace_drained(env);
    js_trace_turn(env);
    rota_call_next(env->loop, name, 0);
  }
  set_cause(env, (uint32_t)env->words[JS_WORD_BY], true);
  env->words[JS_WORD_INSIDE] = 1;
}

/* begins(note): the result of a noted operation is delivered. For a promise, nothing else tells its owner. */
static JSValueRef begins(JSContextRef context, struct js_frame *frame) {
  struct js_env *env = js_env_here;
  struct note note = read_note(context, js_arg(context, frame, 0));
  env->words[JS_WORD_BY] = note.by;
  if (note.name != 0)
    begin_part(env, note.name);
  return js_undefined(context);
}

/* awaiting(): the number of a name for the code that runs now and will continue when the promise that it makes is
 * settled. */
static JSValueRef awaiting(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  return js_number(context, js_stack_awaiting(context));
}

/* part(function): the runtime is about to call the program's own function. The first one in a callback of the loop
 * gives the callback its name; each further one is a callback of its own. False: it is a function of the runtime. */
static JSValueRef part(JSContextRef context, struct js_frame *frame) {
  struct js_env *env = js_env_here;
  bool own;
  uint32_t number = js_trace_name(context, js_arg(context, frame, 0), &own);
  if (own)
    return js_boolean(context, false);
  begin_part(env, number);
  return js_boolean(context, true);
}

/* isOurs(function): it is a function of the runtime. */
static JSValueRef is_ours(JSContextRef context, struct js_frame *frame) {
  bool own;
  js_trace_name(context, js_arg(context, frame, 0), &own);
  return js_boolean(context, own);
}

/* script(file): a worker's script begins, of this file; without one, the main script */
static JSValueRef script(JSContextRef context, struct js_frame *frame) {
  JSValueRef given = js_arg(context, frame, 0);
  char *file = JSValueIsString(context, given) ? js_to_text(context, given, NULL) : NULL;
  js_trace_script(js_env_here, file);
  free(file);
  return js_undefined(context);
}

/* mark(text, value, file, line) */
static JSValueRef mark(JSContextRef context, struct js_frame *frame) {
  char *text = js_to_text(context, js_arg(context, frame, 0), NULL);
  JSValueRef file_value = js_arg(context, frame, 2);
  char *file = JSValueIsString(context, file_value) ? js_to_text(context, file_value, NULL) : NULL;
  double value = js_to_number(context, js_arg(context, frame, 1));
  if (text != NULL)
    rota_trace_mark(rota_name(text, file, (int)js_to_integer(context, js_arg(context, frame, 3))),
                    value > 0 ? (uint64_t)value : 0);
  free(text);
  free(file);
  return js_undefined(context);
}

/* place(function): [file, line, column], or undefined for a native function. */
static JSValueRef place_of(JSContextRef context, struct js_frame *frame) {
  struct js_place place;
  char file[1024];
  if (!js_place_of(js_arg(context, frame, 0), &place))
    return js_undefined(context);
  struct js_characters text = js_place_file(&place);
  file[js_utf8_write(&text, (unsigned char *)file, sizeof file - 1)] = 0;
  JSValueRef values[] = {js_string(context, file), js_number(context, place.line), js_number(context, place.column)};
  return js_array(context, 3, values);
}

/* stack(): the current stack, as lines. */
static JSValueRef stack(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  char *text = js_stack_text(context, "      ", true);
  JSValueRef value = js_string(context, text != NULL ? text : "");
  free(text);
  return value;
}

/* alive(): what keeps the loop alive, as text. */
static JSValueRef alive(JSContextRef context, struct js_frame *frame) {
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  (void)frame;
  if (stream == NULL)
    return js_undefined(context);
  rota_print_alive(js_env_here->loop, stream);
  fclose(stream);
  JSValueRef value = js_text(context, text, length);
  free(text);
  return value;
}

/* describe(function): the function that C calls to list the timers and immediates that keep the loop alive. */
static JSValueRef describe(JSContextRef context, struct js_frame *frame) {
  struct js_env *env = js_env_here;
  env->describe = (JSObjectRef)js_arg(context, frame, 0);
  JSValueProtect(env->context, env->describe);
  return js_undefined(context);
}

/* whenAttached(function): what C calls when `rota attach` begins or ends to observe the loop, with what is observed;
 * and, if that is undefined, for a list of timers (true) or immediates (false), as text. */
static JSValueRef when_attached(JSContextRef context, struct js_frame *frame) {
  struct js_env *env = js_env_here;
  env->attached = (JSObjectRef)js_arg(context, frame, 0);
  JSValueProtect(env->context, env->attached);
  return js_undefined(context);
}

JSObjectRef js_binding_trace(struct js_env *env) {
  static const struct js_method methods[] = {
      {"enter", enter, 3},       {"queue", queue, 1},
      {"begins", begins, 1},     {"awaiting", awaiting, 0},
      {"tick", tick, 1},         {"part", part, 1},
      {"mark", mark, 4},         {"place", place_of, 1},
      {"stack", stack, 0},       {"alive", alive, 0},
      {"describe", describe, 1}, {"script", script, 1},
      {"isOurs", is_ours, 1},    {"whenAttached", when_attached, 1},
      {NULL, NULL, 0},
  };
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  return binding;
}
