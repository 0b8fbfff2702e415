/* Waiting awake for a moment before going to sleep (base/spin.h says why).
 *
 * A loop does so while its jobs are in the pool, or when another thread woke it soon the last time that it slept.
 * That pays while threads answer each other, and stops by itself when they do not. */
#ifndef ROTA_LOOP_LINGER_H
#define ROTA_LOOP_LINGER_H

#include <stdbool.h>
#include <stdint.h>

#include "loop/base/spin.h"
#include "uv.h"

struct rota_linger {
  struct rota_spin spin;
  bool woken_soon;
};

/* Looks whether it is `ready`, for a moment; lets others run between looks then, for a little longer. Returns whether
 * it is. What was spent on it goes to rota__spin_result, with the answer. */
bool rota__wait_awake(bool (*ready)(const void *what), const void *what, uint64_t *spent_ns);

void rota__linger_init(struct rota_linger *linger);
/* Returns whether something came while we waited. */
bool rota__linger(uv_loop_t *loop);
/* The loop slept for so long, and was woken by another thread or not. */
void rota__linger_learn(uv_loop_t *loop, uint64_t slept_ns, bool by_thread);

#endif
