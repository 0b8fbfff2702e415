/* The system and this process in it: names, numbers, load, resources used. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "loop/base/text.h"
#include "loop/os/clock.h"
#include "loop/os/host.h"
#include "loop/os/text.h"
#include "loop/os/thread.h"
#include "uv.h"

int uv_os_uname(uv_utsname_t *buffer) {
  if (buffer == NULL)
    return UV_EINVAL;
  struct utsname name;
  int err = rota__os_uname(&name);
  if (err != 0) {
    /* Not left as it was: callers print it without a look at the error. */
    buffer->sysname[0] = buffer->release[0] = buffer->version[0] = buffer->machine[0] = '\0';
    return err;
  }
  rota__text_copy(buffer->sysname, sizeof(buffer->sysname), name.sysname);
  rota__text_copy(buffer->release, sizeof(buffer->release), name.release);
  rota__text_copy(buffer->version, sizeof(buffer->version), name.version);
  rota__text_copy(buffer->machine, sizeof(buffer->machine), name.machine);
  return 0;
}

int uv_os_gethostname(char *buffer, size_t *size) {
  char name[UV_MAXHOSTNAMESIZE];
  if (buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  int err = rota__os_hostname(name, sizeof(name));
  if (err != 0)
    return err;
  return rota__text_give(name, strlen(name), buffer, size);
}

uv_pid_t uv_os_getpid(void) {
  return rota__os_process_id();
}

uv_pid_t uv_os_getppid(void) {
  return getppid();
}

int uv_os_getpriority(uv_pid_t pid, int *priority) {
  if (priority == NULL)
    return UV_EINVAL;
  return rota__os_priority(pid, priority);
}

int uv_os_setpriority(uv_pid_t pid, int priority) {
  if (priority < UV_PRIORITY_HIGHEST || priority > UV_PRIORITY_LOW)
    return UV_EINVAL;
  return rota__os_set_priority(pid, priority);
}

/* The files come first: in a container, they may have been replaced by ones that speak of the container. */
void uv_loadavg(double avg[3]) {
  char text[128];
  if (rota__os_read_text("/proc/loadavg", text, sizeof(text)) > 0 &&
      sscanf(text, "%lf %lf %lf", &avg[0], &avg[1], &avg[2]) == 3)
    return;
  struct sysinfo info;
  if (rota__os_sysinfo(&info) != 0)
    return;
  for (int i = 0; i < 3; i++)
    avg[i] = (double)info.loads[i] / (1 << SI_LOAD_SHIFT);
}

int uv_uptime(double *uptime) {
  char text[128];
  if (rota__os_read_text("/proc/uptime", text, sizeof(text)) > 0 && sscanf(text, "%lf", uptime) == 1)
    return 0;
  struct timespec now;
  int err = rota__os_clock_read(CLOCK_BOOTTIME, &now);
  if (err == 0)
    *uptime = (double)now.tv_sec;
  return err;
}

int uv_resident_set_memory(size_t *rss) {
  char text[256];
  unsigned long pages;
  ssize_t length = rota__os_read_text("/proc/self/statm", text, sizeof(text));
  if (length < 0)
    return (int)length;
  if (sscanf(text, "%*u %lu", &pages) != 1)
    return UV_EINVAL;
  *rss = (size_t)pages * rota__os_page_size();
  return 0;
}

static int usage_of(int who, uv_rusage_t *out) {
  struct rusage usage;
  int err = rota__os_rusage(who, &usage);
  if (err != 0)
    return err;
  *out = (uv_rusage_t){
      .ru_utime = {.tv_sec = usage.ru_utime.tv_sec, .tv_usec = usage.ru_utime.tv_usec},
      .ru_stime = {.tv_sec = usage.ru_stime.tv_sec, .tv_usec = usage.ru_stime.tv_usec},
      .ru_maxrss = (uint64_t)usage.ru_maxrss,
      .ru_ixrss = (uint64_t)usage.ru_ixrss,
      .ru_idrss = (uint64_t)usage.ru_idrss,
      .ru_isrss = (uint64_t)usage.ru_isrss,
      .ru_minflt = (uint64_t)usage.ru_minflt,
      .ru_majflt = (uint64_t)usage.ru_majflt,
      .ru_nswap = (uint64_t)usage.ru_nswap,
      .ru_inblock = (uint64_t)usage.ru_inblock,
      .ru_oublock = (uint64_t)usage.ru_oublock,
      .ru_msgsnd = (uint64_t)usage.ru_msgsnd,
      .ru_msgrcv = (uint64_t)usage.ru_msgrcv,
      .ru_nsignals = (uint64_t)usage.ru_nsignals,
      .ru_nvcsw = (uint64_t)usage.ru_nvcsw,
      .ru_nivcsw = (uint64_t)usage.ru_nivcsw,
  };
  return 0;
}

int uv_getrusage(uv_rusage_t *rusage) {
  return usage_of(RUSAGE_SELF, rusage);
}

int uv_getrusage_thread(uv_rusage_t *rusage) {
  return usage_of(RUSAGE_THREAD, rusage);
}
