/* What the control groups of this process allow it.
 *
 * A process is in one group of the unified hierarchy (version 2), or in one for each controller (version 1), and every
 * group is inside another one. All limits up to the root apply, so the smallest counts. A group whose directory is not
 * visible, because a container shows only its own part of the tree, is skipped. */
#include "loop/os/linux/cgroup.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/os/file.h"

enum { UNIFIED = 2 };

struct group {
  int version;
  size_t mount_length; /* the directory is not stripped further than this */
  char directory[PATH_MAX];
};

/* Whether the word is an element of the list between begin and end, which has commas. */
static bool is_listed(const char *begin, const char *end, const char *word) {
  size_t length = strlen(word);
  while (begin < end) {
    const char *comma = memchr(begin, ',', (size_t)(end - begin));
    const char *stop = comma != NULL ? comma : end;
    if ((size_t)(stop - begin) == length && memcmp(begin, word, length) == 0)
      return true;
    begin = stop + 1;
  }
  return false;
}

/* One line of /proc/self/cgroup: number:controllers:path. A controller in a hierarchy of its own is not in the unified
 * one, whose line has no controllers and comes last. */
static bool is_line_for(const char *line, const char *controller, const char **path, int *version) {
  const char *controllers = strchr(line, ':');
  if (controllers == NULL)
    return false;
  const char *end = strchr(++controllers, ':');
  if (end == NULL)
    return false;
  *path = end + 1;
  *version = end == controllers ? UNIFIED : 1;
  return end == controllers || is_listed(controllers, end, controller);
}

/* Starts at the group of this process. */
static bool find_group(const char *root, const char *controller, struct group *group) {
  char file[PATH_MAX];
  char *text;
  snprintf(file, sizeof(file), "%s/proc/self/cgroup", root);
  if (rota__os_read_whole(file, &text) < 0)
    return false;

  bool is_found = false;
  char *rest = text;
  for (char *line; !is_found && (line = strsep(&rest, "\n")) != NULL;) {
    const char *path;
    if (!is_line_for(line, controller, &path, &group->version))
      continue;
    /* The path is outside of this namespace: start at the top of what is visible. */
    if (strstr(path, "/..") != NULL || strcmp(path, "/") == 0)
      path = "";
    bool is_unified = group->version == UNIFIED;
    int length = snprintf(group->directory, sizeof(group->directory), "%s/sys/fs/cgroup%s%s", root,
                          is_unified ? "" : "/", is_unified ? "" : controller);
    if (length < 0 || (size_t)length + strlen(path) >= sizeof(group->directory))
      break;
    group->mount_length = (size_t)length;
    memcpy(group->directory + length, path, strlen(path) + 1);
    is_found = true;
  }
  rota__free(text);
  return is_found;
}

/* Goes on to the parent group. */
static bool leave_group(struct group *group) {
  if (strlen(group->directory) <= group->mount_length)
    return false;
  *strrchr(group->directory, '/') = '\0';
  return true;
}

static bool read_file(const struct group *group, const char *name, char *text, size_t size) {
  char file[PATH_MAX + 64];
  snprintf(file, sizeof(file), "%s/%s", group->directory, name);
  return rota__os_read_text(file, text, size) > 0;
}

/* UINT64_MAX for "max", and for what version 1 says instead: the largest number of whole pages. */
static bool read_bytes(const struct group *group, const char *name, uint64_t *bytes) {
  char text[64];
  if (!read_file(group, name, text, sizeof(text)))
    return false;
  *bytes = strncmp(text, "max", 3) == 0 ? UINT64_MAX : strtoull(text, NULL, 10);
  if (*bytes >= (uint64_t)LONG_MAX - 65535) /* no page is larger than that */
    *bytes = UINT64_MAX;
  return true;
}

/* Above the first limit a process is slowed down, above the second it is killed: both count. */
static bool group_memory_limit(const struct group *group, uint64_t *limit) {
  uint64_t soft = UINT64_MAX;
  uint64_t hard = UINT64_MAX;
  bool is_unified = group->version == UNIFIED;
  bool has_soft = read_bytes(group, is_unified ? "memory.high" : "memory.soft_limit_in_bytes", &soft);
  bool has_hard = read_bytes(group, is_unified ? "memory.max" : "memory.limit_in_bytes", &hard);
  *limit = soft < hard ? soft : hard;
  return has_soft || has_hard;
}

uint64_t rota__cgroup_memory_limit(const char *root) {
  struct group group;
  uint64_t smallest = UINT64_MAX;
  bool is_known = false;
  for (bool more = find_group(root, "memory", &group); more; more = leave_group(&group)) {
    uint64_t limit;
    if (!group_memory_limit(&group, &limit))
      continue;
    is_known = true;
    if (limit < smallest)
      smallest = limit;
  }
  return is_known ? smallest : 0;
}

bool rota__cgroup_memory_left(const char *root, uint64_t total, uint64_t *left) {
  struct group group;
  bool is_limited = false;
  *left = UINT64_MAX;
  for (bool more = find_group(root, "memory", &group); more; more = leave_group(&group)) {
    uint64_t limit;
    uint64_t used = 0;
    if (!group_memory_limit(&group, &limit) || limit > total)
      continue;
    is_limited = true;
    read_bytes(&group, group.version == UNIFIED ? "memory.current" : "memory.usage_in_bytes", &used);
    uint64_t here = limit > used ? limit - used : 0;
    if (here < *left)
      *left = here;
  }
  return is_limited;
}

/* Time on a processor that the group may use in each period, both in microseconds. */
static bool group_cpu_quota(const struct group *group, double *processors) {
  char text[64];
  long long quota;
  long long period;
  if (group->version == UNIFIED) {
    /* "max 100000" is no quota, and no number. */
    if (!read_file(group, "cpu.max", text, sizeof(text)) || sscanf(text, "%lld %lld", &quota, &period) != 2)
      return false;
  } else {
    if (!read_file(group, "cpu.cfs_quota_us", text, sizeof(text)))
      return false;
    quota = strtoll(text, NULL, 10); /* -1: none */
    if (!read_file(group, "cpu.cfs_period_us", text, sizeof(text)))
      return false;
    period = strtoll(text, NULL, 10);
  }
  if (quota <= 0 || period <= 0)
    return false;
  *processors = (double)quota / (double)period;
  return true;
}

bool rota__cgroup_cpu_quota(const char *root, double *processors) {
  struct group group;
  bool is_limited = false;
  for (bool more = find_group(root, "cpu", &group); more; more = leave_group(&group)) {
    double here;
    if (!group_cpu_quota(&group, &here))
      continue;
    if (!is_limited || here < *processors)
      *processors = here;
    is_limited = true;
  }
  return is_limited;
}
