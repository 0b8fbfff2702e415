/* What the tests of ticks on a loop share: a log of words, and callbacks that queue a tick and a microtask. */
#ifndef ROTA_TEST_UNIT_TICK_STORY_H
#define ROTA_TEST_UNIT_TICK_STORY_H

#include "rota.h"
#include "test.h"

static char story[1000];
static rota_ticks_t *ticks;

static inline void note(const char *word) {
  size_t length = strlen(story);
  CHECK(length + strlen(word) + 2 < sizeof story);
  snprintf(story + length, sizeof story - length, "%s%s", length > 0 ? " " : "", word);
}

static inline void run_note(void *data, void *more) {
  (void)more;
  note(data);
}

static inline void add_tick(const char *word) {
  CHECK_EQ(rota_tick_enqueue(ticks, run_note, (void *)word, NULL), 0);
}

static inline void add_microtask(const char *word) {
  CHECK_EQ(rota_microtask_enqueue(ticks, run_note, (void *)word, NULL), 0);
}

/* The callback of a test: logs its word, and queues one of each, the microtask first. */
static inline void act(const char *word) {
  note(word);
  add_microtask("m");
  add_tick("t");
}

static inline uv_loop_t *loop_with_ticks(void) {
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(rota_ticks_attach(loop, &ticks), 0);
  return loop;
}

static inline void end_loop_with_ticks(void) {
  CHECK_EQ(rota_ticks_detach(ticks), 0);
  test_close_default_loop();
}

static inline void act_timer(uv_timer_t *handle) {
  act(handle->data);
}

static inline void act_close(uv_handle_t *handle) {
  act(handle->data);
}

static inline void start_timer(uv_loop_t *loop, uv_timer_t *timer, const char *word, uv_timer_cb cb) {
  CHECK_EQ(uv_timer_init(loop, timer), 0);
  timer->data = (void *)word;
  CHECK_EQ(uv_timer_start(timer, cb, 0, 0), 0);
}

#endif
