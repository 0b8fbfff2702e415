/* The machine: its memory, processors and load, and the limits that a container puts on this process.
 * As everywhere in loop/os: a result >= 0, or a negated errno. */
#ifndef ROTA_OS_MACHINE_H
#define ROTA_OS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uv.h"

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

#endif
