/* The machine: small, always the same, with nobody else on it. */
#include "loop/os/host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include "loop/base/text.h"
#include "loop/base/units.h"
#include "loop/os/model/model.h"
#include "loop/os/outcome.h"
#include "loop/os/watch.h"

enum { MEBIBYTE = 1 << 20 };

int rota__os_translate(int code) {
  return code > 0 ? -code : code;
}

/* ---- memory and processors ---- */

uint64_t rota__os_memory_total(void) {
  return (uint64_t)1024 * MEBIBYTE;
}

uint64_t rota__os_memory_free(void) {
  return (uint64_t)512 * MEBIBYTE;
}

uint64_t rota__os_memory_limit(void) {
  return 0;
}

bool rota__os_memory_left(uint64_t total, uint64_t *left) {
  (void)total, (void)left;
  return false;
}

bool rota__os_cpu_quota(double *processors) {
  (void)processors;
  return false;
}

int rota__os_memory_resident(size_t *bytes) {
  *bytes = (size_t)16 * MEBIBYTE;
  return 0;
}

int rota__os_processors(uv_cpu_info_t **infos, int *count) {
  *infos = NULL;
  *count = 0;
  return -ENOSYS;
}

void rota__os_load(double average[3]) {
  average[0] = average[1] = average[2] = 0;
}

int rota__os_uptime(double *seconds) {
  *seconds = (double)rota__model_now_ns() / NS_PER_SECOND;
  return 0;
}

/* ---- the system, the user and the environment ---- */

int rota__os_uname(struct utsname *name) {
  memset(name, 0, sizeof *name);
  rota__text_copy(name->sysname, sizeof name->sysname, "model");
  rota__text_copy(name->release, sizeof name->release, "1");
  return 0;
}

int rota__os_hostname(char *buffer, size_t size) {
  if (size < sizeof "model")
    return -ENAMETOOLONG;
  rota__text_copy(buffer, size, "model");
  return 0;
}

int rota__os_rusage(struct rusage *usage) {
  memset(usage, 0, sizeof *usage);
  return 0;
}

int rota__os_rusage_thread(struct rusage *usage) {
  return rota__os_rusage(usage);
}

int rota__os_priority(pid_t pid, int *priority) {
  (void)pid;
  *priority = 0;
  return 0;
}

int rota__os_set_priority(pid_t pid, int priority) {
  (void)pid, (void)priority;
  return -EPERM;
}

int rota__os_change_directory(const char *path) {
  (void)path;
  return -ENOSYS;
}

int rota__os_user(uid_t uid, struct passwd *user, char *scratch, size_t size) {
  (void)uid, (void)user, (void)scratch, (void)size;
  return -ENOENT;
}

int rota__os_group(gid_t gid, struct group *group, char *scratch, size_t size) {
  (void)gid, (void)group, (void)scratch, (void)size;
  return -ENOENT;
}

int rota__os_setenv(const char *name, const char *value) {
  (void)name, (void)value;
  return -ENOSYS;
}

int rota__os_unsetenv(const char *name) {
  (void)name;
  return -ENOSYS;
}

int rota__os_interfaces(struct ifaddrs **list) {
  *list = NULL;
  return 0;
}

const void *rota__os_hardware_address(const struct ifaddrs *entry) {
  (void)entry;
  return NULL;
}

int rota__os_random(void *buffer, size_t length) {
  rota__model_call("getrandom", (int64_t)length);
  for (size_t i = 0; i < length; i++)
    ((unsigned char *)buffer)[i] = (unsigned char)rota__model_random();
  return 0;
}

/* ---- watching files: the model does not tell of changes ---- */

int rota__os_watch_open(struct rota_os_notifier **notifier) {
  *notifier = NULL;
  return -ENOSYS;
}

int rota__os_watch_fd(const struct rota_os_notifier *notifier) {
  (void)notifier;
  return -1;
}

void rota__os_watch_close(struct rota_os_notifier *notifier) {
  (void)notifier;
}

int rota__os_watch_add(struct rota_os_notifier *notifier, const char *path, bool is_recursive) {
  (void)notifier, (void)path, (void)is_recursive;
  return -ENOSYS;
}

int rota__os_watch_remove(struct rota_os_notifier *notifier, int watch) {
  (void)notifier, (void)watch;
  return -ENOSYS;
}

int rota__os_watch_read(struct rota_os_notifier *notifier, struct rota_os_changes *changes) {
  (void)notifier, (void)changes;
  return 0;
}

bool rota__os_watch_next(struct rota_os_changes *changes, struct rota_os_change *change) {
  (void)changes, (void)change;
  return false;
}
