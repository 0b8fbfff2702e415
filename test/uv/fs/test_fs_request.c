/* What all file requests share: arguments, life, order, cancellation. */
#include "test_fs.h"

TEST(fs_without_a_request_is_einval) {
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(uv_fs_open(loop, NULL, "f", 0, 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_close(loop, NULL, 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_read(loop, NULL, 0, NULL, 0, -1, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_write(loop, NULL, 0, NULL, 0, -1, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_fsync(loop, NULL, 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_fdatasync(loop, NULL, 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_ftruncate(loop, NULL, 0, 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_sendfile(loop, NULL, 0, 0, 0, 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_copyfile(loop, NULL, "f", "g", 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_unlink(loop, NULL, "f", NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_rename(loop, NULL, "f", "g", NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_link(loop, NULL, "f", "g", NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_symlink(loop, NULL, "f", "g", 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_readlink(loop, NULL, "f", NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_realpath(loop, NULL, "f", NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_mkdir(loop, NULL, "f", 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_rmdir(loop, NULL, "f", NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_mkdtemp(loop, NULL, "XXXXXX", NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_mkstemp(loop, NULL, "XXXXXX", NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_scandir(loop, NULL, "f", 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_opendir(loop, NULL, "f", NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_readdir(loop, NULL, NULL, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_closedir(loop, NULL, NULL, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_stat(loop, NULL, "f", NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_lstat(loop, NULL, "f", NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_fstat(loop, NULL, 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_statfs(loop, NULL, "f", NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_access(loop, NULL, "f", 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_chmod(loop, NULL, "f", 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_fchmod(loop, NULL, 0, 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_chown(loop, NULL, "f", 0, 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_fchown(loop, NULL, 0, 0, 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_lchown(loop, NULL, "f", 0, 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_utime(loop, NULL, "f", 0, 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_futime(loop, NULL, 0, 0, 0, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_lutime(loop, NULL, "f", 0, 0, NULL), UV_EINVAL);
  uv_fs_req_cleanup(NULL);
  test_close_default_loop();
}

TEST(fs_paths_are_copied_for_a_callback_only) {
  char path[] = "f";
  uv_fs_t req;
  fs_make("f", "");
  CHECK_EQ(uv_fs_stat(NULL, &req, path, NULL), 0);
  CHECK(req.path == path);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_fs_stat(uv_default_loop(), &req, path, fs_done), 0);
  path[0] = 'x';
  CHECK_EQ(fs_wait(0, &req), 0);
  CHECK(req.path != path);
  CHECK_STR(req.path, "f");
  uv_fs_req_cleanup(&req);
  uv_fs_req_cleanup(&req);
  test_close_default_loop();
}

TEST(fs_data_of_a_request_is_the_users) {
  uv_fs_t req;
  memset(&req, 0xdb, sizeof(req));
  req.data = &req;
  CHECK_EQ(uv_fs_stat(NULL, &req, ".", NULL), 0);
  CHECK(req.data == &req);
  CHECK_EQ(fs_wait(uv_fs_stat(uv_default_loop(), &req, ".", fs_done), &req), 0);
  CHECK(req.data == &req);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_req_get_type((uv_req_t *)&req), UV_FS);
  test_close_default_loop();
}

static int chain_step, chain_fd;
static char chain_data[8];

/* Each step begins in the callback of the one before. */
static void on_chain(uv_fs_t *req) {
  uv_loop_t *loop = req->loop;
  uv_buf_t buf;
  CHECK(req->result >= 0);
  if (req->fs_type == UV_FS_OPEN)
    chain_fd = (int)req->result;
  uv_fs_req_cleanup(req);
  switch (chain_step++) {
  case 0:
    buf = uv_buf_init("chain", 5);
    CHECK_EQ(uv_fs_write(loop, req, chain_fd, &buf, 1, 0, on_chain), 0);
    break;
  case 1:
    CHECK_EQ(uv_fs_fsync(loop, req, chain_fd, on_chain), 0);
    break;
  case 2:
    buf = uv_buf_init(chain_data, sizeof(chain_data) - 1);
    CHECK_EQ(uv_fs_read(loop, req, chain_fd, &buf, 1, 0, on_chain), 0);
    break;
  case 3:
    CHECK_STR(chain_data, "chain");
    CHECK_EQ(uv_fs_close(loop, req, chain_fd, on_chain), 0);
    break;
  case 4:
    CHECK_EQ(uv_fs_unlink(loop, req, "f", on_chain), 0);
    break;
  default:
    break;
  }
}

TEST(fs_requests_one_after_the_other) {
  uv_fs_t req;
  CHECK_EQ(uv_fs_open(uv_default_loop(), &req, "f", UV_FS_O_CREAT | UV_FS_O_RDWR, 0600, on_chain), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(chain_step, 6);
  CHECK(!fs_exists("f"));
  test_close_default_loop();
}

enum { MANY = 2000 };

static int many_done;

static void on_many(uv_fs_t *req) {
  CHECK_EQ(req->result, req->fs_type == UV_FS_READ ? 4 : 0);
  uv_fs_req_cleanup(req);
  many_done++;
}

TEST(fs_many_requests_at_once) {
  static uv_fs_t reqs[MANY];
  static char data[MANY][4];
  fs_make("f", "data");
  int fd = open("f", O_RDONLY);
  for (int i = 0; i < MANY; i++) {
    uv_buf_t buf = uv_buf_init(data[i], 4);
    if (i % 2)
      CHECK_EQ(uv_fs_stat(uv_default_loop(), &reqs[i], "f", on_many), 0);
    else
      CHECK_EQ(uv_fs_read(uv_default_loop(), &reqs[i], fd, &buf, 1, 0, on_many), 0);
  }
  CHECK_EQ(many_done, 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(many_done, MANY);
  for (int i = 0; i < MANY; i += 2)
    CHECK_EQ(memcmp(data[i], "data", 4), 0);
  close(fd);
  test_close_default_loop();
}

static uv_sem_t hold;
static uv_work_t holders[4];

static void hold_thread(uv_work_t *req) {
  (void)req;
  uv_sem_wait(&hold);
}

static void after_hold(uv_work_t *req, int status) {
  (void)req;
  CHECK_EQ(status, 0);
}

/* While all threads of the pool are blocked, queued requests can still be cancelled. */
static void hold_pool(void) {
  CHECK_EQ(uv_sem_init(&hold, 0), 0);
  for (int i = 0; i < 4; i++)
    CHECK_EQ(uv_queue_work(uv_default_loop(), &holders[i], hold_thread, after_hold), 0);
}

static void let_pool_go(void) {
  for (int i = 0; i < 4; i++)
    uv_sem_post(&hold);
}

static int cancelled;

static void on_cancelled(uv_fs_t *req) {
  CHECK_EQ(req->result, UV_ECANCELED);
  CHECK(req->ptr == NULL);
  uv_fs_req_cleanup(req);
  cancelled++;
}

TEST(fs_cancel_before_it_begins) {
  uv_fs_t stat_req, scan_req, rename_req;
  uv_dirent_t entry;
  fs_make("f", "");
  hold_pool();
  CHECK_EQ(uv_fs_stat(uv_default_loop(), &stat_req, "f", on_cancelled), 0);
  CHECK_EQ(uv_fs_scandir(uv_default_loop(), &scan_req, ".", 0, on_cancelled), 0);
  CHECK_EQ(uv_fs_rename(uv_default_loop(), &rename_req, "f", "g", on_cancelled), 0);
  CHECK_EQ(uv_cancel((uv_req_t *)&stat_req), 0);
  CHECK_EQ(uv_cancel((uv_req_t *)&scan_req), 0);
  CHECK_EQ(uv_cancel((uv_req_t *)&rename_req), 0);
  CHECK_EQ(cancelled, 0);
  let_pool_go();
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(cancelled, 3);
  CHECK(fs_exists("f") && !fs_exists("g"));
  CHECK_EQ(uv_fs_scandir_next(&scan_req, &entry), UV_ECANCELED);
  uv_sem_destroy(&hold);
  test_close_default_loop();
}

static ssize_t read_result;

static void on_read(uv_fs_t *req) {
  read_result = req->result;
  uv_fs_req_cleanup(req);
}

/* Whichever thread runs it, it is either cancelled or done. */
TEST(fs_cancel_of_a_read) {
  char data[4];
  uv_fs_t req;
  uv_buf_t buf = uv_buf_init(data, 4);
  fs_make("f", "data");
  int fd = open("f", O_RDONLY);
  hold_pool();
  CHECK_EQ(uv_fs_read(uv_default_loop(), &req, fd, &buf, 1, 0, on_read), 0);
  int err = uv_cancel((uv_req_t *)&req);
  CHECK(err == 0 || err == UV_EBUSY);
  let_pool_go();
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(read_result, err == 0 ? UV_ECANCELED : 4);
  close(fd);
  uv_sem_destroy(&hold);
  test_close_default_loop();
}

TEST(fs_cancel_after_the_callback_is_busy) {
  uv_fs_t req;
  CHECK_EQ(fs_wait(uv_fs_stat(uv_default_loop(), &req, ".", fs_done), &req), 0);
  CHECK_EQ(uv_cancel((uv_req_t *)&req), UV_EBUSY);
  uv_fs_req_cleanup(&req);
  test_close_default_loop();
}

TEST(fs_callback_with_an_unreferenced_loop_still_comes) {
  uv_fs_t req;
  CHECK_EQ(uv_fs_access(uv_default_loop(), &req, ".", F_OK, fs_done), 0);
  CHECK_EQ(uv_loop_alive(uv_default_loop()), 1);
  CHECK_EQ(fs_wait(0, &req), 0);
  CHECK_EQ(uv_loop_alive(uv_default_loop()), 0);
  uv_fs_req_cleanup(&req);
  test_close_default_loop();
}
