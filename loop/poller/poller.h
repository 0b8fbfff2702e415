/* The interface between the loop and the system's ways of waiting.
 *
 * A poller returns data; only the loop calls callbacks. There are two kinds of things to wait for:
 *   readiness   a descriptor is watched, and reported while it is ready (level triggered)
 *   completion  an operation is submitted, and reported when it is done; what a poller cannot do, it refuses
 *               with UV_ENOSYS, and the caller takes the thread pool.
 * A poller never takes bytes before a reader asks for them, and never keeps the file of a watched descriptor open.
 * Implementations: epoll.c and uring.c (Linux), kqueue.c (BSD, macOS), event_ports.c (illumos, Solaris), iocp.c
 * (Windows), and the pollers that simulate/ wraps around one of them. */
#ifndef ROTA_POLLER_H
#define ROTA_POLLER_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "uv.h"

/* Among the events of a watch, which are poll(2)'s: POLLIN, POLLOUT, POLLPRI; POLLERR and POLLHUP are always reported.
 */
/* The peer sends nothing more. Linux calls it POLLRDHUP; others have no name for it. */
#define ROTA_WATCH_PEER_SHUT 0x2000u

enum rota_op_code {
  ROTA_OP_OPEN,
  ROTA_OP_CLOSE,
  ROTA_OP_READ,
  ROTA_OP_CHILD, /* fd is the number of a child process: the operation is done when it has ended. It is not reaped. */
};

/* The parameters are read while submit runs; what their pointers lead to must live until the operation is done. */
struct rota_op_args {
  enum rota_op_code code;
  int fd;              /* AT_FDCWD: the path is relative to the current directory */
  const void *address; /* path, or array of uv_buf_t */
  uint32_t length;     /* number of uv_buf_t */
  uint32_t flags;      /* OPEN: O_* */
  uint32_t mode;       /* OPEN */
  int64_t offset;      /* READ; -1: the file's own position */
};

/* The operation of ROTA_OP_CHILD is inside of this. */
struct rota_child_op {
  struct rota_op op;
  pid_t pid;
  bool reported; /* a wait has returned it: it cannot be cancelled any more */
};

enum { ROTA_READY_WOKEN = -1 }; /* instead of a descriptor */

struct rota_ready {
  struct rota_op *op; /* null: a descriptor became ready */
  union {
    struct {
      int fd;
      uint32_t generation;
      uint32_t events;
    } watch;
    struct {
      int32_t result;
      uint32_t flags;
    } completion;
  } u;
};

struct rota_poller;

struct rota_poller_ops {
  const char *name;
  bool takes_children; /* submit takes ROTA_OP_CHILD. UV_ESRCH: the child has ended already */
  /* From now on, reports these events of fd, marked with this generation. No events: stops. */
  int (*watch)(struct rota_poller *poller, int fd, unsigned int events, uint32_t generation);
  /* fd will be closed now: the poller must not keep its file open, and reports nothing more of it. */
  void (*forget)(struct rota_poller *poller, int fd);
  /* Begins an operation, or refuses it with UV_ENOSYS. Null: all are refused. */
  int (*submit)(struct rota_poller *poller, struct rota_op *op, const struct rota_op_args *args);
  /* 0: the operation was not begun, and will not be reported. UV_EBUSY: it is under way. Null as submit is. */
  int (*cancel)(struct rota_poller *poller, struct rota_op *op);
  /* Waits until something is ready, for at most timeout_ns (-1: for ever). Returns the number of entries written to
   * `out`, or UV_EINTR if a signal came, or another error. */
  int (*wait)(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max);
  /* Operations that were submitted so long ago that a thread would have done them: begins them, and takes those that
   * are done. UV_EAGAIN: some are not that old yet. */
  int (*take_late)(struct rota_poller *poller, struct rota_ready *out, int out_max);
  /* Whether wait would find something, if that is known without a system call. Null: it is not. */
  bool (*has_events)(const struct rota_poller *poller);
  /* Whether a wait of zero time would do nothing, neither find nor submit. Null: that is not known. */
  bool (*is_idle)(const struct rota_poller *poller);
  /* A callback will wait for something that may need the operations that were submitted. Null: all are begun. */
  void (*begin)(struct rota_poller *poller);
  /* Hands everything that was asked for to the system, without waiting. Null: that is done at once. */
  void (*flush)(struct rota_poller *poller);
  /* Ends a wait, this one or the next; from any thread, and from signal handlers. The wait reports ROTA_READY_WOKEN
   * among its events, at the place where they show when it was. Null: the loop watches a descriptor for that. */
  void (*wake)(struct rota_poller *poller);
  /* A descriptor that becomes readable when wait would not block, or an error. */
  int (*fd)(struct rota_poller *poller);
  void (*close)(struct rota_poller *poller);
};

struct rota_poller {
  const struct rota_poller_ops *ops;
  const sigset_t *blocked_signals; /* the signal mask while waiting; null: unchanged */
  int wake_fd; /* the descriptor with which the loop is woken, if it watches one, or ROTA_READY_WOKEN */
  void *port;  /* Windows: the completion port, with which operations are begun and reported; else null */
};

/* What a system lacks is not compiled; see poller.c. */
int rota__epoll_open(struct rota_poller **poller);
int rota__epoll_accepts(int fd);
int rota__uring_open(struct rota_poller **poller);
void rota__uring_shutdown(void);
int rota__kqueue_open(struct rota_poller **poller);
int rota__kqueue_accepts(int fd);
int rota__ports_open(struct rota_poller **poller);
int rota__ports_accepts(int fd);
int rota__iocp_open(struct rota_poller **poller);
int rota__iocp_accepts(int fd);
void rota__iocp_call_back(struct rota_op *op);
/* Whether io_uring may be used at all: false if ROTA_POLLER or a tool forbids it. */
bool rota__poller_allows_rings(void);
/* Opens the best poller that the system allows, or the one that ROTA_POLLER names. If a tool has asked for a plain
 * poller, opens one that is level-triggered and refuses operations. */
extern _Atomic bool rota__poller_plain;
/* 0 if the descriptor can be watched; UV_EPERM for a regular file, UV_EBADF ... */
int rota__poller_accepts(int fd);
/* Calls back an operation that has ended, or was cancelled, before the poller had it. */
void rota__poller_call_back(struct rota_op *op);
int rota__poller_open(struct rota_poller **poller);
/* Ends the threads of pollers. Loops that are still open stay usable. */
void rota__poller_shutdown(void);

#endif
