/* The machine: memory, processors and load, and what control groups allow this process. */
#include "loop/os/host.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "loop/base/alloc.h"
#include "loop/os/clock.h"
#include "loop/os/file.h"
#include "loop/os/thread.h"
#include "uv.h"

/* ---- memory, load and uptime ----
 *
 * Memory, load and uptime. Files of /proc come first: in a container, they may have been replaced by files that
 * describe the container. Where they are hidden, sysinfo(2) is used. */

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

/* ---- processors ----
 *
 * What they are and what they have done, as /proc and /sys tell it. */

enum { MS_PER_SECOND = 1000, KHZ_PER_MHZ = 1000 };

/* A processor while its entry is put together; processors that are offline leave gaps in the numbers. */
struct processor {
  unsigned int number;
  struct uv_cpu_times_s times;
  double mhz;
  const char *model; /* in the text of /proc/cpuinfo; null: unknown */
};

/* Lines "cpu3 user nice system idle iowait irq ...", in ticks of the clock. */
static size_t parse_times(const char *stat, struct processor *processors) {
  uint64_t ms_per_tick = MS_PER_SECOND / (uint64_t)sysconf(_SC_CLK_TCK);
  size_t count = 0;
  for (const char *line = stat; line != NULL; line = strchr(line, '\n')) {
    unsigned long long user, nice, sys, idle, irq;
    unsigned int number;
    line += *line == '\n';
    if (strncmp(line, "cpu", 3) != 0 || line[3] < '0' || line[3] > '9')
      continue; /* the first line is about all of them */
    if (sscanf(line, "cpu%u %llu %llu %llu %llu %*u %llu", &number, &user, &nice, &sys, &idle, &irq) != 6)
      continue;
    if (processors != NULL)
      processors[count] = (struct processor){.number = number,
                                             .times = {
                                                 .user = user * ms_per_tick,
                                                 .nice = nice * ms_per_tick,
                                                 .sys = sys * ms_per_tick,
                                                 .idle = idle * ms_per_tick,
                                                 .irq = irq * ms_per_tick,
                                             }};
    count++;
  }
  return count;
}

/* ARM kernels print no names, only the designer's number and his number for the core. */
static const char *arm_core_name(unsigned long implementer, unsigned long part) {
  static const struct {
    unsigned short part;
    const char *name;
  } cores[] = {
      {0xb76, "ARM1176"},     {0xc07, "Cortex-A7"},  {0xc08, "Cortex-A8"},   {0xc09, "Cortex-A9"},
      {0xc0f, "Cortex-A15"},  {0xd01, "Cortex-A32"}, {0xd03, "Cortex-A53"},  {0xd04, "Cortex-A35"},
      {0xd05, "Cortex-A55"},  {0xd07, "Cortex-A57"}, {0xd08, "Cortex-A72"},  {0xd09, "Cortex-A73"},
      {0xd0a, "Cortex-A75"},  {0xd0b, "Cortex-A76"}, {0xd0c, "Neoverse-N1"}, {0xd0d, "Cortex-A77"},
      {0xd40, "Neoverse-V1"}, {0xd41, "Cortex-A78"}, {0xd44, "Cortex-X1"},   {0xd46, "Cortex-A510"},
      {0xd47, "Cortex-A710"}, {0xd48, "Cortex-X2"},  {0xd49, "Neoverse-N2"}, {0xd4f, "Neoverse-V2"},
  };
  if (implementer != 0x41) /* ARM's own */
    return NULL;
  for (size_t i = 0; i < sizeof(cores) / sizeof(cores[0]); i++)
    if (cores[i].part == part)
      return cores[i].name;
  return NULL;
}

static struct processor *find_processor(struct processor *processors, size_t count, unsigned long number) {
  for (size_t i = 0; i < count; i++)
    if (processors[i].number == number)
      return &processors[i];
  return NULL;
}

