/* Types of Windows and the private parts of the public structures there: what uv/unix.h is for the other systems.
 *
 * Sizes, alignments and documented fields are libuv's; loop/abi.c asserts them. The bytes in between are ours. */
#ifndef UV_WIN_H
#define UV_WIN_H

#ifndef _WIN32_WINNT
#define _WIN32_WINNT 0x0A00
#endif

#include <sys/types.h>

#if !defined(_SSIZE_T_) && !defined(_SSIZE_T_DEFINED)
#include <stdint.h>
typedef intptr_t ssize_t;
#define SSIZE_MAX INTPTR_MAX
#define _SSIZE_T_
#define _SSIZE_T_DEFINED
#endif

#include <winsock2.h>

#include <mswsock.h>
#include <ws2tcpip.h>

#include <windows.h>

#include <fcntl.h>
#include <process.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* The C library has five of the signals that uv_signal and uv_kill know. These have the numbers of Unix. */
#define SIGHUP 1
#define SIGQUIT 3
#ifndef SIGABRT_COMPAT
#define SIGABRT_COMPAT 6
#endif
#define SIGKILL 9
#define SIGWINCH 28
#undef NSIG
#define NSIG (SIGWINCH + 1)

#ifndef S_IFLNK
#define S_IFLNK 0xA000
#endif

/* ---- what the system calls things ---- */

typedef struct uv_buf_t {
  ULONG len;
  char *base;
} uv_buf_t; /* laid out as a WSABUF */

typedef int uv_file;
typedef SOCKET uv_os_sock_t;
typedef HANDLE uv_os_fd_t;
typedef int uv_pid_t;
typedef unsigned char uv_uid_t;
typedef unsigned char uv_gid_t;

typedef HANDLE uv_thread_t;
typedef HANDLE uv_sem_t;
typedef CRITICAL_SECTION uv_mutex_t;

typedef union {
  CONDITION_VARIABLE cond_var;
  void *reserved[8];
} uv_cond_t;

typedef struct {
  SRWLOCK read_write_lock_;
  unsigned char reserved[72];
} uv_rwlock_t;

typedef struct {
  unsigned int threshold;
  unsigned int in;
  uv_mutex_t mutex;
  CONDITION_VARIABLE cond;
  unsigned int out;
} uv_barrier_t;

typedef struct {
  DWORD tls_index;
} uv_key_t;

/* The first member has no use; libuv's programs initialise it. */
#define UV_ONCE_INIT                                                                                                   \
  { 0, INIT_ONCE_STATIC_INIT }

typedef struct uv_once_s {
  unsigned char unused;
  INIT_ONCE init_once;
} uv_once_t;

typedef struct {
  HMODULE handle;
  char *errmsg;
} uv_lib_t;

#define UV_DYNAMIC FAR WINAPI
#define MAX_PIPENAME_LEN 256

/* ---- private parts ---- */

#define ROTA_WATCHER_RESERVED
#define ROTA_LOOP_UNUSED 272

#include "uv/parts.h"

/* An operation under way in the system, and who is told when it is done: the port hands back the address of the first
 * member. It fills the bytes that libuv reserves in each request. */
struct rota_io {
  OVERLAPPED overlapped;
  struct rota_op op;
};

struct uv_write_s;
struct rota_tcp_accept;
struct rota_pipe_server;
struct rota_pipe_channel;
struct rota_pipe_shut;

struct rota_stream {
  unsigned int operations;   /* under way in the system: the handle cannot go before they have come back */
  unsigned int writes_begun; /* of these, writes */
  struct uv_connect_s *connect_req;
  struct uv_shutdown_s *shutdown_req;
  void (*connection_cb)(struct uv_stream_s *server, int status);
  struct rota_io read;                    /* the read under way */
  struct rota_link write_queue;           /* requests that are under way, oldest first */
  struct rota_link write_completed_queue; /* requests whose callback is due */
  int delayed_error;                      /* of bind: reported by listen and connect */
  unsigned int state;                     /* enum rota_stream_state */
  struct rota_link fed;                   /* among the loop's streams with something to report without an event */
  void *unused[2];
};

struct rota_tty_reader;

