/* Watching a path through the kernel. */
#include "test_fs.h"

static uv_fs_event_t handle;
static uv_timer_t timer;
static int event_count, close_count;
static int last_events;
static char last_name[256];

static void on_close(uv_handle_t *closed) {
  (void)closed;
  close_count++;
}

static void note(const char *filename, int events, int status) {
  CHECK_EQ(status, 0);
  CHECK(filename != NULL);
  snprintf(last_name, sizeof(last_name), "%s", filename);
  last_events = events;
  event_count++;
}

static void on_event(uv_fs_event_t *watched, const char *filename, int events, int status) {
  CHECK_EQ(uv_is_active((uv_handle_t *)watched), 1);
  note(filename, events, status);
}

static void on_event_close(uv_fs_event_t *watched, const char *filename, int events, int status) {
  note(filename, events, status);
  uv_close((uv_handle_t *)watched, on_close);
}

static void on_event_stop(uv_fs_event_t *watched, const char *filename, int events, int status) {
  note(filename, events, status);
  CHECK_EQ(uv_fs_event_stop(watched), 0);
  CHECK_EQ(uv_is_active((uv_handle_t *)watched), 0);
}

static void unreachable(uv_fs_event_t *watched, const char *filename, int events, int status) {
  (void)watched, (void)filename, (void)events, (void)status;
  CHECK(!"called");
}

static void append(const char *path) {
  int fd = open(path, O_WRONLY | O_APPEND);
  CHECK(fd >= 0);
  CHECK_EQ(write(fd, "x", 1), 1);
  close(fd);
}

/* One iteration of the loop reports all events that have happened. */
static void run_once(void) {
  uv_run(uv_default_loop(), UV_RUN_NOWAIT);
}

static void finish(void) {
  uv_close((uv_handle_t *)&handle, on_close);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(close_count, 1);
  test_close_default_loop();
}

TEST(fs_event_of_a_directory_names_the_entry) {
  CHECK_EQ(mkdir("d", 0700), 0);
  CHECK_EQ(uv_fs_event_init(uv_default_loop(), &handle), 0);
  CHECK_EQ(uv_is_active((uv_handle_t *)&handle), 0);
  CHECK_EQ(uv_fs_event_start(&handle, on_event, "d", 0), 0);
  CHECK_EQ(uv_is_active((uv_handle_t *)&handle), 1);

  close(open("d/new", O_CREAT | O_WRONLY, 0600));
  run_once();
  CHECK_EQ(event_count, 1);
  CHECK_STR(last_name, "new");
  CHECK_EQ(last_events, UV_RENAME);

  append("d/new");
  run_once();
  CHECK_EQ(event_count, 2);
  CHECK_STR(last_name, "new");
  CHECK_EQ(last_events, UV_CHANGE);

  CHECK_EQ(chmod("d/new", 0644), 0);
  run_once();
  CHECK_EQ(event_count, 3);
  CHECK_EQ(last_events, UV_CHANGE);

  CHECK_EQ(rename("d/new", "d/other"), 0);
  run_once();
  CHECK_EQ(event_count, 5);
  CHECK_STR(last_name, "other");
  CHECK_EQ(last_events, UV_RENAME);

  CHECK_EQ(unlink("d/other"), 0);
  run_once();
  CHECK_EQ(event_count, 6);
  CHECK_EQ(last_events, UV_RENAME);

  CHECK_EQ(chmod("d", 0755), 0);
  run_once();
  CHECK_EQ(event_count, 7);
  CHECK_STR(last_name, "d");
  CHECK_EQ(last_events, UV_CHANGE | UV_RENAME); /* an event of a directory itself counts as both */
  finish();
}