/* The value of "key<tabs>: value", or null. */
static const char *value_of(const char *line, const char *key) {
  size_t length = strlen(key);
  if (strncmp(line, key, length) != 0)
    return NULL;
  line += length + strspn(line + length, " \t");
  return line[0] == ':' && line[1] == ' ' ? line + 2 : NULL;
}

/* Splits the text into lines; the models point into it. */
static void parse_models(char *cpuinfo, struct processor *processors, size_t count) {
  static const char *const model_keys[] = {"model name", "Model Name", "cpu model", "cpu"};
  struct processor *current = NULL;
  unsigned long implementer = 0;
  for (char *line; (line = strsep(&cpuinfo, "\n")) != NULL;) {
    const char *value = value_of(line, "processor");
    if (value != NULL)
      current = find_processor(processors, count, strtoul(value, NULL, 10));
    if (current == NULL)
      continue;
    for (size_t i = 0; i < sizeof(model_keys) / sizeof(model_keys[0]) && current->model == NULL; i++)
      current->model = value_of(line, model_keys[i]);
    if ((value = value_of(line, "cpu MHz")) != NULL || (value = value_of(line, "clock")) != NULL)
      current->mhz = strtod(value, NULL);
    if ((value = value_of(line, "CPU implementer")) != NULL)
      implementer = strtoul(value, NULL, 0);
    if (current->model == NULL && (value = value_of(line, "CPU part")) != NULL)
      current->model = arm_core_name(implementer, strtoul(value, NULL, 0));
  }
}

/* If there is a frequency governor, its value is more exact than /proc/cpuinfo. */
static int read_speed(const struct processor *processor) {
  char path[96];
  char text[32];
  snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_cur_freq", processor->number);
  if (rota__os_read_text(path, text, sizeof(text)) > 0)
    return (int)(strtoul(text, NULL, 10) / KHZ_PER_MHZ);
  return (int)processor->mhz;
}

int rota__os_processors(uv_cpu_info_t **cpu_infos, int *count) {
  struct processor *processors = NULL;
  uv_cpu_info_t *infos = NULL;
  char *stat = NULL;
  char *cpuinfo = NULL;
  size_t filled = 0;

  *cpu_infos = NULL;
  *count = 0;
  ssize_t result = rota__os_read_whole("/proc/stat", &stat);
  if (result < 0)
    return (int)result;
  size_t found = parse_times(stat, NULL);
  result = UV_ENOMEM;
  processors = rota__calloc(found + 1, sizeof(*processors));
  infos = rota__calloc(found + 1, sizeof(*infos));
  if (processors == NULL || infos == NULL)
    goto fail;
  parse_times(stat, processors);
  if (rota__os_read_whole("/proc/cpuinfo", &cpuinfo) < 0)
    cpuinfo = NULL; /* sandboxes hide it: the times are still useful */
  else
    parse_models(cpuinfo, processors, found);

  for (; filled < found; filled++) {
    const struct processor *processor = &processors[filled];
    infos[filled].model = rota__strdup(processor->model != NULL ? processor->model : "unknown");
    if (infos[filled].model == NULL)
      goto fail;
    infos[filled].speed = read_speed(processor);
    infos[filled].cpu_times = processor->times;
  }
  *cpu_infos = infos;
  *count = (int)found;
  rota__free(cpuinfo);
  rota__free(processors);
  rota__free(stat);
  return 0;

fail:
  uv_free_cpu_info(infos, (int)filled);
  rota__free(cpuinfo);
  rota__free(processors);
  rota__free(stat);
  return (int)result;
}

/* ---- control groups ----
 *
 * What the control groups of this process allow it.
 *
 * A process is in one group of the unified hierarchy (version 2), or in one for each controller (version 1), and every
 * group is inside another one. All limits up to the root apply, so the smallest counts. A group whose directory is not
 * visible, because a container shows only its own part of the tree, is skipped. */

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
