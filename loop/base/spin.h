/* For loops that wait for another thread, briefly, and for knowing when not to.
 *
 * To wake a thread costs some ten microseconds, to hand over to one that is awake a hundredth of it; but to wait awake
 * in vain is a waste. So after each time in vain the next tries are left out, twice as many as the time before.
 *
 * The one that we wait for may have been put on our own core, where it cannot run while we wait: the waiting thread
 * looks for a moment, and then lets others run between its looks. Should it be away for long then, whatever it found
 * when it came back, the cores are wanted by strangers, and sleeping is the better way to wait: who gives way to
 * strangers waits until all of them have had their turn, a thread that is woken comes before them. */
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
  bool possible; /* there is another core for the one that we wait for */
  int rest;      /* tries to leave out */
  int next_rest;
};

static inline void rota__spin_init(struct rota_spin *spin, bool possible) {
  spin->possible = possible;
  spin->rest = 0;
  spin->next_rest = 1;
}

/* Whether to try it this time. */
static inline bool rota__spin_try(struct rota_spin *spin) {
  if (!spin->possible)
    return false;
  if (spin->rest == 0)
    return true;
  spin->rest--;
  return false;
}

/* What came of it, and for how long. */
static inline void rota__spin_result(struct rota_spin *spin, bool in_vain, uint64_t spent_ns) {
  if (rota__unlikely(spent_ns > ROTA_SPIN_AWAY_NS)) {
    /* It may have been a single stranger, so a few hundred are left out at first, and many more if it goes on so. */
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