TEST(fs_event_of_a_file_names_the_file) {
  CHECK_EQ(mkdir("d", 0700), 0);
  fs_make("d/f.js", "");
  fs_make("d/f.jsx", "");
  CHECK_EQ(uv_fs_event_init(uv_default_loop(), &handle), 0);
  CHECK_EQ(uv_fs_event_start(&handle, on_event, "d/f.jsx", 0), 0);
  append("d/f.js");
  run_once();
  CHECK_EQ(event_count, 0);
  append("d/f.jsx");
  run_once();
  CHECK_EQ(event_count, 1);
  CHECK_STR(last_name, "f.jsx");
  CHECK_EQ(last_events, UV_CHANGE);

  CHECK_EQ(rename("d/f.jsx", "d/g"), 0);
  run_once();
  CHECK_EQ(event_count, 2);
  CHECK_STR(last_name, "f.jsx");
  CHECK_EQ(last_events, UV_RENAME);

  /* The number of links changes, the file goes, and the watch with it. */
  CHECK_EQ(unlink("d/g"), 0);
  run_once();
  CHECK_EQ(event_count, 5);
  CHECK_EQ(last_events, UV_RENAME);
  CHECK_EQ(uv_is_active((uv_handle_t *)&handle), 1);
  CHECK_EQ(uv_fs_event_stop(&handle), 0);
  finish();
}

static void remove_directory(uv_timer_t *started) {
  CHECK_EQ(rmdir((const char *)started->data), 0);
  uv_close((uv_handle_t *)started, NULL);
}

/* The loop waits without a limit: the removal itself must wake it. */
static void expect_removal_of(const char *path, const char *name) {
  CHECK_EQ(uv_timer_init(uv_default_loop(), &timer), 0);
  timer.data = (void *)path;
  CHECK_EQ(uv_timer_start(&timer, remove_directory, 20, 0), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(close_count, 1);
  CHECK_STR(last_name, name);
  test_close_default_loop();
}

TEST(fs_event_of_a_removed_directory) {
  CHECK_EQ(mkdir("d", 0700), 0);
  CHECK_EQ(uv_fs_event_init(uv_default_loop(), &handle), 0);
  CHECK_EQ(uv_fs_event_start(&handle, on_event_close, "d", 0), 0);
  expect_removal_of("d", "d");
}

static void on_event_close_if_gone(uv_fs_event_t *watched, const char *filename, int events, int status) {
  note(filename, events, status);
  if (access("e/d", F_OK) != 0)
    uv_close((uv_handle_t *)watched, on_close);
}

TEST(fs_event_of_a_directory_that_is_moved_and_removed) {
  CHECK_EQ(mkdir("d", 0700), 0);
  CHECK_EQ(mkdir("e", 0700), 0);
  CHECK_EQ(uv_fs_event_init(uv_default_loop(), &handle), 0);
  CHECK_EQ(uv_fs_event_start(&handle, on_event_close_if_gone, "d", 0), 0);
  CHECK_EQ(rename("d", "e/d"), 0);
  while (event_count == 0)
    uv_run(uv_default_loop(), UV_RUN_ONCE);
  CHECK_EQ(last_events, UV_RENAME);
  expect_removal_of("e/d", "d");
}

TEST(fs_event_wakes_a_loop_that_waits) {
  static const char path[] = "f";
  fs_make(path, "");
  CHECK_EQ(uv_fs_event_init(uv_default_loop(), &handle), 0);
  CHECK_EQ(uv_fs_event_start(&handle, on_event_close, path, 0), 0);
  append(path);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(event_count, 1);
  CHECK_EQ(close_count, 1);
  test_close_default_loop();
}

TEST(fs_event_start_fails_and_leaves_the_handle_stopped) {
  CHECK_EQ(uv_fs_event_init(uv_default_loop(), &handle), 0);
  CHECK_EQ(uv_fs_event_start(&handle, unreachable, "nothing", 0), UV_ENOENT);
  CHECK_EQ(uv_is_active((uv_handle_t *)&handle), 0);
  CHECK_EQ(uv_fs_event_start(&handle, unreachable, "", 0), UV_ENOENT);
  CHECK_EQ(uv_fs_event_stop(&handle), 0);
  CHECK_EQ(uv_fs_event_start(&handle, unreachable, ".", 0), 0);
  CHECK_EQ(uv_fs_event_start(&handle, unreachable, ".", 0), UV_EINVAL);
  CHECK_EQ(uv_fs_event_stop(&handle), 0);
  CHECK_EQ(uv_fs_event_stop(&handle), 0);
  CHECK_EQ(uv_fs_event_start(&handle, unreachable, ".", 0), 0);
  finish();
}

TEST(fs_event_getpath) {
  static const char *const paths[] = {"d", "d/", "d///", "d/e/..", "d//e//..//"};
  char buffer[64];
  size_t size;
  CHECK_EQ(mkdir("d", 0700), 0);
  CHECK_EQ(mkdir("d/e", 0700), 0);
  CHECK_EQ(uv_fs_event_init(uv_default_loop(), &handle), 0);
  size = sizeof(buffer);
  CHECK_EQ(uv_fs_event_getpath(&handle, buffer, &size), UV_EINVAL);
  for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
    CHECK_EQ(uv_fs_event_start(&handle, unreachable, paths[i], 0), 0);
    size = strlen(paths[i]);
    CHECK_EQ(uv_fs_event_getpath(&handle, buffer, &size), UV_ENOBUFS);
    CHECK_EQ(size, strlen(paths[i]) + 1);
    CHECK_EQ(uv_fs_event_getpath(&handle, buffer, &size), 0);
    CHECK_EQ(size, strlen(paths[i]));
    CHECK_STR(buffer, paths[i]);
    CHECK_EQ(uv_fs_event_stop(&handle), 0);
  }
  finish();
}

