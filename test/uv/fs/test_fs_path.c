/* Files by name: their attributes, and the names themselves. */
#include "test_fs.h"

#include <sys/statfs.h>
#include <sys/sysmacros.h>

static void same_stat(const uv_stat_t *ours, const struct stat *theirs) {
  CHECK_EQ(ours->st_dev, theirs->st_dev);
  CHECK_EQ(ours->st_mode, theirs->st_mode);
  CHECK_EQ(ours->st_nlink, theirs->st_nlink);
  CHECK_EQ(ours->st_uid, theirs->st_uid);
  CHECK_EQ(ours->st_gid, theirs->st_gid);
  CHECK_EQ(ours->st_rdev, theirs->st_rdev);
  CHECK_EQ(ours->st_ino, theirs->st_ino);
  CHECK_EQ(ours->st_size, theirs->st_size);
  CHECK_EQ(ours->st_blksize, theirs->st_blksize);
  CHECK_EQ(ours->st_blocks, theirs->st_blocks);
  CHECK_EQ(ours->st_mtim.tv_sec, theirs->st_mtim.tv_sec);
  CHECK_EQ(ours->st_mtim.tv_nsec, theirs->st_mtim.tv_nsec);
  CHECK_EQ(ours->st_ctim.tv_sec, theirs->st_ctim.tv_sec);
  CHECK_EQ(ours->st_ctim.tv_nsec, theirs->st_ctim.tv_nsec);
  CHECK_EQ(ours->st_flags, 0);
  CHECK_EQ(ours->st_gen, 0);
}

TEST(fs_stat_lstat_and_fstat_agree_with_the_system) {
  uv_loop_t *loop = uv_default_loop();
  struct stat expected;
  uv_fs_t req;
  fs_make("f", "12345");
  CHECK_EQ(symlink("f", "l"), 0);
  int fd = open("f", O_RDONLY);

  CHECK_EQ(stat("l", &expected), 0);
  CHECK_EQ(uv_fs_stat(NULL, &req, "l", NULL), 0);
  CHECK(req.ptr == &req.statbuf && uv_fs_get_statbuf(&req) == &req.statbuf && uv_fs_get_ptr(&req) == req.ptr);
  same_stat(&req.statbuf, &expected);
  uv_fs_req_cleanup(&req);
  CHECK(req.ptr == NULL);
  CHECK_EQ(fs_wait(uv_fs_stat(loop, &req, "l", fs_done), &req), 0);
  CHECK(req.ptr == &req.statbuf);
  same_stat(&req.statbuf, &expected);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_fs_fstat(NULL, &req, fd, NULL), 0);
  same_stat(&req.statbuf, &expected);
  CHECK_EQ(fs_wait(uv_fs_fstat(loop, &req, fd, fs_done), &req), 0);
  same_stat(&req.statbuf, &expected);

  CHECK_EQ(lstat("l", &expected), 0);
  CHECK_EQ(uv_fs_lstat(NULL, &req, "l", NULL), 0);
  same_stat(&req.statbuf, &expected);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(fs_wait(uv_fs_lstat(loop, &req, "l", fs_done), &req), 0);
  same_stat(&req.statbuf, &expected);
  uv_fs_req_cleanup(&req);

  CHECK_EQ(stat("/dev/zero", &expected), 0);
  CHECK_EQ(uv_fs_stat(NULL, &req, "/dev/zero", NULL), 0);
  same_stat(&req.statbuf, &expected);
  close(fd);
  test_close_default_loop();
}

TEST(fs_stat_fails_without_a_result) {
  uv_fs_t req;
  fs_make("f", "");
  CHECK_EQ(uv_fs_stat(NULL, &req, "nothing", NULL), UV_ENOENT);
  CHECK(req.ptr == NULL);
  CHECK_STR(req.path, "nothing");
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_fs_lstat(NULL, &req, "f/x", NULL), UV_ENOTDIR);
  CHECK_EQ(uv_fs_fstat(NULL, &req, -1, NULL), UV_EBADF);
  CHECK_EQ(fs_wait(uv_fs_stat(uv_default_loop(), &req, "nothing", fs_done), &req), UV_ENOENT);
  CHECK(req.ptr == NULL);
  uv_fs_req_cleanup(&req);
  test_close_default_loop();
}

