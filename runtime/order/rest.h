/* What is done while nothing else is to be done: see rest.c. */
#ifndef ROTA_REST_H
#define ROTA_REST_H

#include "runtime/order/env.h"

void rota_rest_open(struct rota_env *env);
void rota_rest_watch(struct rota_env *env);

/* After every callback of the loop. */
static inline void rota_rest_note_call(struct rota_env *env) {
  env->calls++;
  if (!env->rest_watching)
    rota_rest_watch(env);
}

#endif
