/* What the control groups of this process allow it. */
#ifndef ROTA_OS_LINUX_CGROUP_H
#define ROTA_OS_LINUX_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

/* root is the prefix of /proc and /sys: "" except in tests. */

/* The smallest limit on memory, in bytes, of this group and those around it. UINT64_MAX: none is set; 0: unknown. */
uint64_t rota__cgroup_memory_limit(const char *root);

/* How much memory the most limited group has left; false if no group has a limit below `total`. */
bool rota__cgroup_memory_left(const char *root, uint64_t total, uint64_t *left);

/* How many processors' worth of time the groups grant; false where they do not limit it. */
bool rota__cgroup_cpu_quota(const char *root, double *processors);

#endif
