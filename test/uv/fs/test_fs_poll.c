/* Watching a path by polling it. */
#include "test_fs.h"

static uv_fs_poll_t handle;
static uv_timer_t timer;
static int call_count, close_count;

static void on_close(uv_handle_t *closed) {
  (void)closed;
  close_count++;
}

static int is_empty(const uv_stat_t *stat) {
  static const uv_stat_t nothing;
  return memcmp(stat, &nothing, sizeof(nothing)) == 0;
}

static void unreachable(uv_fs_poll_t *polled, int status, const uv_stat_t *before, const uv_stat_t *now) {
  (void)polled, (void)status, (void)before, (void)now;
  CHECK(!"called");
}

/* From nothing to a file, to another content, to nothing again. */
static void on_story(uv_fs_poll_t *polled, int status, const uv_stat_t *before, const uv_stat_t *now) {
  CHECK(polled == &handle);
  CHECK_EQ(uv_is_active((uv_handle_t *)polled), 1);
  switch (call_count++) {
  case 0:
    CHECK_EQ(status, UV_ENOENT);
    CHECK(is_empty(before) && is_empty(now));
    fs_make("f", "1");
    break;
  case 1:
    CHECK_EQ(status, 0);
    CHECK(is_empty(before));
    CHECK_EQ(now->st_size, 1);
    fs_make("f", "22");
    break;
  case 2:
    CHECK_EQ(status, 0);
    CHECK_EQ(before->st_size, 1);
    CHECK_EQ(now->st_size, 2);
    CHECK_EQ(unlink("f"), 0);
    break;
  case 3:
    CHECK_EQ(status, UV_ENOENT);
    CHECK_EQ(before->st_size, 2);
    CHECK(is_empty(now));
    CHECK_EQ(mkdir("f", 0700), 0);
    break;
  case 4:
    CHECK_EQ(status, 0);
    CHECK_EQ(before->st_size, 2);
    CHECK(S_ISDIR(now->st_mode));
    uv_close((uv_handle_t *)polled, on_close);
    break;
  default:
    CHECK(!"called");
  }
}

TEST(fs_poll_tells_the_story_of_a_path) {
  CHECK_EQ(uv_fs_poll_init(uv_default_loop(), &handle), 0);
  CHECK_EQ(uv_is_active((uv_handle_t *)&handle), 0);
  CHECK_EQ(uv_fs_poll_start(&handle, on_story, "f", 20), 0);
  CHECK_EQ(uv_is_active((uv_handle_t *)&handle), 1);
  CHECK_EQ(uv_fs_poll_start(&handle, unreachable, "g", 20), 0); /* started already: it stays as it is */
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(call_count, 5);
  CHECK_EQ(close_count, 1);
  test_close_default_loop();
}

static void on_end(uv_timer_t *fired) {
  uv_close((uv_handle_t *)fired, NULL);
  uv_close((uv_handle_t *)&handle, on_close);
}

