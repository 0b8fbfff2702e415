/* A copy that an error ends half-way tells all that was written: who goes on from there writes nothing twice. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "test.h"

enum { CHUNK = 8192, LIMIT = CHUNK + 500 };

TEST(sendfile_counts_the_bytes_before_an_error) {
  static char bytes[2 * CHUNK];
  int fds[2];
  uv_fs_t req;
  memset(bytes, 'x', sizeof bytes);
  CHECK_EQ(pipe(fds), 0);
  CHECK_EQ(write(fds[1], bytes, sizeof bytes), (ssize_t)sizeof bytes);
  int out = open("out", O_WRONLY | O_CREAT, 0600);
  CHECK(out >= 0);
  signal(SIGXFSZ, SIG_IGN);
  struct rlimit limit = {LIMIT, LIMIT};
  CHECK_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  CHECK_EQ(uv_fs_sendfile(NULL, &req, out, fds[0], 0, sizeof bytes, NULL), LIMIT);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(lseek(out, 0, SEEK_END), LIMIT);
  close(out);
  close(fds[0]);
  close(fds[1]);
}
