/* Timers: never early, in the order of their times, and each of them once. And idle, prepare and check handles. */
#include "simulator.h"

enum { TIMERS = 12, WATCHERS = 6 };

static struct timer {
  struct sim_handle base;
  bool is_active, is_unreferenced;
  uint64_t due, repeat, order, iteration;
} timers[TIMERS];

static uint64_t starts;

static uv_timer_t *handle_of(const struct timer *timer) {
  return (uv_timer_t *)timer->base.handle;
}

static void note_start(struct timer *timer, uint64_t timeout) {
  timer->is_active = true;
  timer->due = uv_now(&sim.loop) + timeout;
  timer->order = starts++;
  timer->iteration = sim_iteration();
}

static void check_first(const struct timer *called) {
  for (int i = 0; i < TIMERS; i++) {
    const struct timer *other = &timers[i];
    bool precedes = other->due < called->due || (other->due == called->due && other->order < called->order);
    /* One that was started meanwhile has the next turn. */
    if (other == called || !other->is_active || other->iteration == sim_iteration() || !precedes)
      continue;
    sim_fail("timer %d (due at %llu) is called before timer %d (due at %llu)", called->base.number,
             (unsigned long long)called->due, other->base.number, (unsigned long long)other->due);
  }
}

static void on_timer(uv_timer_t *handle) {
  struct timer *timer = handle->data;
  sim_called(SIM_TIMER);
  sim_handle_check_open(&timer->base, "a timer's callback");
  sim_check(timer->is_active, "timer %d: a callback while it is stopped", timer->base.number);
  uint64_t now = uv_now(&sim.loop), clock = rota__model_now_ns() / 1000000;
  sim_check(now >= timer->due && clock >= timer->due,
            "timer %d is early: due at %llu, called at %llu, the clock at %llu", timer->base.number,
            (unsigned long long)timer->due, (unsigned long long)now, (unsigned long long)clock);
  check_first(timer);
  sim_log("timer %d, due at %llu", timer->base.number, (unsigned long long)timer->due);
  timer->is_active = false;
  if (timer->repeat > 0)
    note_start(timer, timer->repeat);
  sim_check(uv_is_active((uv_handle_t *)handle) == timer->is_active, "timer %d: active or not", timer->base.number);
  sim_steps();
}

static uint64_t some_time(void) {
  switch (sim_below(6)) {
  case 0:
    return 0;
  case 1:
    return sim_below(3);
  case 2:
    return sim_below(100);
  case 3:
    return 60 + sim_below(10);
  case 4:
    return sim_chance(50) ? 900 + sim_below(3000) : sim_below(200000); /* the wheel moves such timers down */
  default:
    return sim_below(20);
  }
}

static void start_timer(struct timer *timer) {
  uint64_t timeout = some_time(), repeat = sim_chance(25) ? 1 + some_time() : 0;
  int err = uv_timer_start(handle_of(timer), on_timer, timeout, repeat);
  sim_check(err == 0, "uv_timer_start: %s", uv_strerror(err));
  sim_log("timer %d: start, %llu ms, repeat %llu", timer->base.number, (unsigned long long)timeout,
          (unsigned long long)repeat);
  timer->repeat = repeat;
  note_start(timer, timeout);
}

static void make_timer(struct timer *timer, int number) {
  *timer = (struct timer){0};
  uv_timer_t *handle = sim_handle_make(&timer->base, "timer", number, sizeof *handle);
  uv_timer_init(&sim.loop, handle);
  handle->data = timer;
}

static void timer_step(void) {
  int number = (int)sim_below(TIMERS);
  struct timer *timer = &timers[number];
  if (timer->base.handle == NULL)
    make_timer(timer, number);
  if (timer->base.is_closing)
    return;
  switch (sim_below(8)) {
  case 0:
    sim_check(uv_timer_stop(handle_of(timer)) == 0, "uv_timer_stop");
    timer->is_active = false;
    return;
  case 1:
    sim_handle_close(&timer->base);
    timer->is_active = false;
    return;
  case 2:
    if (timer->repeat > 0 && uv_timer_again(handle_of(timer)) == 0)
      note_start(timer, timer->repeat);
    return;
  case 3:
    timer->is_unreferenced = !timer->is_unreferenced;
    (timer->is_unreferenced ? uv_unref : uv_ref)(timer->base.handle);
    return;
  case 4:
    if (timer->is_active) {
      uint64_t now = uv_now(&sim.loop), left = timer->due > now ? timer->due - now : 0;
      sim_check(uv_timer_get_due_in(handle_of(timer)) == left, "timer %d: due in %llu, not in %llu", number,
                (unsigned long long)uv_timer_get_due_in(handle_of(timer)), (unsigned long long)left);
    }
    return;
  default:
    start_timer(timer);
  }
}

