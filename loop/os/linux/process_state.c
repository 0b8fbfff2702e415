/* What another process does at the moment, as the kernel tells it (proc(5), stat). */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "loop/os/process.h"
#include "loop/os/text.h"

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
