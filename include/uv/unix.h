/* Types of the platform and the private parts of the public structures.
 *
 * A program may rely on a structure's size, alignment and documented fields, all of which are libuv's; the bytes in
 * between are ours. They are named structures so that a debugger can print them and loop/abi.c can assert them. */
#ifndef UV_UNIX_H
#define UV_UNIX_H

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <pwd.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/param.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <termios.h>

#ifndef PTHREAD_RWLOCK_INITIALIZER
#error "uv.h wants POSIX: compile with -std=gnu11 (gnu99, gnu17), or with -D_GNU_SOURCE (-D_POSIX_C_SOURCE=200809L)"
#endif

#ifndef NI_MAXHOST
#define NI_MAXHOST 1025
#endif
#ifndef NI_MAXSERV
#define NI_MAXSERV 32
#endif

#if defined(__linux__)
#include "uv/linux.h"
#elif defined(__APPLE__)
#include "uv/darwin.h"
#elif defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__) || defined(__DragonFly__)
#include "uv/bsd.h"
#elif defined(__sun)
#include "uv/sunos.h"
#else
#error "uv.h does not know this system"
#endif

/* ---- what the system calls things ---- */

typedef struct uv_buf_t {
  char *base;
  size_t len;
} uv_buf_t; /* laid out as a struct iovec */

typedef int uv_file;
typedef int uv_os_sock_t;
typedef int uv_os_fd_t;
typedef pid_t uv_pid_t;
typedef gid_t uv_gid_t;
typedef uid_t uv_uid_t;

#define UV_ONCE_INIT PTHREAD_ONCE_INIT

typedef pthread_once_t uv_once_t;
typedef pthread_t uv_thread_t;
typedef pthread_mutex_t uv_mutex_t;
typedef pthread_rwlock_t uv_rwlock_t;
typedef pthread_cond_t uv_cond_t;
typedef pthread_key_t uv_key_t;

typedef struct {
  void *handle;
  char *errmsg;
} uv_lib_t;

/* ---- private parts ---- */

/* What libuv's loop has of its own comes on top. */
#define ROTA_LOOP_UNUSED (ROTA_LOOP_RESERVED + sizeof(pthread_mutex_t) + sizeof(pthread_rwlock_t))

#include "uv/parts.h"

#if UINTPTR_MAX > UINT32_MAX
#define ROTA_FS_OFFSET off_t off;
#define ROTA_FS_SMALL_BUFS uv_buf_t small_bufs[4];
#else
/* Where 64-bit numbers are aligned as pointers are, the size of libuv's structure depends on a program's
 * _FILE_OFFSET_BITS. What the library uses of it does not. */
#ifdef __i386__
typedef off_t rota_unused_offset;
#else
typedef rota_word64 rota_unused_offset;
#endif
typedef int64_t rota_offset __attribute__((aligned(4)));
#define ROTA_FS_OFFSET rota_offset off;
#define ROTA_FS_SMALL_BUFS                                                                                             \
  uv_buf_t small_bufs[3];                                                                                              \
  rota_unused_offset unused;
#endif

struct rota_stream {
  struct uv_connect_s *connect_req;
  struct uv_shutdown_s *shutdown_req;
  struct rota_watcher watcher;
  struct rota_link write_queue;
  struct rota_link write_completed_queue;
  void (*connection_cb)(struct uv_stream_s *server, int status);
  int delayed_error;
  int accepted_fd;
  void *queued_fds; /* descriptors received over IPC and not accepted yet */
  ROTA_STREAM_RESERVED
};

#define UV_REQ_TYPE_PRIVATE
#define UV_REQ_PRIVATE_FIELDS
#define UV_PRIVATE_REQ_TYPES

#define UV_STREAM_PRIVATE_FIELDS struct rota_stream io;

#define UV_TCP_PRIVATE_FIELDS

#define UV_PIPE_PRIVATE_FIELDS char *pipe_fname; /* where libuv has it: some programs look */

#define UV_TTY_PRIVATE_FIELDS                                                                                          \
  struct termios original;                                                                                             \
  int mode;

#define UV_UDP_PRIVATE_FIELDS                                                                                          \
  uv_alloc_cb alloc_cb;                                                                                                \
  uv_udp_recv_cb recv_cb;                                                                                              \
  struct rota_watcher watcher;                                                                                         \
  struct rota_link send_queue;                                                                                         \
  struct rota_link send_completed_queue;

#define UV_POLL_PRIVATE_FIELDS struct rota_watcher watcher;

/* `state` is only touched atomically. */
#define UV_ASYNC_PRIVATE_FIELDS                                                                                        \
  uv_async_cb async_cb;                                                                                                \
  struct uv_async_s *next_sent;                                                                                        \
  rota_place place; /* grows along the list of the loop's async handles */                                             \
  rota_mark state;                                                                                                     \
  rota_mark remote; /* of a steered loop. Bit 0: another thread has sent; above: how often that was decided */

#define UV_TIMER_PRIVATE_FIELDS struct rota_timer timer;

/* `child` is what the loop needs while the process runs; null before and after. */
#define UV_PROCESS_PRIVATE_FIELDS                                                                                      \
  struct rota_child *child;                                                                                            \
  void *unused;                                                                                                        \
  int status;

