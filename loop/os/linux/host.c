/* What Linux tells of this process and its interfaces in its own way; the rest is in posix/host.c. */
#include "loop/os/host.h"

#include <errno.h>
#include <ifaddrs.h>
#include <linux/if_packet.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "loop/os/file.h"
#include "loop/os/process.h"

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
