/* What differs by system, for uv/unix.h: macOS. */
#ifndef UV_DARWIN_H
#define UV_DARWIN_H

#include <mach/mach.h>
#include <mach/semaphore.h>
#include <mach/task.h>

#define ROTA_LOOP_RESERVED 608
#define ROTA_WATCHER_RESERVED uint32_t reserved[2];
#define ROTA_STREAM_RESERVED void *reserved;
#define ROTA_FS_EVENT_RESERVED void *reserved[21];

typedef semaphore_t uv_sem_t; /* the system's sem_init does nothing */

/* pthreads has no barriers here. */
typedef struct {
  struct rota_barrier *barrier;
} uv_barrier_t;

#endif