TEST(fs_statfs_agrees_with_the_system) {
  struct statfs expected;
  uv_fs_t req;
  CHECK_EQ(statfs(".", &expected), 0);
  for (int is_async = 0; is_async < 2; is_async++) {
    if (is_async)
      CHECK_EQ(fs_wait(uv_fs_statfs(uv_default_loop(), &req, ".", fs_done), &req), 0);
    else
      CHECK_EQ(uv_fs_statfs(NULL, &req, ".", NULL), 0);
    uv_statfs_t *found = req.ptr;
    CHECK_EQ(found->f_type, expected.f_type);
    CHECK_EQ(found->f_bsize, expected.f_bsize);
    CHECK_EQ(found->f_blocks, expected.f_blocks);
    CHECK_EQ(found->f_files, expected.f_files);
    uv_fs_req_cleanup(&req);
    CHECK(req.ptr == NULL);
  }
  CHECK_EQ(uv_fs_statfs(NULL, &req, "nothing", NULL), UV_ENOENT);
  CHECK_EQ(uv_fs_get_system_error(&req), 2);
  test_close_default_loop();
}

TEST(fs_access) {
  uv_fs_t req;
  fs_make("f", "");
  CHECK_EQ(chmod("f", 0600), 0);
  CHECK_EQ(uv_fs_access(NULL, &req, "f", F_OK, NULL), 0);
  CHECK_EQ(uv_fs_access(NULL, &req, "f", R_OK | W_OK, NULL), 0);
  CHECK_EQ(uv_fs_access(NULL, &req, "f", X_OK, NULL), UV_EACCES);
  CHECK_EQ(uv_fs_access(NULL, &req, "nothing", F_OK, NULL), UV_ENOENT);
  CHECK_EQ(fs_wait(uv_fs_access(uv_default_loop(), &req, "f", F_OK, fs_done), &req), 0);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(fs_wait(uv_fs_access(uv_default_loop(), &req, "f", X_OK, fs_done), &req), UV_EACCES);
  uv_fs_req_cleanup(&req);
  test_close_default_loop();
}

TEST(fs_modes) {
  uv_loop_t *loop = uv_default_loop();
  uv_fs_t req;
  fs_make("f", "");
  int fd = open("f", O_RDONLY);
  CHECK_EQ(uv_fs_chmod(NULL, &req, "f", 0741, NULL), 0);
  CHECK_EQ(fs_mode("f"), 0741);
  CHECK_EQ(uv_fs_fchmod(NULL, &req, fd, 0600, NULL), 0);
  CHECK_EQ(fs_mode("f"), 0600);
  CHECK_EQ(fs_wait(uv_fs_chmod(loop, &req, "f", 0400, fs_done), &req), 0);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(fs_mode("f"), 0400);
  CHECK_EQ(fs_wait(uv_fs_fchmod(loop, &req, fd, 0644, fs_done), &req), 0);
  CHECK_EQ(fs_mode("f"), 0644);
  CHECK_EQ(uv_fs_chmod(NULL, &req, "nothing", 0600, NULL), UV_ENOENT);
  CHECK_EQ(uv_fs_fchmod(NULL, &req, -1, 0600, NULL), UV_EBADF);
  close(fd);
  test_close_default_loop();
}

TEST(fs_owners) {
  uv_loop_t *loop = uv_default_loop();
  uv_fs_t req;
  fs_make("f", "");
  CHECK_EQ(symlink("nothing", "l"), 0);
  int fd = open("f", O_RDONLY);
  CHECK_EQ(uv_fs_chown(NULL, &req, "f", (uv_uid_t)-1, (uv_gid_t)-1, NULL), 0);
  CHECK_EQ(uv_fs_chown(NULL, &req, "f", getuid(), getgid(), NULL), 0);
  CHECK_EQ(uv_fs_fchown(NULL, &req, fd, getuid(), getgid(), NULL), 0);
  CHECK_EQ(uv_fs_chown(NULL, &req, "l", getuid(), getgid(), NULL), UV_ENOENT);
  CHECK_EQ(uv_fs_lchown(NULL, &req, "l", getuid(), getgid(), NULL), 0);
  CHECK_EQ(fs_wait(uv_fs_chown(loop, &req, "f", getuid(), getgid(), fs_done), &req), 0);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(fs_wait(uv_fs_lchown(loop, &req, "l", getuid(), getgid(), fs_done), &req), 0);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(fs_wait(uv_fs_fchown(loop, &req, fd, getuid(), getgid(), fs_done), &req), 0);
  CHECK_EQ(fs_wait(uv_fs_fchown(loop, &req, -1, getuid(), getgid(), fs_done), &req), UV_EBADF);
  close(fd);
  test_close_default_loop();
}

static void check_times(const char *path, long atime_s, long atime_ns, long mtime_s, long mtime_ns) {
  struct stat found;
  CHECK_EQ(lstat(path, &found), 0);
  CHECK_EQ(found.st_atim.tv_sec, atime_s);
  CHECK_EQ(found.st_atim.tv_nsec, atime_ns);
  CHECK_EQ(found.st_mtim.tv_sec, mtime_s);
  CHECK_EQ(found.st_mtim.tv_nsec, mtime_ns);
}

