/* The poller is not asked where it cannot know anything: a system call less for each result of the pool. */
#include <unistd.h>

#include "loop/core/internal.h"
#include "loop/poller/poller.h"
#include "test.h"

static struct rota_poller_ops counting;
static int (*asked)(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max);
static int looks, calls;

static int count_wait(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  looks++;
  return asked(poller, timeout_ns, out, out_max);
}

static void on_async(uv_async_t *async) {
  (void)async;
  calls++;
}

static void on_poll(uv_poll_t *poll, int status, int events) {
  (void)poll;
  (void)status;
  (void)events;
}

TEST(poller_is_not_asked_when_nothing_is_watched) {
  uv_loop_t loop;
  uv_async_t async;
  uv_poll_t poll;
  int fds[2];
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK_EQ(uv_async_init(&loop, &async, on_async), 0);
  uv_run(&loop, UV_RUN_NOWAIT);
  struct rota_poller *poller = rota__loop_poller(&loop);
  counting = *poller->ops;
  asked = counting.wait;
  counting.wait = count_wait;
  poller->ops = &counting;
  for (int i = 1; i <= 3; i++) {
    CHECK_EQ(uv_async_send(&async), 0);
    uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(calls, i);
  }
  CHECK_EQ(looks, 0);
  CHECK_EQ(pipe(fds), 0);
  CHECK_EQ(uv_poll_init(&loop, &poll, fds[0]), 0);
  CHECK_EQ(uv_poll_start(&poll, UV_READABLE, on_poll), 0);
  CHECK_EQ(uv_async_send(&async), 0);
  uv_run(&loop, UV_RUN_ONCE);
  CHECK_EQ(calls, 4);
  CHECK(looks > 0);
  uv_close((uv_handle_t *)&poll, NULL);
  uv_close((uv_handle_t *)&async, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
  CHECK_EQ(uv_loop_close(&loop), 0);
  close(fds[0]);
  close(fds[1]);
}
