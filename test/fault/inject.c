/* Loaded before the C library (LD_PRELOAD): makes the nth system call fail. In a static program, which loads nothing,
 * the compiler gives other names to the calls (test/fault/build.mk, INJECTED), and this file has the functions of these
 * names.
 *
 * Only calls that can fail in the chosen way are counted, and only where such a failure is possible in reality:
 *   no room      EMFILE for what makes a descriptor, ENOMEM or ENOBUFS for the rest, EAGAIN for threads and processes
 *   interrupted  EINTR for what a signal can interrupt; the library must simply try again
 *   again        EAGAIN for sockets; the library must wait, and try again
 * Writes to event counters and pipes never fail for want of memory, and are left alone. */
#include "fault.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

#ifdef FAULT_LINKED
#define REPLACED(function) fault_##function
#define NEXT(function) function
#else
#define REPLACED(function) function
#define NEXT(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))
#endif

static enum fault_kind kind;
static int failing;
static atomic_int count;
static const char *name_of_failed = "none";

EXPORT void fault_arm(enum fault_kind kind_wanted, int n) {
  kind = kind_wanted;
  failing = n;
  atomic_store(&count, 0);
}

EXPORT int fault_count(void) {
  return atomic_load(&count);
}

EXPORT const char *fault_name(void) {
  return name_of_failed;
}

/* Counts a call that may fail with this error, and returns whether it must fail. */
static int fails(enum fault_kind this_kind, int error, const char *name) {
  if (kind != this_kind || atomic_fetch_add(&count, 1) + 1 != failing)
    return 0;
  name_of_failed = name;
  errno = error;
  return 1;
}

static int is_socket(int fd) {
  struct stat status;
  int saved = errno;
  int result = fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode);
  errno = saved;
  return result;
}

static int is_file(int fd) {
  struct stat status;
  int saved = errno;
  int result = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  errno = saved;
  return result;
}

static int transfer_fails(int fd, int error_no_room, const char *name) {
  if (fails(FAULT_INTERRUPTED, EINTR, name))
    return 1;
  if (is_socket(fd))
    return fails(FAULT_AGAIN, EAGAIN, name) || fails(FAULT_NO_ROOM, error_no_room, name);
  return is_file(fd) && fails(FAULT_NO_ROOM, EIO, name);
}

EXPORT ssize_t REPLACED(read)(int fd, void *buffer, size_t length) {
  return transfer_fails(fd, ENOMEM, "read") ? -1 : NEXT(read)(fd, buffer, length);
}

EXPORT ssize_t REPLACED(write)(int fd, const void *buffer, size_t length) {
  return transfer_fails(fd, ENOBUFS, "write") ? -1 : NEXT(write)(fd, buffer, length);
}

EXPORT ssize_t REPLACED(readv)(int fd, const struct iovec *vector, int n) {
  return transfer_fails(fd, ENOMEM, "readv") ? -1 : NEXT(readv)(fd, vector, n);
}

EXPORT ssize_t REPLACED(writev)(int fd, const struct iovec *vector, int n) {
  return transfer_fails(fd, ENOBUFS, "writev") ? -1 : NEXT(writev)(fd, vector, n);
}

EXPORT ssize_t REPLACED(pread)(int fd, void *buffer, size_t length, off_t offset) {
  return transfer_fails(fd, ENOMEM, "pread") ? -1 : NEXT(pread)(fd, buffer, length, offset);
}

EXPORT ssize_t REPLACED(pwrite)(int fd, const void *buffer, size_t length, off_t offset) {
  return transfer_fails(fd, ENOMEM, "pwrite") ? -1 : NEXT(pwrite)(fd, buffer, length, offset);
}

EXPORT ssize_t REPLACED(preadv)(int fd, const struct iovec *vector, int n, off_t offset) {
  return transfer_fails(fd, ENOMEM, "preadv") ? -1 : NEXT(preadv)(fd, vector, n, offset);
}

EXPORT ssize_t REPLACED(pwritev)(int fd, const struct iovec *vector, int n, off_t offset) {
  return transfer_fails(fd, ENOMEM, "pwritev") ? -1 : NEXT(pwritev)(fd, vector, n, offset);
}

EXPORT ssize_t REPLACED(send)(int fd, const void *buffer, size_t length, int flags) {
  return transfer_fails(fd, ENOBUFS, "send") ? -1 : NEXT(send)(fd, buffer, length, flags);
}

