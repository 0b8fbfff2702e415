/* How much memory there is, how much is free, how much this process may have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/host/cgroup.h"
#include "loop/os/host.h"
#include "loop/os/text.h"
#include "uv.h"

enum { BYTES_PER_KB = 1024 };

/* 0 where it is not there. */
static uint64_t read_meminfo(const char *name) {
  char text[4096];
  if (rota__os_read_text("/proc/meminfo", text, sizeof(text)) <= 0)
    return 0;
  const char *line = strstr(text, name);
  return line == NULL ? 0 : strtoull(line + strlen(name), NULL, 10) * BYTES_PER_KB;
}

/* What the kernel would give without swapping: free pages, and those that it can reclaim. */
uint64_t uv_get_free_memory(void) {
  uint64_t bytes = read_meminfo("MemAvailable:");
  if (bytes > 0)
    return bytes;
  struct sysinfo info;
  return rota__os_sysinfo(&info) == 0 ? (uint64_t)info.freeram * info.mem_unit : 0;
}

uint64_t uv_get_total_memory(void) {
  uint64_t bytes = read_meminfo("MemTotal:");
  if (bytes > 0)
    return bytes;
  struct sysinfo info;
  return rota__os_sysinfo(&info) == 0 ? (uint64_t)info.totalram * info.mem_unit : 0;
}

uint64_t uv_get_constrained_memory(void) {
  return rota__cgroup_memory_limit("");
}

uint64_t uv_get_available_memory(void) {
  uint64_t left;
  if (rota__cgroup_memory_left("", uv_get_total_memory(), &left))
    return left;
  return uv_get_free_memory();
}
