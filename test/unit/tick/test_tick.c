/* The queues and the drain rule, without a loop. */
#include "loop/tick/ticks.h"
#include "test.h"

static char story[1000];
static struct rota_ticks ticks;

static void note(const char *word) {
  size_t length = strlen(story);
  CHECK(length + strlen(word) + 2 < sizeof story);
  snprintf(story + length, sizeof story - length, "%s%s", length > 0 ? " " : "", word);
}

static void run_note(void *data, void *more) {
  (void)more;
  note(data);
}

static void add_tick(const char *word) {
  CHECK_EQ(rota_tick_enqueue(&ticks, run_note, (void *)word, NULL), 0);
}

static void add_microtask(const char *word) {
  CHECK_EQ(rota_microtask_enqueue(&ticks, run_note, (void *)word, NULL), 0);
}

/* ---- the ring ---- */

static void nothing(void *data, void *more) {
  (void)data;
  (void)more;
}

TEST(tick_queue_keeps_the_order_while_it_grows_around_its_end) {
  struct rota_tick_queue queue;
  uintptr_t added = 0, taken = 0;
  int round, i;
  rota__tick_queue_init(&queue);
  for (round = 0; round < 2000; round++) {
    for (i = 0; i < 1 + round % 7; i++) {
      added++;
      CHECK_EQ(rota__tick_queue_add(&queue, nothing, (void *)added, (void *)(added * 2)), 0);
    }
    for (i = 0; i < round % 5 && !rota__tick_queue_empty(&queue); i++) {
      struct rota_tick tick = rota__tick_queue_take(&queue);
      taken++;
      CHECK_EQ((uintptr_t)tick.data, taken);
      CHECK_EQ((uintptr_t)tick.more, taken * 2);
    }
  }
  CHECK(added - taken > 1000); /* it did grow */
  while (!rota__tick_queue_empty(&queue))
    CHECK_EQ((uintptr_t)rota__tick_queue_take(&queue).data, ++taken);
  CHECK_EQ(taken, added);
  rota__tick_queue_destroy(&queue);
}

TEST(tick_queue_gives_memory_of_a_burst_back) {
  struct rota_tick_queue queue;
  int i;
  rota__tick_queue_init(&queue);
  for (i = 0; i < 100000; i++)
    CHECK_EQ(rota__tick_queue_add(&queue, nothing, NULL, NULL), 0);
  while (!rota__tick_queue_empty(&queue))
    rota__tick_queue_take(&queue);
  rota__tick_queue_trim(&queue);
  CHECK_EQ(queue.capacity, 131072); /* it was needed just now */
  for (i = 0; i < 20; i++)
    rota__tick_queue_trim(&queue);
  CHECK_EQ(queue.capacity, 1024);
  rota__tick_queue_destroy(&queue);
}

static int allocations_left;

static void *malloc_a_few(size_t size) {
  return allocations_left-- > 0 ? malloc(size) : NULL;
}

TEST(tick_queue_without_memory_reports_it_and_keeps_what_it_has) {
  struct rota_tick_queue queue;
  int count = 0;
  CHECK_EQ(uv_replace_allocator(malloc_a_few, realloc, calloc, free), 0);
  allocations_left = 2;
  rota__tick_queue_init(&queue);
  while (rota__tick_queue_add(&queue, nothing, (void *)(uintptr_t)count, NULL) == 0)
    count++;
  CHECK_EQ(count, 128);
  CHECK_EQ(rota__tick_queue_add(&queue, nothing, NULL, NULL), UV_ENOMEM);
  for (count = 0; !rota__tick_queue_empty(&queue); count++)
    CHECK_EQ((uintptr_t)rota__tick_queue_take(&queue).data, (uintptr_t)count);
  CHECK_EQ(count, 128);
  rota__tick_queue_destroy(&queue);
}

/* ---- the rule ---- */

TEST(tick_ticks_run_before_microtasks) {
  rota__ticks_init(&ticks);
  add_microtask("m1");
  add_tick("t1");
  add_microtask("m2");
  add_tick("t2");
  rota_ticks_drain(&ticks);
  CHECK_STR(story, "t1 t2 m1 m2");
  rota__ticks_destroy(&ticks);
}

static void add_one_of_each(void *data, void *more) {
  (void)more;
  note(data);
  add_microtask("inner-m");
  add_tick("inner-t");
}

