/* Descriptors, files, paths, directories and terminals. As everywhere in loop/os: a result >= 0, or a negated errno;
 * interrupted calls are repeated. */
#ifndef ROTA_OS_FILE_H
#define ROTA_OS_FILE_H

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "uv.h"

struct termios;

/* ---- descriptors ---- */

int rota__os_close(int fd); /* an interrupted or deferred close counts as done: the descriptor is free */
ssize_t rota__os_read(int fd, void *buffer, size_t length);
ssize_t rota__os_write(int fd, const void *buffer, size_t length);
ssize_t rota__os_writev(int fd, const struct iovec *vector, int count);
int rota__os_set_nonblocking(int fd, bool on);
int rota__os_set_cloexec(int fd, bool on);
int rota__os_open_cloexec(const char *path, int flags); /* O_CLOEXEC is added */
int rota__os_dup_cloexec(int fd);
int rota__os_dup_high(int fd); /* the same, with a high number, because programs expect low numbers for their own */
int rota__os_pipe(int fds[2], int flags);       /* O_CLOEXEC is added */
int rota__os_pipe_above(int fds[2], int above); /* the end to write to has at least this number */
int rota__os_access_mode(int fd);               /* O_RDONLY, O_WRONLY or O_RDWR */

/* Whether the file has positions (a pipe, a terminal, a socket has none). The system is asked once, and the answer is
 * kept until the descriptor is closed through this header, or forgotten. If a program closes the descriptor itself and
 * gets the number again for a pipe, a read at an offset succeeds there that should fail; it has no other effect. */
bool rota__os_is_seekable(int fd);
bool rota__os_is_nonblocking(int fd);
void rota__os_forget(int fd); /* fd will be closed in another way than by rota__os_close */

/* ---- wake-up descriptors ---- */

/* A descriptor that becomes readable when it is signalled, from any thread and from signal handlers, and stays readable
 * until it is cleared. */
struct rota_os_wakeup {
  int fd;    /* to watch; -1: there is none */
  int other; /* where a system needs a second one to signal it; else -1 */
};

int rota__os_wakeup_open(struct rota_os_wakeup *wakeup); /* non-blocking, close-on-exec; on an error, fd is -1 */
void rota__os_wakeup_signal(const struct rota_os_wakeup *wakeup);
void rota__os_wakeup_clear(const struct rota_os_wakeup *wakeup);
void rota__os_wakeup_close(struct rota_os_wakeup *wakeup);

/* ---- terminals ---- */

/* Opens the terminal of fd once more, with this access mode (O_RDONLY, ...), and makes fd refer to the new open file:
 * changes of its flags (O_NONBLOCK) do not affect processes that share the old one. Returns the new descriptor,
 * close-on-exec. Error: the terminal has no name (the master of a pair, for example). */
int rota__os_tty_reopen(int fd, int mode);
int rota__os_tty_get(int fd, struct termios *attributes);
/* `when` is one of tcsetattr's. errno is kept; async-signal-safe. */
int rota__os_tty_set(int fd, int when, const struct termios *attributes);
int rota__os_tty_size(int fd, int *width, int *height);

/* ---- files by descriptor ---- */

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

/* ---- files by name ---- */

enum rota_stat_of { ROTA_STAT_TARGET, ROTA_STAT_LINK };

/* What the system does not tell (the birth time on some file systems) is 0. */
int rota__os_stat(const char *path, enum rota_stat_of of, uv_stat_t *result);
int rota__os_stat_fd(int fd, uv_stat_t *result);
int rota__os_statfs(const char *path, uv_statfs_t *result);

int rota__os_access(const char *path, int mode);
int rota__os_chmod(const char *path, unsigned int mode);
int rota__os_chown(const char *path, uv_uid_t uid, uv_gid_t gid);
int rota__os_chown_link(const char *path, uv_uid_t uid, uv_gid_t gid);
/* Times are seconds since 1970. Infinity: now. NaN: unchanged. */
int rota__os_set_times(const char *path, enum rota_stat_of of, double atime, double mtime);
int rota__os_set_times_fd(int fd, double atime, double mtime);

int rota__os_link(const char *path, const char *new_path);
int rota__os_symlink(const char *target, const char *path, int flags);  /* UV_FS_SYMLINK_*: of Windows only */
ssize_t rota__os_readlink(const char *path, char *buffer, size_t size); /* as readlink(2): no NUL, cut off */
int rota__os_rename(const char *path, const char *new_path);
int rota__os_unlink(const char *path);
/* The C library allocates the text: free it with rota__os_realpath_free. */
int rota__os_realpath(const char *path, char **result);
void rota__os_realpath_free(char *result);
/* Whether it means the same from any directory. On Windows also C:x and \\x, which no directory can be put before. */
bool rota__os_path_is_absolute(const char *path);
/* A new file, open and close-on-exec; the last six characters of path, XXXXXX, are filled in. */
int rota__os_make_temporary_file(char *path);

/* Within loop/os: stat(2), for the systems that have nothing better, and for kernels that lack the better call. */
int rota__os_plain_stat(const char *path, enum rota_stat_of of, uv_stat_t *result);
int rota__os_plain_stat_fd(int fd, uv_stat_t *result);

/* ---- directories ---- */

/* The numbers are those of DT_* on all systems that have entries with types. */
enum rota_directory_type {
  ROTA_DIRECTORY_FIFO = 1,
  ROTA_DIRECTORY_CHARACTERS = 2,
  ROTA_DIRECTORY_FOLDER = 4,
  ROTA_DIRECTORY_BLOCKS = 6,
  ROTA_DIRECTORY_FILE = 8,
  ROTA_DIRECTORY_LINK = 10,
  ROTA_DIRECTORY_SOCKET = 12,
};

/* An entry as the kernel writes it. `length` bytes further is the next one. */
struct rota_directory_entry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type; /* enum rota_directory_type */
  char name[];
};

/* No entry is longer than this. */
#define ROTA_DIRECTORY_ENTRY_MAX (19 + 256 + 8)

int rota__os_mkdir(const char *path, unsigned int mode);
int rota__os_rmdir(const char *path);
int rota__os_make_temporary_directory(char *path); /* the last six characters of path, XXXXXX, are filled in */

int rota__os_directory_open(const char *path); /* a descriptor */
/* Fills the buffer with whole entries; returns the bytes taken, 0 at the end. */
ssize_t rota__os_directory_read(int fd, void *buffer, size_t size);

/* The same as a stream: one entry after the other. A name lives until the next one is read; null: the end. */
int rota__os_stream_open(const char *path, void **result);
int rota__os_stream_read(void *stream, const char **name, uint8_t *type);
int rota__os_stream_close(void *stream);

/* ---- small text files, as those of /proc and /sys ---- */

/* The beginning of the file, with a NUL; the length, or a negated errno. */
ssize_t rota__os_read_text(const char *path, char *buffer, size_t size);
/* The whole file, however long, in a new block for rota__free. */
ssize_t rota__os_read_whole(const char *path, char **text);

#endif
