/* Memory, load and uptime. Files of /proc come first: in a container, they may have been replaced by files that
 * describe the container. Where they are hidden, sysinfo(2) is used. */
#include "loop/os/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "loop/os/clock.h"
#include "loop/os/file.h"
#include "loop/os/linux/cgroup.h"
#include "loop/os/thread.h"

enum { BYTES_PER_KB = 1024 };

/* 0 where it is not there. */
static uint64_t read_meminfo(const char *name) {
  char text[4096];
  if (rota__os_read_text("/proc/meminfo", text, sizeof(text)) <= 0)
    return 0;
  const char *line = strstr(text, name);
  return line == NULL ? 0 : strtoull(line + strlen(name), NULL, 10) * BYTES_PER_KB;
}

uint64_t rota__os_memory_free(void) {
  uint64_t bytes = read_meminfo("MemAvailable:");
  if (bytes > 0)
    return bytes;
  struct sysinfo info;
  return sysinfo(&info) == 0 ? (uint64_t)info.freeram * info.mem_unit : 0;
}

uint64_t rota__os_memory_total(void) {
  uint64_t bytes = read_meminfo("MemTotal:");
  if (bytes > 0)
    return bytes;
  struct sysinfo info;
  return sysinfo(&info) == 0 ? (uint64_t)info.totalram * info.mem_unit : 0;
}

uint64_t rota__os_memory_limit(void) {
  return rota__cgroup_memory_limit("");
}

bool rota__os_memory_left(uint64_t total, uint64_t *left) {
  return rota__cgroup_memory_left("", total, left);
}

bool rota__os_cpu_quota(double *processors) {
  return rota__cgroup_cpu_quota("", processors);
}

int rota__os_memory_resident(size_t *bytes) {
  char text[256];
  unsigned long pages;
  ssize_t length = rota__os_read_text("/proc/self/statm", text, sizeof(text));
  if (length < 0)
    return (int)length;
  if (sscanf(text, "%*u %lu", &pages) != 1)
    return UV_EINVAL;
  *bytes = (size_t)pages * rota__os_page_size();
  return 0;
}

void rota__os_load(double average[3]) {
  char text[128];
  if (rota__os_read_text("/proc/loadavg", text, sizeof(text)) > 0 &&
      sscanf(text, "%lf %lf %lf", &average[0], &average[1], &average[2]) == 3)
    return;
  struct sysinfo info;
  if (sysinfo(&info) != 0)
    return;
  for (int i = 0; i < 3; i++)
    average[i] = (double)info.loads[i] / (1 << SI_LOAD_SHIFT);
}

int rota__os_uptime(double *seconds) {
  char text[128];
  if (rota__os_read_text("/proc/uptime", text, sizeof(text)) > 0 && sscanf(text, "%lf", seconds) == 1)
    return 0;
  struct timespec now;
  int err = rota__os_clock_read(CLOCK_BOOTTIME, &now);
  if (err == 0)
    *seconds = (double)now.tv_sec;
  return err;
}
