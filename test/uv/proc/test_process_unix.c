/* Processes: scripts, descriptors, signals, users and sessions of a child, and children of others. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test_process.h"

static void prepare_shell(const char *script) {
  arguments[0] = "sh";
  arguments[1] = "-c";
  arguments[2] = (char *)script;
  options.file = "/bin/sh";
  options.args = arguments;
  options.stdio = stdio;
  options.exit_cb = on_exit_close;
}

/* Runs the child, and gathers what it writes to its standard output. */
static const char *run_and_read(void) {
  uv_pipe_t out;
  prepare_pipe(1, &out, UV_WRITABLE_PIPE);
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
  CHECK_EQ(uv_read_start((uv_stream_t *)&out, on_alloc, on_read), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(exit_calls, 1);
  CHECK(output_ended);
  test_close_default_loop();
  return output;
}

static void write_file(const char *path, const char *text, mode_t mode) {
  int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
  CHECK(fd >= 0);
  CHECK_EQ(write(fd, text, strlen(text)), strlen(text));
  CHECK_EQ(close(fd), 0);
}

static void expect_failure(int err) {
  exit_calls = 0;
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), err);
  CHECK(!uv_is_active((uv_handle_t *)&process));
  uv_close((uv_handle_t *)&process, NULL);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(exit_calls, 0);
  CHECK_EQ(waitpid(-1, NULL, WNOHANG), -1); /* it has left nothing */
}

TEST(process_that_cannot_be_started) {
  prepare_shell("exit 0");
  options.file = "/nonexistent/program";
  expect_failure(UV_ENOENT);
  options.file = "no-program-of-this-name";
  expect_failure(UV_ENOENT);
  options.file = "";
  expect_failure(UV_ENOENT);
  options.file = "/";
  expect_failure(UV_EACCES);
  options.file = "/bin/sh/no";
  expect_failure(UV_ENOTDIR);
  write_file("plain", "#!/bin/sh\n", 0644);
  options.file = "./plain";
  expect_failure(UV_EACCES);
  options.file = "/bin/sh";
  options.cwd = "/nonexistent";
  expect_failure(UV_ENOENT);
  options.cwd = NULL;
  options.stdio_count = 1;
  stdio[0].flags = UV_INHERIT_FD;
  stdio[0].data.fd = 999;
  expect_failure(UV_EBADF);
  stdio[0].data.fd = -1;
  expect_failure(UV_EINVAL);
  test_close_default_loop();
}

