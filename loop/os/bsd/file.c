/* Files and sockets of the BSDs and macOS. */
#include "loop/os/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "loop/os/outcome.h"
#include "loop/os/socket.h"

/* ---- what a file is ---- */

/* stat(2) knows the time of birth on all of these systems but OpenBSD. */
int rota__os_stat(const char *path, enum rota_stat_of of, uv_stat_t *result) {
  return rota__os_plain_stat(path, of, result);
}

int rota__os_stat_fd(int fd, uv_stat_t *result) {
  return rota__os_plain_stat_fd(fd, result);
}

/* ---- entries of a directory ----
 *
 * Entries of a directory through the C library: macOS has no other way. The position of the descriptor counts the
 * entries that were given; each call reads the directory anew and skips them. The caller's buffer grows twofold, so a
 * directory is read a few times, not often. */

static size_t put(const struct dirent *from, char *to, size_t room) {
  size_t name_size = strlen(from->d_name) + 1;
  size_t length = (offsetof(struct rota_directory_entry, name) + name_size + 7) & ~(size_t)7;
  struct rota_directory_entry *entry = (struct rota_directory_entry *)(void *)to;
  if (length > room)
    return 0;
  entry->inode = from->d_ino;
  entry->offset = 0;
  entry->length = (uint16_t)length;
  entry->type = from->d_type;
  memcpy(entry->name, from->d_name, name_size);
  return length;
}

ssize_t rota__os_directory_read(int fd, void *buffer, size_t size) {
  off_t given = lseek(fd, 0, SEEK_CUR), at = 0;
  int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = copy < 0 ? NULL : fdopendir(copy);
  const struct dirent *found;
  size_t used = 0, length;
  if (given < 0 || stream == NULL) {
    int err = -errno;
    if (stream != NULL)
      closedir(stream);
    else if (copy >= 0)
      rota__os_close(copy);
    return err;
  }
  while ((found = readdir(stream)) != NULL) {
    if (at++ < given)
      continue;
    length = put(found, (char *)buffer + used, size - used);
    if (length == 0)
      break;
    used += length;
    given++;
  }
  closedir(stream);
  return lseek(fd, given, SEEK_SET) < 0 ? -errno : (ssize_t)used;
}

/* ---- copying inside the kernel ---- */

/* sendfile is for sockets only here. */
ssize_t rota__os_sendfile(int out, int in, int64_t *offset, size_t length) {
  (void)out;
  (void)in;
  (void)offset;
  (void)length;
  return -EINVAL; /* as where a file is unsuitable: the caller copies by hand */
}

int rota__os_clone(int out, int in) {
  (void)out;
  (void)in;
  return -ENOTSUP;
}

/* ---- the writer of a FIFO ----
 *
 * It is opened once more. A writer that has just closed again is not seen, and the
 * wait continues. */

int rota__os_wait_for_writer(int fd, const char *path) {
  (void)fd;
  int again = rota__os_open(path, O_RDONLY, 0);
  if (again < 0)
    return again;
  rota__os_close(again);
  return 0;
}

/* ---- wake-up descriptors ----
 *
 * A pipe. A full pipe is readable already, so a byte that finds no room may be lost. A kqueue with a user event
 * would be one descriptor less, but a child process does not inherit it. */

int rota__os_wakeup_open(struct rota_os_wakeup *wakeup) {
  int fds[2];
  int err = rota__os_pipe(fds, O_NONBLOCK);
  wakeup->fd = err < 0 ? -1 : fds[0];
  wakeup->other = err < 0 ? -1 : fds[1];
  return err;
}

void rota__os_wakeup_signal(const struct rota_os_wakeup *wakeup) {
  (void)rota__os_write(wakeup->other, "", 1);
}

void rota__os_wakeup_clear(const struct rota_os_wakeup *wakeup) {
  char bytes[512];
  while (rota__os_read(wakeup->fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes))
    continue;
}

void rota__os_wakeup_close(struct rota_os_wakeup *wakeup) {
  if (wakeup->fd < 0)
    return;
  rota__os_close(wakeup->fd);
  rota__os_close(wakeup->other);
  wakeup->fd = wakeup->other = -1;
}

/* ---- datagrams ---- */

/* One datagram for each call: where these systems have a call for many, it is a loop of the C library, or private. */
static ssize_t receive(int fd, struct msghdr *message) {
  ssize_t n;
  do
    n = recvmsg(fd, message, MSG_DONTWAIT);
  while (rota__os_interrupted(n));
  return rota__os_outcome(n);
}

ssize_t rota__os_recv_datagram(int fd, void *data, size_t size, bool is_stream, struct sockaddr *peer,
                               socklen_t *peer_length) {
  struct iovec vector = {.iov_base = data, .iov_len = size};
  struct msghdr message = {
      .msg_name = peer, .msg_namelen = peer == NULL ? 0 : *peer_length, .msg_iov = &vector, .msg_iovlen = 1};
  ssize_t n = receive(fd, &message);
  if (n < 0)
    return n;
  if (peer_length != NULL)
    *peer_length = message.msg_namelen;
  return !is_stream && (message.msg_flags & MSG_TRUNC) ? (ssize_t)size + 1 : n;
}

int rota__os_recvmmsg(int fd, struct rota_os_message *messages, unsigned int count) {
  for (unsigned int i = 0; i < count; i++) {
    ssize_t n = receive(fd, &messages[i].header);
    if (n < 0)
      return i > 0 ? (int)i : (int)n;
    messages[i].length = (unsigned int)n;
  }
  return (int)count;
}

/* ---- local sockets ----
 *
 * Sockets with names in a table of the kernel's are Linux's alone: these systems have files for them, which outlive
 * their process. So nobody can attach to a program here, and metrics are those of one
 * process. */

int rota__os_local_listen(const char *name) {
  (void)name;
  return -ENOTSUP;
}

int rota__os_local_connect(const char *name) {
  (void)name;
  return -ENOTSUP;
}

int rota__os_peer(int fd, pid_t *process, uid_t *user) {
  (void)fd;
  (void)process;
  (void)user;
  return -ENOTSUP;
}
