/* The machine, its users, its network interfaces and random numbers. As everywhere in loop/os: a result >= 0, or a
 * negated errno; interrupted calls are repeated. */
#ifndef ROTA_OS_HOST_H
#define ROTA_OS_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "uv.h"

struct group;
struct ifaddrs;
struct passwd;
struct rusage;
struct utsname;

/* ---- memory, processors and load; the limits that a container puts on this process ---- */

/* In bytes; 0 where it is not known. */
uint64_t rota__os_memory_total(void);
/* Memory that is available without swapping: free pages, and those that the kernel can reclaim. */
uint64_t rota__os_memory_free(void);

/* The container's limit on this process's memory. UINT64_MAX: none is set; 0: unknown, or the system has no such thing.
 */
uint64_t rota__os_memory_limit(void);
/* How much memory the container has left; false if it has no limit below `total`. */
bool rota__os_memory_left(uint64_t total, uint64_t *left);
/* How many processors' worth of time the container grants; false where it does not limit it. */
bool rota__os_cpu_quota(double *processors);

/* The memory of this process that lies in RAM, in bytes. */
int rota__os_memory_resident(size_t *bytes);

/* As uv_cpu_info; to be freed with uv_free_cpu_info. */
int rota__os_processors(uv_cpu_info_t **infos, int *count);

/* Over 1, 5 and 15 minutes. Leaves them as they are where the system does not tell. */
void rota__os_load(double average[3]);
/* Since the machine was started, in seconds. */
int rota__os_uptime(double *seconds);

/* Linux, control groups. root is the prefix of /proc and /sys: "" except in tests. */

/* The smallest limit on memory, in bytes, of this group and those around it. UINT64_MAX: none is set; 0: unknown. */
uint64_t rota__cgroup_memory_limit(const char *root);

/* How much memory the most limited group has left; false if no group has a limit below `total`. */
bool rota__cgroup_memory_left(const char *root, uint64_t total, uint64_t *left);

/* How many processors' worth of time the groups grant; false where they do not limit it. */
bool rota__cgroup_cpu_quota(const char *root, double *processors);

/* ---- the system, the user and the environment ---- */

int rota__os_uname(struct utsname *name);
int rota__os_hostname(char *buffer, size_t size); /* always with a NUL */
int rota__os_rusage(struct rusage *usage);        /* of this process */
int rota__os_rusage_thread(
    struct rusage *usage); /* of the calling thread; -ENOTSUP where the system does not count that */
int rota__os_priority(pid_t pid, int *priority);
int rota__os_set_priority(pid_t pid, int priority);

int rota__os_change_directory(const char *path);

/* UV_ENOENT where there is no entry; -ERANGE where the scratch space is too small. */
int rota__os_user(uid_t uid, struct passwd *user, char *scratch, size_t size);
int rota__os_group(gid_t gid, struct group *group, char *scratch, size_t size);

int rota__os_setenv(const char *name, const char *value);
int rota__os_unsetenv(const char *name);

int rota__os_interfaces(struct ifaddrs **list); /* freeifaddrs */
/* The hardware address that the entry tells; null where it tells none. */
const void *rota__os_hardware_address(const struct ifaddrs *entry);

/* ---- random numbers ---- */

/* All of them, or a negated errno. May wait, once after the machine was started, until the system has enough entropy.
 */
int rota__os_random(void *buffer, size_t length);

#endif
