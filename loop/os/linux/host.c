/* What Linux tells of this process and its interfaces in its own way, random numbers, and whether the processor's
 * counter is reliable; the rest is in posix/host.c. */
#include "loop/os/host.h"

#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <linux/if_packet.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

#include "loop/os/clock.h"
#include "loop/os/file.h"
#include "loop/os/process.h"

/* ---- this process ---- */

ssize_t rota__os_program_path(char *buffer, size_t size) {
  return rota__os_readlink("/proc/self/exe", buffer, size);
}

ssize_t rota__os_command_line(char *buffer, size_t size) {
  return rota__os_read_text("/proc/self/cmdline", buffer, size);
}

ssize_t rota__os_command_line_of(int process_id, char *buffer, size_t size) {
  char path[32];
  snprintf(path, sizeof(path), "/proc/%d/cmdline", process_id);
  return rota__os_read_text(path, buffer, size);
}

const char *rota__os_program_name(void) {
  return program_invocation_short_name;
}

const char *rota__os_trusted_environment(const char *name) {
  return secure_getenv(name);
}

int rota__os_rusage_thread(struct rusage *usage) {
  return getrusage(RUSAGE_THREAD, usage) < 0 ? -errno : 0;
}

const void *rota__os_hardware_address(const struct ifaddrs *entry) {
  if (entry->ifa_addr == NULL || entry->ifa_addr->sa_family != AF_PACKET)
    return NULL;
  return ((const struct sockaddr_ll *)entry->ifa_addr)->sll_addr;
}

/* ---- random numbers ---- */

static int read_exactly(const char *path, char *buffer, size_t length) {
  int fd = rota__os_open_cloexec(path, O_RDONLY);
  if (fd < 0)
    return fd;
  int err = 0;
  while (length > 0 && err == 0) {
    ssize_t n = rota__os_read(fd, buffer, length);
    if (n <= 0) {
      err = n < 0 ? (int)n : -EIO;
    } else {
      buffer += n;
      length -= (size_t)n;
    }
  }
  rota__os_close(fd);
  return err;
}

/* Used if the system call is missing or forbidden. /dev/urandom never waits for entropy, /dev/random does: after one
 * byte from /dev/random, /dev/urandom is safe. */
static int from_device(char *buffer, size_t length) {
  static bool is_seeded;
  if (!__atomic_load_n(&is_seeded, __ATOMIC_RELAXED)) {
    char byte;
    int err = read_exactly("/dev/random", &byte, 1);
    if (err != 0)
      return err;
    __atomic_store_n(&is_seeded, true, __ATOMIC_RELAXED);
  }
  return read_exactly("/dev/urandom", buffer, length);
}

int rota__os_random(void *buffer, size_t length) {
  char *at = buffer;
  while (length > 0) {
    ssize_t n = getrandom(at, length, 0);
    if (n < 0) {
      if (errno == EINTR)
        continue;
      if (errno == ENOSYS || errno == EPERM)
        return from_device(at, length);
      return -errno;
    }
    at += n;
    length -= (size_t)n;
  }
  return 0;
}

/* ---- the processor's counter ----
 *
 * Whether the processor's counter can be trusted: the kernel says what it uses itself. */

bool rota__os_cycles_trusted(void) {
#if defined(__x86_64__) || defined(__i386__)
  char text[16] = "";
  int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  ssize_t n = read(fd, text, sizeof(text) - 1);
  close(fd);
  return n >= 3 && strncmp(text, "tsc", 3) == 0;
#elif defined(__aarch64__)
  return true;
#else
  return false;
#endif
}
