/* Waiting awake for a moment before going to sleep.
 *
 * To wake a thread costs some ten microseconds, to hand over to one that is awake a hundredth of it. So a loop that was
 * woken by another thread soon after it had gone to sleep stays awake next time, for a short while. That pays while
 * threads answer each other (jobs of the pool one after another, asyncs back and forth), and stops by itself when
 * they do not: each time in vain uses up credit, and only wake-ups that came soon give credit. */
#ifndef ROTA_LOOP_LINGER_H
#define ROTA_LOOP_LINGER_H

#include <stdbool.h>
#include <stdint.h>

#include "uv.h"

struct rota_linger {
  bool possible; /* there is another core for the one that we wait for */
  int credit;
};

void rota__linger_init(struct rota_linger *linger);
/* Returns whether something came while we waited. */
bool rota__linger(uv_loop_t *loop);
/* The loop slept for so long, and was woken by another thread or not. */
void rota__linger_learn(uv_loop_t *loop, uint64_t slept_ns, bool by_thread);

#endif
