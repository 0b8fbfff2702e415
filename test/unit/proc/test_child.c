/* A child without a descriptor, which ends while its parent looks whether it has: what it wrote is read first. */
#ifdef __linux__
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "uv.h"

static uv_process_t process;
static uv_pipe_t input, output;
static uv_timer_t timer;
static bool is_told_to_end, is_interposed;
static char text[64];
static size_t text_length;
static int exit_calls;

static void let_child_end(void) {
  siginfo_t ended;
  if (is_told_to_end)
    return;
  is_told_to_end = true;
  uv_buf_t line = uv_buf_init("\n", 1);
  CHECK_EQ(uv_try_write((uv_stream_t *)&input, &line, 1), 1);
  CHECK_EQ(waitid(P_PID, (id_t)process.pid, &ended, WEXITED | WNOWAIT), 0);
}

/* In place of the C library's: the child ends just before the parent asks for its status. */
pid_t waitpid(pid_t pid, int *status, int options) {
  if (is_interposed && pid == process.pid)
    let_child_end();
  return wait4(pid, status, options, NULL);
}

static void refuse_pidfd_open(void) {
  struct sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                                 BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_open, 0, 1),
                                 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
                                 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {.len = sizeof(filter) / sizeof(filter[0]), .filter = filter};
  CHECK_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    SKIP("this system has no filter of system calls");
}

static void on_timer(uv_timer_t *handle) {
  let_child_end();
  uv_close((uv_handle_t *)handle, NULL);
}

static void on_exit_call(uv_process_t *handle, int64_t status, int signum) {
  CHECK_EQ(status, 0);
  CHECK_EQ(signum, 0);
  CHECK_STR(text, "last words");
  exit_calls++;
  uv_close((uv_handle_t *)handle, NULL);
  uv_close((uv_handle_t *)&input, NULL);
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  (void)handle;
  (void)suggested;
  *buf = uv_buf_init(text + text_length, (unsigned int)(sizeof(text) - 1 - text_length));
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf) {
  (void)buf;
  if (n > 0)
    text_length += (size_t)n;
  else if (n < 0)
    uv_close((uv_handle_t *)stream, NULL);
}

TEST(child_that_ends_while_it_is_looked_at_is_read_first) {
  char *args[] = {"/bin/sh", "-c", "read line; printf 'last words'", NULL};
  uv_stdio_container_t stdio[] = {{.flags = UV_CREATE_PIPE | UV_READABLE_PIPE, .data.stream = (uv_stream_t *)&input},
                                  {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&output}};
  uv_process_options_t options = {
      .file = args[0], .args = args, .stdio = stdio, .stdio_count = 2, .exit_cb = on_exit_call};
  refuse_pidfd_open();
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_init(loop, &input, 0);
  uv_pipe_init(loop, &output, 0);
  CHECK_EQ(uv_spawn(loop, &process, &options), 0);
  CHECK_EQ(uv_read_start((uv_stream_t *)&output, on_alloc, on_read), 0);
  uv_timer_init(loop, &timer);
  uv_timer_start(&timer, on_timer, 20, 0);
  is_interposed = true;
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(exit_calls, 1);
  test_close_default_loop();
}
#endif
