/* Which loops are steered, and how: the functions of rota.h, and the environment. This is asked once for each new loop.
 * A loop is steered by its own poller and the process's clock, so an unsteered loop has no extra cost. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/base/units.h"
#include "loop/core/internal.h"
#include "loop/core/io_hook.h"
#include "loop/core/observe.h"
#include "loop/os/own_file.h"
#include "loop/os/process.h"
#include "loop/os/signal.h"
#include "rota.h"
#include "settings/setting.h"
#include "simulate/allowance.h"
#include "simulate/clock.h"
#include "simulate/decide.h"
#include "simulate/jobs.h"
#include "simulate/run_id.h"
#include "simulate/schedule.h"
#include "simulate/virtual.h"

enum { GRACE_MS = 5 };

static _Atomic unsigned int steering;
static _Atomic bool clock_was_read; /* by a loop that was made before time became virtual */
static pthread_once_t environment_once = PTHREAD_ONCE_INIT;

static unsigned int steered(void) {
  return atomic_load(&steering);
}

/* Before the first loop exists, returns how that loop will be steered. */
unsigned int rota_steering(void) {
  rota__steer_prepare();
  return steered();
}

/* ---- one loop ---- */

static int wrap(uv_loop_t *loop, struct rota_poller *(*wrapper)(uv_loop_t *loop, struct rota_poller *inner)) {
  struct rota_poller *wrapped = wrapper(loop, rota__loop_poller(loop));
  if (wrapped == NULL)
    return UV_ENOMEM;
  rota__loop(loop)->poller = wrapped;
  return 0;
}

/* A loop that was made before the schedule began gets a level-triggered poller that leaves files to the pool. */
static int use_plain_poller(uv_loop_t *loop) {
  struct rota_poller *own = rota__loop_poller(loop), *plain;
  if (strcmp(own->ops->name, "io_uring") != 0)
    return 0;
  int err = rota__poller_open(&plain);
  if (err < 0)
    return err;
  plain->blocked_signals = own->blocked_signals;
  own->ops->close(own);
  rota__loop(loop)->poller = plain;
  rota__watchers_register_again(loop);
  return 0;
}

int rota_steer(uv_loop_t *loop) {
  struct rota_loop *internal = rota__loop(loop);
  if (steered() & ROTA_STEER_SCHEDULE) {
    int err = use_plain_poller(loop);
    if (err < 0)
      return err;
  }
  if (steered() & ROTA_STEER_TIME) {
    int err = wrap(loop, rota__virtual_wrap);
    if (err < 0)
      return err;
    rota__os_millisecond_distrust(&internal->clock);
    uv_update_time(loop);
    if (rota__wheel_empty(&internal->timers))
      rota__wheel_init(&internal->timers, loop->core.now_ms);
  }
  return steered() & ROTA_STEER_SCHEDULE ? wrap(loop, rota__schedule_wrap) : 0;
}

/* ---- the process ---- */

/* A sleep on a loop's thread may be a wait for the pool. */
static void sleep_for(uint64_t duration_ns) {
  rota__schedule_before_sleep();
  rota__virtual_sleep(duration_ns);
}

/* ---- the hook in the process ---- */

static _Thread_local bool holds_time; /* until the thread has a loop, waits for another thread, or ends */

static bool thread_starts(void) {
  bool is_held = steered() & ROTA_STEER_TIME;
  if (is_held)
    rota__virtual_hold(1);
  return is_held;
}

static void thread_failed(bool is_held) {
  if (is_held)
    rota__virtual_hold(-1);
}

static void thread_runs(bool is_held) {
  holds_time = is_held;
}

void rota__steer_thread_waits(void) {
  if (!holds_time)
    return;
  holds_time = false;
  rota__virtual_hold(-1);
}

/* Jobs of this thread's loop are done in their order, so that two runs end in the same way. */
static void finish_jobs(void) {
  if (!(steered() & ROTA_STEER_SCHEDULE))
    return;
  rota__schedule_before_sleep();
  rota__jobs_release();
}

