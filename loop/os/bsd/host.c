/* What these systems tell of this process and its interfaces in their own way; the rest is in posix/host.c. */
#include "loop/os/host.h"

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <net/if_dl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/sysctl.h>
#include <unistd.h>

#include "loop/os/clock.h"
#include "loop/os/process.h"

#ifdef __APPLE__
#include <crt_externs.h>
#include <mach-o/dyld.h>
#include <mach/mach.h>
#endif

const char *rota__os_program_name(void) {
  const char *name = getprogname();
  return name == NULL ? "" : name;
}

const char *rota__os_trusted_environment(const char *name) {
  return issetugid() ? NULL : getenv(name);
}

const void *rota__os_hardware_address(const struct ifaddrs *entry) {
  if (entry->ifa_addr == NULL || entry->ifa_addr->sa_family != AF_LINK)
    return NULL;
  const struct sockaddr_dl *link = (const struct sockaddr_dl *)(const void *)entry->ifa_addr;
  return link->sdl_alen == 0 ? NULL : link->sdl_data + link->sdl_nlen;
}

#ifdef __APPLE__
ssize_t rota__os_program_path(char *buffer, size_t size) {
  uint32_t room = (uint32_t)size;
  if (_NSGetExecutablePath(buffer, &room) != 0)
    return -ENAMETOOLONG;
  return (ssize_t)strlen(buffer);
}

ssize_t rota__os_command_line(char *buffer, size_t size) {
  char **arguments = *_NSGetArgv();
  size_t used = 0;
  for (int i = 0; i < *_NSGetArgc() && used < size; i++) {
    size_t length = strnlen(arguments[i], size - used - 1);
    memcpy(buffer + used, arguments[i], length);
    buffer[used + length] = '\0';
    used += length + 1;
  }
  return (ssize_t)used;
}

ssize_t rota__os_command_line_of(int process_id, char *buffer, size_t size) {
  (void)process_id;
  (void)buffer;
  (void)size;
  return -ENOTSUP; /* only with the environment, in one block that the caller would have to take apart */
}

int rota__os_rusage_thread(struct rusage *usage) {
  thread_basic_info_data_t info;
  mach_msg_type_number_t count = THREAD_BASIC_INFO_COUNT;
  thread_t thread = mach_thread_self();
  kern_return_t result = thread_info(thread, THREAD_BASIC_INFO, (thread_info_t)&info, &count);
  mach_port_deallocate(mach_task_self(), thread);
  if (result != KERN_SUCCESS)
    return -EINVAL;
  *usage = (struct rusage){
      .ru_utime = {info.user_time.seconds, info.user_time.microseconds},
      .ru_stime = {info.system_time.seconds, info.system_time.microseconds},
  };
  return 0;
}
#else

#if defined(__FreeBSD__)
static ssize_t ask(int what, int process_id, char *buffer, size_t size) {
  int name[] = {CTL_KERN, KERN_PROC, what, process_id};
  return sysctl(name, 4, buffer, &size, NULL, 0) < 0 ? -errno : (ssize_t)size;
}
enum { PATH = KERN_PROC_PATHNAME, ARGUMENTS = KERN_PROC_ARGS };
#elif defined(__NetBSD__)
static ssize_t ask(int what, int process_id, char *buffer, size_t size) {
  int name[] = {CTL_KERN, KERN_PROC_ARGS, process_id, what};
  return sysctl(name, 4, buffer, &size, NULL, 0) < 0 ? -errno : (ssize_t)size;
}
enum { PATH = KERN_PROC_PATHNAME, ARGUMENTS = KERN_PROC_ARGV };
#else
/* OpenBSD: it knows the arguments, as a vector that points into the same block, and no path. */
enum { PATH, ARGUMENTS };
static ssize_t ask(int what, int process_id, char *buffer, size_t size) {
  int name[] = {CTL_KERN, KERN_PROC_ARGS, process_id, KERN_PROC_ARGV};
  size_t length = 0, used = 0;
  if (what == PATH)
    return -ENOTSUP;
  if (sysctl(name, 4, NULL, &length, NULL, 0) < 0)
    return -errno;
  char **vector = malloc(length);
  if (vector == NULL)
    return -ENOMEM;
  int err = sysctl(name, 4, vector, &length, NULL, 0) < 0 ? -errno : 0;
  for (char **at = vector; err == 0 && *at != NULL && used < size; at++)
    used += strlcpy(buffer + used, *at, size - used) + 1;
  free(vector);
  return err < 0 ? err : (ssize_t)(used < size ? used : size);
}
#endif

ssize_t rota__os_program_path(char *buffer, size_t size) {
  ssize_t length = ask(PATH, getpid(), buffer, size);
  return length > 0 ? (ssize_t)strnlen(buffer, (size_t)length) : length;
}

ssize_t rota__os_command_line(char *buffer, size_t size) {
  return ask(ARGUMENTS, getpid(), buffer, size);
}

ssize_t rota__os_command_line_of(int process_id, char *buffer, size_t size) {
  return ask(ARGUMENTS, process_id, buffer, size);
}

int rota__os_rusage_thread(struct rusage *usage) {
#ifdef RUSAGE_THREAD
  return getrusage(RUSAGE_THREAD, usage) < 0 ? -errno : 0;
#else
  (void)usage;
  return -ENOTSUP;
#endif
}
#endif

/* ---- the processor's counter ----
 *
 * Whether the processor's counter can be trusted. On aarch64, the counter is the system's clock. On x86-64, the systems
 * do not say in one way whether theirs is, so their own clock is read. */

bool rota__os_cycles_trusted(void) {
#ifdef __aarch64__
  return true;
#else
  return false;
#endif
}
