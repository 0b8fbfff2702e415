/* The life of the pool: it ends with the process. In a forked child, and with the library: the file _unix beside this
 * one. */
#include "system.h"

#include <unistd.h>

static void nothing(uv_work_t *work) {
  (void)work;
}

static void count_done(uv_work_t *work, int status) {
  CHECK_EQ(status, 0);
  ++*(int *)work->data;
}

static void use_pool(uv_loop_t *loop) {
  uv_work_t works[3];
  int done = 0;
  for (int i = 0; i < 3; i++) {
    works[i].data = &done;
    CHECK_EQ(uv_queue_work(loop, &works[i], nothing, count_done), 0);
  }
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(done, 3);
}

/* ---- the end of the process ---- */

enum { JOBS = 10 };

static void write_point(uv_work_t *work) {
  (void)work;
  uv_sleep(10);
  CHECK_EQ(write(1, ".", 1), 1);
}

static void queue_points(void) {
  static uv_work_t works[JOBS];
  set_variable("UV_THREADPOOL_SIZE", "2");
  for (int i = 0; i < JOBS; i++)
    CHECK_EQ(uv_queue_work(uv_default_loop(), &works[i], write_point, NULL), 0);
}

HELPER(ends_with_jobs) {
  queue_points();
  return 0;
}

HELPER(is_shut_down_with_jobs) {
  queue_points();
  uv_library_shutdown();
  CHECK_EQ(write(1, "!", 1), 1);
  return 0;
}

static bool is_over;

static void on_end(uv_process_t *process, int64_t status, int signal) {
  CHECK_EQ(status, 0);
  CHECK_EQ(signal, 0);
  is_over = true;
  uv_close((uv_handle_t *)process, NULL);
}

/* What a helper wrote before it ended well. */
static const char *output_of(const char *helper) {
  static char text[100];
  char *arguments[] = {(char *)test_program(), "--helper", (char *)helper, NULL};
  uv_file fds[2];
  uv_process_t process;
  uv_stdio_container_t stdio[3] = {{.flags = UV_IGNORE}, {.flags = UV_INHERIT_FD}, {.flags = UV_INHERIT_FD}};
  uv_process_options_t options = {
      .file = test_program(), .args = arguments, .exit_cb = on_end, .stdio = stdio, .stdio_count = 3};
  make_pipe(fds);
  stdio[1].data.fd = fds[1];
  stdio[2].data.fd = 2;
  CHECK_EQ(uv_spawn(uv_default_loop(), &process, &options), 0);
  close(fds[1]);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK(is_over);
  text[read(fds[0], text, sizeof text - 1)] = '\0';
  close(fds[0]);
  test_close_default_loop();
  return text;
}

TEST(pool_jobs_are_done_before_the_process_ends) {
  CHECK_STR(output_of("ends_with_jobs"), "..........");
}

TEST(pool_jobs_are_done_before_the_library_is_shut_down) {
  CHECK_STR(output_of("is_shut_down_with_jobs"), "..........!");
}

TEST(pool_default_loop_can_be_closed_after_the_library_was_shut_down) {
  uv_loop_t *loop = uv_default_loop();
  use_pool(loop);
  uv_library_shutdown();
  CHECK_EQ(uv_loop_close(loop), 0);
}
