/* The system and this process in it: names, numbers, load, resources used. */
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "loop/base/text.h"
#include "loop/os/host.h"
#include "loop/os/process.h"
#include "uv.h"

int uv_os_uname(uv_utsname_t *buffer) {
  if (buffer == NULL)
    return UV_EINVAL;
  struct utsname name;
  int err = rota__os_uname(&name);
  if (err != 0) {
    /* It is set in any case: callers print it without checking the error. */
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

void uv_loadavg(double avg[3]) {
  rota__os_load(avg);
}

int uv_uptime(double *uptime) {
  return rota__os_uptime(uptime);
}

static void give_usage(const struct rusage *usage, uv_rusage_t *out) {
  *out = (uv_rusage_t){
      .ru_utime = {.tv_sec = usage->ru_utime.tv_sec, .tv_usec = usage->ru_utime.tv_usec},
      .ru_stime = {.tv_sec = usage->ru_stime.tv_sec, .tv_usec = usage->ru_stime.tv_usec},
      .ru_maxrss = (uint64_t)usage->ru_maxrss,
      .ru_ixrss = (uint64_t)usage->ru_ixrss,
      .ru_idrss = (uint64_t)usage->ru_idrss,
      .ru_isrss = (uint64_t)usage->ru_isrss,
      .ru_minflt = (uint64_t)usage->ru_minflt,
      .ru_majflt = (uint64_t)usage->ru_majflt,
      .ru_nswap = (uint64_t)usage->ru_nswap,
      .ru_inblock = (uint64_t)usage->ru_inblock,
      .ru_oublock = (uint64_t)usage->ru_oublock,
      .ru_msgsnd = (uint64_t)usage->ru_msgsnd,
      .ru_msgrcv = (uint64_t)usage->ru_msgrcv,
      .ru_nsignals = (uint64_t)usage->ru_nsignals,
      .ru_nvcsw = (uint64_t)usage->ru_nvcsw,
      .ru_nivcsw = (uint64_t)usage->ru_nivcsw,
  };
}

int uv_getrusage(uv_rusage_t *rusage) {
  struct rusage usage;
  int err = rota__os_rusage(&usage);
  if (err == 0)
    give_usage(&usage, rusage);
  return err;
}

int uv_getrusage_thread(uv_rusage_t *rusage) {
  struct rusage usage;
  int err = rota__os_rusage_thread(&usage);
  if (err == 0)
    give_usage(&usage, rusage);
  return err;
}
