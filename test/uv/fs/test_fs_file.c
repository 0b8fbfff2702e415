/* Open, close, read, write, sync, truncate: on the caller's thread and through the loop. */
#include "test_fs.h"

#include <limits.h>

static void open_fails(const char *path, int flags, int expected) {
  uv_fs_t req;
  CHECK_EQ(uv_fs_open(NULL, &req, path, flags, 0600, NULL), expected);
  CHECK_EQ(req.result, expected);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(fs_wait(uv_fs_open(uv_default_loop(), &req, path, flags, 0600, fs_done), &req), expected);
  uv_fs_req_cleanup(&req);
}

TEST(fs_open_tells_what_is_wrong) {
  static char long_name[PATH_MAX + 1];
  memset(long_name, 'x', sizeof(long_name) - 1);
  fs_make("f", "");
  CHECK_EQ(mkdir("d", 0700), 0);
  make_link("loop", "loop");
  open_fails("nothing", UV_FS_O_RDONLY, UV_ENOENT);
  open_fails("f/x", UV_FS_O_RDONLY, UV_ENOTDIR);
  open_fails("f", UV_FS_O_RDONLY | UV_FS_O_DIRECTORY, UV_ENOTDIR);
  open_fails("f", UV_FS_O_CREAT | UV_FS_O_EXCL | UV_FS_O_WRONLY, UV_EEXIST);
  open_fails("d", UV_FS_O_WRONLY, UV_EISDIR);
  open_fails("loop", UV_FS_O_RDONLY, UV_ELOOP);
  open_fails(long_name, UV_FS_O_RDONLY, UV_ENAMETOOLONG);
  open_fails("", UV_FS_O_RDONLY, UV_ENOENT);
  test_close_default_loop();
}

TEST(fs_close_of_no_descriptor_is_ebadf) {
  uv_fs_t req;
  CHECK_EQ(uv_fs_close(NULL, &req, -1, NULL), UV_EBADF);
  CHECK_EQ(fs_wait(uv_fs_close(uv_default_loop(), &req, 12345, fs_done), &req), UV_EBADF);
  test_close_default_loop();
}

TEST(fs_read_and_write_at_an_offset_leave_the_position_alone) {
  char data[16] = "";
  uv_fs_t req;
  uv_buf_t buf = uv_buf_init("hello", 5);
  int fd = open("f", O_CREAT | O_RDWR, 0600);
  CHECK_EQ(uv_fs_write(NULL, &req, fd, &buf, 1, 3, NULL), 5);
  CHECK_EQ(lseek(fd, 0, SEEK_CUR), 0);
  buf = uv_buf_init(data, sizeof(data));
  CHECK_EQ(uv_fs_read(NULL, &req, fd, &buf, 1, 4, NULL), 4);
  CHECK_STR(data, "ello");
  CHECK_EQ(lseek(fd, 0, SEEK_CUR), 0);

  buf = uv_buf_init("HELLO", 5);
  CHECK_EQ(fs_wait(uv_fs_write(uv_default_loop(), &req, fd, &buf, 1, 0, fs_done), &req), 5);
  CHECK_EQ(lseek(fd, 0, SEEK_CUR), 0);
  memset(data, 0, sizeof(data));
  buf = uv_buf_init(data, sizeof(data));
  CHECK_EQ(fs_wait(uv_fs_read(uv_default_loop(), &req, fd, &buf, 1, 1, fs_done), &req), 7);
  CHECK_STR(data, "ELLOllo");
  CHECK_EQ(lseek(fd, 0, SEEK_CUR), 0);
  close(fd);
  test_close_default_loop();
}

TEST(fs_read_and_write_without_an_offset_move_the_position) {
  char data[16] = "";
  uv_fs_t req;
  uv_buf_t buf = uv_buf_init("abc", 3);
  int fd = open("f", O_CREAT | O_RDWR, 0600);
  CHECK_EQ(uv_fs_write(NULL, &req, fd, &buf, 1, -1, NULL), 3);
  CHECK_EQ(fs_wait(uv_fs_write(uv_default_loop(), &req, fd, &buf, 1, -1, fs_done), &req), 3);
  CHECK_EQ(lseek(fd, 0, SEEK_CUR), 6);
  CHECK_EQ(lseek(fd, 1, SEEK_SET), 1);
  buf = uv_buf_init(data, 2);
  CHECK_EQ(uv_fs_read(NULL, &req, fd, &buf, 1, -1, NULL), 2);
  buf = uv_buf_init(data + 2, 10);
  CHECK_EQ(fs_wait(uv_fs_read(uv_default_loop(), &req, fd, &buf, 1, -1, fs_done), &req), 3);
  CHECK_STR(data, "bcabc");
  CHECK_EQ(fs_wait(uv_fs_read(uv_default_loop(), &req, fd, &buf, 1, -1, fs_done), &req), 0);
  close(fd);
  test_close_default_loop();
}

