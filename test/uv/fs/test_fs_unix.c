/* Files: flags of descriptors, modes, owners, FIFOs, sockets and other kinds of files that only Unix has. */
#include "test_fs.h"

#include <errno.h>
#include <limits.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

TEST(fs_copyfile_of_a_directory_says_first_what_is_wrong_with_the_destination) {
  uv_fs_t req;
  CHECK_EQ(symlink("round", "round"), 0);
  CHECK_EQ(mkdir("from", 0755), 0);
  fs_make("to", "content");
  CHECK_EQ(uv_fs_copyfile(NULL, &req, "from", "to", UV_FS_COPYFILE_EXCL, NULL), UV_EEXIST);
  CHECK_STR(fs_content("to"), "content");
  CHECK_EQ(uv_fs_copyfile(NULL, &req, "from", "new", UV_FS_COPYFILE_EXCL, NULL), UV_EISDIR);
  CHECK_EQ(access("new", F_OK), -1);
  CHECK_EQ(uv_fs_copyfile(NULL, &req, "from", "round", 0, NULL), UV_ELOOP);
}

TEST(fs_sendfile_to_a_directory) {
  uv_fs_t req;
  fs_make("from", "0123456789");
  CHECK_EQ(mkdir("to", 0755), 0);
  int in = open("from", O_RDONLY);
  int out = open("to", O_RDONLY);
  CHECK_EQ(uv_fs_sendfile(NULL, &req, out, in, 0, 5, NULL), UV_EISDIR);
  CHECK_EQ(fs_wait(uv_fs_sendfile(uv_default_loop(), &req, out, in, 0, 5, fs_done), &req), UV_EISDIR);
  close(in);
  close(out);
  test_close_default_loop();
}

TEST(fs_sendfile_to_a_socket_and_a_pipe) {
  char data[32] = "";
  uv_fs_t req;
  int sockets[2], pipes[2];
  fs_make("from", "0123456789");
  int in = open("from", O_RDONLY);
  CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  CHECK_EQ(pipe(pipes), 0);
  CHECK_EQ(uv_fs_sendfile(NULL, &req, sockets[0], in, 2, 5, NULL), 5);
  CHECK_EQ(read(sockets[1], data, sizeof(data)), 5);
  CHECK_STR(data, "23456");
  CHECK_EQ(uv_fs_sendfile(NULL, &req, pipes[1], in, 7, 100, NULL), 3);
  memset(data, 0, sizeof(data));
  CHECK_EQ(read(pipes[0], data, sizeof(data)), 3);
  CHECK_STR(data, "789");
  close(in);
  close(sockets[0]);
  close(sockets[1]);
  close(pipes[0]);
  close(pipes[1]);
}

/* One of each kind that an ordinary user can make. */
static void make_kinds(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "d/e_socket"};
  CHECK_EQ(mkdir("d", 0700), 0);
  fs_make("d/a_file", "");
  CHECK_EQ(mkdir("d/b_directory", 0700), 0);
  CHECK_EQ(symlink("a_file", "d/c_link"), 0);
  CHECK_EQ(mkfifo("d/d_fifo", 0600), 0);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  CHECK_EQ(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
  close(fd);
}

static const struct {
  const char *name;
  uv_dirent_type_t type;
} kinds[] = {{"a_file", UV_DIRENT_FILE},
             {"b_directory", UV_DIRENT_DIR},
             {"c_link", UV_DIRENT_LINK},
             {"d_fifo", UV_DIRENT_FIFO},
             {"e_socket", UV_DIRENT_SOCKET}};

static void check_kinds(uv_fs_t *req) {
  uv_dirent_t entry;
  for (int i = 0; i < 5; i++) {
    CHECK_EQ(uv_fs_scandir_next(req, &entry), 0);
    CHECK_STR(entry.name, kinds[i].name);
    CHECK(entry.type == kinds[i].type || entry.type == UV_DIRENT_UNKNOWN);
  }
  CHECK_EQ(uv_fs_scandir_next(req, &entry), UV_EOF);
  CHECK_EQ(uv_fs_scandir_next(req, &entry), UV_EOF);
}

TEST(fs_scandir_sorts_by_name_and_knows_the_types) {
  uv_fs_t req;
  make_kinds();
  CHECK_EQ(uv_fs_scandir(NULL, &req, "d", 0, NULL), 5);
  CHECK(req.ptr != NULL);
  check_kinds(&req);
  uv_fs_req_cleanup(&req);
  CHECK(req.ptr == NULL);
  CHECK_EQ(fs_wait(uv_fs_scandir(uv_default_loop(), &req, "d", 0, fs_done), &req), 5);
  check_kinds(&req);
  uv_fs_req_cleanup(&req);
  test_close_default_loop();
}

TEST(fs_open_gives_a_descriptor_that_is_closed_on_exec) {
  uv_fs_t req;
  int fd = uv_fs_open(NULL, &req, "f", UV_FS_O_CREAT | UV_FS_O_RDWR, 0640, NULL);
  CHECK(fd >= 0);
  CHECK_EQ(req.result, fd);
  CHECK_EQ(req.fs_type, UV_FS_OPEN);
  CHECK_STR(req.path, "f");
  CHECK(req.ptr == NULL);
  CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
  CHECK_EQ(fs_mode("f"), 0640 & ~022);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_fs_close(NULL, &req, fd, NULL), 0);
  CHECK_EQ(fcntl(fd, F_GETFD), -1);

  fd = (int)fs_wait(uv_fs_open(uv_default_loop(), &req, "f", UV_FS_O_RDONLY, 0, fs_done), &req);
  CHECK(fd >= 0);
  CHECK_STR(req.path, "f");
  CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(fs_wait(uv_fs_close(uv_default_loop(), &req, fd, fs_done), &req), 0);
  CHECK_EQ(fcntl(fd, F_GETFD), -1);
  uv_fs_req_cleanup(&req);
  test_close_default_loop();
}