EXPORT ssize_t REPLACED(sendmsg)(int fd, const struct msghdr *message, int flags) {
  return transfer_fails(fd, ENOBUFS, "sendmsg") ? -1 : NEXT(sendmsg)(fd, message, flags);
}

EXPORT int REPLACED(sendmmsg)(int fd, struct mmsghdr *messages, unsigned int n, int flags) {
  return transfer_fails(fd, ENOBUFS, "sendmmsg") ? -1 : NEXT(sendmmsg)(fd, messages, n, flags);
}

EXPORT ssize_t REPLACED(recv)(int fd, void *buffer, size_t length, int flags) {
  return transfer_fails(fd, ENOMEM, "recv") ? -1 : NEXT(recv)(fd, buffer, length, flags);
}

EXPORT ssize_t REPLACED(recvmsg)(int fd, struct msghdr *message, int flags) {
  return transfer_fails(fd, ENOMEM, "recvmsg") ? -1 : NEXT(recvmsg)(fd, message, flags);
}

EXPORT ssize_t REPLACED(recvfrom)(int fd, void *data, size_t size, int flags, struct sockaddr *from,
                                  socklen_t *length) {
  return transfer_fails(fd, ENOMEM, "recvfrom") ? -1 : NEXT(recvfrom)(fd, data, size, flags, from, length);
}

EXPORT int REPLACED(recvmmsg)(int fd, struct mmsghdr *messages, unsigned int n, int flags, struct timespec *timeout) {
  return transfer_fails(fd, ENOMEM, "recvmmsg") ? -1 : NEXT(recvmmsg)(fd, messages, n, flags, timeout);
}

EXPORT int REPLACED(accept4)(int fd, struct sockaddr *address, socklen_t *length, int flags) {
  if (fails(FAULT_INTERRUPTED, EINTR, "accept4") || fails(FAULT_AGAIN, EAGAIN, "accept4") ||
      fails(FAULT_NO_ROOM, EMFILE, "accept4"))
    return -1;
  return NEXT(accept4)(fd, address, length, flags);
}

EXPORT int REPLACED(socket)(int domain, int type, int protocol) {
  return fails(FAULT_NO_ROOM, EMFILE, "socket") ? -1 : NEXT(socket)(domain, type, protocol);
}

EXPORT int REPLACED(socketpair)(int domain, int type, int protocol, int fds[2]) {
  return fails(FAULT_NO_ROOM, EMFILE, "socketpair") ? -1 : NEXT(socketpair)(domain, type, protocol, fds);
}

EXPORT int REPLACED(bind)(int fd, const struct sockaddr *address, socklen_t length) {
  return fails(FAULT_NO_ROOM, ENOMEM, "bind") ? -1 : NEXT(bind)(fd, address, length);
}

EXPORT int REPLACED(listen)(int fd, int backlog) {
  return fails(FAULT_NO_ROOM, ENOBUFS, "listen") ? -1 : NEXT(listen)(fd, backlog);
}

EXPORT int REPLACED(connect)(int fd, const struct sockaddr *address, socklen_t length) {
  return fails(FAULT_NO_ROOM, ENOBUFS, "connect") ? -1 : NEXT(connect)(fd, address, length);
}

EXPORT int REPLACED(setsockopt)(int fd, int level, int option, const void *value, socklen_t length) {
  return fails(FAULT_NO_ROOM, ENOBUFS, "setsockopt") ? -1 : NEXT(setsockopt)(fd, level, option, value, length);
}

EXPORT int REPLACED(getsockname)(int fd, struct sockaddr *address, socklen_t *length) {
  return fails(FAULT_NO_ROOM, ENOBUFS, "getsockname") ? -1 : NEXT(getsockname)(fd, address, length);
}

EXPORT int REPLACED(pipe2)(int fds[2], int flags) {
  return fails(FAULT_NO_ROOM, EMFILE, "pipe2") ? -1 : NEXT(pipe2)(fds, flags);
}

EXPORT int REPLACED(eventfd)(unsigned int value, int flags) {
  return fails(FAULT_NO_ROOM, EMFILE, "eventfd") ? -1 : NEXT(eventfd)(value, flags);
}

EXPORT int REPLACED(inotify_init1)(int flags) {
  return fails(FAULT_NO_ROOM, EMFILE, "inotify_init1") ? -1 : NEXT(inotify_init1)(flags);
}

