/* A number of a descriptor is used again at once. What was known of the descriptor before is not told to the next one.
 */
#include "test_order.h"

static uv_poll_t ready_polls[2], next_poll;
static uv_os_sock_t ready_sockets[2], silent[2];

/* Closes the other descriptor, whose event is known already, and watches another socket that gets its number. */
static void replace_other(uv_poll_t *poll, int status, int events) {
  note_poll(poll, status, events);
  int other = poll == &ready_polls[0];
  uv_close((uv_handle_t *)&ready_polls[other], NULL);
  CHECK_EQ(dup2(silent[0], ready_sockets[other]), ready_sockets[other]);
  start_poll(poll->loop, &next_poll, "next", ready_sockets[other]);
  CHECK_EQ(uv_poll_stop(poll), 0);
}

TEST(order_event_of_a_closed_descriptor_is_not_told_to_the_next_of_its_number) {
  uv_loop_t *loop = warm_loop();
  CHECK_EQ(uv_socketpair(SOCK_STREAM, 0, silent, 0, 0), 0);
  for (int i = 0; i < 2; i++) {
    ready_sockets[i] = readable_socket();
    CHECK_EQ(uv_poll_init_socket(loop, &ready_polls[i], ready_sockets[i]), 0);
    ready_polls[i].data = "ready";
    CHECK_EQ(uv_poll_start(&ready_polls[i], UV_READABLE, replace_other), 0);
  }
  uv_run(loop, UV_RUN_NOWAIT);
  uv_run(loop, UV_RUN_NOWAIT);
  CHECK_STR(told(), "ready");
  CHECK_EQ(send(silent[1], "x", 1, 0), 1);
  uv_run(loop, UV_RUN_NOWAIT);
  CHECK_STR(told(), "next");
  test_close_default_loop();
}