TEST(fs_write_that_fills_a_non_blocking_pipe_says_how_far_it_came) {
  static char data[1 << 20];
  uv_buf_t buf = uv_buf_init(data, sizeof(data));
  uv_fs_t req;
  int fds[2];
  CHECK_EQ(pipe2(fds, O_NONBLOCK), 0);
  int n = uv_fs_write(NULL, &req, fds[1], &buf, 1, -1, NULL);
  CHECK(n > 0 && n < (int)sizeof(data));
  CHECK_EQ(uv_fs_write(NULL, &req, fds[1], &buf, 1, -1, NULL), UV_EAGAIN);
  close(fds[0]);
  close(fds[1]);
}

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

static void check_times(const char *path, long atime_s, long atime_ns, long mtime_s, long mtime_ns) {
  struct stat found;
  CHECK_EQ(lstat(path, &found), 0);
  CHECK_EQ(found.st_atim.tv_sec, atime_s);
  CHECK_EQ(found.st_atim.tv_nsec, atime_ns);
  CHECK_EQ(found.st_mtim.tv_sec, mtime_s);
  CHECK_EQ(found.st_mtim.tv_nsec, mtime_ns);
}

TEST(fs_times_are_whole_nanoseconds) {
  uv_fs_t req;
  fs_make("f", "");
  CHECK_EQ(uv_fs_utime(NULL, &req, "f", 1.0000019, 1700000000.123456789, NULL), 0);
  check_times("f", 1, 1899, 1700000000, 123456716); /* as much as a double holds, rounded towards 0 */
  CHECK_EQ(uv_fs_utime(NULL, &req, "f", -1e-9, 1.9999999999, NULL), 0);
  check_times("f", -1, 999999999, 1, 999999999);
  int fd = open("f", O_RDONLY);
  CHECK_EQ(uv_fs_futime(NULL, &req, fd, 0x1p-29, 0x1p-20, NULL), 0);
  check_times("f", 0, 1, 0, 953);
  close(fd);
}

TEST(fs_times) {
  uv_loop_t *loop = uv_default_loop();
  uv_fs_t req;
  fs_make("f", "");
  make_link("f", "l");
  int fd = open("f", O_RDONLY);
  CHECK_EQ(uv_fs_utime(NULL, &req, "f", 400497753.25, 1.5, NULL), 0);
  check_times("f", 400497753, 250000000, 1, 500000000);
  CHECK_EQ(uv_fs_utime(NULL, &req, "f", -14245440.25, -0.5, NULL), 0);
  check_times("f", -14245441, 750000000, -1, 500000000);
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

TEST(fs_realpath) {
  char expected[4096];
  uv_fs_t req;
  fs_make("f", "");
  CHECK_EQ(mkdir("d", 0700), 0);
  make_link("../f", "d/l");
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

TEST(fs_temporary_files_and_directories_are_private) {
  uv_fs_t req;
  CHECK_EQ(uv_fs_mkdtemp(NULL, &req, "some_XXXXXX", NULL), 0);
  CHECK_EQ(fs_mode(req.path), 0700);
  uv_fs_req_cleanup(&req);
  CHECK(uv_fs_mkstemp(NULL, &req, "some_XXXXXX", NULL) >= 0);
  CHECK_EQ(fs_mode(req.path), 0600);
  CHECK(fcntl((int)req.result, F_GETFD) & FD_CLOEXEC);
  close((int)req.result);
  uv_fs_req_cleanup(&req);
  CHECK(fs_wait(uv_fs_mkstemp(uv_default_loop(), &req, "some_XXXXXX", fs_done), &req) >= 0);
  CHECK(fcntl((int)req.result, F_GETFD) & FD_CLOEXEC);
  close((int)req.result);
  uv_fs_req_cleanup(&req);
  test_close_default_loop();
}

TEST(fs_modes_of_what_is_made_and_copied) {
  uv_fs_t req;
  CHECK_EQ(uv_fs_mkdir(NULL, &req, "d", 0750, NULL), 0);
  CHECK_EQ(fs_mode("d"), 0750 & ~022);
  fs_make("from", "content");
  CHECK_EQ(chmod("from", 0751), 0);
  CHECK_EQ(uv_fs_copyfile(NULL, &req, "from", "to", 0, NULL), 0);
  CHECK_EQ(fs_mode("to"), 0751);
  CHECK_EQ(chmod("from", 0666), 0);
  unlink("to");
  CHECK_EQ(uv_fs_copyfile(NULL, &req, "from", "to", 0, NULL), 0);
  CHECK_EQ(fs_mode("to"), 0666);
}

TEST(fs_rmdir_of_a_file_is_enotdir) {
  uv_fs_t req;
  fs_make("f", "");
  CHECK_EQ(uv_fs_rmdir(NULL, &req, "f", NULL), UV_ENOTDIR);
}

TEST(fs_system_error_is_errno) {
  uv_fs_t req;
  CHECK_EQ(fs_wait(uv_fs_open(uv_default_loop(), &req, "nothing", UV_FS_O_RDONLY, 0, fs_done), &req), UV_ENOENT);
  CHECK_EQ(uv_fs_get_system_error(&req), ENOENT);
  uv_fs_req_cleanup(&req);
  test_close_default_loop();
}
