/* Files without memory: each allocation fails in turn, the call returns the error, and nothing is lost. */
#include "test_fs.h"

static int countdown = -1; /* allocations that still succeed; below 0: all do */
static long live;

static int may_have(void) {
  return countdown < 0 || countdown-- > 0;
}

static void *test_malloc(size_t size) {
  if (!may_have())
    return NULL;
  live++;
  return malloc(size);
}

static void *test_calloc(size_t count, size_t size) {
  if (!may_have())
    return NULL;
  live++;
  return calloc(count, size);
}

static void *test_realloc(void *pointer, size_t size) {
  if (!may_have())
    return NULL;
  if (pointer == NULL)
    live++;
  return realloc(pointer, size);
}

static void test_free(void *pointer) {
  if (pointer != NULL)
    live--;
  free(pointer);
}

static int do_scandir(void) {
  uv_fs_t req;
  int result = uv_fs_scandir(NULL, &req, "d", 0, NULL);
  uv_fs_req_cleanup(&req);
  return result;
}

static int do_readdir(void) {
  uv_dirent_t entries[100];
  uv_fs_t req;
  int result = uv_fs_opendir(NULL, &req, "d", NULL);
  if (result < 0)
    return result;
  uv_dir_t *dir = req.ptr;
  dir->dirents = entries;
  dir->nentries = 100;
  int total = 0;
  do {
    result = uv_fs_readdir(NULL, &req, dir, NULL);
    uv_fs_req_cleanup(&req);
    if (result == UV_ENOMEM) { /* later there is memory again, and the stream continues where it was */
      countdown = -1;
      continue;
    }
    total += result;
  } while (result != 0);
  CHECK_EQ(uv_fs_closedir(NULL, &req, dir, NULL), 0);
  CHECK_EQ(total, 50);
  return 0;
}

static int do_readlink(void) {
  uv_fs_t req;
  int result = uv_fs_readlink(NULL, &req, "l", NULL);
  uv_fs_req_cleanup(&req);
  return result;
}

static int do_realpath(void) {
  uv_fs_t req;
  int result = uv_fs_realpath(NULL, &req, "d", NULL);
  uv_fs_req_cleanup(&req);
  return result;
}

static int do_statfs(void) {
  uv_fs_t req;
  int result = uv_fs_statfs(NULL, &req, "d", NULL);
  uv_fs_req_cleanup(&req);
  return result;
}

static int do_mkdtemp(void) {
  uv_fs_t req;
  int result = uv_fs_mkdtemp(NULL, &req, "XXXXXX", NULL);
  uv_fs_req_cleanup(&req);
  return result;
}

static int do_write(void) {
  uv_buf_t bufs[5] = {{0}};
  uv_fs_t req;
  int result = uv_fs_write(uv_default_loop(), &req, STDOUT_FILENO, bufs, 5, -1, fs_done);
  if (result == 0)
    result = (int)fs_wait(0, &req);
  uv_fs_req_cleanup(&req);
  return result;
}

static int do_rename(void) {
  uv_fs_t req;
  int result = uv_fs_rename(uv_default_loop(), &req, "d", "d", fs_done);
  if (result == 0)
    result = (int)fs_wait(0, &req);
  uv_fs_req_cleanup(&req);
  return result;
}

static int do_scandir_later(void) {
  uv_fs_t req;
  int result = uv_fs_scandir(uv_default_loop(), &req, "d", 0, fs_done);
  if (result == 0)
    result = (int)fs_wait(0, &req);
  uv_fs_req_cleanup(&req);
  return result;
}

static void on_event(uv_fs_event_t *handle, const char *filename, int events, int status) {
  (void)handle, (void)filename, (void)events, (void)status;
}

static int do_event(void) {
  uv_fs_event_t handle;
  CHECK_EQ(uv_fs_event_init(uv_default_loop(), &handle), 0);
  int result = uv_fs_event_start(&handle, on_event, "d", 0);
  CHECK_EQ(uv_is_active((uv_handle_t *)&handle), result == 0);
  uv_close((uv_handle_t *)&handle, NULL);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  return result;
}

static void on_poll(uv_fs_poll_t *handle, int status, const uv_stat_t *before, const uv_stat_t *now) {
  (void)handle, (void)status, (void)before, (void)now;
}

static int do_poll(void) {
  uv_fs_poll_t handle;
  CHECK_EQ(uv_fs_poll_init(uv_default_loop(), &handle), 0);
  int result = uv_fs_poll_start(&handle, on_poll, "d", 10);
  CHECK_EQ(uv_is_active((uv_handle_t *)&handle), result == 0);
  uv_close((uv_handle_t *)&handle, NULL);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  return result;
}

static void fail_each(int (*call)(void)) {
  int result, failures = 0;
  long before = live;
  int descriptors = test_count_descriptors();
  for (int i = 0;; i++) {
    CHECK(i < 100);
    countdown = i;
    result = call();
    int ran_out = countdown == 0;
    countdown = -1;
    if (result != UV_ENOMEM)
      CHECK(result >= 0);
    failures += result == UV_ENOMEM;
    if (result >= 0 && !ran_out)
      break;
    if (result == UV_ENOMEM) {
      CHECK_EQ(live, before);
      CHECK_EQ(test_count_descriptors(), descriptors);
    } else {
      before = live;
      descriptors = test_count_descriptors();
    }
  }
  CHECK(failures > 0 || call == do_readdir);
}

static void prepare(void) {
  char name[32];
  uv_fs_t req;
  CHECK_EQ(uv_replace_allocator(test_malloc, test_realloc, test_calloc, test_free), 0);
  CHECK_EQ(mkdir("d", 0700), 0);
  for (int i = 0; i < 50; i++) {
    snprintf(name, sizeof(name), "d/%d", i);
    fs_make(name, "");
  }
  /* The threads and their memory exist before anything is counted. */
  CHECK_EQ(fs_wait(uv_fs_stat(uv_default_loop(), &req, ".", fs_done), &req), 0);
  uv_fs_req_cleanup(&req);
}

TEST(fs_without_memory_fails_and_loses_nothing) {
  prepare();
  fail_each(do_scandir);
  fail_each(do_readdir);
  fail_each(do_realpath);
  fail_each(do_statfs);
  fail_each(do_mkdtemp);
  fail_each(do_write);
  fail_each(do_rename);
  fail_each(do_scandir_later);
  test_close_default_loop();
}

TEST(fs_readlink_without_memory_fails_and_loses_nothing) {
  static char target[600];
  memset(target, 'x', sizeof(target) - 1);
  make_link(target, "l");
  prepare();
  fail_each(do_readlink);
  test_close_default_loop();
}

TEST(fs_watching_without_memory_fails_and_loses_nothing) {
  prepare();
  /* Memory that the loop keeps for all its handles, from the first start on. */
  for (int i = 0; i < 4; i++) {
    countdown = i;
    do_event();
    countdown = -1;
  }
  CHECK_EQ(do_event(), 0);
  fail_each(do_event);
  fail_each(do_poll);
  test_close_default_loop();
}