TEST(fs_event_says_nothing_after_stop_or_close) {
  uv_fs_event_t other;
  fs_make("f", "");
  CHECK_EQ(uv_fs_event_init(uv_default_loop(), &handle), 0);
  CHECK_EQ(uv_fs_event_init(uv_default_loop(), &other), 0);
  CHECK_EQ(uv_fs_event_start(&handle, unreachable, "f", 0), 0);
  CHECK_EQ(uv_fs_event_start(&other, unreachable, ".", 0), 0);
  append("f");
  CHECK_EQ(uv_fs_event_stop(&handle), 0);
  uv_close((uv_handle_t *)&other, NULL);
  append("f");
  run_once();
  finish();
}

TEST(fs_event_callback_may_stop_its_handle) {
  fs_make("f", "");
  CHECK_EQ(uv_fs_event_init(uv_default_loop(), &handle), 0);
  CHECK_EQ(uv_fs_event_start(&handle, on_event_stop, "f", 0), 0);
  append("f");
  CHECK_EQ(chmod("f", 0644), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(event_count, 1);
  CHECK_EQ(uv_fs_event_start(&handle, on_event_stop, "f", 0), 0);
  append("f");
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(event_count, 2);
  finish();
}

TEST(fs_event_handles_of_one_file_are_all_told) {
  uv_fs_event_t others[3];
  fs_make("f", "");
  CHECK_EQ(uv_fs_event_init(uv_default_loop(), &handle), 0);
  CHECK_EQ(uv_fs_event_start(&handle, on_event, "f", 0), 0);
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(uv_fs_event_init(uv_default_loop(), &others[i]), 0);
    CHECK_EQ(uv_fs_event_start(&others[i], on_event, "f", 0), 0);
  }
  append("f");
  run_once();
  CHECK_EQ(event_count, 4);
  CHECK_EQ(uv_fs_event_stop(&handle), 0);
  uv_close((uv_handle_t *)&others[1], NULL);
  append("f");
  run_once();
  CHECK_EQ(event_count, 6);
  uv_close((uv_handle_t *)&others[0], NULL);
  uv_close((uv_handle_t *)&others[2], NULL);
  append("f");
  run_once();
  CHECK_EQ(event_count, 6);
  finish();
}

static uv_fs_event_t group[4];

static void on_event_close_group(uv_fs_event_t *watched, const char *filename, int events, int status) {
  (void)watched;
  note(filename, events, status);
  for (int i = 0; i < 4; i++)
    uv_close((uv_handle_t *)&group[i], on_close);
}