/* Where in a sequence of VT100 the output is, and the cursor that it has saved. */
struct rota_tty_screen {
  unsigned char state;
  unsigned char count; /* of parameters */
  unsigned char is_bad;
  unsigned char has_saved;
  char mark;
  char between;
  unsigned short saved_attributes;
  short saved_column;
  short saved_line;
  unsigned short parameters[4];
};

struct rota_tty {
  HANDLE handle;
  struct rota_tty_reader *reader; /* a thread that reads; null: none yet */
  int is_input;
  int mode;
  char begun[7]; /* the beginning of a character whose rest was not written yet */
  unsigned char begun_length;
  struct rota_tty_screen screen;
  char unused[20];
};

#define UV_REQ_TYPE_PRIVATE                                                                                            \
  UV_ACCEPT, UV_FS_EVENT_REQ, UV_POLL_REQ, UV_PROCESS_EXIT, UV_READ, UV_UDP_RECV, UV_WAKEUP, UV_SIGNAL_REQ,
#define UV_REQ_PRIVATE_FIELDS                                                                                          \
  union {                                                                                                              \
    struct rota_io io;                                                                                                 \
    struct rota_queued queued; /* a datagram: it takes the place of the operation */                                   \
  };
#define UV_PRIVATE_REQ_TYPES

#define UV_STREAM_PRIVATE_FIELDS struct rota_stream io;

/* `socket` is where libuv has it: some programs look. */
#define UV_TCP_PRIVATE_FIELDS                                                                                          \
  SOCKET socket;                                                                                                       \
  struct rota_tcp_accept *accepts;  /* of a listener: operations that wait for a connection */                         \
  struct rota_tcp_accept *accepted; /* of these, those with a connection that nobody has taken yet, oldest first */    \
  void *unused[3];

/* `handle` is where libuv has it: some programs look. */
#define UV_PIPE_PRIVATE_FIELDS                                                                                         \
  HANDLE handle;                                                                                                       \
  WCHAR *name;                                                                                                         \
  struct rota_pipe_server *server;                                                                                     \
  struct rota_pipe_channel *channel; /* of one that passes handles */                                                  \
  void *reader;                      /* a thread that reads where the system cannot read in the background */          \
  HANDLE event;                      /* of an operation that is waited for */                                          \
  int instances;                                                                                                       \
  int is_synchronous;                                                                                                  \
  struct rota_pipe_shut *shut; /* from uv_shutdown on */                                                               \
  void *unused[29];

#define UV_TTY_PRIVATE_FIELDS struct rota_tty tty;

#define UV_UDP_PRIVATE_FIELDS                                                                                          \
  uv_alloc_cb alloc_cb;                                                                                                \
  uv_udp_recv_cb recv_cb;                                                                                              \
  struct rota_watcher watcher;                                                                                         \
  struct rota_link send_queue;                                                                                         \
  struct rota_link send_completed_queue;                                                                               \
  void *unused[26];

#define UV_POLL_PRIVATE_FIELDS                                                                                         \
  struct rota_watcher watcher;                                                                                         \
  void *unused[32];

/* `state` is only touched atomically. */
#define UV_ASYNC_PRIVATE_FIELDS                                                                                        \
  uv_async_cb async_cb;                                                                                                \
  struct uv_async_s *next_sent;                                                                                        \
  uint64_t place; /* grows along the list of the loop's async handles */                                               \
  int state;                                                                                                           \
  int remote; /* of a steered loop. Bit 0: another thread has sent; above: how often that was decided */               \
  void *unused[12];

#define UV_TIMER_PRIVATE_FIELDS                                                                                        \
  struct rota_timer timer;                                                                                             \
  void *unused;

/* `child` is what the loop needs while the process runs; null before and after. */
#define UV_PROCESS_PRIVATE_FIELDS                                                                                      \
  struct rota_child *child;                                                                                            \
  HANDLE process_handle;                                                                                               \
  int status;                                                                                                          \
  void *unused[16];

#define UV_SIGNAL_PRIVATE_FIELDS                                                                                       \
  struct rota_link link; /* among its loop's watchers of this signal number */                                         \
  uint64_t since;        /* signals caught later than this one are its own */                                          \
  void *unused[16];

#define UV_FS_EVENT_PRIVATE_FIELDS                                                                                     \
  uv_fs_event_cb cb;                                                                                                   \
  struct rota_link link;                                                                                               \
  struct rota_fs_watch *watch; /* null while it is not started */                                                      \
  void *unused[17];

