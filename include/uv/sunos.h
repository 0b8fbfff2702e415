/* What differs by system, for uv/unix.h: illumos and Solaris. */
#ifndef UV_SUNOS_H
#define UV_SUNOS_H

#define ROTA_LOOP_RESERVED 544
#define ROTA_WATCHER_RESERVED
#define ROTA_STREAM_RESERVED
#define ROTA_FS_EVENT_RESERVED void *reserved[8]; /* libuv has a file_obj_t here, as port_associate(3C) shows it */

typedef sem_t uv_sem_t;
typedef pthread_barrier_t uv_barrier_t;

#endif