#define UV_SIGNAL_PRIVATE_FIELDS                                                                                       \
  struct rota_link link; /* among its loop's watchers of this signal number */                                         \
  rota_word64 since;     /* signals caught later than this one are its own */                                          \
  void *unused[2];

#define UV_FS_EVENT_PRIVATE_FIELDS                                                                                     \
  uv_fs_event_cb cb;                                                                                                   \
  struct rota_link link;       /* in the list of its watch */                                                          \
  struct rota_fs_watch *watch; /* null while it is not started */                                                      \
  ROTA_FS_EVENT_RESERVED

#define UV_DIR_PRIVATE_FIELDS DIR *dir;

#define UV_WRITE_PRIVATE_FIELDS                                                                                        \
  struct rota_link link;                                                                                               \
  unsigned int write_index;                                                                                            \
  uv_buf_t *bufs;                                                                                                      \
  unsigned int nbufs;                                                                                                  \
  int error;                                                                                                           \
  uv_buf_t small_bufs[4];

#define UV_CONNECT_PRIVATE_FIELDS struct rota_link link;

#define UV_SHUTDOWN_PRIVATE_FIELDS

#define UV_UDP_SEND_PRIVATE_FIELDS                                                                                     \
  struct rota_queued queued;                                                                                           \
  struct rota_datagram datagram; /* queued.datagram points here, if it points anywhere */                              \
  uv_buf_t small_bufs[4];

#define UV_GETADDRINFO_PRIVATE_FIELDS                                                                                  \
  struct rota_work work;                                                                                               \
  uv_getaddrinfo_cb cb;                                                                                                \
  struct addrinfo *hints;                                                                                              \
  char *hostname;                                                                                                      \
  char *service;                                                                                                       \
  struct addrinfo *addrinfo;                                                                                           \
  int status;

/* `work` is for a request that the thread pool carries out; one that the poller does has its place in struct rota_req.
 * new_path lies in the block that path begins; of a readdir it is the block that the names are in. Of a file that is
 * read or written whole, gid is the step that failed (uv_fs_type), and off the limit of its size. */
#define UV_FS_PRIVATE_FIELDS                                                                                           \
  const char *new_path;                                                                                                \
  uv_file file;                                                                                                        \
  int flags;                                                                                                           \
  mode_t mode;                                                                                                         \
  unsigned int nbufs;                                                                                                  \
  uv_buf_t *bufs;                                                                                                      \
  ROTA_FS_OFFSET                                                                                                       \
  uv_uid_t uid;                                                                                                        \
  uv_gid_t gid;                                                                                                        \
  double atime;                                                                                                        \
  double mtime;                                                                                                        \
  struct rota_work work;                                                                                               \
  ROTA_FS_SMALL_BUFS

/* Entries of a directory have a type here, and programs ask for it by this name. */
#define HAVE_DIRENT_TYPES

/* ---- flags of uv_fs_open, by their portable names ---- */

#define UV_FS_O_APPEND O_APPEND
#define UV_FS_O_CREAT O_CREAT
#if defined(__linux__) && (defined(__arm__) || defined(__m68k__) || defined(__aarch64__))
#define UV_FS_O_DIRECT 0x10000
#elif defined(__linux__) && defined(__mips__)
#define UV_FS_O_DIRECT 0x08000
#elif defined(__linux__) && defined(__powerpc__)
#define UV_FS_O_DIRECT 0x20000
#elif defined(__linux__)
#define UV_FS_O_DIRECT 0x04000
#elif defined(O_DIRECT)
#define UV_FS_O_DIRECT O_DIRECT
#else
#define UV_FS_O_DIRECT 0
#endif
#define UV_FS_O_DIRECTORY O_DIRECTORY
#ifdef O_DSYNC
#define UV_FS_O_DSYNC O_DSYNC
#else
#define UV_FS_O_DSYNC 0
#endif
#define UV_FS_O_EXCL O_EXCL
#ifdef O_EXLOCK
#define UV_FS_O_EXLOCK O_EXLOCK
#else
#define UV_FS_O_EXLOCK 0
#endif
#ifdef O_NOATIME
#define UV_FS_O_NOATIME O_NOATIME
#else
#define UV_FS_O_NOATIME 0
#endif
#define UV_FS_O_NOCTTY O_NOCTTY
#define UV_FS_O_NOFOLLOW O_NOFOLLOW
#define UV_FS_O_NONBLOCK O_NONBLOCK
#define UV_FS_O_RDONLY O_RDONLY
#define UV_FS_O_RDWR O_RDWR
#ifdef O_SYMLINK
#define UV_FS_O_SYMLINK O_SYMLINK
#else
#define UV_FS_O_SYMLINK 0
#endif
#define UV_FS_O_SYNC O_SYNC
#define UV_FS_O_TRUNC O_TRUNC
#define UV_FS_O_WRONLY O_WRONLY

/* Windows only; no effect here. */
#define UV_FS_O_FILEMAP 0
#define UV_FS_O_RANDOM 0
#define UV_FS_O_SHORT_LIVED 0
#define UV_FS_O_SEQUENTIAL 0
#define UV_FS_O_TEMPORARY 0

#endif