TEST(fs_times) {
  uv_loop_t *loop = uv_default_loop();
  uv_fs_t req;
  fs_make("f", "");
  CHECK_EQ(symlink("f", "l"), 0);
  int fd = open("f", O_RDONLY);
  CHECK_EQ(uv_fs_utime(NULL, &req, "f", 400497753.25, 1.5, NULL), 0);
  check_times("f", 400497753, 250000000, 1, 500000000);
  CHECK_EQ(uv_fs_utime(NULL, &req, "f", -14245440.25, -0.5, NULL), 0);
  check_times("f", -14245441, 750000000, -1, 500000000);
  CHECK_EQ(uv_fs_utime(NULL, &req, "f", 1.0000019, 1700000000.123456789, NULL), 0);
  check_times("f", 1, 1000, 1700000000, 123456000);
  CHECK_EQ(uv_fs_futime(NULL, &req, fd, 10, 20.75, NULL), 0);
  check_times("f", 10, 0, 20, 750000000);
  CHECK_EQ(uv_fs_lutime(NULL, &req, "l", 30, 40, NULL), 0);
  check_times("l", 30, 0, 40, 0);
  check_times("f", 10, 0, 20, 750000000);
  CHECK_EQ(uv_fs_utime(NULL, &req, "l", 50, 60, NULL), 0);
  check_times("f", 50, 0, 60, 0);

  CHECK_EQ(fs_wait(uv_fs_utime(loop, &req, "f", 1, 2, fs_done), &req), 0);
  uv_fs_req_cleanup(&req);
  check_times("f", 1, 0, 2, 0);
  CHECK_EQ(fs_wait(uv_fs_futime(loop, &req, fd, 3, 4, fs_done), &req), 0);
  check_times("f", 3, 0, 4, 0);
  CHECK_EQ(fs_wait(uv_fs_lutime(loop, &req, "l", 5, 6, fs_done), &req), 0);
  uv_fs_req_cleanup(&req);
  check_times("l", 5, 0, 6, 0);
  check_times("f", 3, 0, 4, 0);
  CHECK_EQ(uv_fs_utime(NULL, &req, "nothing", 1, 2, NULL), UV_ENOENT);
  CHECK_EQ(uv_fs_futime(NULL, &req, -1, 1, 2, NULL), UV_EBADF);
  close(fd);
  test_close_default_loop();
}

TEST(fs_link_rename_and_unlink) {
  uv_loop_t *loop = uv_default_loop();
  uv_fs_t req;
  fs_make("a", "content");
  CHECK_EQ(uv_fs_link(NULL, &req, "a", "b", NULL), 0);
  CHECK_STR(fs_content("b"), "content");
  CHECK_EQ(uv_fs_link(NULL, &req, "a", "b", NULL), UV_EEXIST);
  CHECK_EQ(uv_fs_link(NULL, &req, "nothing", "c", NULL), UV_ENOENT);
  CHECK_EQ(uv_fs_rename(NULL, &req, "b", "c", NULL), 0);
  CHECK(!fs_exists("b") && fs_exists("c"));
  CHECK_EQ(uv_fs_rename(NULL, &req, "nothing", "c", NULL), UV_ENOENT);
  CHECK_EQ(uv_fs_unlink(NULL, &req, "c", NULL), 0);
  CHECK_EQ(uv_fs_unlink(NULL, &req, "c", NULL), UV_ENOENT);

  CHECK_EQ(fs_wait(uv_fs_link(loop, &req, "a", "b", fs_done), &req), 0);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(fs_wait(uv_fs_rename(loop, &req, "b", "c", fs_done), &req), 0);
  CHECK_STR(req.path, "b");
  uv_fs_req_cleanup(&req);
  CHECK(req.path == NULL);
  CHECK_STR(fs_content("c"), "content");
  CHECK_EQ(fs_wait(uv_fs_unlink(loop, &req, "c", fs_done), &req), 0);
  uv_fs_req_cleanup(&req);
  CHECK(!fs_exists("c"));
  CHECK_EQ(fs_wait(uv_fs_unlink(loop, &req, "c", fs_done), &req), UV_ENOENT);
  uv_fs_req_cleanup(&req);
  test_close_default_loop();
}