TEST(fs_poll_of_what_does_not_change_says_nothing) {
  fs_make("f", "x");
  CHECK_EQ(uv_fs_poll_init(uv_default_loop(), &handle), 0);
  CHECK_EQ(uv_fs_poll_start(&handle, unreachable, "f", 5), 0);
  CHECK_EQ(uv_timer_init(uv_default_loop(), &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, on_end, 60, 0), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(close_count, 1);
  test_close_default_loop();
}

static void on_error(uv_fs_poll_t *polled, int status, const uv_stat_t *before, const uv_stat_t *now) {
  (void)polled, (void)before, (void)now;
  /* First not there, then below something that is not a directory. */
  CHECK_EQ(status, call_count == 0 ? UV_ENOENT : UV_ENOTDIR);
  if (call_count++ == 0)
    fs_make("d", "");
  else
    CHECK_EQ(uv_timer_start(&timer, on_end, 60, 0), 0); /* time enough for telling it again */
}

TEST(fs_poll_tells_each_error_once) {
  CHECK_EQ(uv_fs_poll_init(uv_default_loop(), &handle), 0);
  CHECK_EQ(uv_fs_poll_start(&handle, on_error, "d/f", 5), 0);
  CHECK_EQ(uv_timer_init(uv_default_loop(), &timer), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(call_count, 2);
  test_close_default_loop();
}

TEST(fs_poll_getpath) {
  char buffer[16];
  size_t size = sizeof(buffer);
  CHECK_EQ(uv_fs_poll_init(uv_default_loop(), &handle), 0);
  CHECK_EQ(uv_fs_poll_getpath(&handle, buffer, &size), UV_EINVAL);
  CHECK_EQ(uv_fs_poll_start(&handle, unreachable, "a/path", 100), 0);
  size = 6;
  CHECK_EQ(uv_fs_poll_getpath(&handle, buffer, &size), UV_ENOBUFS);
  CHECK_EQ(size, 7);
  CHECK_EQ(uv_fs_poll_getpath(&handle, buffer, &size), 0);
  CHECK_EQ(size, 6);
  CHECK_STR(buffer, "a/path");
  CHECK_EQ(uv_fs_poll_stop(&handle), 0);
  size = sizeof(buffer);
  CHECK_EQ(uv_fs_poll_getpath(&handle, buffer, &size), UV_EINVAL);
  uv_close((uv_handle_t *)&handle, on_close);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  test_close_default_loop();
}

/* A running stat cannot be cancelled: the close callback waits for it. */
TEST(fs_poll_close_while_it_looks) {
  uv_loop_t loop;
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK_EQ(uv_fs_poll_init(&loop, &handle), 0);
  CHECK_EQ(uv_fs_poll_start(&handle, unreachable, "f", 10), 0);
  uv_close((uv_handle_t *)&handle, on_close);
  CHECK_EQ(uv_is_active((uv_handle_t *)&handle), 0);
  CHECK_EQ(close_count, 0);
  while (close_count == 0)
    uv_run(&loop, UV_RUN_ONCE);
  CHECK_EQ(uv_loop_close(&loop), 0);
}

TEST(fs_poll_close_while_it_waits) {
  uv_loop_t loop;
  fs_make("f", "");
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK_EQ(uv_fs_poll_init(&loop, &handle), 0);
  CHECK_EQ(uv_fs_poll_start(&handle, unreachable, "f", 100000), 0);
  uv_run(&loop, UV_RUN_ONCE);
  uv_close((uv_handle_t *)&handle, on_close);
  while (close_count == 0)
    uv_run(&loop, UV_RUN_ONCE);
  CHECK_EQ(uv_loop_close(&loop), 0);
}

TEST(fs_poll_stop_and_start_again_and_again) {
  uv_loop_t loop;
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK_EQ(uv_fs_poll_init(&loop, &handle), 0);
  for (int i = 0; i < 10; i++) {
    CHECK_EQ(uv_fs_poll_stop(&handle), 0);
    CHECK_EQ(uv_fs_poll_start(&handle, unreachable, "f", 100), 0);
    CHECK_EQ(uv_fs_poll_stop(&handle), 0);
    CHECK_EQ(uv_fs_poll_stop(&handle), 0);
    if (i % 3 == 0)
      uv_run(&loop, UV_RUN_NOWAIT);
  }
  CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(uv_fs_poll_start(&handle, unreachable, "f", 100), 0);
  uv_close((uv_handle_t *)&handle, on_close);
  CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(close_count, 1);
  CHECK_EQ(uv_loop_close(&loop), 0);
}

static void on_second(uv_fs_poll_t *polled, int status, const uv_stat_t *before, const uv_stat_t *now) {
  (void)before, (void)now;
  CHECK_EQ(status, UV_ENOENT);
  call_count++;
  uv_close((uv_handle_t *)polled, on_close);
}

static void on_first(uv_fs_poll_t *polled, int status, const uv_stat_t *before, const uv_stat_t *now) {
  (void)before, (void)now;
  CHECK_EQ(status, UV_ENOENT);
  call_count++;
  CHECK_EQ(uv_fs_poll_stop(polled), 0);
  CHECK_EQ(uv_fs_poll_start(polled, on_second, "g", 10), 0);
}

TEST(fs_poll_callback_may_start_anew) {
  CHECK_EQ(uv_fs_poll_init(uv_default_loop(), &handle), 0);
  CHECK_EQ(uv_fs_poll_start(&handle, on_first, "f", 10), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(call_count, 2);
  CHECK_EQ(close_count, 1);
  test_close_default_loop();
}

static void on_walk(uv_handle_t *walked, void *arg) {
  CHECK(walked == (uv_handle_t *)&handle);
  (*(int *)arg)++;
}

TEST(fs_poll_shows_nothing_but_itself) {
  int seen = 0;
  CHECK_EQ(uv_fs_poll_init(uv_default_loop(), &handle), 0);
  CHECK_EQ(uv_fs_poll_start(&handle, unreachable, ".", 100), 0);
  uv_walk(uv_default_loop(), on_walk, &seen);
  CHECK_EQ(seen, 1);
  uv_unref((uv_handle_t *)&handle);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0); /* the first look, and no more */
  uv_close((uv_handle_t *)&handle, on_close);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(close_count, 1);
  test_close_default_loop();
}