TEST(fs_write_appends_to_a_file_opened_for_it) {
  uv_fs_t req;
  uv_buf_t buf = uv_buf_init("-tail", 5);
  fs_make("f", "head");
  int fd = uv_fs_open(NULL, &req, "f", UV_FS_O_WRONLY | UV_FS_O_APPEND, 0, NULL);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_fs_write(NULL, &req, fd, &buf, 1, -1, NULL), 5);
  CHECK_EQ(fs_wait(uv_fs_write(uv_default_loop(), &req, fd, &buf, 1, -1, fs_done), &req), 5);
  close(fd);
  CHECK_STR(fs_content("f"), "head-tail-tail");
  test_close_default_loop();
}

static void unreachable(uv_fs_t *req) {
  (void)req;
  CHECK(!"called");
}

TEST(fs_read_and_write_want_buffers) {
  uv_fs_t req;
  uv_buf_t buf = uv_buf_init(NULL, 0);
  CHECK_EQ(uv_fs_read(NULL, &req, 0, NULL, 0, -1, NULL), UV_EINVAL);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_fs_read(NULL, &req, 0, NULL, 1, -1, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_read(NULL, &req, 0, &buf, 0, -1, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_write(NULL, &req, 0, NULL, 0, -1, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_read(uv_default_loop(), &req, 0, NULL, 0, -1, unreachable), UV_EINVAL);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_fs_write(uv_default_loop(), &req, 0, &buf, 0, -1, unreachable), UV_EINVAL);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_loop_alive(uv_default_loop()), 0);
  test_close_default_loop();
}

TEST(fs_empty_buffers_write_nothing) {
  uv_fs_t req;
  uv_buf_t bufs[3] = {uv_buf_init(NULL, 0), uv_buf_init("x", 1), uv_buf_init(NULL, 0)};
  int fd = open("f", O_CREAT | O_RDWR, 0600);
  CHECK_EQ(uv_fs_write(NULL, &req, fd, bufs, 1, -1, NULL), 0);
  CHECK_EQ(uv_fs_write(NULL, &req, fd, bufs, 3, -1, NULL), 1);
  CHECK_EQ(fs_wait(uv_fs_write(uv_default_loop(), &req, fd, bufs, 1, 0, fs_done), &req), 0);
  CHECK_EQ(fs_wait(uv_fs_write(uv_default_loop(), &req, fd, bufs, 3, -1, fs_done), &req), 1);
  CHECK_STR(fs_content("f"), "xx");
  close(fd);
  test_close_default_loop();
}

enum { MANY = 5000, ROW = 7 };

/* A write takes as many calls as are needed, a read makes one call, with as many buffers as that can have. */
static void many_buffers(int64_t offset, int is_async) {
  static char data[MANY * ROW + 1];
  static char back[MANY * ROW + 1];
  static uv_buf_t bufs[MANY];
  char line[16];
  uv_loop_t *loop = uv_default_loop();
  uv_fs_t req;
  ssize_t n;
  int most = buffers_of_a_read() < MANY ? buffers_of_a_read() : MANY;
  for (int i = 0; i < MANY; i++) {
    snprintf(line, sizeof(line), "%06d\n", i);
    memcpy(data + i * ROW, line, ROW);
    bufs[i] = uv_buf_init(data + i * ROW, ROW);
  }
  int fd = open("f", O_CREAT | O_TRUNC | O_RDWR, 0600);
  if (is_async) {
    CHECK_EQ(uv_fs_write(loop, &req, fd, bufs, MANY, offset, fs_done), 0);
    uv_buf_t kept = bufs[0];
    memset(bufs, 0, sizeof(bufs)); /* the array is the caller's again */
    n = fs_wait(0, &req);
    bufs[0] = kept;
  } else {
    n = uv_fs_write(NULL, &req, fd, bufs, MANY, offset, NULL);
    CHECK(bufs[0].base == data && bufs[0].len == ROW);
  }
  uv_fs_req_cleanup(&req);
  CHECK_EQ(n, MANY * ROW);

  for (int i = 0; i < MANY; i++)
    bufs[i] = uv_buf_init(back + i * ROW, ROW);
  memset(back, 0, sizeof(back));
  CHECK_EQ(lseek(fd, 0, SEEK_SET), 0);
  if (is_async)
    n = fs_wait(uv_fs_read(loop, &req, fd, bufs, MANY, offset, fs_done), &req);
  else
    n = uv_fs_read(NULL, &req, fd, bufs, MANY, offset, NULL);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(n, most * ROW);
  CHECK_EQ(memcmp(back, data, (size_t)most * ROW), 0);
  close(fd);
}

TEST(fs_many_buffers) {
  many_buffers(-1, 0);
  many_buffers(0, 0);
  many_buffers(13, 0);
}

