/* Trampolines: native functions in the place of some of Node's. They get the program's function as an argument, name
 * the part that runs after it, and call the original.
 *
 * V8 shows no native function in a stack, so that errors look as they always do; and what is thrown passes through
 * without being caught and thrown again, so that it still belongs to the line that threw it. */
#ifndef GRAFT_NAMES_TRAMPOLINE_H
#define GRAFT_NAMES_TRAMPOLINE_H

#include "inject/names/call_part.h"

enum names_trampoline {
  NAMES_TRAMPOLINE_CALLBACK, /* in place of its last argument, a callback, names_trampoline_call is called */
  NAMES_TRAMPOLINE_SLOW,     /* it may take long: its caller's stack is kept meanwhile, for the watchdog */
  NAMES_TRAMPOLINE_PARSE,    /* the same if its first argument is a long text */
  NAMES_TRAMPOLINE_MADE      /* it makes a timer or an immediate: its maker is remembered */
};

/* A function that calls the original. */
napi_value names_trampoline_make(struct names_env *env, napi_value name, napi_value original,
                                 enum names_trampoline kind);

/* Called in the place of a callback: the trap of a Proxy, which hands over the callback, its `this` and its arguments.
 */
napi_value names_trampoline_call(napi_env env, napi_callback_info info);

#endif
