/* The hook of a simulator in a loop's I/O. Streams, files and child processes ask it at the place where they would call
 * the system: it may answer with an error that the system could give, or with less than there is. Pollers know nothing
 * of it. simulate/ sets it for the loops whose schedule it controls; for all others it is null. */
#ifndef ROTA_LOOP_IO_HOOK_H
#define ROTA_LOOP_IO_HOOK_H

#include <sys/types.h>

#include "loop/base/check.h"
#include "loop/core/internal.h"
#include "uv.h"

struct rota_io_hook {
  /* Reads from a TCP socket, instead of recv. */
  ssize_t (*receive)(struct rota_io_hook *self, int fd, const uv_buf_t *buf);
  /* What is to go wrong with this operation, by its name in simulate/fault.c: 0, an error, or more than 0 for a partial
   * result. fd -1: it has none. */
  int (*fault)(struct rota_io_hook *self, const char *operation, int fd);
};

static inline struct rota_io_hook *rota__io_hook(const uv_loop_t *loop) {
  return rota__loop(loop)->io_hook;
}

static inline int rota__io_fault(const uv_loop_t *loop, const char *operation, int fd) {
  struct rota_io_hook *hook = rota__io_hook(loop);
  return rota__likely(hook == NULL) ? 0 : hook->fault(hook, operation, fd);
}

#endif
