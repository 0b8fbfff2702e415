/* When the peer sees the end: when the process is dead, not some time later. */
#include <signal.h>
#include <sys/wait.h>

#include "test_net.h"

/* Reads from descriptor 0, which is a socket, until it is killed. */
HELPER(end_seen_reader) {
  uv_pipe_t pipe;
  if (uv_pipe_init(uv_default_loop(), &pipe, 0) != 0 || uv_pipe_open(&pipe, 0) != 0 ||
      uv_read_start(stream_of(&pipe), take_alloc, take) != 0)
    return 1;
  for (int i = 0; i < 3; i++)
    uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  if (write(1, "r", 1) != 1)
    return 1;
  return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}

TEST(end_seen_when_a_process_is_dead) {
  for (int round = 0; round < 10; round++) {
    int channel[2];
    char byte;
    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, channel), 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
      dup2(channel[1], 0);
      dup2(channel[1], 1);
      close(channel[0]);
      close(channel[1]);
      execl(test_program(), test_program(), "--helper", "end_seen_reader", (char *)NULL);
      _exit(127);
    }
    close(channel[1]);
    CHECK_EQ(recv(channel[0], &byte, 1, 0), 1);
    CHECK_EQ(kill(child, SIGKILL), 0);
    CHECK_EQ(waitpid(child, NULL, 0), child);
    CHECK_EQ(recv(channel[0], &byte, 1, MSG_DONTWAIT), 0);
    close(channel[0]);
  }
}
