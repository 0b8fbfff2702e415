#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

void close_socket(int fd) {
  CHECK_EQ(close(fd), 0);
}

int copy_socket(int fd) {
  int copy = dup(fd);
  CHECK(copy >= 0);
  return copy;
}

int listen_bare(int *port) {
  struct sockaddr_in address;
  socklen_t length = sizeof address;
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  CHECK(fd >= 0);
  CHECK_EQ(uv_ip4_addr("127.0.0.1", 0, &address), 0);
  CHECK_EQ(bind(fd, (struct sockaddr *)&address, length), 0);
  CHECK_EQ(listen(fd, 8), 0);
  CHECK_EQ(getsockname(fd, (struct sockaddr *)&address, &length), 0);
  *port = ntohs(address.sin_port);
  return fd;
}

void bare_pair(int fds[2]) {
  CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
}

void local_pair(uv_file fds[2]) {
  CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds), 0);
}

ssize_t peer_read(uv_file fd, void *bytes, size_t size) {
  return read(fd, bytes, size);
}

ssize_t peer_write(uv_file fd, const void *bytes, size_t size) {
  return write(fd, bytes, size);
}

void peer_close(uv_file fd) {
  CHECK_EQ(close(fd), 0);
}

/* A file in the folder of the test. */
const char *local_name(const char *word) {
  return word;
}

bool descriptor_is_open(uv_file fd) {
  return fcntl(fd, F_GETFD) >= 0;
}

void end_at_broken_pipes(bool end) {
  signal(SIGPIPE, end ? SIG_DFL : SIG_IGN);
}

void allow_descriptors(int count) {
  struct rlimit limit;
  CHECK_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  if (limit.rlim_cur >= (rlim_t)count)
    return;
  if (limit.rlim_max < (rlim_t)count)
    SKIP("too few descriptors are allowed");
  limit.rlim_cur = limit.rlim_max;
  CHECK_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

void make_pipe(uv_file fds[2]) {
  CHECK_EQ(pipe(fds), 0);
}

void forget_content(uv_file fd) {
  CHECK_EQ(fsync(fd), 0);
  posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}

int buffers_of_a_read(void) {
  return IOV_MAX;
}

void make_link(const char *target, const char *path) {
  CHECK_EQ(symlink(target, path), 0);
}

void set_variable(const char *name, const char *value) {
  CHECK_EQ(setenv(name, value, 1), 0);
}

void unset_variable(const char *name) {
  CHECK_EQ(unsetenv(name), 0);
}

bool child_is_reaped(int pid) {
  return waitpid(pid, NULL, 0) == -1 && errno == ECHILD;
}

int status_of_killed(void) {
  return 0;
}