TEST(fs_links_of_any_length_are_read) {
  static char target[4096];
  uv_loop_t *loop = uv_default_loop();
  uv_fs_t req;
  const size_t lengths[] = {1, 255, 256, 257, 1023, 1024, 4095};
  for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
    memset(target, 't', sizeof(target));
    target[lengths[i]] = '\0';
    CHECK_EQ(uv_fs_symlink(NULL, &req, target, "l", 0, NULL), 0);
    CHECK_EQ(uv_fs_readlink(NULL, &req, "l", NULL), 0);
    CHECK_STR(req.ptr, target);
    uv_fs_req_cleanup(&req);
    CHECK(req.ptr == NULL);
    CHECK_EQ(unlink("l"), 0);
    CHECK_EQ(fs_wait(uv_fs_symlink(loop, &req, target, "l", 0, fs_done), &req), 0);
    uv_fs_req_cleanup(&req);
    CHECK_EQ(fs_wait(uv_fs_readlink(loop, &req, "l", fs_done), &req), 0);
    CHECK_STR(req.ptr, target);
    uv_fs_req_cleanup(&req);
    CHECK_EQ(unlink("l"), 0);
  }
  CHECK_EQ(uv_fs_readlink(NULL, &req, "/proc/self/cwd", NULL), 0);
  uv_fs_req_cleanup(&req);
  fs_make("f", "");
  CHECK_EQ(uv_fs_readlink(NULL, &req, "f", NULL), UV_EINVAL);
  CHECK(req.ptr == NULL);
  CHECK_EQ(uv_fs_readlink(NULL, &req, "nothing", NULL), UV_ENOENT);
  CHECK_EQ(uv_fs_symlink(NULL, &req, "x", "f", 0, NULL), UV_EEXIST);
  test_close_default_loop();
}

TEST(fs_realpath) {
  char expected[4096];
  uv_fs_t req;
  fs_make("f", "");
  CHECK_EQ(mkdir("d", 0700), 0);
  CHECK_EQ(symlink("../f", "d/l"), 0);
  CHECK(realpath("f", expected) != NULL);
  CHECK_EQ(uv_fs_realpath(NULL, &req, "d/../d/l", NULL), 0);
  CHECK_STR(req.ptr, expected);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(fs_wait(uv_fs_realpath(uv_default_loop(), &req, "./d//l", fs_done), &req), 0);
  CHECK_STR(uv_fs_get_ptr(&req), expected);
  CHECK_STR(uv_fs_get_path(&req), "./d//l");
  CHECK_EQ(uv_fs_get_type(&req), UV_FS_REALPATH);
  CHECK_EQ(uv_fs_get_result(&req), 0);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_fs_realpath(NULL, &req, "nothing", NULL), UV_ENOENT);
  CHECK(req.ptr == NULL);
  CHECK_EQ(uv_fs_realpath(NULL, &req, "f/x", NULL), UV_ENOTDIR);
  test_close_default_loop();
}

TEST(fs_temporary_files_and_directories) {
  static const char template[] = "some_XXXXXX";
  uv_loop_t *loop = uv_default_loop();
  uv_fs_t first, second;

  CHECK_EQ(uv_fs_mkdtemp(NULL, &first, template, NULL), 0);
  CHECK_EQ(fs_wait(uv_fs_mkdtemp(loop, &second, template, fs_done), &second), 0);
  CHECK_STR(template, "some_XXXXXX");
  CHECK_EQ(strlen(first.path), strlen(template));
  CHECK(strncmp(first.path, template, 5) == 0 && strcmp(first.path, second.path) != 0);
  CHECK_EQ(fs_mode(first.path), 0700);
  CHECK_EQ(fs_mode(second.path), 0700);
  uv_fs_req_cleanup(&first);
  uv_fs_req_cleanup(&second);
  CHECK(first.path == NULL);

  CHECK(uv_fs_mkstemp(NULL, &first, template, NULL) >= 0);
  CHECK(fs_wait(uv_fs_mkstemp(loop, &second, template, fs_done), &second) >= 0);
  CHECK(strcmp(first.path, second.path) != 0);
  CHECK_EQ(fs_mode(first.path), 0600);
  CHECK(fcntl((int)first.result, F_GETFD) & FD_CLOEXEC);
  CHECK(fcntl((int)second.result, F_GETFD) & FD_CLOEXEC);
  CHECK_EQ(write((int)second.result, "x", 1), 1);
  close((int)first.result);
  close((int)second.result);
  uv_fs_req_cleanup(&first);
  uv_fs_req_cleanup(&second);

  CHECK_EQ(uv_fs_mkstemp(NULL, &first, "no_template", NULL), UV_EINVAL);
  CHECK_STR(first.path, "");
  uv_fs_req_cleanup(&first);
  CHECK_EQ(uv_fs_mkdtemp(NULL, &first, "no_template", NULL), UV_EINVAL);
  uv_fs_req_cleanup(&first);
  CHECK_EQ(fs_wait(uv_fs_mkdtemp(loop, &first, "nothing/XXXXXX", fs_done), &first), UV_ENOENT);
  uv_fs_req_cleanup(&first);
  test_close_default_loop();
}