EXPORT int REPLACED(inotify_add_watch)(int fd, const char *path, uint32_t mask) {
  return fails(FAULT_NO_ROOM, ENOSPC, "inotify_add_watch") ? -1 : NEXT(inotify_add_watch)(fd, path, mask);
}

EXPORT int REPLACED(epoll_create1)(int flags) {
  return fails(FAULT_NO_ROOM, EMFILE, "epoll_create1") ? -1 : NEXT(epoll_create1)(flags);
}

EXPORT int REPLACED(epoll_ctl)(int epoll_fd, int operation, int fd, struct epoll_event *event) {
  if (operation == EPOLL_CTL_ADD && fails(FAULT_NO_ROOM, ENOMEM, "epoll_ctl"))
    return -1;
  return NEXT(epoll_ctl)(epoll_fd, operation, fd, event);
}

EXPORT int REPLACED(epoll_wait)(int epoll_fd, struct epoll_event *events, int n, int timeout_ms) {
  return fails(FAULT_INTERRUPTED, EINTR, "epoll_wait") ? -1 : NEXT(epoll_wait)(epoll_fd, events, n, timeout_ms);
}

EXPORT int REPLACED(epoll_pwait)(int epoll_fd, struct epoll_event *events, int n, int timeout_ms,
                                 const sigset_t *mask) {
  if (fails(FAULT_INTERRUPTED, EINTR, "epoll_pwait"))
    return -1;
  return NEXT(epoll_pwait)(epoll_fd, events, n, timeout_ms, mask);
}

#ifdef __GLIBC__ /* musl has no function for it */
EXPORT int REPLACED(epoll_pwait2)(int epoll_fd, struct epoll_event *events, int n, const struct timespec *timeout,
                                  const sigset_t *mask) {
  if (fails(FAULT_INTERRUPTED, EINTR, "epoll_pwait2"))
    return -1;
  return NEXT(epoll_pwait2)(epoll_fd, events, n, timeout, mask);
}
#endif

EXPORT int REPLACED(poll)(struct pollfd *fds, nfds_t n, int timeout_ms) {
  return fails(FAULT_INTERRUPTED, EINTR, "poll") ? -1 : NEXT(poll)(fds, n, timeout_ms);
}

EXPORT pid_t REPLACED(waitpid)(pid_t pid, int *status, int options) {
  if (!(options & WNOHANG) && fails(FAULT_INTERRUPTED, EINTR, "waitpid"))
    return -1;
  return NEXT(waitpid)(pid, status, options);
}

EXPORT int REPLACED(open)(const char *path, int flags, ...) {
  va_list arguments;
  mode_t mode;
  va_start(arguments, flags);
  mode = va_arg(arguments, mode_t);
  va_end(arguments);
  if (fails(FAULT_INTERRUPTED, EINTR, "open") || fails(FAULT_NO_ROOM, EMFILE, "open"))
    return -1;
  return NEXT(open)(path, flags, mode);
}

EXPORT void *REPLACED(mmap)(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  if (fd >= 0 && fails(FAULT_NO_ROOM, ENOMEM, "mmap"))
    return MAP_FAILED;
  return NEXT(mmap)(address, length, protection, flags, fd, offset);
}

EXPORT int REPLACED(pthread_create)(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                                    void *data) {
  if (fails(FAULT_NO_ROOM, EAGAIN, "pthread_create"))
    return EAGAIN;
  return NEXT(pthread_create)(thread, attributes, function, data);
}

EXPORT pid_t REPLACED(fork)(void) {
  return fails(FAULT_NO_ROOM, EAGAIN, "fork") ? -1 : NEXT(fork)();
}

/* Calls without a function of their own. Only those of io_uring: waiting for a lock must not fail. */
EXPORT long REPLACED(syscall)(long number, ...) {
  long a[6];
  int i;
  va_list arguments;
  va_start(arguments, number);
  for (i = 0; i < 6; i++)
    a[i] = va_arg(arguments, long);
  va_end(arguments);
  if (number == SYS_io_uring_setup && fails(FAULT_NO_ROOM, ENOMEM, "io_uring_setup"))
    return -1;
  if (number == SYS_io_uring_enter &&
      (fails(FAULT_INTERRUPTED, EINTR, "io_uring_enter") || fails(FAULT_AGAIN, EAGAIN, "io_uring_enter")))
    return -1;
  return NEXT(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
