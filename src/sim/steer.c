/* Who is steered, and how: what rota.h offers, and the environment. A loop that was made is asked for here, once; what
 * steers it are its own poller and the process's clock, so that one which is not steered pays nothing. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "loop/internal.h"
#include "loop/observe.h"
#include "os/signal.h"
#include "rota.h"
#include "sim/clock.h"
#include "sim/settings.h"
#include "sim/virtual.h"

enum { GRACE_MS = 5, NS_PER_MS = 1000000 };

static _Atomic unsigned int steering;
static _Atomic bool seen; /* there was a loop before time became virtual: it has seen the clock */
static pthread_once_t environment_once = PTHREAD_ONCE_INIT;

unsigned int rota_steering(void) {
  return atomic_load(&steering);
}

/* ---- one loop ---- */

static int wrap(uv_loop_t *loop, struct rota_poller *(*wrapper)(uv_loop_t *loop, struct rota_poller *inner)) {
  struct rota_poller *wrapped = wrapper(loop, rota__loop_poller(loop));
  if (wrapped == NULL)
    return UV_ENOMEM;
  loop->core.poller = wrapped;
  return 0;
}

int rota_steer(uv_loop_t *loop) {
  struct rota_loop *internal = rota__loop(loop);
  if (rota_steering() & ROTA_STEER_TIME) {
    int err = wrap(loop, rota__virtual_wrap);
    if (err < 0)
      return err;
    rota__os_millisecond_distrust(&internal->clock);
    uv_update_time(loop);
    if (rota__wheel_empty(&internal->timers))
      rota__wheel_init(&internal->timers, loop->core.now_ms);
  }
  return 0;
}

/* ---- the process ---- */

int rota_virtual_time_start(const rota_virtual_time_options_t *options) {
  static const rota_virtual_time_options_t usual;
  if (atomic_fetch_or(&steering, ROTA_STEER_TIME) & ROTA_STEER_TIME)
    return UV_EALREADY;
  if (options == NULL)
    options = &usual;
  uint64_t grace_ms = options->grace_ms == 0 ? GRACE_MS : options->grace_ms;
  rota__virtual_configure(options->by_hand != 0, grace_ms * NS_PER_MS);
  (void)rota__os_at_fork(rota__virtual_before_fork, rota__virtual_in_parent, rota__virtual_in_child);
  rota__virtual_clock_start(!atomic_load(&seen), options->day_ns == 0 ? -1 : options->day_ns, rota__virtual_sleep);
  return 0;
}

int rota_virtual_time_advance(uint64_t duration_ms) {
  if (!rota__virtual_clock_on() || duration_ms > UINT64_MAX / 2 / NS_PER_MS)
    return UV_EINVAL;
  rota__virtual_advance(duration_ms * NS_PER_MS);
  return 0;
}

void rota_virtual_time_hold(void) {
  rota__virtual_hold(1);
}

void rota_virtual_time_release(void) {
  rota__virtual_hold(-1);
}

/* ---- the environment ---- */

static const char *setting(const char *name) {
  const char *value = secure_getenv(name);
  return value == NULL || value[0] == '\0' || (value[0] == '0' && value[1] == '\0') ? NULL : value;
}

static void read_environment(void) {
  const char *time = setting("ROTA_VIRTUAL_TIME");
  rota_virtual_time_options_t time_options;
  if (time == NULL)
    return;
  if (rota__settings_of_time(time, &time_options) < 0)
    fprintf(stderr, "rota: ROTA_VIRTUAL_TIME=%s: 1, or from=DATE, grace=MS, by-hand, with commas between\n", time);
  else
    rota_virtual_time_start(&time_options);
}

void rota__loop_steer(uv_loop_t *loop) {
  pthread_once(&environment_once, read_environment);
  if (rota_steering() == 0)
    atomic_store(&seen, true);
  else if (rota_steer(loop) < 0)
    fprintf(stderr, "rota: a loop is not steered: there is no memory\n");
}
