/* The inner scheduler on a loop: when it drains, and when it does not. */
#include "loop/core/observe.h"
#include "tick_story.h"

/* ---- a drain after each callback of a phase ---- */

TEST(tick_loop_drains_between_two_timers) {
  uv_loop_t *loop = loop_with_ticks();
  uv_timer_t timers[2];
  start_timer(loop, &timers[0], "timer", act_timer);
  start_timer(loop, &timers[1], "timer", act_timer);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "timer t m timer t m");
  end_loop_with_ticks();
}

static void act_check(uv_check_t *handle) {
  act("check");
  CHECK_EQ(uv_check_stop(handle), 0);
}

TEST(tick_loop_drains_between_two_checks) {
  uv_loop_t *loop = loop_with_ticks();
  uv_check_t checks[2];
  int i;
  for (i = 0; i < 2; i++) {
    CHECK_EQ(uv_check_init(loop, &checks[i]), 0);
    CHECK_EQ(uv_check_start(&checks[i], act_check), 0);
  }
  CHECK_EQ(uv_run(loop, UV_RUN_NOWAIT), 0);
  CHECK_STR(story, "check t m check t m");
  end_loop_with_ticks();
}

static void act_prepare(uv_prepare_t *handle) {
  act("prepare");
  CHECK_EQ(uv_prepare_stop(handle), 0);
}

static void act_idle(uv_idle_t *handle) {
  act("idle");
  CHECK_EQ(uv_idle_stop(handle), 0);
}

TEST(tick_loop_drains_between_idle_and_prepare_callbacks) {
  uv_loop_t *loop = loop_with_ticks();
  uv_idle_t idles[2];
  uv_prepare_t prepares[2];
  int i;
  for (i = 0; i < 2; i++) {
    CHECK_EQ(uv_idle_init(loop, &idles[i]), 0);
    CHECK_EQ(uv_idle_start(&idles[i], act_idle), 0);
    CHECK_EQ(uv_prepare_init(loop, &prepares[i]), 0);
    CHECK_EQ(uv_prepare_start(&prepares[i], act_prepare), 0);
  }
  CHECK_EQ(uv_run(loop, UV_RUN_NOWAIT), 0);
  CHECK_STR(story, "idle t m idle t m prepare t m prepare t m");
  end_loop_with_ticks();
}

TEST(tick_loop_drains_between_close_callbacks) {
  uv_loop_t *loop = loop_with_ticks();
  uv_timer_t timers[2];
  int i;
  for (i = 0; i < 2; i++) {
    CHECK_EQ(uv_timer_init(loop, &timers[i]), 0);
    timers[i].data = "close";
    uv_close((uv_handle_t *)&timers[i], act_close);
  }
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "close t m close t m");
  end_loop_with_ticks();
}

/* ---- the rule, seen from callbacks ---- */

static void tick_adds_microtask(void *data, void *more) {
  run_note(data, more);
  add_microtask("job-of-tick");
}

static void job_adds_tick(void *data, void *more) {
  run_note(data, more);
  add_tick("tick-of-job");
}

static void mix(uv_timer_t *timer) {
  note(timer->data);
  CHECK_EQ(rota_microtask_enqueue(ticks, job_adds_tick, "job1", NULL), 0);
  add_microtask("job2");
  CHECK_EQ(rota_tick_enqueue(ticks, tick_adds_microtask, "tick1", NULL), 0);
  add_tick("tick2");
}

TEST(tick_loop_drain_goes_on_until_both_queues_are_empty) {
  uv_loop_t *loop = loop_with_ticks();
  uv_timer_t timers[2];
  start_timer(loop, &timers[0], "timer", mix);
  start_timer(loop, &timers[1], "next", act_timer);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "timer tick1 tick2 job1 job2 job-of-tick tick-of-job next t m");
  end_loop_with_ticks();
}

static int links_left = 10000;

static void chain(void *data, void *more) {
  if (links_left-- > 0)
    CHECK_EQ(links_left % 2 ? rota_tick_enqueue(ticks, chain, data, more)
                            : rota_microtask_enqueue(ticks, chain, data, more),
             0);
}

static void start_chain(uv_timer_t *timer) {
  (void)timer;
  chain(NULL, NULL);
}

static void chain_is_done(uv_timer_t *timer) {
  (void)timer;
  CHECK(links_left < 0);
}

TEST(tick_loop_makes_no_other_callback_while_the_queues_are_fed) {
  uv_loop_t *loop = loop_with_ticks();
  uv_timer_t timers[2];
  rota_ticks_info_t info;
  start_timer(loop, &timers[0], "", start_chain);
  start_timer(loop, &timers[1], "", chain_is_done);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  rota_ticks_get_info(ticks, &info);
  CHECK_EQ(info.ticks_run + info.microtasks_run, 10000);
  CHECK_EQ(info.drains, 1);
  end_loop_with_ticks();
}

