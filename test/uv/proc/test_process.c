/* Processes: how a child starts and how its end is reported. What is of Unix (scripts, signals, users, descriptors in
 * any place, children of others) is in test_process_unix.c. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system.h"
#include "test_process.h"

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

/* What the children do. */
HELPER(process_act) {
  char text[4096];
  size_t size = sizeof text;
  ssize_t n;
  if (strncmp(argv[1], "exit ", 5) == 0)
    return atoi(argv[1] + 5);
  if (strcmp(argv[1], "sleep") == 0) {
    uv_sleep(100000);
  } else if (strcmp(argv[1], "copy") == 0) {
    while ((n = read(0, text, size)) > 0)
      CHECK_EQ(write(1, text, (size_t)n), n);
  } else if (strcmp(argv[1], "say one to one and two to two") == 0) {
    CHECK_EQ(write(1, "one", 3), 3);
    CHECK_EQ(write(2, "two", 3), 3);
  } else if (strcmp(argv[1], "say the word") == 0) {
    CHECK_EQ(uv_os_getenv("WORD", text, &size), 0);
    CHECK_EQ(write(1, text, size), size);
  } else if (strcmp(argv[1], "say where") == 0) {
    CHECK_EQ(uv_cwd(text, &size), 0);
    CHECK_EQ(write(1, text, size), size);
  } else {
    CHECK_EQ(strncmp(argv[1], "say ", 4), 0);
    CHECK_EQ(write(1, argv[1] + 4, strlen(argv[1] + 4)), strlen(argv[1] + 4));
  }
  return 0;
}

TEST(process_exit_status) {
  prepare_helper("process_act", "exit 42");
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
  CHECK(uv_is_active((uv_handle_t *)&process));
  CHECK(process.pid > 0);
  CHECK_EQ(uv_process_get_pid(&process), process.pid);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(exit_calls, 1);
  CHECK_EQ(close_calls, 1);
  CHECK_EQ(exit_status, 42);
  CHECK_EQ(term_signal, 0);
  CHECK(child_is_reaped(process.pid));
  test_close_default_loop();
}

TEST(process_killed) {
  prepare_helper("process_act", "sleep");
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
  CHECK_EQ(uv_process_kill(&process, 0), 0);
  CHECK_EQ(uv_process_kill(&process, 1000), UV_EINVAL);
  CHECK_EQ(uv_process_kill(&process, SIGKILL), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(exit_status, status_of_killed());
  CHECK_EQ(term_signal, SIGKILL);
  test_close_default_loop();
}

static void on_exit_kill(uv_process_t *self, int64_t status, int signal) {
  CHECK_EQ(uv_process_kill(self, SIGTERM), UV_ESRCH);
  on_exit_close(self, status, signal);
}

TEST(process_cannot_be_killed_after_its_end) {
  prepare_helper("process_act", "exit 0");
  options.exit_cb = on_exit_kill;
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
  uv_run(uv_default_loop(), UV_RUN_DEFAULT);
  CHECK_EQ(exit_calls, 1);
  test_close_default_loop();
}

TEST(process_without_exit_callback) {
  prepare_helper("process_act", "exit 0");
  options.exit_cb = NULL;
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK(!uv_is_active((uv_handle_t *)&process));
  test_close_default_loop();
}

TEST(process_that_failed_leaves_its_pipes_at_their_end) {
  int descriptors = 0;
  prepare_helper("process_act", "exit 0");
  options.file = "/nonexistent/program";
  for (int i = 0; i < 2; i++) {
    uv_pipe_t out;
    prepare_pipe(1, &out, UV_WRITABLE_PIPE);
    CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), UV_ENOENT);
    uv_close((uv_handle_t *)&process, NULL);
    CHECK(uv_is_readable((uv_stream_t *)&out));
    CHECK_EQ(uv_read_start((uv_stream_t *)&out, on_alloc, on_read), 0);
    output_ended = false;
    CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
    CHECK(output_ended);
    if (i == 0)
      descriptors = test_count_descriptors();
  }
  CHECK_EQ(test_count_descriptors(), descriptors);
  test_close_default_loop();
}

