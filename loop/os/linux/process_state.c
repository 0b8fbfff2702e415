/* What a process does at the moment, and since when there is one, as the kernel tells it (proc(5), stat). */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loop/base/units.h"
#include "loop/os/clock.h"
#include "loop/os/file.h"
#include "loop/os/process.h"

/* "7 (name) S ...": the name may contain anything, a closing parenthesis, too. */
static char state_of(pid_t pid, const char *thread) {
  char path[64], text[128];
  snprintf(path, sizeof(path), "/proc/%d/task/%.20s/stat", (int)pid, thread);
  if (rota__os_read_text(path, text, sizeof(text)) <= 0)
    return 0;
  const char *end = strrchr(text, ')');
  return end != NULL && end[1] == ' ' ? end[2] : 0;
}

bool rota__os_process_is_busy(pid_t pid) {
  char path[32];
  snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
  DIR *threads = opendir(path);
  if (threads == NULL)
    return false;
  bool busy = false;
  for (const struct dirent *entry; !busy && (entry = readdir(threads)) != NULL;) {
    char state = entry->d_name[0] == '.' ? 0 : state_of(pid, entry->d_name);
    busy = state == 'R' || state == 'D';
  }
  closedir(threads);
  return busy;
}

/* The time is the 20th word behind the name, in ticks since the system was started. Times of sleep of the system count,
 * which the monotonic clock does not have. */
uint64_t rota__os_process_begun_ns(void) {
  char text[512];
  struct timespec since_boot;
  if (rota__os_read_text("/proc/self/stat", text, sizeof(text)) <= 0 ||
      rota__os_clock_read(CLOCK_BOOTTIME, &since_boot) < 0)
    return UINT64_MAX;
  const char *word = strrchr(text, ')');
  for (int i = 0; i < 20 && word != NULL; i++)
    word = strchr(word + 1, ' ');
  if (word == NULL)
    return UINT64_MAX;
  uint64_t ticks = strtoull(word + 1, NULL, 10), in_second = (uint64_t)sysconf(_SC_CLK_TCK);
  uint64_t begun_ns = ticks / in_second * NS_PER_SECOND + ticks % in_second * (NS_PER_SECOND / in_second);
  uint64_t now_ns = (uint64_t)since_boot.tv_sec * NS_PER_SECOND + (uint64_t)since_boot.tv_nsec;
  uint64_t age_ns = now_ns > begun_ns ? now_ns - begun_ns : 0, monotonic_ns = rota__os_clock_ns();
  return monotonic_ns > age_ns ? monotonic_ns - age_ns : 0;
}
