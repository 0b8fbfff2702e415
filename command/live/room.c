#include "command/live/live.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Node ends itself when its inspector cannot have a loop or a thread: that there is room for these is looked at before
 * the signal is sent. The inspector takes up to ten descriptors and two threads, and the program may want some at the
 * same time. */
enum { DESCRIPTORS_FREE = 32, THREADS_FREE = 16, TEXT_SIZE = 4096 };

static const unsigned long long unlimited = ~0ull;

/* The soft limit of a line of /proc/PID/limits. */
static unsigned long long read_limit(pid_t process, const char *name) {
  char text[TEXT_SIZE];
  if (live_read_file(process, "limits", text, sizeof text) < 0)
    return unlimited;
  const char *line = strstr(text, name), *digits = line != NULL ? line + strlen(name) : "";
  digits += strspn(digits, " ");
  return isdigit((unsigned char)*digits) ? strtoull(digits, NULL, 10) : unlimited;
}

static unsigned long long count_entries(pid_t process, const char *name) {
  char path[64];
  unsigned long long count = 0;
  snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
  DIR *folder = opendir(path);
  for (struct dirent *entry = folder != NULL ? readdir(folder) : NULL; entry != NULL; entry = readdir(folder))
    count += entry->d_name[0] != '.';
  if (folder != NULL)
    closedir(folder);
  return count;
}

/* The limit of processes counts the threads of all processes of the user. Root has none. */
static unsigned long long count_threads_of(uid_t user) {
  unsigned long long count = 0;
  DIR *all = opendir("/proc");
  for (struct dirent *entry = all != NULL ? readdir(all) : NULL; entry != NULL; entry = readdir(all)) {
    struct live_status status;
    pid_t process = isdigit((unsigned char)entry->d_name[0]) ? (pid_t)atoi(entry->d_name) : 0;
    if (process > 0 && live_status_read(process, &status) && status.user == user)
      count += count_entries(process, "task");
  }
  if (all != NULL)
    closedir(all);
  return count;
}

static unsigned long long read_group_number(const char *folder, const char *name) {
  char path[TEXT_SIZE + 64];
  unsigned long long number = unlimited;
  snprintf(path, sizeof path, "/sys/fs/cgroup%s/%s", folder, name);
  FILE *file = fopen(path, "re");
  if (file != NULL && fscanf(file, "%llu", &number) != 1) /* "max" */
    number = unlimited;
  if (file != NULL)
    fclose(file);
  return number;
}

/* The process's groups, of version 1 ("8:pids:/name") and 2 ("0::/name"), and those around them. */
static bool group_is_full(pid_t process) {
  char text[TEXT_SIZE], *rest = text;
  if (live_read_file(process, "cgroup", text, sizeof text) < 0)
    return false;
  for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    bool is_pids = strstr(line, ":pids:") != NULL;
    char folder[TEXT_SIZE], *name = strchr(line, '/');
    if (name == NULL || (!is_pids && strncmp(line, "0::", 3) != 0))
      continue;
    snprintf(folder, sizeof folder, "%s%s", is_pids ? "/pids" : "", name);
    for (char *slash = folder + strlen(folder); slash != NULL && slash != folder; slash = strrchr(folder, '/')) {
      *slash = 0;
      unsigned long long most = read_group_number(folder, "pids.max"), now = read_group_number(folder, "pids.current");
      if (most != unlimited && now != unlimited && now + THREADS_FREE > most)
        return true;
    }
  }
  return false;
}

const char *live_find_shortage(pid_t process, uid_t user) {
  unsigned long long most = read_limit(process, "Max open files");
  if (most != unlimited && count_entries(process, "fd") + DESCRIPTORS_FREE > most)
    return "it has nearly no descriptors left (see ls /proc/PID/fd, and ulimit -n), and Node would end when its "
           "inspector opens without some; raise its limit (prlimit --pid PID --nofile)";
  most = user != 0 ? read_limit(process, "Max processes") : unlimited;
  if ((most != unlimited && count_threads_of(user) + THREADS_FREE > most) || group_is_full(process))
    return "its user or its group of processes may have nearly no further threads (see ulimit -u, and pids.max of its "
           "cgroup), and Node would end when its inspector opens without one; raise that limit";
  return NULL;
}
