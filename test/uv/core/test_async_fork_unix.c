/* Asyncs after a fork. */
#include "test_order.h"

#include <sys/wait.h>

static uv_async_t asyncs[3];

static void note_number(uv_async_t *async) {
  char word[] = {(char)('0' + (async - asyncs)), '\0'};
  note(word);
}

static void send_to(int number) {
  CHECK_EQ(uv_async_send(&asyncs[number]), 0);
}

static void iterate(uv_loop_t *loop) {
  uv_run(loop, UV_RUN_NOWAIT);
}

static void never(uv_async_t *async) {
  (void)async;
  CHECK(0);
}

TEST(async_sent_before_a_fork_is_the_parents) {
  static uv_check_t check;
  uv_async_t closing;
  uv_loop_t *loop = warm_loop();
  start_check(loop, &check, "|");
  for (int i = 0; i < 3; i++)
    CHECK_EQ(uv_async_init(loop, &asyncs[i], note_number), 0);
  send_to(1);
  CHECK_EQ(uv_async_init(loop, &closing, never), 0);
  CHECK_EQ(uv_async_send(&closing), 0);
  uv_close((uv_handle_t *)&closing, NULL);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    CHECK_EQ(uv_loop_fork(loop), 0);
    send_to(2);
    iterate(loop);
    send_to(1);
    iterate(loop);
    CHECK_STR(told(), "2 | 1 |");
    test_close_default_loop();
    _exit(0);
  }
  int status;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
  iterate(loop);
  CHECK_STR(told(), "1 |");
  test_close_default_loop();
}
