/* Handles sent over pipes: what a program without a library sends, as control messages. */
#include "test_net.h"

static uv_pipe_t left, right;

static void open_ipc(uv_loop_t *loop, int fds[2]) {
  local_pair(fds);
  CHECK_EQ(uv_pipe_init(loop, &left, 1), 0);
  CHECK_EQ(uv_pipe_open(&left, fds[0]), 0);
  CHECK_EQ(uv_pipe_init(loop, &right, 1), 0);
  CHECK_EQ(uv_pipe_open(&right, fds[1]), 0);
}

/* Sends as a program without a library would. */
static void send_bare(int fd, const char *words, const int *passed, size_t count) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(32 * sizeof(int))];
  } control;
  struct iovec vector = {(void *)words, strlen(words)};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
  memset(&control, 0, sizeof control);
  CHECK(count <= 32);
  message.msg_control = &control;
  message.msg_controllen = CMSG_SPACE(count * sizeof(int));
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(count * sizeof(int));
  memcpy(CMSG_DATA(header), passed, count * sizeof(int));
  CHECK_EQ(sendmsg(fd, &message, 0), (long)vector.iov_len);
}

TEST(ipc_several_descriptors_of_one_message_wait_in_order) {
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_t pipe;
  uv_tcp_t tcp;
  uv_udp_t udp;
  int fds[2];
  int passed[4] = {socket(AF_INET, SOCK_STREAM, 0), socket(AF_UNIX, SOCK_STREAM, 0), socket(AF_INET, SOCK_DGRAM, 0),
                   socket(AF_INET, SOCK_STREAM, 0)};
  open_ipc(loop, fds);
  send_bare(fds[0], "four", passed, 4);
  for (int i = 0; i < 4; i++)
    close(passed[i]);
  CHECK_EQ(uv_read_start(stream_of(&right), take_alloc, take), 0);
  RUN_UNTIL(loop, taken_size == 4);
  CHECK_EQ(uv_pipe_pending_count(&right), 4);
  CHECK_EQ(uv_pipe_pending_type(&right), UV_TCP);
  CHECK_EQ(uv_tcp_init(loop, &tcp), 0);
  CHECK_EQ(uv_accept(stream_of(&right), stream_of(&tcp)), 0);
  CHECK_EQ(uv_pipe_pending_count(&right), 3);
  CHECK_EQ(uv_pipe_pending_type(&right), UV_NAMED_PIPE);
  CHECK_EQ(uv_pipe_init(loop, &pipe, 0), 0);
  CHECK_EQ(uv_accept(stream_of(&right), stream_of(&pipe)), 0);
  CHECK_EQ(uv_pipe_pending_type(&right), UV_UDP);
  CHECK_EQ(uv_udp_init(loop, &udp), 0);
  CHECK_EQ(uv_accept(stream_of(&right), stream_of(&udp)), 0);
  CHECK_EQ(uv_pipe_pending_count(&right), 1); /* the last one is never taken */
  test_close_default_loop();
}

TEST(ipc_descriptors_never_taken_are_closed) {
  uv_loop_t *loop = uv_default_loop();
  int fds[2], passed[32];
  open_ipc(loop, fds);
  int before = test_count_descriptors();
  for (int i = 0; i < 32; i++)
    passed[i] = dup(0);
  send_bare(fds[0], "many", passed, 32);
  send_bare(fds[0], "more", passed, 5);
  for (int i = 0; i < 32; i++)
    close(passed[i]);
  CHECK_EQ(uv_read_start(stream_of(&right), take_alloc, take), 0);
  RUN_UNTIL(loop, taken_size == 8);
  CHECK_EQ(uv_pipe_pending_count(&right), 37);
  CHECK_EQ(test_count_descriptors(), before + 37);
  uv_close((uv_handle_t *)&right, NULL);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(test_count_descriptors(), before - 1);
  test_close_default_loop();
}

TEST(ipc_end_comes_after_the_last_message) {
  uv_loop_t *loop = uv_default_loop();
  int fds[2], passed = dup(0);
  open_ipc(loop, fds);
  send_bare(fds[0], "farewell", &passed, 1);
  close(passed);
  uv_close((uv_handle_t *)&left, NULL);
  CHECK_EQ(uv_read_start(stream_of(&right), take_alloc, take), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(taken_size, 8);
  CHECK_EQ(taken_error, UV_EOF);
  CHECK_EQ(taken_ends, 1);
  CHECK_EQ(uv_pipe_pending_count(&right), 1);
  test_close_default_loop();
}
