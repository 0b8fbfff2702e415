/* Lingering: a loop spins for a short time before it sleeps (base/spin.h says why).
 *
 * A loop does so while its jobs are in the pool, or if another thread woke it soon the last time it slept. That pays
 * while threads answer each other, and stops by itself when they do not. */
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

/* Calls `ready` repeatedly for a short time, then a little longer with yields in between. Returns its answer. The
 * result and the time go to rota__spin_result. */
bool rota__wait_awake(bool (*ready)(const void *what), const void *what, uint64_t *spent_ns);

void rota__linger_init(struct rota_linger *linger);
/* Returns whether something came while we waited. */
bool rota__linger(uv_loop_t *loop);
/* Records how long the loop slept, and whether another thread woke it. */
void rota__linger_learn(uv_loop_t *loop, uint64_t slept_ns, bool by_thread);

#endif
