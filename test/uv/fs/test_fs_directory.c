/* Directories: making them, and what is in them. */
#include "test_fs.h"

TEST(fs_mkdir_and_rmdir) {
  uv_loop_t *loop = uv_default_loop();
  uv_fs_t req;
  CHECK_EQ(uv_fs_mkdir(NULL, &req, "d", 0750, NULL), 0);
  CHECK_EQ(uv_fs_mkdir(NULL, &req, "d", 0700, NULL), UV_EEXIST);
  CHECK_EQ(uv_fs_mkdir(NULL, &req, "nothing/d", 0700, NULL), UV_ENOENT);
  CHECK_EQ(fs_wait(uv_fs_mkdir(loop, &req, "d/e", 0700, fs_done), &req), 0);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_fs_rmdir(NULL, &req, "d", NULL), UV_ENOTEMPTY);
  CHECK_EQ(fs_wait(uv_fs_rmdir(loop, &req, "d/e", fs_done), &req), 0);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_fs_rmdir(NULL, &req, "d", NULL), 0);
  CHECK_EQ(uv_fs_rmdir(NULL, &req, "d", NULL), UV_ENOENT);
  test_close_default_loop();
}

TEST(fs_scandir_of_an_empty_directory_has_nothing) {
  uv_fs_t req;
  uv_dirent_t entry;
  CHECK_EQ(mkdir("d", 0700), 0);
  memset(&req, 0xdb, sizeof(req));
  CHECK_EQ(uv_fs_scandir(NULL, &req, "d", 0, NULL), 0);
  CHECK(req.ptr == NULL);
  CHECK_EQ(uv_fs_scandir_next(&req, &entry), UV_EOF);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(fs_wait(uv_fs_scandir(uv_default_loop(), &req, "d", 0, fs_done), &req), 0);
  CHECK(req.ptr == NULL);
  CHECK_EQ(uv_fs_scandir_next(&req, &entry), UV_EOF);
  uv_fs_req_cleanup(&req);
  test_close_default_loop();
}

TEST(fs_scandir_tells_what_is_wrong) {
  uv_fs_t req;
  uv_dirent_t entry;
  fs_make("f", "");
  CHECK_EQ(uv_fs_scandir(NULL, &req, "f", 0, NULL), UV_ENOTDIR);
  CHECK_EQ(uv_fs_scandir(NULL, &req, "nothing", 0, NULL), UV_ENOENT);
  CHECK_EQ(uv_fs_scandir_next(&req, &entry), UV_ENOENT);
  CHECK(req.ptr == NULL);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(fs_wait(uv_fs_scandir(uv_default_loop(), &req, "nothing", 0, fs_done), &req), UV_ENOENT);
  CHECK_EQ(uv_fs_scandir_next(&req, &entry), UV_ENOENT);
  uv_fs_req_cleanup(&req);
  test_close_default_loop();
}

enum { BIG = 3000 };

static void make_big(void) {
  char name[300];
  CHECK_EQ(mkdir("big", 0700), 0);
  for (int i = 0; i < BIG; i++) {
    /* Names of different lengths, made in an order that is not theirs. */
    int length = snprintf(name, sizeof(name), "big/%05d_", (i * 7919) % BIG);
    memset(name + length, 'x', (size_t)(i % 200));
    name[length + i % 200] = '\0';
    close(open(name, O_CREAT | O_WRONLY, 0600));
  }
}

TEST(fs_scandir_of_a_big_directory) {
  uv_fs_t req;
  uv_dirent_t entry;
  make_big();
  CHECK_EQ(uv_fs_scandir(NULL, &req, "big", 0, NULL), BIG);
  for (int i = 0; i < BIG; i++) {
    CHECK_EQ(uv_fs_scandir_next(&req, &entry), 0);
    CHECK_EQ(atoi(entry.name), i);
  }
  CHECK_EQ(uv_fs_scandir_next(&req, &entry), UV_EOF);
  uv_fs_req_cleanup(&req);
  /* Not read to the end. */
  CHECK_EQ(uv_fs_scandir(NULL, &req, "big", 0, NULL), BIG);
  CHECK_EQ(uv_fs_scandir_next(&req, &entry), 0);
  uv_fs_req_cleanup(&req);
}

