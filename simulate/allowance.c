#include "simulate/allowance.h"

#include <pthread.h>

#include "loop/base/units.h"
#include "loop/os/clock.h"
#include "simulate/clock.h"

enum { BACK = 10 /* one of so many nanoseconds comes back */ };

static struct {
  pthread_mutex_t lock; /* loops of several threads */
  bool is_bounded;
  int64_t full_ns, left_ns;
  uint64_t seen_ns; /* the clock when left_ns was last brought up to date */
  int64_t taken_ns; /* since seen_ns: this time is not the program's */
} store = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t now_ns(void) {
  return rota__virtual_clock_on() ? rota__virtual_clock_ns() : rota__os_clock_ns();
}

void rota__allowance_start(uint64_t hold_ms) {
  store.is_bounded = hold_ms != UINT64_MAX;
  store.full_ns = store.left_ns = store.is_bounded ? (int64_t)(hold_ms * NS_PER_MS) : 0;
  store.seen_ns = 0;
}

/* With the lock held. What was taken may not have passed yet, or never pass: then nothing comes back for as long. */
static void bring_up_to_date(void) {
  uint64_t now = now_ns();
  if (store.seen_ns == 0 || now < store.seen_ns)
    store.seen_ns = now;
  int64_t own_ns = (int64_t)(now - store.seen_ns) - store.taken_ns;
  if (own_ns < BACK)
    return;
  store.seen_ns = now;
  store.taken_ns = 0;
  store.left_ns += own_ns / BACK;
  if (store.left_ns > store.full_ns)
    store.left_ns = store.full_ns;
}

static bool use(int64_t duration_ns, bool takes) {
  if (!store.is_bounded)
    return true;
  pthread_mutex_lock(&store.lock);
  bring_up_to_date();
  bool is_left = duration_ns <= store.left_ns;
  if (is_left && takes) {
    store.left_ns -= duration_ns;
    store.taken_ns += duration_ns;
  }
  pthread_mutex_unlock(&store.lock);
  return is_left;
}

void rota__allowance_after_fork_in_child(void) {
  pthread_mutex_init(&store.lock, NULL); /* another thread may have held it */
}

bool rota__allowance_has(int64_t duration_ns) {
  return use(duration_ns, false);
}

bool rota__allowance_take(int64_t duration_ns) {
  return use(duration_ns, true);
}