TEST(process_that_never_was_cannot_be_killed) {
  prepare_helper("process_act", "exit 0");
  options.file = "/nonexistent/program";
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), UV_ENOENT);
  CHECK_EQ(process.pid, 0);
  CHECK_EQ(uv_process_kill(&process, 0), UV_ESRCH); /* and not everybody in our process group */
  test_close_default_loop();
}

static void on_written(uv_write_t *req, int status) {
  CHECK_EQ(status, 0);
  uv_close((uv_handle_t *)req->handle, on_close);
}

TEST(process_much_through_pipes) {
  static char much[900000];
  uv_pipe_t in, out;
  uv_write_t req;
  uv_buf_t buf = uv_buf_init(much, sizeof much);
  memset(much, 'x', sizeof much);
  prepare_helper("process_act", "copy");
  prepare_pipe(0, &in, UV_READABLE_PIPE);
  prepare_pipe(1, &out, UV_WRITABLE_PIPE);
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
  CHECK(uv_is_writable((uv_stream_t *)&in));
  CHECK(!uv_is_readable((uv_stream_t *)&in));
  CHECK_EQ(uv_write(&req, (uv_stream_t *)&in, &buf, 1, on_written), 0);
  CHECK_EQ(uv_read_start((uv_stream_t *)&out, on_alloc, on_read), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(output_length, sizeof much);
  CHECK_EQ(exit_calls, 1);
  test_close_default_loop();
}

HELPER(process_both_ways) {
  char text[10];
  ssize_t n = read(3, text, sizeof text);
  return n == 2 && write(3, text, 2) == 2 ? 0 : 1;
}

TEST(process_pipe_for_both_directions) {
  uv_pipe_t both;
  uv_write_t req;
  uv_buf_t buf = uv_buf_init("hi", 2);
  prepare_helper("process_both_ways", NULL);
  prepare_pipe(3, &both, UV_READABLE_PIPE | UV_WRITABLE_PIPE);
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
  CHECK_EQ(uv_write(&req, (uv_stream_t *)&both, &buf, 1, NULL), 0);
  CHECK_EQ(uv_read_start((uv_stream_t *)&both, on_alloc, on_read), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_STR(output, "hi");
  CHECK_EQ(exit_status, 0);
  test_close_default_loop();
}

TEST(process_one_descriptor_for_two) {
  uv_pipe_t out;
  uv_file fds[2];
  prepare_helper("process_act", "say one to one and two to two");
  CHECK_EQ(uv_pipe_init(uv_default_loop(), &out, 0), 0);
  CHECK_EQ(uv_pipe(fds, UV_NONBLOCK_PIPE, 0), 0);
  options.stdio_count = 3;
  stdio[1].flags = stdio[2].flags = UV_INHERIT_FD;
  stdio[1].data.fd = stdio[2].data.fd = fds[1];
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
  close(fds[1]);
  CHECK_EQ(uv_pipe_open(&out, fds[0]), 0);
  CHECK_EQ(uv_read_start((uv_stream_t *)&out, on_alloc, on_read), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_STR(output, "onetwo");
  test_close_default_loop();
}

TEST(process_inherits_a_stream) {
  uv_pipe_t ours, childs;
  uv_file fds[2];
  prepare_helper("process_act", "say over the stream");
  CHECK_EQ(uv_pipe(fds, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE), 0);
  uv_pipe_init(uv_default_loop(), &ours, 0);
  uv_pipe_init(uv_default_loop(), &childs, 0);
  options.stdio_count = 2;
  stdio[1].flags = UV_INHERIT_STREAM;
  stdio[1].data.stream = (uv_stream_t *)&childs;
  CHECK(uv_spawn(uv_default_loop(), &process, &options) < 0); /* it is not open */
  uv_close((uv_handle_t *)&process, NULL);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(uv_pipe_open(&ours, fds[0]), 0);
  CHECK_EQ(uv_pipe_open(&childs, fds[1]), 0);
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
  uv_close((uv_handle_t *)&childs, NULL);
  CHECK_EQ(uv_read_start((uv_stream_t *)&ours, on_alloc, on_read), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_STR(output, "over the stream");
  test_close_default_loop();
}

TEST(process_environment_of_ours) {
  CHECK_EQ(uv_os_setenv("WORD", "ours"), 0);
  prepare_helper("process_act", "say the word");
  CHECK_STR(run_and_read(), "ours");
}

TEST(process_directory) {
  char expected[5000];
  size_t size = sizeof expected - 100;
  CHECK_EQ(mkdir("below", 0700), 0);
  CHECK_EQ(uv_cwd(expected, &size), 0);
  expected[size] = expected[0] == '/' ? '/' : '\\';
  strcpy(expected + size + 1, "below");
  prepare_helper("process_act", "say where");
  options.cwd = "below";
  CHECK_STR(run_and_read(), expected);
}

static void on_exit_after_output(uv_process_t *self, int64_t status, int signal) {
  CHECK_STR(output, "last words");
  on_exit_close(self, status, signal);
}

/* Fifty children; fewer on a machine that takes long for each. */
TEST(process_last_words_come_before_its_end) {
  uint64_t begin_ns = uv_hrtime();
  int i;
  for (i = 0; i < 50 && (i < 8 || uv_hrtime() - begin_ns < 10000000000u); i++) {
    uv_pipe_t out;
    output_length = 0;
    output[0] = '\0';
    prepare_helper("process_act", "say last words");
    options.exit_cb = on_exit_after_output;
    prepare_pipe(1, &out, UV_WRITABLE_PIPE);
    CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
    CHECK_EQ(uv_read_start((uv_stream_t *)&out, on_alloc, on_read), 0);
    uv_sleep((unsigned int)i % 4);
    CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  }
  CHECK_EQ(exit_calls, i);
  test_close_default_loop();
}

TEST(process_without_reference_lets_the_loop_end) {
  prepare_helper("process_act", "sleep");
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
  uv_unref((uv_handle_t *)&process);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(exit_calls, 0);
  CHECK_EQ(uv_process_kill(&process, SIGKILL), 0);
  uv_ref((uv_handle_t *)&process);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(exit_calls, 1);
  test_close_default_loop();
}

enum { SPAWNERS = 4, CHILDREN = 25 };

struct spawner {
  uv_loop_t loop;
  uv_process_t children[CHILDREN];
  bool ended[CHILDREN];
};

static void on_one_of_many(uv_process_t *self, int64_t status, int signal) {
  struct spawner *spawner = self->data;
  int number = (int)(self - spawner->children);
  CHECK_EQ(signal, 0);
  CHECK_EQ(status, number);
  CHECK(!spawner->ended[number]);
  spawner->ended[number] = true;
  uv_close((uv_handle_t *)self, NULL);
}

static void spawn_many(void *unused) {
  struct spawner *spawner = calloc(1, sizeof *spawner);
  (void)unused;
  CHECK_EQ(uv_loop_init(&spawner->loop), 0);
  for (int i = 0; i < CHILDREN; i++) {
    char act[20];
    char *args[] = {(char *)test_program(), "--helper", "process_act", act, NULL};
    uv_process_options_t many = {.file = test_program(), .args = args, .exit_cb = on_one_of_many};
    snprintf(act, sizeof act, "exit %d", i);
    spawner->children[i].data = spawner;
    CHECK_EQ(uv_spawn(&spawner->loop, &spawner->children[i], &many), 0);
  }
  CHECK_EQ(uv_run(&spawner->loop, UV_RUN_DEFAULT), 0);
  for (int i = 0; i < CHILDREN; i++)
    CHECK(spawner->ended[i]);
  CHECK_EQ(uv_loop_close(&spawner->loop), 0);
  free(spawner);
}

TEST(process_many_from_many_threads) {
  uv_thread_t threads[SPAWNERS];
  int before = test_count_descriptors();
  for (int i = 0; i < SPAWNERS; i++)
    CHECK_EQ(uv_thread_create(&threads[i], spawn_many, NULL), 0);
  for (int i = 0; i < SPAWNERS; i++)
    uv_thread_join(&threads[i]);
  CHECK(test_count_descriptors() <= before + 4); /* what a library keeps for the process */
}
