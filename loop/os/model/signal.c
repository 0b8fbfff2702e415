/* Signals: each is handled in a call of a thread that does not block it, or ends that thread's wait. */
#include "loop/os/signal.h"

#include <stdlib.h>
#include <string.h>

#include "loop/base/check.h"
#include "loop/os/model/model.h"
#include "loop/os/process.h"

enum { ON_THEIR_WAY = 64 };

static struct {
  rota_os_signal_function function;
  bool handled[ROTA_OS_SIGNAL_MAX + 1];
  bool once[ROTA_OS_SIGNAL_MAX + 1];
  struct {
    uint64_t due_ns;
    int signum;
  } coming[ON_THEIR_WAY];
  int count;
  struct rota_os_fork_handler *newest;
} signals;

static uint64_t bit(int signum) {
  return (uint64_t)1 << (signum - 1);
}

/* ---- what is on its way; as an object it tells when the next one comes ---- */

static uint64_t next_signal_ns(struct rota_model_object *object) {
  uint64_t next_ns = UINT64_MAX;
  (void)object;
  for (int i = 0; i < signals.count; i++)
    if (signals.coming[i].due_ns < next_ns)
      next_ns = signals.coming[i].due_ns;
  return next_ns;
}

static void release(struct rota_model_object *object) {
  free(object);
}

static const struct rota_model_kind mail_kind = {.name = "signals", .next_ns = next_signal_ns, .release = release};

void rota__model_signals_start(void) {
  memset(&signals, 0, sizeof signals);
  rota__model_object(&mail_kind, sizeof(struct rota_model_object));
}

void rota__model_raise(int signum, uint64_t delay_ns) {
  if (signals.count == ON_THEIR_WAY)
    return;
  signals.coming[signals.count].due_ns = rota__model_now_ns() + delay_ns;
  signals.coming[signals.count].signum = signum;
  signals.count++;
}

static int find(uint64_t mask) {
  for (int i = 0; i < signals.count; i++)
    if (signals.coming[i].due_ns <= rota__model_now_ns() && !(mask & bit(signals.coming[i].signum)))
      return i;
  return -1;
}

bool rota__model_has_signal(uint64_t mask) {
  return find(mask) >= 0;
}

/* Signals of one number that wait are one. */
static int take(int index) {
  int signum = signals.coming[index].signum, kept = 0;
  for (int i = 0; i < signals.count; i++)
    if (signals.coming[i].signum != signum || signals.coming[i].due_ns > rota__model_now_ns())
      signals.coming[kept++] = signals.coming[i];
  signals.count = kept;
  return signum;
}

/* A signal that nobody handles would end the process; here it is gone. */
void rota__model_handle_signals(void) {
  uint64_t *mask = rota__model_mask(), saved = *mask;
  int index;
  while ((index = find(saved)) >= 0) {
    int signum = take(index);
    rota__model_log("signal %d %s", signum, signals.handled[signum] ? "is handled" : "is ignored");
    if (!signals.handled[signum])
      continue;
    signals.handled[signum] = !signals.once[signum];
    *mask = UINT64_MAX;
    signals.function(signum);
    *mask = saved;
  }
}

/* ---- dispositions ---- */

static bool is_fixed(int signum) {
  return signum == SIGKILL || signum == SIGSTOP || signum < 1 || signum > ROTA_OS_SIGNAL_MAX || signum == 32 ||
         signum == 33;
}

int rota__os_signal_handle(int signum, rota_os_signal_function function, bool once) {
  rota__model_call("sigaction", signum);
  if (is_fixed(signum))
    return -EINVAL;
  signals.function = function;
  signals.handled[signum] = true;
  signals.once[signum] = once;
  return 0;
}

int rota__os_signal_default(int signum) {
  rota__model_call("sigaction default", signum);
  if (is_fixed(signum))
    return -EINVAL;
  signals.handled[signum] = false;
  return 0;
}

bool rota__os_signal_is_default(int signum) {
  return !is_fixed(signum) && !signals.handled[signum];
}

int rota__os_signal_keep_children(void) {
  return 0;
}

int rota__os_kill(pid_t pid, int signum) {
  rota__model_call("kill", pid);
  if (signum < 0 || signum > ROTA_OS_SIGNAL_MAX)
    return -EINVAL;
  if (pid != rota__os_process_id())
    return rota__model_signal_child(pid, signum);
  if (signum != 0)
    rota__model_raise(signum, 0);
  return 0;
}

int rota__os_signal_of_profilers(int signum, const sigset_t **set) {
  static sigset_t profiling;
  if (signum != SIGPROF)
    return -EINVAL;
  sigemptyset(&profiling);
  sigaddset(&profiling, SIGPROF);
  *set = &profiling;
  return 0;
}

/* ---- masks, and the lock that handlers may take ---- */

_Static_assert(sizeof(sigset_t) >= sizeof(uint64_t), "a mask of the model fits");

void rota__os_signals_block(sigset_t *saved) {
  memcpy(saved, rota__model_mask(), sizeof(uint64_t));
  *rota__model_mask() = UINT64_MAX;
}

void rota__os_signals_restore(const sigset_t *saved) {
  memcpy(rota__model_mask(), saved, sizeof(uint64_t));
}

static bool is_free(void *what) {
  return ((struct rota_os_signal_lock *)what)->state == 0;
}

void rota__os_signal_lock(struct rota_os_signal_lock *lock, sigset_t *saved) {
  if (saved != NULL)
    rota__os_signals_block(saved);
  while (lock->state != 0)
    rota__model_wait(is_free, lock, UINT64_MAX, NULL);
  lock->state = 1;
}

void rota__os_signal_unlock(struct rota_os_signal_lock *lock, const sigset_t *saved) {
  rota__check(lock->state == 1);
  lock->state = 0;
  if (saved != NULL)
    rota__os_signals_restore(saved);
}

/* ---- forks ----
 *
 * The model has one process: what goes on is the child, and the parent with its other threads is gone. */

void rota__os_at_fork(struct rota_os_fork_handler *handler) {
  handler->older = signals.newest;
  signals.newest = handler;
}

void rota__os_finish_fork(void) {
}

static void run_children(const struct rota_os_fork_handler *handler) {
  if (handler == NULL)
    return;
  run_children(handler->older);
  if (handler->child != NULL)
    handler->child();
}

void rota__model_fork(void) {
  for (struct rota_os_fork_handler *handler = signals.newest; handler != NULL; handler = handler->older)
    if (handler->before != NULL)
      handler->before();
  rota__model_threads_fork();
  run_children(signals.newest);
}
