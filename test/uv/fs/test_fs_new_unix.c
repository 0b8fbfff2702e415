/* Files, newer than the oracle: what only Unix has. */
#include "test_fs.h"

#include <sys/statfs.h>
#include <time.h>

TEST(fs_statfs_has_the_fragment_size) {
  struct statfs expected;
  uv_fs_t req;
  CHECK_EQ(statfs(".", &expected), 0);
  CHECK_EQ(uv_fs_statfs(NULL, &req, ".", NULL), 0);
  CHECK_EQ(((uv_statfs_t *)req.ptr)->f_frsize, expected.f_frsize);
  uv_fs_req_cleanup(&req);
}

TEST(fs_copyfile_of_a_file_whose_size_is_not_known) {
  uv_fs_t req;
  CHECK_EQ(uv_fs_copyfile(NULL, &req, "/proc/self/status", "to", 0, NULL), 0);
  CHECK(strncmp(fs_content("to"), "Name:", 5) == 0);
}

static void drain(void *arg) {
  char data[16];
  int fd = open("fifo", O_RDONLY);
  CHECK_EQ(read(fd, data, sizeof(data)), 7);
  CHECK_EQ(memcmp(data, "content", 7), 0);
  close(fd);
  (void)arg;
}

/* A file that is not regular is written to, never truncated, and never removed. */
TEST(fs_copyfile_to_something_else_than_a_file) {
  uv_thread_t thread;
  uv_fs_t req;
  fs_make("f", "content");
  CHECK_EQ(mkfifo("fifo", 0600), 0);
  CHECK_EQ(uv_thread_create(&thread, drain, NULL), 0);
  CHECK_EQ(uv_fs_copyfile(NULL, &req, "f", "fifo", 0, NULL), 0);
  CHECK_EQ(uv_thread_join(&thread), 0);
  CHECK_EQ(uv_thread_create(&thread, drain, NULL), 0);
  int keep = open("fifo", O_WRONLY);
  CHECK(uv_fs_copyfile(NULL, &req, "f", "fifo", UV_FS_COPYFILE_FICLONE_FORCE, NULL) < 0);
  CHECK(fs_exists("fifo"));
  CHECK_EQ(write(keep, "content", 7), 7);
  close(keep);
  CHECK_EQ(uv_thread_join(&thread), 0);
}

TEST(fs_fstat_knows_that_the_working_directory_is_no_descriptor) {
  uv_fs_t req;
  CHECK_EQ(uv_fs_fstat(NULL, &req, AT_FDCWD, NULL), UV_EBADF);
}

TEST(fs_times_now_and_as_they_are) {
  struct stat found;
  uv_fs_t req;
  fs_make("f", "");
  CHECK_EQ(symlink("f", "l"), 0);
  int fd = open("f", O_RDONLY);
  time_t now = time(NULL);
  CHECK_EQ(uv_fs_utime(NULL, &req, "f", 11, 22, NULL), 0);
  CHECK_EQ(uv_fs_utime(NULL, &req, "f", UV_FS_UTIME_OMIT, UV_FS_UTIME_OMIT, NULL), 0);
  CHECK_EQ(stat("f", &found), 0);
  CHECK(found.st_atime == 11 && found.st_mtime == 22);
  CHECK_EQ(uv_fs_futime(NULL, &req, fd, UV_FS_UTIME_NOW, UV_FS_UTIME_OMIT, NULL), 0);
  CHECK_EQ(stat("f", &found), 0);
  CHECK(found.st_atime >= now && found.st_mtime == 22);
  CHECK_EQ(uv_fs_lutime(NULL, &req, "l", 5, UV_FS_UTIME_NOW, NULL), 0);
  CHECK_EQ(lstat("l", &found), 0);
  CHECK(found.st_mtime >= now);
  CHECK_EQ(fs_wait(uv_fs_utime(uv_default_loop(), &req, "f", 33, UV_FS_UTIME_NOW, fs_done), &req), 0);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(stat("f", &found), 0);
  CHECK(found.st_atime == 33 && found.st_mtime >= now);
  close(fd);
  test_close_default_loop();
}
