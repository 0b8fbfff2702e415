/* What the tests of the loop's order share: a log of words, one for each callback, in their order. */
#ifndef ROTA_TEST_UV_TEST_ORDER_H
#define ROTA_TEST_UV_TEST_ORDER_H

#include <unistd.h>

#include "test.h"

static char story[4000];

static inline void note(const char *word) {
  size_t length = strlen(story);
  CHECK(length + strlen(word) + 2 < sizeof story);
  snprintf(story + length, sizeof story - length, "%s%s", length > 0 ? " " : "", word);
}

/* Returns the log so far, and starts a new one. */
static inline const char *told(void) {
  static char copy[sizeof story];
  memcpy(copy, story, sizeof story);
  story[0] = '\0';
  return copy;
}

/* The callbacks log the word in their handle's data. */
static inline void note_timer(uv_timer_t *handle) {
  note(handle->data);
}

static inline void note_idle(uv_idle_t *handle) {
  note(handle->data);
}

static inline void note_prepare(uv_prepare_t *handle) {
  note(handle->data);
}

static inline void note_check(uv_check_t *handle) {
  note(handle->data);
}

static inline void note_async(uv_async_t *handle) {
  note(handle->data);
}

static inline void note_close(uv_handle_t *handle) {
  note(handle->data);
}

static inline void start_timer(uv_loop_t *loop, uv_timer_t *timer, const char *word, uint64_t timeout_ms) {
  CHECK_EQ(uv_timer_init(loop, timer), 0);
  timer->data = (void *)word;
  CHECK_EQ(uv_timer_start(timer, note_timer, timeout_ms, 0), 0);
}

static inline void start_idle(uv_loop_t *loop, uv_idle_t *idle, const char *word) {
  CHECK_EQ(uv_idle_init(loop, idle), 0);
  idle->data = (void *)word;
  CHECK_EQ(uv_idle_start(idle, note_idle), 0);
}

static inline void start_prepare(uv_loop_t *loop, uv_prepare_t *prepare, const char *word) {
  CHECK_EQ(uv_prepare_init(loop, prepare), 0);
  prepare->data = (void *)word;
  CHECK_EQ(uv_prepare_start(prepare, note_prepare), 0);
}

static inline void start_check(uv_loop_t *loop, uv_check_t *check, const char *word) {
  CHECK_EQ(uv_check_init(loop, check), 0);
  check->data = (void *)word;
  CHECK_EQ(uv_check_start(check, note_check), 0);
}

/* A callback for the pending phase: connecting to a pipe that does not exist fails at once, and is reported later. */
struct failing_connect {
  uv_pipe_t pipe;
  uv_connect_t request;
};

static inline void fail_later(uv_loop_t *loop, struct failing_connect *failing, uv_connect_cb cb, const char *word) {
  CHECK_EQ(uv_pipe_init(loop, &failing->pipe, 0), 0);
  failing->request.data = (void *)word;
  uv_pipe_connect(&failing->request, &failing->pipe, "there is no such pipe", cb);
}

static inline void note_failed_connect(uv_connect_t *request, int status) {
  CHECK_EQ(status, UV_ENOENT);
  note(request->data);
}

/* A socket that is always readable. */
static inline uv_os_sock_t readable_socket(void) {
  uv_os_sock_t pair[2];
  CHECK_EQ(uv_socketpair(SOCK_STREAM, 0, pair, 0, 0), 0);
  CHECK_EQ(send(pair[1], "x", 1, 0), 1);
  return pair[0];
}

static inline void note_poll(uv_poll_t *handle, int status, int events) {
  CHECK_EQ(status, 0);
  CHECK((events & UV_READABLE) != 0);
  note(handle->data);
}

static inline void start_poll(uv_loop_t *loop, uv_poll_t *poll, const char *word, uv_os_sock_t socket) {
  CHECK_EQ(uv_poll_init_socket(loop, poll, socket), 0);
  poll->data = (void *)word;
  CHECK_EQ(uv_poll_start(poll, UV_READABLE, note_poll), 0);
}

/* Lets a loop do its one-time work (registering its own descriptors), so that it does not affect the log. */
static inline uv_loop_t *warm_loop(void) {
  uv_loop_t *loop = uv_default_loop();
  uv_timer_t timer;
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  uv_close((uv_handle_t *)&timer, NULL);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  return loop;
}

static inline uint64_t elapsed_ms(uint64_t since_ns) {
  return (uv_hrtime() - since_ns) / 1000000;
}

#endif
