/* The hooks of a simulator: one in a loop's I/O, one in the process.
 *
 * Streams, files and child processes ask it at the place where they would call
 * the system: it may answer with an error that the system could give, or with less than there is. Pollers know nothing
 * of it. simulate/ sets it for the loops whose schedule it controls; for all others it is null. The process has a hook
 * from when time became virtual, or a schedule began. */
#ifndef ROTA_LOOP_IO_HOOK_H
#define ROTA_LOOP_IO_HOOK_H

#include <stdatomic.h>
#include <stdbool.h>
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

struct rota_process_hook {
  /* A thread is about to be started, could not be, runs, and rests: it waits for another thread, or ends. Between the
   * start and the first rest it may make a loop, and until then nothing shows that it has something to do: virtual time
   * is held. The answer of the first is handed to the next two. */
  bool (*thread_starts)(void);
  void (*thread_failed)(bool is_held);
  void (*thread_runs)(bool is_held);
  void (*thread_rests)(void);
  /* A child is about to be started. Null, or what its environment is to be instead, to be freed: it tells the child its
   * identity in the run. */
  char **(*child_environment)(char *const *args, char *const *env);
  /* The library is shut down: jobs that are held back go to the pool, which ends them. */
  void (*shutdown)(void);
};

extern _Atomic(const struct rota_process_hook *) rota__process_hook;

static inline const struct rota_process_hook *rota__hook_of_process(void) {
  return atomic_load_explicit(&rota__process_hook, memory_order_acquire);
}

static inline bool rota__hook_thread_starts(void) {
  const struct rota_process_hook *hook = rota__hook_of_process();
  return hook != NULL && hook->thread_starts();
}

static inline void rota__hook_thread_failed(bool is_held) {
  const struct rota_process_hook *hook = rota__hook_of_process();
  if (hook != NULL)
    hook->thread_failed(is_held);
}

static inline void rota__hook_thread_runs(bool is_held) {
  const struct rota_process_hook *hook = rota__hook_of_process();
  if (hook != NULL)
    hook->thread_runs(is_held);
}

static inline void rota__hook_thread_rests(void) {
  const struct rota_process_hook *hook = rota__hook_of_process();
  if (rota__unlikely(hook != NULL))
    hook->thread_rests();
}

static inline char **rota__hook_child_environment(char *const *args, char *const *env) {
  const struct rota_process_hook *hook = rota__hook_of_process();
  return hook == NULL ? NULL : hook->child_environment(args, env);
}

static inline void rota__hook_shutdown(void) {
  const struct rota_process_hook *hook = rota__hook_of_process();
  if (hook != NULL)
    hook->shutdown();
}

#endif
