/* Signals that end a process because of a fault: what to do before it ends.
 *
 * A handler that was there before is asked first: engines catch faults of their own making, and go on. One that gives
 * up puts the default back, and then it is a crash. A handler that comes later should call ours, but some do not: a
 * second call puts ours before those. */
#ifndef ROTA_OS_CRASH_H
#define ROTA_OS_CRASH_H

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
