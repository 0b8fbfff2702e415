/* A program that closes the loop's descriptor is stopped, as with libuv; the message with the reason is ours. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

static void on_timer(uv_timer_t *timer) {
  uv_timer_stop(timer);
}

static void run_without_descriptor(void) {
  struct rlimit none = {0, 0};
  uv_timer_t timer;
  setrlimit(RLIMIT_CORE, &none);
  signal(SIGABRT, SIG_DFL);
  uv_timer_init(uv_default_loop(), &timer);
  uv_timer_start(&timer, on_timer, 1, 0);
  close(uv_backend_fd(uv_default_loop()));
  uv_run(uv_default_loop(), UV_RUN_DEFAULT);
  _exit(0);
}

TEST(closed_descriptor_of_the_loop_stops_the_program_with_a_message) {
  char text[1000];
  size_t length = 0;
  int ends[2], status;
  CHECK_EQ(pipe(ends), 0);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    run_without_descriptor();
  }
  close(ends[1]);
  for (ssize_t n; (n = read(ends[0], text + length, sizeof text - 1 - length)) > 0;)
    length += (size_t)n;
  text[length] = '\0';
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  CHECK(strstr(text, "rota: a loop cannot wait (EBADF): the program closed descriptor ") != NULL);
  close(ends[0]);
}