#define UV_DIR_PRIVATE_FIELDS                                                                                          \
  void *dir;                                                                                                           \
  void *unused[75];

#define UV_WRITE_PRIVATE_FIELDS                                                                                        \
  struct rota_link link; /* among the stream's writes */                                                               \
  void *copy;            /* a block that the bytes are sent from, if they are not sent from the program's buffers */   \
  uint32_t length;       /* what it adds to the stream's queue */                                                      \
  int error;                                                                                                           \
  void *waiting; /* what a thread needs to write it, once those before it are written */

#define UV_CONNECT_PRIVATE_FIELDS

#define UV_SHUTDOWN_PRIVATE_FIELDS

#define UV_UDP_SEND_PRIVATE_FIELDS

#define UV_GETADDRINFO_PRIVATE_FIELDS                                                                                  \
  struct rota_work work;                                                                                               \
  uv_getaddrinfo_cb cb;                                                                                                \
  struct addrinfo *hints;                                                                                              \
  char *hostname;                                                                                                      \
  char *service;                                                                                                       \
  void *unused;                                                                                                        \
  struct addrinfo *addrinfo;                                                                                           \
  int status;

/* `work` is for a request that the thread pool carries out.
 * new_path lies in the block that path begins; of a readdir it is the block that the names are in. */
#define UV_FS_PRIVATE_FIELDS                                                                                           \
  const char *new_path;                                                                                                \
  uv_file file;                                                                                                        \
  int flags;                                                                                                           \
  int mode;                                                                                                            \
  unsigned int nbufs;                                                                                                  \
  uv_buf_t *bufs;                                                                                                      \
  int64_t off;                                                                                                         \
  short uid;                                                                                                           \
  short gid;                                                                                                           \
  int system_error; /* what Windows called the error */                                                                \
  double atime;                                                                                                        \
  double mtime;                                                                                                        \
  struct rota_work work;                                                                                               \
  uv_buf_t small_bufs[4];

/* Entries of a directory have a type here, and programs ask for it by this name. */
#define HAVE_DIRENT_TYPES
#define UV__DT_DIR UV_DIRENT_DIR
#define UV__DT_FILE UV_DIRENT_FILE
#define UV__DT_LINK UV_DIRENT_LINK
#define UV__DT_FIFO UV_DIRENT_FIFO
#define UV__DT_SOCKET UV_DIRENT_SOCKET
#define UV__DT_CHAR UV_DIRENT_CHAR
#define UV__DT_BLOCK UV_DIRENT_BLOCK

#ifndef F_OK
#define F_OK 0
#endif
#ifndef R_OK
#define R_OK 4
#endif
#ifndef W_OK
#define W_OK 2
#endif
#ifndef X_OK
#define X_OK 1
#endif

/* ---- flags of uv_fs_open, by their portable names ---- */

#define UV_FS_O_APPEND _O_APPEND
#define UV_FS_O_CREAT _O_CREAT
#define UV_FS_O_EXCL _O_EXCL
#define UV_FS_O_FILEMAP 0x20000000
#define UV_FS_O_RANDOM _O_RANDOM
#define UV_FS_O_RDONLY _O_RDONLY
#define UV_FS_O_RDWR _O_RDWR
#define UV_FS_O_SEQUENTIAL _O_SEQUENTIAL
#define UV_FS_O_SHORT_LIVED _O_SHORT_LIVED
#define UV_FS_O_TEMPORARY _O_TEMPORARY
#define UV_FS_O_TRUNC _O_TRUNC
#define UV_FS_O_WRONLY _O_WRONLY

/* The C library has no names for these; they become flags of CreateFile. */
#define UV_FS_O_DIRECT 0x02000000
#define UV_FS_O_DSYNC 0x04000000
#define UV_FS_O_EXLOCK 0x10000000
#define UV_FS_O_SYNC 0x08000000

/* No effect here. */
#define UV_FS_O_DIRECTORY 0
#define UV_FS_O_NOATIME 0
#define UV_FS_O_NOCTTY 0
#define UV_FS_O_NOFOLLOW 0
#define UV_FS_O_NONBLOCK 0
#define UV_FS_O_SYMLINK 0

#endif