static char **child_environment(char *const *args, char *const *env) {
  return steered() & ROTA_STEER_SCHEDULE ? rota__run_id_for_child(args, env) : NULL;
}

static void hook_process(void) {
  static const struct rota_process_hook hook = {.thread_starts = thread_starts,
                                                .thread_failed = thread_failed,
                                                .thread_runs = thread_runs,
                                                .thread_rests = rota__steer_thread_waits,
                                                .child_environment = child_environment,
                                                .shutdown = finish_jobs};
  atomic_store(&rota__process_hook, &hook);
}

int rota_virtual_time_start(const rota_virtual_time_options_t *options) {
  static const rota_virtual_time_options_t usual;
  if (atomic_fetch_or(&steering, ROTA_STEER_TIME) & ROTA_STEER_TIME)
    return UV_EALREADY;
  if (options == NULL)
    options = &usual;
  uint64_t grace_ms = options->grace_ms == 0 ? GRACE_MS : options->grace_ms;
  hook_process();
  rota__virtual_configure(options->by_hand != 0, grace_ms * NS_PER_MS);
  static struct rota_os_fork_handler handler = {rota__virtual_before_fork, rota__virtual_after_fork_in_parent,
                                                rota__virtual_after_fork_in_child, NULL};
  rota__os_at_fork(&handler);
  rota__virtual_clock_start(!atomic_load(&clock_was_read), options->day_ns == 0 ? -1 : options->day_ns, sleep_for);
  return 0;
}

int rota_virtual_time_advance(uint64_t duration_ms) {
  if (!rota__virtual_clock_on() || duration_ms > UINT64_MAX / 2 / NS_PER_MS)
    return UV_EINVAL;
  rota__virtual_advance(duration_ms * NS_PER_MS);
  return 0;
}

int rota_clock_stop(void) {
  if (!rota__virtual_clock_on())
    return UV_EINVAL;
  rota__virtual_stop();
  return 0;
}

int rota_clock_go(void) {
  if (!rota__virtual_clock_on())
    return UV_EINVAL;
  rota__virtual_go();
  return 0;
}

int rota_clock_advance(uint64_t duration_ms, rota_clock_cb ended, void *data) {
  struct rota_virtual_told told = {ended, data};
  if (ended == NULL || duration_ms > UINT64_MAX / 4 / NS_PER_MS)
    return UV_EINVAL;
  return rota__virtual_step(duration_ms * NS_PER_MS, UINT64_MAX, told);
}

int rota_clock_run_all(uint64_t steps_max, rota_clock_cb ended, void *data) {
  struct rota_virtual_told told = {ended, data};
  return ended == NULL ? UV_EINVAL : rota__virtual_step(ROTA_VIRTUAL_UNTIL_NONE, steps_max, told);
}

void rota_virtual_time_hold(void) {
  rota__virtual_hold(1);
}

void rota_virtual_time_release(void) {
  rota__virtual_hold(-1);
}

static void after_fork_in_child(void) {
  rota__jobs_after_fork_in_child();
  rota__allowance_after_fork_in_child();
}

int rota_schedule_start(const rota_schedule_options_t *options) {
  if (steered() & ROTA_STEER_SCHEDULE)
    return UV_EALREADY;
  int err = rota__decisions_start(options);
  if (err < 0)
    return err;
  static struct rota_os_fork_handler handler = {rota__jobs_before_fork, rota__jobs_after_fork_in_parent,
                                                after_fork_in_child, NULL};
  rota__os_at_fork(&handler);
  hook_process();
  atomic_store(&rota__poller_plain, true);
  atomic_fetch_or(&steering, ROTA_STEER_SCHEDULE);
  return 0;
}

/* ---- the environment ---- */

static struct rota_given given(enum rota_setting setting, const char *value) {
  return (struct rota_given){.name = rota__settings[setting].variable, .text = value};
}

