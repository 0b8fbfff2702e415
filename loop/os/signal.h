/* Signals: handlers, masks, a lock that a handler may take, and crashes.
 *
 * As everywhere in loop/os: a result >= 0, or a negated errno. */
#ifndef ROTA_OS_SIGNAL_H
#define ROTA_OS_SIGNAL_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

/* Signal numbers are 1 to this, inclusive. */
#ifdef _WIN32
#define ROTA_OS_SIGNAL_MAX 28
#else
#define ROTA_OS_SIGNAL_MAX 64
#endif

/* Called in the handler, with every other signal blocked and errno kept. Only async-signal-safe code. */
typedef void (*rota_os_signal_function)(int signum);

/* From now on, function is called for this signal; the system's interrupted calls are restarted. With once, the first
 * signal puts the default disposition back before function is called. There is one function for the process. */
int rota__os_signal_handle(int signum, rota_os_signal_function function, bool once);
int rota__os_signal_default(int signum);
bool rota__os_signal_is_default(int signum);
/* If the program was started with SIGCHLD ignored, restores the default, so that ended children wait to be reaped. */
int rota__os_signal_keep_children(void);
int rota__os_kill(pid_t pid, int signum);

/* For the signals by which people and supervisors end a program: function is called in the handler of SIGINT, SIGTERM
 * or SIGHUP, whichever comes first, with all signals blocked, once for the process. Only async-signal-safe code. When
 * it has returned, the former disposition gets the signal: by default the process ends. Signals that the program
 * ignores are left alone. A handler that the program sets later replaces ours. */
void rota__os_ending_handle(void (*function)(void));

/* Blocks all signals for this thread. */
void rota__os_signals_block(sigset_t *saved);
void rota__os_signals_restore(const sigset_t *saved);

/* A lock that code in a signal handler may take: its holder has all signals blocked, so a handler never waits for the
 * code that it interrupted; the wait is a system call that handlers may make. All zero is unlocked. With a null mask,
 * signals are blocked already: in the handler itself they are. */
struct rota_os_signal_lock {
  _Atomic int state; /* 0: free, 1: taken, 2: taken and waited for */
};

void rota__os_signal_lock(struct rota_os_signal_lock *lock, sigset_t *saved);
void rota__os_signal_unlock(struct rota_os_signal_lock *lock, const sigset_t *saved);

/* The set of this signal alone, if it is one that a loop may block while it waits: that of a sampling profiler. Others
 * are needed to wake the loop: UV_EINVAL. */
int rota__os_signal_of_profilers(int signum, const sigset_t **set);

/* What a module does around a fork: `before` in the parent, then `parent` or `child`. Each may be null. */
struct rota_os_fork_handler {
  void (*before)(void);
  void (*parent)(void);
  void (*child)(void);
  struct rota_os_fork_handler *older; /* the registry's */
};

/* Registers a handler for the rest of the process. `before` runs in the reverse order of registration, `parent` and
 * `child` in the order of registration: a module that uses another one registers after it. */
void rota__os_at_fork(struct rota_os_fork_handler *handler);
/* In a child, a library's own fork handler may run before the registry's, and call this library, as uvloop's calls
 * uv_loop_fork. Runs the `child` handlers now, unless they have run. Elsewhere it does nothing. */
void rota__os_finish_fork(void);

/* ---- crashes ----
 *
 * Signals that end a process because of a fault: what to do before it ends.
 *
 * A handler that was there before is asked first: engines catch faults of their own making, and go on. One that gives
 * up puts the default back, and then it is a crash. A handler that comes later should call ours, but some do not: a
 * second call puts ours before those. */

/* Called on the thread that crashed, in the handler, with all signals blocked, once for the process. Only
 * async-signal-safe code. When it has returned, the process ends as it would have: with a core file, if there is to be
 * one. Signals that the program ignores are left alone. The calling thread gets a stack for handlers, if it has none,
 * so that an overflow of its own stack is handled, too. */
void rota__os_crash_handle(void (*function)(int signum));

/* Calls the function with the status when the process exits; -ENOTSUP where the C library does not tell that. */
int rota__os_on_exit(void (*function)(int status, void *data));

/* For the function: sleeps a little. */
void rota__os_crash_pause(void);

/* As it is called by programs: "SIGSEGV". */
const char *rota__os_crash_name(int signum);

#endif
