/* The clocks, pages of memory, the machine and its users. */
#include "loop/os/host.h"

#include <errno.h>
#include <grp.h>
#include <ifaddrs.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "loop/base/check.h"
#include "loop/base/units.h"
#include "loop/os/clock.h"
#include "loop/os/memory.h"
#include "loop/os/outcome.h"
#include "loop/os/process.h"

/* ---- the machine, its users, this process ---- */

int rota__os_uname(struct utsname *name) {
  return uname(name) < 0 ? -errno : 0;
}

int rota__os_hostname(char *buffer, size_t size) {
  if (gethostname(buffer, size) < 0)
    return -errno;
  buffer[size - 1] = '\0'; /* a name that was cut off has none */
  return 0;
}

int rota__os_rusage(struct rusage *usage) {
  return getrusage(RUSAGE_SELF, usage) < 0 ? -errno : 0;
}

int rota__os_priority(pid_t pid, int *priority) {
  errno = 0; /* -1 is a priority, too */
  int result = getpriority(PRIO_PROCESS, (id_t)pid);
  if (result == -1 && errno != 0)
    return -errno;
  *priority = result;
  return 0;
}

int rota__os_set_priority(pid_t pid, int priority) {
  return setpriority(PRIO_PROCESS, (id_t)pid, priority) < 0 ? -errno : 0;
}

int rota__os_working_directory(char **path) {
  *path = getcwd(NULL, 0);
  if (*path == NULL)
    return -errno;
  size_t length = strlen(*path);
  if (length > 1 && (*path)[length - 1] == '/')
    (*path)[length - 1] = '\0';
  return 0;
}

int rota__os_change_directory(const char *path) {
  return chdir(path) < 0 ? -errno : 0;
}

int rota__os_user(uid_t uid, struct passwd *user, char *scratch, size_t size) {
  struct passwd *found;
  int error;
  do
    error = getpwuid_r(uid, user, scratch, size, &found);
  while (error == EINTR);
  if (error != 0)
    return -error;
  return found == NULL ? -ENOENT : 0;
}

int rota__os_group(gid_t gid, struct group *group, char *scratch, size_t size) {
  struct group *found;
  int error;
  do
    error = getgrgid_r(gid, group, scratch, size, &found);
  while (error == EINTR);
  if (error != 0)
    return -error;
  return found == NULL ? -ENOENT : 0;
}

int rota__os_setenv(const char *name, const char *value) {
  return setenv(name, value, 1) < 0 ? -errno : 0;
}

int rota__os_unsetenv(const char *name) {
  return unsetenv(name) < 0 ? -errno : 0;
}

int rota__os_interfaces(struct ifaddrs **list) {
  return getifaddrs(list) < 0 ? -errno : 0;
}

int rota__os_process_id(void) {
  return (int)getpid();
}

int rota__os_at_exit(void (*function)(void)) {
  return atexit(function) == 0 ? 0 : -ENOMEM;
}

bool rota__os_threads_are_gone(void) {
  return false; /* they run until the C library has called everybody who wants to know */
}

/* ---- clocks ---- */

#ifdef __APPLE__
enum { MONOTONIC = CLOCK_MONOTONIC_RAW }; /* the other one has microseconds only */
#else
enum { MONOTONIC = CLOCK_MONOTONIC };
#endif

uint64_t rota__os_clock_ns(void) {
  struct timespec now;
  /* Cannot fail: every system has this clock, and the address is ours. */
  clock_gettime(MONOTONIC, &now);
  return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

int rota__os_clock_read(clockid_t clock, struct timespec *now) {
  return clock_gettime(clock, now) < 0 ? -errno : 0;
}

void rota__os_sleep_ns(uint64_t duration_ns) {
  struct timespec rest = {.tv_sec = (time_t)(duration_ns / NS_PER_SECOND),
                          .tv_nsec = (long)(duration_ns % NS_PER_SECOND)};
  int result;
  do
    result = nanosleep(&rest, &rest);
  while (result < 0 && errno == EINTR);
  rota__check(result == 0);
}

struct rota_os_clock rota__os_clock = {
    .loop_ns = rota__os_clock_ns,
    .program_ns = rota__os_clock_ns,
    .read = rota__os_clock_read,
    .sleep_ns = rota__os_sleep_ns,
};

/* ---- pages ---- */

int rota__os_map(void **memory, size_t size) {
  void *mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED)
    return -errno;
  *memory = mapped;
  return 0;
}

void rota__os_unmap(void *memory, size_t size) {
  munmap(memory, size);
}

int rota__os_translate(int code) {
  return code <= 0 ? code : -code;
}