TEST(fs_many_buffers_through_the_loop) {
  many_buffers(-1, 1);
  many_buffers(0, 1);
  many_buffers(13, 1);
  test_close_default_loop();
}

static void drain(void *arg) {
  int fd = *(int *)arg;
  char data[777];
  ssize_t n;
  long total = 0;
  while ((n = read(fd, data, sizeof(data))) > 0)
    total += n;
  *(int *)arg = (int)total;
}

/* A pipe takes less than is asked for at a time: a write goes on all the same. */
TEST(fs_write_goes_on_after_a_part) {
  static char data[300000];
  uv_buf_t bufs[3] = {uv_buf_init(data, 100000), uv_buf_init(data, 99999), uv_buf_init(data, 100001)};
  for (int is_async = 0; is_async < 2; is_async++) {
    uv_thread_t thread;
    uv_fs_t req;
    int fds[2];
    make_pipe(fds);
    int shared = fds[0];
    CHECK_EQ(uv_thread_create(&thread, drain, &shared), 0);
    ssize_t n = is_async ? fs_wait(uv_fs_write(uv_default_loop(), &req, fds[1], bufs, 3, -1, fs_done), &req)
                         : uv_fs_write(NULL, &req, fds[1], bufs, 3, -1, NULL);
    CHECK_EQ(n, 300000);
    uv_fs_req_cleanup(&req);
    close(fds[1]);
    CHECK_EQ(uv_thread_join(&thread), 0);
    CHECK_EQ(shared, 300000);
    close(fds[0]);
  }
  test_close_default_loop();
}

TEST(fs_read_and_write_tell_what_is_wrong) {
  char data[8];
  uv_fs_t req;
  uv_buf_t buf = uv_buf_init(data, sizeof(data));
  CHECK_EQ(mkdir("d", 0700), 0);
  fs_make("f", "x");
  int directory = uv_fs_open(NULL, &req, "d", UV_FS_O_RDONLY, 0, NULL);
  CHECK(directory >= 0);
  uv_fs_req_cleanup(&req);
  int reader = open("f", O_RDONLY);
  CHECK_EQ(uv_fs_read(NULL, &req, directory, &buf, 1, 0, NULL), UV_EISDIR);
  CHECK_EQ(fs_wait(uv_fs_read(uv_default_loop(), &req, directory, &buf, 1, 0, fs_done), &req), UV_EISDIR);
  uv_fs_req_cleanup(&req);
  uv_buf_t none = uv_buf_init(NULL, 0);
  CHECK_EQ(uv_fs_read(NULL, &req, directory, &none, 1, 0, NULL), UV_EISDIR);
  CHECK_EQ(fs_wait(uv_fs_read(uv_default_loop(), &req, directory, &none, 1, 0, fs_done), &req), UV_EISDIR);
  CHECK_EQ(uv_fs_write(NULL, &req, reader, &buf, 1, 0, NULL), UV_EBADF);
  CHECK_EQ(fs_wait(uv_fs_write(uv_default_loop(), &req, reader, &buf, 1, 0, fs_done), &req), UV_EBADF);
  CHECK_EQ(uv_fs_read(NULL, &req, -1, &buf, 1, 0, NULL), UV_EBADF);
  CHECK_EQ(fs_wait(uv_fs_read(uv_default_loop(), &req, -1, &buf, 1, -1, fs_done), &req), UV_EBADF);
  close(directory);
  close(reader);
  test_close_default_loop();
}

TEST(fs_sync_and_truncate) {
  uv_loop_t *loop = uv_default_loop();
  uv_fs_t req;
  fs_make("f", "0123456789");
  int fd = open("f", O_RDWR);
  CHECK_EQ(uv_fs_fsync(NULL, &req, fd, NULL), 0);
  CHECK_EQ(uv_fs_fdatasync(NULL, &req, fd, NULL), 0);
  CHECK_EQ(uv_fs_ftruncate(NULL, &req, fd, 7, NULL), 0);
  CHECK_STR(fs_content("f"), "0123456");
  CHECK_EQ(fs_wait(uv_fs_fsync(loop, &req, fd, fs_done), &req), 0);
  CHECK_EQ(fs_wait(uv_fs_fdatasync(loop, &req, fd, fs_done), &req), 0);
  CHECK_EQ(fs_wait(uv_fs_ftruncate(loop, &req, fd, 3, fs_done), &req), 0);
  CHECK_STR(fs_content("f"), "012");
  CHECK_EQ(uv_fs_ftruncate(NULL, &req, fd, -1, NULL), UV_EINVAL);
  CHECK_EQ(uv_fs_fsync(NULL, &req, -1, NULL), UV_EBADF);
  CHECK_EQ(fs_wait(uv_fs_fdatasync(loop, &req, -1, fs_done), &req), UV_EBADF);
  close(fd);
  test_close_default_loop();
}