/* A file cannot be used: a message names it. A record of a run may be there and be wrong. */
static void refuse_file(enum rota_setting setting, const char *value, int err) {
  if (value == NULL)
    return;
  bool is_replay = setting == ROTA_SETTING_SCHEDULE_REPLAY;
  const char *fault = is_replay ? NULL : rota__os_own_file_fault(err);
  if (fault == NULL)
    fault = err == UV_EINVAL ? "must be a record of a run" : uv_strerror(err);
  fprintf(stderr, "rota: %s=%s: %s%s\n", rota__settings[setting].variable, value, fault,
          is_replay && (err == UV_EINVAL || err == UV_ENOENT) ? "; rota fuzz writes such files" : "");
}

/* Whether all values may be given; if not, a message says which may not. */
static bool check_schedule(const char *seed, const rota_schedule_options_t *options) {
  const struct {
    enum rota_setting setting;
    const char *value;
  } rows[] = {{ROTA_SETTING_SCHEDULE_SEED, seed},
              {ROTA_SETTING_SCHEDULE_WITHOUT, options->without},
              {ROTA_SETTING_SCHEDULE_FAULTS, options->replay == NULL ? options->faults : NULL}};
  bool is_right = true;
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    if (rows[i].value != NULL)
      is_right &= rota__setting_check(rows[i].setting, given(rows[i].setting, rows[i].value));
  return is_right;
}

/* Returns whether there is to be one. */
static bool read_schedule(void) {
  const char *seed = rota__setting_text(ROTA_SETTING_SCHEDULE_SEED);
  rota_schedule_options_t options = {.record = rota__setting_value(ROTA_SETTING_SCHEDULE_RECORD),
                                     .replay = rota__setting_value(ROTA_SETTING_SCHEDULE_REPLAY),
                                     .pairs = rota__setting_value(ROTA_SETTING_SCHEDULE_PAIRS),
                                     .without = rota__setting_value(ROTA_SETTING_SCHEDULE_WITHOUT),
                                     .faults = rota__setting_value(ROTA_SETTING_SCHEDULE_FAULTS),
                                     .hold_ms = rota__setting_number(ROTA_SETTING_SCHEDULE_HOLD)};
  unsigned long long number = 0;
  if (seed == NULL && options.replay == NULL) {
    if (options.faults != NULL || options.record != NULL)
      fprintf(stderr, "rota: %s a seed: add --schedule-seed=number (ROTA_SCHEDULE_SEED)\n",
              options.faults != NULL ? "faults need" : "a record needs");
    return false;
  }
  if (!check_schedule(seed, &options))
    return false;
  if (seed != NULL && rota__setting_read_number(ROTA_SETTING_SCHEDULE_SEED, seed, &number))
    options.seed = number;
  int err = rota_schedule_start(&options);
  if (err < 0) {
    refuse_file(ROTA_SETTING_SCHEDULE_REPLAY, options.replay, err);
    refuse_file(ROTA_SETTING_SCHEDULE_PAIRS, options.replay == NULL ? options.pairs : NULL, err);
    refuse_file(ROTA_SETTING_SCHEDULE_RECORD, options.record, err);
  }
  return err == 0;
}

static void read_environment(void) {
  bool scheduled = read_schedule();
  const char *time = rota__setting_text(ROTA_SETTING_VIRTUAL_TIME);
  rota_virtual_time_options_t options;
  /* A schedule implies virtual time, because a schedule with the real clock cannot be reproduced. ROTA_VIRTUAL_TIME=0
   * turns it off. */
  if (scheduled && time == NULL)
    time = "1";
  if (time == NULL || strcmp(time, "0") == 0)
    return;
  if (rota__setting_read_time(time, &options) < 0)
    rota__setting_refuse(ROTA_SETTING_VIRTUAL_TIME, given(ROTA_SETTING_VIRTUAL_TIME, time));
  else
    rota_virtual_time_start(&options);
}

void rota__steer_prepare(void) {
  pthread_once(&environment_once, read_environment);
}

void rota__loop_steer(uv_loop_t *loop) {
  if (steered() == 0)
    atomic_store(&clock_was_read, true);
  else if (rota_steer(loop) < 0)
    fprintf(stderr, "rota: out of memory: a loop is not steered\n");
  rota__steer_thread_waits(); /* the loop counts from now on */
}