static uv_timer_t tick_timer;

static void start_timer_in_tick(void *data, void *more) {
  (void)more;
  note("tick");
  start_timer(data, &tick_timer, "timer", act_timer);
}

/* The loop decides whether it is alive after the drain: a tick of the last callback may give it more to do. */
TEST(tick_loop_stays_alive_for_what_the_last_tick_started) {
  uv_loop_t *loop = loop_with_ticks();
  uv_timer_t timer;
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  timer.data = "close";
  uv_close((uv_handle_t *)&timer, act_close);
  CHECK_EQ(rota_tick_enqueue(ticks, start_timer_in_tick, loop, NULL), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "close tick t m timer t m");
  end_loop_with_ticks();
}

static int hook_calls;

static int report(void *data) {
  (void)data;
  if (++hook_calls == 1)
    add_tick("reported");
  return 0;
}

TEST(tick_loop_calls_the_after_drain_hook_after_every_callback) {
  uv_loop_t *loop = loop_with_ticks();
  uv_timer_t timers[2];
  rota_ticks_set_after_drain_hook(ticks, report, NULL);
  start_timer(loop, &timers[0], "timer", act_timer);
  start_timer(loop, &timers[1], "timer", act_timer);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "timer t m reported timer t m");
  CHECK_EQ(hook_calls, 3);
  end_loop_with_ticks();
}

/* ---- outside of callbacks ---- */

TEST(tick_loop_main_script_drains_by_itself) {
  uv_loop_t *loop = loop_with_ticks();
  uv_timer_t timer;
  start_timer(loop, &timer, "timer", act_timer);
  act("main");
  CHECK_STR(story, "main");
  rota_ticks_drain(ticks);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "main t m timer t m");
  end_loop_with_ticks();
}

TEST(tick_loop_is_not_kept_alive_by_queued_ticks) {
  uv_loop_t *loop = loop_with_ticks();
  add_tick("t");
  CHECK_EQ(uv_loop_alive(loop), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "");
  end_loop_with_ticks();
}

TEST(tick_loop_scope_outside_of_a_callback_drains_at_its_end) {
  loop_with_ticks();
  rota_callback_scope_open(ticks);
  act("event");
  CHECK_STR(story, "event");
  rota_callback_scope_close(ticks);
  CHECK_STR(story, "event t m");
  end_loop_with_ticks();
}

static void use_scope(uv_timer_t *timer) {
  note(timer->data);
  rota_callback_scope_open(ticks);
  act("event");
  rota_callback_scope_close(ticks);
  note("end");
}

TEST(tick_loop_scope_inside_of_a_callback_waits_for_its_end) {
  uv_loop_t *loop = loop_with_ticks();
  uv_timer_t timer;
  start_timer(loop, &timer, "timer", use_scope);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "timer event end t m");
  end_loop_with_ticks();
}

/* ---- nesting ---- */

static uv_timer_t inner[2];

static void run_nested(uv_timer_t *timer) {
  note(timer->data);
  start_timer(timer->loop, &inner[0], "inner", act_timer);
  start_timer(timer->loop, &inner[1], "inner", act_timer);
  uv_run(timer->loop, UV_RUN_NOWAIT);
  note("outer-end");
}

TEST(tick_loop_nested_run_does_not_drain) {
  uv_loop_t *loop = loop_with_ticks();
  uv_timer_t timer;
  start_timer(loop, &timer, "outer", run_nested);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "outer inner inner outer-end t t m m");
  end_loop_with_ticks();
}

static void run_nested_and_drain(uv_timer_t *timer) {
  note(timer->data);
  start_timer(timer->loop, &inner[0], "inner", act_timer);
  uv_run(timer->loop, UV_RUN_NOWAIT);
  rota_ticks_drain(ticks);
  note("outer-end");
}

TEST(tick_loop_nested_run_may_be_followed_by_a_drain) {
  uv_loop_t *loop = loop_with_ticks();
  uv_timer_t timer;
  start_timer(loop, &timer, "outer", run_nested_and_drain);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "outer inner t m outer-end");
  end_loop_with_ticks();
}

static void run_nested_in_tick(void *data, void *more) {
  (void)more;
  note("tick");
  start_timer(data, &inner[0], "inner", act_timer);
  uv_run(data, UV_RUN_NOWAIT);
  note("tick-end");
}

TEST(tick_loop_nested_run_in_a_tick_leaves_its_ticks_to_the_drain_going_on) {
  uv_loop_t *loop = loop_with_ticks();
  CHECK_EQ(rota_tick_enqueue(ticks, run_nested_in_tick, loop, NULL), 0);
  add_tick("second");
  rota_ticks_drain(ticks);
  CHECK_STR(story, "tick inner tick-end second t m");
  end_loop_with_ticks();
}

/* ---- attaching ---- */

