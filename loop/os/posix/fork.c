/* The registry of fork handlers: one list for the process, behind one registration with the C library.
 *
 * A handler that takes a lock in `before` releases it in `parent` and `child`: no lock of the library may be held in
 * the child by a thread that exists in the parent only. Invariant: the handlers that run after a fork are those whose
 * `before` ran, and each runs once in each process. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#include "loop/os/signal.h"

static _Atomic(struct rota_os_fork_handler *) newest;

/* The fork that this thread makes, from its `before` handlers to the others. */
static _Thread_local struct {
  struct rota_os_fork_handler *newest; /* null: none */
  pid_t parent;
} fork_under_way;

static void before_fork(void) {
  fork_under_way.newest = atomic_load(&newest);
  fork_under_way.parent = getpid();
  for (struct rota_os_fork_handler *handler = fork_under_way.newest; handler != NULL; handler = handler->older)
    if (handler->before != NULL)
      handler->before();
}

static void run_parent(const struct rota_os_fork_handler *handler) {
  if (handler == NULL)
    return;
  run_parent(handler->older);
  if (handler->parent != NULL)
    handler->parent();
}

static void run_child(const struct rota_os_fork_handler *handler) {
  if (handler == NULL)
    return;
  run_child(handler->older);
  if (handler->child != NULL)
    handler->child();
}

static void in_parent(void) {
  run_parent(fork_under_way.newest);
  fork_under_way.newest = NULL;
}

static void in_child(void) {
  const struct rota_os_fork_handler *handlers = fork_under_way.newest;
  fork_under_way.newest = NULL;
  run_child(handlers);
}

/* This fails only for lack of memory, and then only a fork at the wrong moment is affected. */
static void watch_forks(void) {
  (void)pthread_atfork(before_fork, in_parent, in_child);
}

void rota__os_at_fork(struct rota_os_fork_handler *handler) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
  handler->older = atomic_load(&newest);
  while (!atomic_compare_exchange_weak(&newest, &handler->older, handler))
    ;
}

void rota__os_finish_fork(void) {
  if (fork_under_way.newest != NULL && fork_under_way.parent != getpid())
    in_child();
}
