/* Spinning: a thread that waits for another one looks again and again for a short time before it sleeps. This file also
 * decides when spinning is not worth it.
 *
 * To wake a thread costs some ten microseconds; to hand over to a spinning thread costs a hundredth of that. Spinning
 * without a result wastes time. So after each spin without a result the next tries are skipped, twice as many as the
 * time before.
 *
 * The other thread may have been scheduled on our core, where it cannot run while we spin. So the spinning thread
 * yields the processor between its looks. If a yield takes long, other processes want the cores, and sleeping is
 * better: a thread that yields waits until all of them have run, while a thread that is woken runs before them. */
#ifndef ROTA_BASE_SPIN_H
#define ROTA_BASE_SPIN_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "loop/base/check.h"

enum {
  ROTA_SPIN_REST_MAX = 512,
  ROTA_SPIN_REST_AWAY = 1 << 16,
  ROTA_SPIN_LOOKS = 64,
  ROTA_SPIN_NS = 20000,
  ROTA_SPIN_AWAY_NS = 100000
};

struct rota_spin {
  bool possible; /* the other thread has a core of its own to run on */
  int rest;      /* tries to skip */
  int next_rest;
};

static inline void rota__spin_init(struct rota_spin *spin, bool possible) {
  spin->possible = possible;
  spin->rest = 0;
  spin->next_rest = 1;
}

/* Whether to spin this time. */
static inline bool rota__spin_try(struct rota_spin *spin) {
  if (!spin->possible)
    return false;
  if (spin->rest == 0)
    return true;
  spin->rest--;
  return false;
}

/* Tells whether spinning had a result, and how long it took. */
static inline void rota__spin_result(struct rota_spin *spin, bool in_vain, uint64_t spent_ns) {
  if (rota__unlikely(spent_ns > ROTA_SPIN_AWAY_NS)) {
    /* It may have been a single other process: at first a few hundred tries are skipped, and many more if it happens
     * again. */
    spin->rest = spin->next_rest < ROTA_SPIN_REST_MAX ? ROTA_SPIN_REST_MAX : ROTA_SPIN_REST_AWAY;
    spin->next_rest = ROTA_SPIN_REST_MAX;
    return;
  }
  if (!in_vain) {
    spin->next_rest = 1;
    return;
  }
  spin->rest = spin->next_rest;
  if (spin->next_rest < ROTA_SPIN_REST_MAX)
    spin->next_rest *= 2;
}

static inline void rota__spin_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

#endif