TEST(tick_loop_without_ticks_has_no_observer) {
  uv_loop_t *loop = uv_default_loop();
  CHECK(rota_ticks_of(loop) == NULL);
  CHECK(loop->core.observers == NULL);
  CHECK_EQ(rota_ticks_attach(loop, &ticks), 0);
  CHECK(rota_ticks_of(loop) == ticks);
  CHECK_EQ(rota_ticks_attach(loop, &ticks), UV_EALREADY);
  CHECK_EQ(rota_ticks_detach(ticks), 0);
  CHECK(rota_ticks_of(loop) == NULL);
  CHECK(loop->core.observers == NULL);
  test_close_default_loop();
}

TEST(tick_loop_detach_drops_what_is_queued) {
  uv_loop_t *loop = loop_with_ticks();
  uv_timer_t timer;
  add_tick("dropped");
  add_microtask("dropped");
  CHECK_EQ(rota_ticks_detach(ticks), 0);
  CHECK_EQ(rota_ticks_attach(loop, &ticks), 0);
  start_timer(loop, &timer, "timer", act_timer);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "timer t m");
  end_loop_with_ticks();
}

static void detach_in_tick(void *data, void *more) {
  (void)data;
  (void)more;
  CHECK_EQ(rota_ticks_detach(ticks), UV_EBUSY);
  note("tick");
}

static void detach_in_callback(uv_timer_t *timer) {
  (void)timer;
  CHECK_EQ(rota_ticks_detach(ticks), UV_EBUSY);
  CHECK_EQ(rota_tick_enqueue(ticks, detach_in_tick, NULL, NULL), 0);
  note("timer");
}

TEST(tick_loop_detach_is_busy_inside_of_a_callback_and_a_tick) {
  uv_loop_t *loop = loop_with_ticks();
  uv_timer_t timer;
  start_timer(loop, &timer, "", detach_in_callback);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "timer tick");
  end_loop_with_ticks();
}

static void attach_in_callback(uv_timer_t *timer) {
  CHECK_EQ(rota_ticks_attach(timer->loop, &ticks), 0);
  act("attached");
}

TEST(tick_loop_attached_inside_of_a_callback_drains_at_its_end) {
  uv_loop_t *loop = uv_default_loop();
  uv_timer_t timers[2];
  start_timer(loop, &timers[0], "", attach_in_callback);
  start_timer(loop, &timers[1], "timer", act_timer);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "attached t m timer t m");
  end_loop_with_ticks();
}

TEST(tick_loop_two_loops_have_queues_of_their_own) {
  uv_loop_t *loop = loop_with_ticks();
  uv_loop_t other;
  uv_timer_t timer;
  rota_ticks_t *other_ticks;
  CHECK_EQ(uv_loop_init(&other), 0);
  CHECK_EQ(rota_ticks_attach(&other, &other_ticks), 0);
  CHECK(rota_ticks_of(&other) == other_ticks && other_ticks != ticks);
  CHECK_EQ(rota_tick_enqueue(other_ticks, run_note, "other", NULL), 0);
  start_timer(loop, &timer, "timer", act_timer);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_STR(story, "timer t m");
  rota_ticks_drain(other_ticks);
  CHECK_STR(story, "timer t m other");
  CHECK_EQ(rota_ticks_detach(other_ticks), 0);
  CHECK_EQ(uv_loop_close(&other), 0);
  end_loop_with_ticks();
}

static void *no_memory(size_t count, size_t size) {
  (void)count;
  (void)size;
  return NULL;
}

TEST(tick_loop_attach_without_memory) {
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(uv_replace_allocator(malloc, realloc, no_memory, free), 0);
  CHECK_EQ(rota_ticks_attach(loop, &ticks), UV_ENOMEM);
  CHECK(rota_ticks_of(loop) == NULL);
  CHECK_EQ(uv_replace_allocator(malloc, realloc, calloc, free), 0);
  test_close_default_loop();
}

/* ---- with other observers of the callbacks ---- */

static int looked;

static void look(struct rota_observer *self, uv_loop_t *loop) {
  (void)self;
  (void)loop;
  looked++;
}

static struct rota_observer *looking;

static void remove_observer(void *data, void *more) {
  (void)more;
  rota__observer_remove(data, looking);
  free(looking);
}

static void remove_observer_in_tick(uv_timer_t *timer) {
  CHECK_EQ(rota_tick_enqueue(ticks, remove_observer, timer->loop, NULL), 0);
}

TEST(tick_loop_tick_may_remove_another_observer) {
  uv_loop_t *loop = loop_with_ticks();
  uv_timer_t timers[2];
  looking = calloc(1, sizeof *looking);
  CHECK(looking != NULL);
  looking->end = look;
  rota__observer_add(loop, looking);
  start_timer(loop, &timers[0], "timer", act_timer);
  start_timer(loop, &timers[1], "", remove_observer_in_tick);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(looked, 1); /* removed before it could see the end of the second */
  end_loop_with_ticks();
}