TEST(tick_ticks_added_by_a_tick_run_before_microtasks) {
  rota__ticks_init(&ticks);
  CHECK_EQ(rota_tick_enqueue(&ticks, add_one_of_each, "t1", NULL), 0);
  add_microtask("m1");
  add_tick("t2");
  rota_ticks_drain(&ticks);
  CHECK_STR(story, "t1 t2 inner-t m1 inner-m");
  rota__ticks_destroy(&ticks);
}

TEST(tick_ticks_added_by_a_microtask_wait_for_all_microtasks) {
  rota__ticks_init(&ticks);
  CHECK_EQ(rota_microtask_enqueue(&ticks, add_one_of_each, "m1", NULL), 0);
  add_microtask("m2");
  rota_ticks_drain(&ticks);
  CHECK_STR(story, "m1 m2 inner-m inner-t");
  rota__ticks_destroy(&ticks);
}

/* An ES module is evaluated inside of a microtask: its promise jobs come before its ticks. */
TEST(tick_main_script_in_a_microtask_sees_microtasks_first) {
  rota__ticks_init(&ticks);
  CHECK_EQ(rota_microtask_enqueue(&ticks, add_one_of_each, "module", NULL), 0);
  rota_ticks_drain(&ticks);
  CHECK_STR(story, "module inner-m inner-t");
  rota__ticks_destroy(&ticks);
}

static void drain_inside(void *data, void *more) {
  (void)more;
  note(data);
  add_tick("late");
  rota_ticks_drain(&ticks);
  note("end");
}

TEST(tick_drain_inside_of_a_drain_does_nothing) {
  rota__ticks_init(&ticks);
  CHECK_EQ(rota_tick_enqueue(&ticks, drain_inside, "t1", NULL), 0);
  add_tick("t2");
  rota_ticks_drain(&ticks);
  CHECK_STR(story, "t1 end t2 late");
  rota__ticks_destroy(&ticks);
}

static void run_chain(void *data, void *more) {
  uintptr_t left = (uintptr_t)data;
  (void)more;
  if (left > 0)
    CHECK_EQ(rota_tick_enqueue(&ticks, run_chain, (void *)(left - 1), NULL), 0);
}

TEST(tick_queue_has_no_limit) {
  rota_ticks_info_t info;
  rota__ticks_init(&ticks);
  run_chain((void *)1000000, NULL);
  rota_ticks_drain(&ticks);
  rota_ticks_get_info(&ticks, &info);
  CHECK_EQ(info.ticks_run, 1000000);
  CHECK_EQ(info.longest_drain, 1000000);
  CHECK_EQ(ticks.ticks.capacity, 64); /* one at a time needs no more */
  rota__ticks_destroy(&ticks);
}

static int report_hook(void *data) {
  int *times = data;
  note("after");
  if ((*times)-- <= 0)
    return 0;
  add_microtask("reported-m");
  add_tick("reported-t");
  return *times; /* 0 the last time: the contents of the queues decide */
}

TEST(tick_after_drain_hook_may_add_work_and_is_asked_again) {
  int times = 2;
  rota__ticks_init(&ticks);
  rota_ticks_set_after_drain_hook(&ticks, report_hook, &times);
  add_microtask("m1");
  rota_ticks_drain(&ticks);
  CHECK_STR(story, "m1 after reported-t reported-m after reported-t reported-m after");
  rota__ticks_destroy(&ticks);
}

TEST(tick_after_drain_hook_is_called_when_nothing_was_queued) {
  int times = 0;
  rota__ticks_init(&ticks);
  rota_ticks_set_after_drain_hook(&ticks, report_hook, &times);
  rota_callback_scope_open(&ticks);
  rota_callback_scope_close(&ticks);
  CHECK_STR(story, "after");
  rota_ticks_set_after_drain_hook(&ticks, NULL, NULL);
  rota_ticks_drain(&ticks);
  CHECK_STR(story, "after");
  rota__ticks_destroy(&ticks);
}

static int engine_microtasks;

static void run_engine(void *data) {
  CHECK(data == &engine_microtasks);
  note("engine");
  while (engine_microtasks > 0) {
    note("m");
    if (engine_microtasks-- == 2)
      add_tick("tick-of-m");
  }
}

