/* Hops: native functions in the place of some of Node's, which see the program's function go by, name the part that
 * runs after it, and call what they stand for.
 *
 * V8 shows no native function in a stack, so that errors look as they always do; and what is thrown passes through
 * without being caught and thrown again, so that it still belongs to the line that threw it. */
#ifndef GRAFT_NAMES_HOP_H
#define GRAFT_NAMES_HOP_H

#include "inject/names/part.h"

enum names_hop {
  NAMES_HOP_CALLBACK, /* in place of its last argument, a callback, names_hop_call is called */
  NAMES_HOP_SLOW,     /* it may take long: its caller's stack is kept meanwhile, for the watchdog */
  NAMES_HOP_PARSE,    /* the same if its first argument is a long text */
  NAMES_HOP_MADE      /* it makes a timer or an immediate: its maker is remembered */
};

/* A function that calls the original. */
napi_value names_hop_make(struct names_env *env, napi_value name, napi_value original, enum names_hop kind);

/* Called in the place of a callback: the trap of a Proxy, which hands over the callback, its `this` and its arguments.
 */
napi_value names_hop_call(napi_env env, napi_callback_info info);

#endif