TEST(process_at_the_limit_of_descriptors) {
  struct rlimit limit;
  int fds[2] = {-1, -1};
  prepare_shell("touch ran");
  uv_default_loop();
  CHECK_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  limit.rlim_cur = 64;
  CHECK_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  while ((fds[0] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
    fds[1] = fds[0];
  expect_failure(UV_EMFILE);
  CHECK_EQ(access("ran", F_OK), -1); /* not started and then ended */
  close(fds[1]);
  for (int fd = 40; fd < 60; fd++)
    close(fd);
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(exit_status, 0);
  CHECK_EQ(access("ran", F_OK), 0);
  test_close_default_loop();
}

TEST(process_file_that_is_no_program) {
  write_file("text", "echo this is not for a shell\n", 0755);
  prepare_shell("");
  options.file = "./text";
  expect_failure(-ENOEXEC);
  test_close_default_loop();
}

/* Writes to each descriptor its number. */
HELPER(process_write_own_numbers) {
  for (int fd = 1; fd < atoi(argv[1]); fd++) {
    char number[20];
    int length = snprintf(number, sizeof number, "%d", fd);
    if (write(fd, number, (size_t)length) != length)
      return 1;
  }
  return 0;
}

/* The child's descriptors are ours, rotated by this many places. */
TEST(process_descriptors_in_any_permutation) {
  enum { COUNT = 9 };
  int files[COUNT];
  char text[20];
  snprintf(text, sizeof text, "%d", COUNT);
  prepare_helper("process_write_own_numbers", text);
  options.stdio_count = COUNT;
  for (int fd = 1; fd < COUNT; fd++) {
    /* Before there is a loop, these numbers are free. */
    int file = open("file", O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    CHECK(file >= 0);
    unlink("file");
    if (file != fd)
      CHECK_EQ(dup2(file, fd), fd);
    files[fd] = fcntl(file, F_DUPFD_CLOEXEC, 20);
    if (file != fd)
      close(file);
  }
  for (int shift = 0; shift < COUNT - 1; shift++) {
    for (int fd = 1; fd < COUNT; fd++) {
      stdio[fd].flags = UV_INHERIT_FD;
      stdio[fd].data.fd = 1 + (fd - 1 + shift) % (COUNT - 1);
    }
    exit_status = -1;
    CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
    CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
    CHECK_EQ(exit_status, 0);
    for (int fd = 1; fd < COUNT; fd++) {
      int file = files[stdio[fd].data.fd];
      char found[20] = "";
      CHECK(pread(file, found, sizeof found - 1, 0) > 0);
      snprintf(text, sizeof text, "%d", fd);
      CHECK_STR(found, text);
      CHECK_EQ(ftruncate(file, 0), 0);
      lseek(file, 0, SEEK_SET);
    }
    snprintf(text, sizeof text, "%d", COUNT);
  }
  test_close_default_loop();
}

/* What it has open: "0r 1w 2w 5?" and so on, with the access mode and n for non-blocking; null devices in brackets. */
HELPER(process_show_descriptors) {
  char text[1000] = "";
  struct stat null_status, status;
  stat("/dev/null", &null_status);
  for (int fd = 0; fd < 100; fd++) {
    int flags = fcntl(fd, F_GETFL);
    bool null;
    if (flags < 0)
      continue;
    null = fstat(fd, &status) == 0 && status.st_rdev == null_status.st_rdev && S_ISCHR(status.st_mode);
    snprintf(text + strlen(text), sizeof text - strlen(text), null ? "[%d%s%s] " : "%d%s%s ", fd,
             (flags & O_ACCMODE) == O_RDONLY   ? "r"
             : (flags & O_ACCMODE) == O_WRONLY ? "w"
                                               : "rw",
             flags & O_NONBLOCK ? "n" : "");
  }
  return write(1, text, strlen(text)) == (ssize_t)strlen(text) ? 0 : 1;
}

/* This program may itself have been given more than three. */
static void close_what_we_inherited(void) {
  for (int fd = 3; fd < 100; fd++)
    close(fd);
}

TEST(process_gets_no_descriptor_that_it_was_not_given) {
  uv_signal_t signal;
  uv_udp_t udp;
  uv_pipe_t other;
  close_what_we_inherited();
  /* Opens descriptors that could leak. */
  uv_signal_init(uv_default_loop(), &signal);
  uv_signal_start(&signal, (uv_signal_cb)abort, SIGUSR1);
  uv_udp_init_ex(uv_default_loop(), &udp, AF_INET);
  uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  prepare_helper("process_show_descriptors", NULL);
  uv_unref((uv_handle_t *)&signal);
  prepare_pipe(4, &other, UV_WRITABLE_PIPE);
  uv_unref((uv_handle_t *)&other);
  CHECK_STR(run_and_read(), "[0r] 1rw [2rw] 4rw ");
}

TEST(process_standard_descriptors_block) {
  int fds[2];
  close_what_we_inherited();
  CHECK_EQ(pipe2(fds, O_CLOEXEC | O_NONBLOCK), 0);
  prepare_helper("process_show_descriptors", NULL);
  stdio[0].flags = UV_INHERIT_FD;
  stdio[0].data.fd = fds[0];
  options.stdio_count = 4;
  stdio[3].flags = UV_INHERIT_FD;
  stdio[3].data.fd = fds[1];
  CHECK_STR(run_and_read(), "0r 1rw [2rw] 3wn ");
}

TEST(process_started_with_our_own_standard_descriptors_closed) {
  close_what_we_inherited();
  close(0);
  prepare_helper("process_show_descriptors", NULL);
  CHECK_STR(run_and_read(), "[0r] 1rw [2rw] ");
}

TEST(process_inheritance_disabled) {
  int fd = open("/dev/null", O_RDONLY);
  CHECK(fd >= 0);
  uv_disable_stdio_inheritance();
  CHECK_EQ(fcntl(fd, F_GETFD), FD_CLOEXEC);
  CHECK_EQ(fcntl(2, F_GETFD), FD_CLOEXEC);
  prepare_helper("process_show_descriptors", NULL);
  CHECK_STR(run_and_read(), "[0r] 1rw [2rw] ");
}

HELPER(process_show_signals) {
  struct sigaction action;
  sigset_t mask;
  sigprocmask(SIG_SETMASK, NULL, &mask);
  for (int signum = 1; signum < 32; signum++) {
    if (sigismember(&mask, signum))
      printf("%d is blocked ", signum);
    if (signum == SIGSEGV || signum == SIGBUS || signum == SIGFPE)
      continue; /* opened by a sanitizer */
    if (sigaction(signum, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
      printf("%d is not as usual ", signum);
  }
  printf("done");
  return 0;
}

TEST(process_signals_are_those_of_a_fresh_program) {
  uv_signal_t handle;
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &mask, NULL);
  signal(SIGINT, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  uv_signal_init(uv_default_loop(), &handle);
  uv_signal_start(&handle, (uv_signal_cb)abort, SIGUSR1);
  uv_unref((uv_handle_t *)&handle);
  prepare_helper("process_show_signals", NULL);
  CHECK_STR(run_and_read(), "done");
  /* And ours are as they were. */
  CHECK_EQ(pthread_sigmask(SIG_BLOCK, NULL, &mask), 0);
  CHECK(sigismember(&mask, SIGTERM));
  CHECK(!sigismember(&mask, SIGUSR1));
}

TEST(process_environment_and_its_path) {
  char *env[] = {"PATH=/nonexistent::bin", "WORD=from the environment", NULL};
  CHECK_EQ(mkdir("bin", 0700), 0);
  write_file("bin/a-program", "#!/bin/sh\necho $1 $WORD", 0755);
  setenv("WORD", "not this", 1);
  prepare_shell("");
  options.file = "a-program";
  arguments[0] = "a-program";
  arguments[1] = "a word";
  arguments[2] = NULL;
  options.env = env;
  CHECK_STR(run_and_read(), "a word from the environment\n");
}

TEST(process_environment_without_path) {
  char *env[] = {NULL};
  prepare_shell("printf found");
  options.file = "sh";
  options.env = env;
  CHECK_STR(run_and_read(), "found");
}

TEST(process_detached) {
  prepare_shell("sleep 100");
  options.flags = UV_PROCESS_DETACHED | UV_PROCESS_WINDOWS_HIDE;
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
  CHECK_EQ(getsid(process.pid), process.pid);
  CHECK_EQ(getpgid(process.pid), process.pid);
  CHECK_EQ(uv_process_kill(&process, SIGTERM), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(term_signal, SIGTERM);
  test_close_default_loop();
}

TEST(process_user_and_group) {
  if (getuid() != 0)
    SKIP("only root can become somebody else");
  const gid_t groups[] = {0, 7};
  CHECK_EQ(setgroups(2, groups), 0);
  prepare_shell("printf '%s %s %s' $(id -u) $(id -g) \"$(id -G)\"");
  options.flags = UV_PROCESS_SETUID | UV_PROCESS_SETGID;
  options.uid = 12345;
  options.gid = 23456;
  CHECK_STR(run_and_read(), "12345 23456 23456");
  CHECK_EQ(getuid(), 0); /* all that only in the child */
}

TEST(process_user_that_one_may_not_be) {
  if (getuid() == 0)
    CHECK(setgid(65534) == 0 && setuid(65534) == 0);
  prepare_shell("exit 0");
  options.flags = UV_PROCESS_SETUID;
  options.uid = 0;
  expect_failure(UV_EPERM);
  options.flags = UV_PROCESS_SETGID;
  options.gid = 0;
  expect_failure(UV_EPERM);
  test_close_default_loop();
}

TEST(process_closed_early_goes_on_and_is_ours_to_reap) {
  int status;
  prepare_shell("sleep 0.2; exit 9");
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
  uv_close((uv_handle_t *)&process, on_close);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(exit_calls, 0);
  CHECK_EQ(close_calls, 1);
  CHECK_EQ(waitpid(process.pid, &status, 0), process.pid);
  CHECK_EQ(WEXITSTATUS(status), 9);
  test_close_default_loop();
}

TEST(process_of_somebody_else_is_left_alone) {
  int status;
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0)
    _exit(7);
  usleep(20000);
  prepare_shell("exit 3");
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(exit_status, 3);
  CHECK_EQ(waitpid(pid, &status, 0), pid);
  CHECK_EQ(WEXITSTATUS(status), 7);
  test_close_default_loop();
}

TEST(process_ended_before_somebody_else_reaped_it) {
  prepare_shell("exit 5");
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
  CHECK_EQ(waitpid(-1, NULL, 0), process.pid);
  /* If another part of the program has reaped it, nothing is reported, and the handle is active until it is closed. */
  for (int i = 0; i < 20; i++) {
    uv_run(uv_default_loop(), UV_RUN_NOWAIT);
    uv_sleep(2);
  }
  CHECK_EQ(exit_calls, 0);
  CHECK(uv_is_active((uv_handle_t *)&process));
  test_close_default_loop();
}

TEST(process_of_a_program_that_ignores_its_children) {
  signal(SIGCHLD, SIG_IGN);
  prepare_shell("exit 6");
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(exit_status, 6);
  test_close_default_loop();
}

static int child_signals;

static void on_child_signal(uv_signal_t *handle, int signum) {
  CHECK_EQ(signum, SIGCHLD);
  child_signals++;
  uv_signal_stop(handle);
}

TEST(process_and_a_watcher_of_its_signal) {
  uv_signal_t handle;
  uv_signal_init(uv_default_loop(), &handle);
  CHECK_EQ(uv_signal_start(&handle, on_child_signal, SIGCHLD), 0);
  prepare_shell("exit 4");
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(child_signals, 1);
  CHECK_EQ(exit_status, 4);
  test_close_default_loop();
}

static void on_exit_after_output(uv_process_t *self, int64_t status, int signal) {
  CHECK_STR(output, "last words");
  on_exit_close(self, status, signal);
}

static uv_pipe_t input;

static void let_child_end(uv_async_t *async) {
  uv_buf_t line = uv_buf_init("\n", 1);
  siginfo_t ended;
  CHECK_EQ(uv_try_write((uv_stream_t *)&input, &line, 1), 1);
  CHECK_EQ(waitid(P_PID, (id_t)process.pid, &ended, WEXITED | WNOWAIT), 0);
  uv_close((uv_handle_t *)&input, NULL);
  uv_close((uv_handle_t *)async, NULL);
}

/* The child ends in a callback of the poll phase: what it wrote is not read before the next poll. */
TEST(process_last_words_come_before_an_end_that_is_seen_first) {
  uv_async_t async;
  uv_pipe_t out;
  CHECK_EQ(uv_async_init(uv_default_loop(), &async, let_child_end), 0);
  prepare_shell("read line; printf 'last words'");
  options.exit_cb = on_exit_after_output;
  prepare_pipe(0, &input, UV_READABLE_PIPE);
  prepare_pipe(1, &out, UV_WRITABLE_PIPE);
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
  CHECK_EQ(uv_read_start((uv_stream_t *)&out, on_alloc, on_read), 0);
  CHECK_EQ(uv_async_send(&async), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(exit_calls, 1);
  test_close_default_loop();
}
