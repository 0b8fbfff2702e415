/* Garbage collection while the loop is idle: see rest.c. */
#ifndef JS_REST_H
#define JS_REST_H

#include "runtime/order/env.h"

void js_rest_open(struct js_env *env);
void js_rest_watch(struct js_env *env);

/* After every callback of the loop. */
static inline void js_rest_note_call(struct js_env *env) {
  env->calls++;
  if (!env->rest_watching)
    js_rest_watch(env);
}

#endif
