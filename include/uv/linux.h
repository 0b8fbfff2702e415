/* What differs by system, for uv/unix.h: Linux. */
#ifndef UV_LINUX_H
#define UV_LINUX_H

/* What libuv's loop has of its own, and the size of which differs by processor, comes on top. */
#if UINTPTR_MAX > UINT32_MAX
#define ROTA_LOOP_RESERVED 552
#else
#define ROTA_LOOP_RESERVED 296
#endif
#define ROTA_WATCHER_RESERVED
#define ROTA_STREAM_RESERVED
#define ROTA_FS_EVENT_RESERVED

typedef sem_t uv_sem_t;
typedef pthread_barrier_t uv_barrier_t;

#endif