/* The first one to be called closes all handles, itself and those not called yet. */
TEST(fs_event_callback_may_close_all_handles_of_the_file) {
  fs_make("f", "");
  for (int i = 0; i < 4; i++) {
    CHECK_EQ(uv_fs_event_init(uv_default_loop(), &group[i]), 0);
    CHECK_EQ(uv_fs_event_start(&group[i], on_event_close_group, "f", 0), 0);
  }
  append("f");
  CHECK_EQ(chmod("f", 0640), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(event_count, 1);
  CHECK_EQ(close_count, 4);
  test_close_default_loop();
}

static void on_event_restart(uv_fs_event_t *watched, const char *filename, int events, int status) {
  note(filename, events, status);
  CHECK_EQ(uv_fs_event_stop(watched), 0);
  CHECK_EQ(uv_fs_event_start(watched, on_event_restart, "f", 0), 0);
  CHECK_EQ(uv_fs_event_start(&group[0], on_event, "f", 0), event_count == 1 ? 0 : UV_EINVAL);
}

TEST(fs_event_callback_may_start_handles_on_the_same_file) {
  fs_make("f", "");
  CHECK_EQ(uv_fs_event_init(uv_default_loop(), &handle), 0);
  CHECK_EQ(uv_fs_event_init(uv_default_loop(), &group[0]), 0);
  CHECK_EQ(uv_fs_event_start(&handle, on_event_restart, "f", 0), 0);
  append("f");
  run_once();
  CHECK_EQ(event_count, 1); /* a handle that is started during an event does not get it */
  append("f");
  run_once();
  CHECK_EQ(event_count, 3);
  uv_close((uv_handle_t *)&group[0], NULL);
  finish();
}

static void on_timer(uv_timer_t *fired) {
  append("d/f");
  uv_close((uv_handle_t *)fired, NULL);
}

TEST(fs_event_many_watches) {
  enum { COUNT = 200 };
  static uv_fs_event_t handles[COUNT];
  char name[32];
  CHECK_EQ(mkdir("d", 0700), 0);
  for (int i = 0; i < COUNT; i++) {
    snprintf(name, sizeof(name), "d/%d", i);
    fs_make(name, "");
    CHECK_EQ(uv_fs_event_init(uv_default_loop(), &handles[i]), 0);
    CHECK_EQ(uv_fs_event_start(&handles[i], on_event_close, name, 0), 0);
  }
  for (int i = 0; i < COUNT; i++) {
    snprintf(name, sizeof(name), "d/%d", i);
    append(name);
  }
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(event_count, COUNT);
  CHECK_EQ(close_count, COUNT);
  test_close_default_loop();
}

TEST(fs_event_descriptor_goes_with_the_loop) {
  uv_loop_t loop;
  CHECK_EQ(uv_loop_init(&loop), 0); /* memory that the process keeps is allocated after the first */
  CHECK_EQ(uv_loop_close(&loop), 0);
  int before = test_count_descriptors();
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK_EQ(uv_fs_event_init(&loop, &handle), 0);
  CHECK_EQ(uv_fs_event_start(&handle, unreachable, ".", 0), 0);
  uv_close((uv_handle_t *)&handle, on_close);
  CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(uv_loop_close(&loop), 0);
  CHECK_EQ(test_count_descriptors(), before);
}

TEST(fs_event_unreferenced_does_not_keep_the_loop) {
  CHECK_EQ(uv_fs_event_init(uv_default_loop(), &handle), 0);
  CHECK_EQ(uv_fs_event_start(&handle, unreachable, ".", 0), 0);
  uv_unref((uv_handle_t *)&handle);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  finish();
}

TEST(fs_event_comes_while_a_timer_runs) {
  CHECK_EQ(mkdir("d", 0700), 0);
  fs_make("d/f", "");
  CHECK_EQ(uv_fs_event_init(uv_default_loop(), &handle), 0);
  CHECK_EQ(uv_fs_event_start(&handle, on_event_close, "d", 0), 0);
  CHECK_EQ(uv_timer_init(uv_default_loop(), &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, on_timer, 10, 0), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(event_count, 1);
  CHECK_STR(last_name, "f");
  test_close_default_loop();
}
