/* The service thread: it wakes periodically to look for blocked loops, and when SIGUSR2 asks for a report. There is at
 * most one; other files switch on what it does. */
#ifndef ROTA_TRACE_SERVICE_H
#define ROTA_TRACE_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

/* Starts the thread, if it does not run. period_ns: how often to look for blocked loops; 0: never. */
int rota__service_watch(uint64_t period_ns);
/* From now on, statistics are printed on SIGUSR2, at exit, and when SIGINT, SIGTERM or SIGHUP ends the process. */
void rota__service_print_stats(void);
/* From now on, the trace is written to its end when SIGINT, SIGTERM or SIGHUP ends the process. */
void rota__service_write_trace(void);
/* Prints what keeps loops alive on SIGUSR2, and once after this many milliseconds, unless that is 0. */
void rota__service_print_alive(uint64_t after_ms);
/* On SIGUSR2, the black box is written. */
void rota__service_write_black_box(void);
int rota__service_start(void);
/* Wakes the thread. In a signal handler, too. False: there is none, or it is the caller. */
bool rota__service_wake(void);
void rota__service_before_fork(void);
void rota__service_after_fork_in_parent(void);
void rota__service_after_fork_in_child(void);
void rota__service_resume(void);

#endif