TEST(tick_engine_has_its_own_microtasks) {
  rota__ticks_init(&ticks);
  add_microtask("m1");
  CHECK_EQ(rota_ticks_set_microtask_hook(&ticks, run_engine, &engine_microtasks), UV_EBUSY);
  rota_ticks_drain(&ticks);
  story[0] = '\0';
  CHECK_EQ(rota_ticks_set_microtask_hook(&ticks, run_engine, &engine_microtasks), 0);
  CHECK_EQ(rota_microtask_enqueue(&ticks, run_note, "m1", NULL), UV_ENOTSUP);
  add_tick("t1");
  engine_microtasks = 2;
  rota_ticks_drain(&ticks);
  CHECK_STR(story, "t1 engine m m tick-of-m engine");
  CHECK_EQ(rota_ticks_set_microtask_hook(&ticks, NULL, NULL), 0);
  add_microtask("m1");
  rota_ticks_drain(&ticks);
  CHECK_STR(story, "t1 engine m m tick-of-m engine m1");
  rota__ticks_destroy(&ticks);
}

/* ---- scopes ---- */

TEST(tick_only_the_outermost_scope_drains) {
  rota__ticks_init(&ticks);
  rota_callback_scope_open(&ticks);
  add_tick("t1");
  rota_callback_scope_open(&ticks);
  add_tick("t2");
  rota_callback_scope_close(&ticks);
  note("inner closed");
  rota_callback_scope_close(&ticks);
  CHECK_STR(story, "inner closed t1 t2");
  rota__ticks_destroy(&ticks);
}

static void open_scope(void *data, void *more) {
  (void)more;
  note(data);
  rota_callback_scope_open(&ticks);
  add_tick("t2");
  add_microtask("m1");
  rota_callback_scope_close(&ticks);
  note("closed");
}

TEST(tick_scope_inside_of_a_tick_does_not_drain) {
  rota__ticks_init(&ticks);
  CHECK_EQ(rota_tick_enqueue(&ticks, open_scope, "t1", NULL), 0);
  rota_ticks_drain(&ticks); /* outside of any callback: the scope is at depth 1 */
  CHECK_STR(story, "t1 closed t2 m1");
  story[0] = '\0';
  rota_callback_scope_open(&ticks);
  CHECK_EQ(rota_tick_enqueue(&ticks, open_scope, "t1", NULL), 0);
  rota_callback_scope_close(&ticks);
  CHECK_STR(story, "t1 closed t2 m1");
  CHECK(!rota__ticks_busy(&ticks));
  rota__ticks_destroy(&ticks);
}

TEST(tick_drain_inside_of_a_scope_is_at_once) {
  rota__ticks_init(&ticks);
  rota_callback_scope_open(&ticks);
  add_tick("t1");
  rota_ticks_drain(&ticks);
  note("drained");
  rota_callback_scope_close(&ticks);
  CHECK_STR(story, "t1 drained");
  rota__ticks_destroy(&ticks);
}

/* ---- counters ---- */

static void sleep_a_little(void *data, void *more) {
  (void)data;
  (void)more;
  uv_sleep(5);
}

TEST(tick_counters_count) {
  rota_ticks_info_t info;
  rota__ticks_init(&ticks);
  rota_ticks_drain(&ticks); /* nothing to do is no drain */
  add_tick("t1");
  add_tick("t2");
  add_microtask("m1");
  rota_ticks_get_info(&ticks, &info);
  CHECK_EQ(info.ticks_queued, 2);
  CHECK_EQ(info.microtasks_queued, 1);
  CHECK_EQ(info.drains, 0);
  rota_ticks_drain(&ticks);
  CHECK_EQ(rota_tick_enqueue(&ticks, sleep_a_little, NULL, NULL), 0);
  rota_ticks_drain(&ticks);
  rota_ticks_get_info(&ticks, &info);
  CHECK_EQ(info.ticks_run, 3);
  CHECK_EQ(info.microtasks_run, 1);
  CHECK_EQ(info.drains, 2);
  CHECK_EQ(info.longest_drain, 3);
  CHECK_EQ(info.longest_drain_ns, 0);
  CHECK_EQ(info.ticks_queued + info.microtasks_queued, 0);
  rota_ticks_measure_time(&ticks, 1);
  CHECK_EQ(rota_tick_enqueue(&ticks, sleep_a_little, NULL, NULL), 0);
  rota_ticks_drain(&ticks);
  rota_ticks_get_info(&ticks, &info);
  CHECK(info.longest_drain_ns >= 5000000);
  CHECK_EQ(info.longest_drain, 3);
  rota__ticks_destroy(&ticks);
}

TEST(tick_null_function_is_refused) {
  rota__ticks_init(&ticks);
  CHECK_EQ(rota_tick_enqueue(&ticks, NULL, NULL, NULL), UV_EINVAL);
  CHECK_EQ(rota_microtask_enqueue(&ticks, NULL, NULL, NULL), UV_EINVAL);
  rota__ticks_destroy(&ticks);
}
