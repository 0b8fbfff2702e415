/* Files by descriptor: opening, reading and writing at an offset, copying inside the kernel. */
#ifndef ROTA_OS_FILE_H
#define ROTA_OS_FILE_H

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "uv.h"

/* Flags of Linux; 0 where the system lacks them. */
#ifdef O_PATH
#define ROTA_O_PATH O_PATH
#else
#define ROTA_O_PATH 0
#endif
#ifdef O_TMPFILE
#define ROTA_O_TMPFILE O_TMPFILE
#else
#define ROTA_O_TMPFILE 0
#endif

/* How many buffers the system takes in one call. Windows takes one, and as many calls are made as there are buffers. */
#ifdef IOV_MAX
#define ROTA_VECTOR_MAX IOV_MAX
#else
#define ROTA_VECTOR_MAX INT_MAX
#endif

int rota__os_open(const char *path, int flags, unsigned int mode);                   /* O_CLOEXEC is added */
int rota__os_open_at(int directory, const char *path, int flags, unsigned int mode); /* likewise */
int64_t rota__os_seek(int fd, int64_t offset, int whence);                           /* -> the new position */
/* An offset below 0 means the file's own position, which is then moved. */
ssize_t rota__os_read_at(int fd, const uv_buf_t *bufs, int count, int64_t offset);
ssize_t rota__os_write_at(int fd, const uv_buf_t *bufs, int count, int64_t offset);
bool rota__os_is_fifo(int fd);
int rota__os_is_stored(int fd); /* 1: a regular file or a directory, which are always ready */
/* A FIFO that was opened for reading without waiting: waits for a writer, as opening it does. Returns at once if one is
 * there, or has been. */
int rota__os_wait_for_writer(int fd, const char *path);
int rota__os_sync(int fd);
int rota__os_sync_data(int fd);
int rota__os_lock_file(int fd); /* locks the file against other processes, until it is closed; -EWOULDBLOCK: another
                                   process has the lock */

/* Whether the descriptor is still the same file. */
struct rota_os_file_identity {
  uint64_t device;
  uint64_t inode;
};

void rota__os_file_identify(int fd, struct rota_os_file_identity *identity);
bool rota__os_file_is(int fd, const struct rota_os_file_identity *identity);

int rota__os_truncate(int fd, int64_t length);
int rota__os_chmod_fd(int fd, unsigned int mode);
int rota__os_chown_fd(int fd, uv_uid_t uid, uv_gid_t gid);

/* These three read at *offset, which is moved, and write at the position of `out`. */
ssize_t rota__os_copy_range(int out, int in, int64_t *offset, size_t length);
ssize_t rota__os_sendfile(int out, int in, int64_t *offset, size_t length);
/* The whole of `in` becomes the content of `out`, with shared blocks. */
int rota__os_clone(int out, int in);

#endif
