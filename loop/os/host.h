/* What the system knows of this machine, this process and its user.
 * As everywhere in loop/os: a result >= 0, or a negated errno; interrupted calls are repeated. */
#ifndef ROTA_OS_HOST_H
#define ROTA_OS_HOST_H

#include <grp.h>
#include <ifaddrs.h>
#include <pwd.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/utsname.h>

#include "loop/os/self.h"

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

#endif
