/* What differs by system, for uv/unix.h: FreeBSD, NetBSD and OpenBSD. */
#ifndef UV_BSD_H
#define UV_BSD_H

#define ROTA_LOOP_RESERVED 496
#define ROTA_WATCHER_RESERVED uint32_t reserved[2];
#define ROTA_STREAM_RESERVED
#define ROTA_FS_EVENT_RESERVED void *reserved[5];

typedef sem_t uv_sem_t;
typedef pthread_barrier_t uv_barrier_t;

#endif
