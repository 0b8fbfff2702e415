/* Processors: what they are and what they have done, as /proc and /sys tell it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loop/base/alloc.h"
#include "loop/os/file.h"
#include "loop/os/host.h"
#include "uv.h"

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