/* Those that repeat have no end; those without a reference are not waited for by a loop that has nothing else. */
static bool timers_done(void) {
  bool done = true;
  for (int i = 0; i < TIMERS; i++) {
    if (timers[i].is_active && timers[i].repeat > 0) {
      uv_timer_stop(handle_of(&timers[i]));
      timers[i].is_active = false;
    }
    done &= !timers[i].is_active || timers[i].is_unreferenced;
  }
  return done;
}

static void timers_close(void) {
  for (int i = 0; i < TIMERS; i++) {
    if (sim_handle_is_open(&timers[i].base))
      sim_handle_close(&timers[i].base);
    timers[i].is_active = false;
  }
}

static bool timers_alive(void) {
  for (int i = 0; i < TIMERS; i++)
    if (timers[i].is_active && !timers[i].is_unreferenced)
      return true;
  return false;
}

const struct sim_part sim_timers = {
    .name = "timers", .step = timer_step, .is_done = timers_done, .close = timers_close, .is_alive = timers_alive};

/* ---- idle, prepare, check ---- */

static struct watcher {
  struct sim_handle base;
  enum sim_phase phase;
  bool is_active;
  uint64_t started, called; /* iterations */
} watchers[WATCHERS];

static void called(struct watcher *watcher) {
  sim_called(watcher->phase);
  sim_handle_check_open(&watcher->base, "its callback");
  sim_check(watcher->is_active, "%s %d: a callback while it is stopped", watcher->base.name, watcher->base.number);
  sim_log("%s %d", watcher->base.name, watcher->base.number);
  sim_steps();
}

static void on_idle(uv_idle_t *idle) {
  called(idle->data);
}

static void on_prepare(uv_prepare_t *prepare) {
  called(prepare->data);
}

static void on_check(uv_check_t *check) {
  called(check->data);
}

static void make_watcher(struct watcher *watcher, int number) {
  static const char *const names[] = {"idle", "prepare", "check"};
  int kind = number % 3;
  *watcher = (struct watcher){.phase = kind == 0 ? SIM_IDLE : kind == 1 ? SIM_PREPARE : SIM_CHECK};
  uv_handle_t *handle = sim_handle_make(&watcher->base, names[kind], number, sizeof(union uv_any_handle));
  if (kind == 0)
    uv_idle_init(&sim.loop, (uv_idle_t *)handle);
  else if (kind == 1)
    uv_prepare_init(&sim.loop, (uv_prepare_t *)handle);
  else
    uv_check_init(&sim.loop, (uv_check_t *)handle);
  handle->data = watcher;
}

static void set_watcher(struct watcher *watcher, bool on) {
  uv_handle_t *handle = watcher->base.handle;
  int err;
  sim_log("%s %s %d", on ? "start" : "stop", watcher->base.name, watcher->base.number);
  if (watcher->phase == SIM_IDLE)
    err = on ? uv_idle_start((uv_idle_t *)handle, on_idle) : uv_idle_stop((uv_idle_t *)handle);
  else if (watcher->phase == SIM_PREPARE)
    err = on ? uv_prepare_start((uv_prepare_t *)handle, on_prepare) : uv_prepare_stop((uv_prepare_t *)handle);
  else
    err = on ? uv_check_start((uv_check_t *)handle, on_check) : uv_check_stop((uv_check_t *)handle);
  sim_check(err == 0, "starting or stopping %s", watcher->base.name);
  watcher->is_active = on;
  sim_check(uv_is_active(handle) == on, "%s %d: active or not", watcher->base.name, watcher->base.number);
}

static void watcher_step(void) {
  int number = (int)sim_below(WATCHERS);
  struct watcher *watcher = &watchers[number];
  if (watcher->base.handle == NULL)
    make_watcher(watcher, number);
  if (watcher->base.is_closing)
    return;
  if (sim_chance(15)) {
    sim_handle_close(&watcher->base);
    watcher->is_active = false;
  } else {
    /* Idle handles keep the loop from waiting: they are stopped sooner. */
    set_watcher(watcher, !watcher->is_active && sim_chance(watcher->phase == SIM_IDLE ? 40 : 80));
  }
}

/* Idle handles would keep the loop from waiting for timers. */
static bool watchers_done(void) {
  for (int i = 0; i < WATCHERS; i++)
    if (watchers[i].is_active && watchers[i].phase == SIM_IDLE)
      set_watcher(&watchers[i], false);
  return true;
}

static void watchers_close(void) {
  for (int i = 0; i < WATCHERS; i++) {
    if (sim_handle_is_open(&watchers[i].base))
      sim_handle_close(&watchers[i].base);
    watchers[i].is_active = false;
  }
}

static bool watchers_alive(void) {
  for (int i = 0; i < WATCHERS; i++)
    if (watchers[i].is_active)
      return true;
  return false;
}

const struct sim_part sim_watchers = {.name = "watchers",
                                      .step = watcher_step,
                                      .is_done = watchers_done,
                                      .close = watchers_close,
                                      .is_alive = watchers_alive};