static uv_dir_t *open_directory(const char *path, int is_async) {
  uv_fs_t req;
  memset(&req, 0xdb, sizeof(req));
  if (is_async)
    CHECK_EQ(fs_wait(uv_fs_opendir(uv_default_loop(), &req, path, fs_done), &req), 0);
  else
    CHECK_EQ(uv_fs_opendir(NULL, &req, path, NULL), 0);
  uv_dir_t *dir = req.ptr;
  CHECK(dir != NULL);
  uv_fs_req_cleanup(&req);
  CHECK(req.ptr == NULL);
  return dir;
}

static void close_directory(uv_dir_t *dir, int is_async) {
  uv_fs_t req;
  if (is_async)
    CHECK_EQ(fs_wait(uv_fs_closedir(uv_default_loop(), &req, dir, fs_done), &req), 0);
  else
    CHECK_EQ(uv_fs_closedir(NULL, &req, dir, NULL), 0);
  uv_fs_req_cleanup(&req);
}

static void read_big(int is_async, size_t at_once) {
  static uv_dirent_t entries[1000];
  static char seen[BIG];
  int before = test_count_descriptors();
  uv_dir_t *dir = open_directory("big", is_async);
  uv_fs_t req;
  ssize_t n;
  int total = 0;
  memset(seen, 0, sizeof(seen));
  dir->dirents = entries;
  dir->nentries = at_once;
  do {
    if (is_async)
      n = fs_wait(uv_fs_readdir(uv_default_loop(), &req, dir, fs_done), &req);
    else
      n = uv_fs_readdir(NULL, &req, dir, NULL);
    CHECK(n >= 0 && n <= (ssize_t)at_once);
    CHECK_EQ(req.result, n);
    CHECK(req.ptr == dir);
    for (ssize_t i = 0; i < n; i++) {
      int number = atoi(entries[i].name);
      CHECK(number >= 0 && number < BIG && !seen[number]);
      CHECK(strlen(entries[i].name) >= 6 && entries[i].name[5] == '_');
      CHECK(entries[i].type == UV_DIRENT_FILE || entries[i].type == UV_DIRENT_UNKNOWN);
      seen[number] = 1;
    }
    uv_fs_req_cleanup(&req);
    uv_fs_req_cleanup(&req);
    total += (int)n;
  } while (n > 0);
  CHECK_EQ(total, BIG);
  close_directory(dir, is_async);
  CHECK(is_async || test_count_descriptors() == before);
}

TEST(fs_readdir_gives_every_entry_once) {
  make_big();
  read_big(0, 1);
  read_big(0, 32);
  read_big(0, 1000);
  read_big(1, 77);
  test_close_default_loop();
}

TEST(fs_readdir_of_an_empty_directory) {
  uv_dirent_t entries[4];
  uv_fs_t req;
  CHECK_EQ(mkdir("d", 0700), 0);
  uv_dir_t *dir = open_directory("d", 0);
  dir->dirents = entries;
  dir->nentries = 4;
  CHECK_EQ(uv_fs_readdir(NULL, &req, dir, NULL), 0);
  uv_fs_req_cleanup(&req);
  dir->nentries = 0;
  CHECK_EQ(uv_fs_readdir(NULL, &req, dir, NULL), 0);
  uv_fs_req_cleanup(&req);
  close_directory(dir, 0);
}

TEST(fs_directory_streams_tell_what_is_wrong) {
  uv_fs_t req;
  fs_make("f", "");
  CHECK_EQ(uv_fs_opendir(NULL, &req, "f", NULL), UV_ENOTDIR);
  CHECK(req.ptr == NULL);
  CHECK_EQ(uv_fs_opendir(NULL, &req, "nothing", NULL), UV_ENOENT);
  CHECK(req.ptr == NULL);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(fs_wait(uv_fs_opendir(uv_default_loop(), &req, "nothing", fs_done), &req), UV_ENOENT);
  CHECK(req.ptr == NULL);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_fs_readdir(NULL, &req, NULL, NULL), UV_EINVAL);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_fs_closedir(NULL, &req, NULL, NULL), UV_EINVAL);
  uv_fs_req_cleanup(&req);
  uv_dir_t *dir = open_directory(".", 0);
  dir->dirents = NULL;
  CHECK_EQ(uv_fs_readdir(NULL, &req, dir, NULL), UV_EINVAL);
  uv_fs_req_cleanup(&req);
  close_directory(dir, 1);
  test_close_default_loop();
}
