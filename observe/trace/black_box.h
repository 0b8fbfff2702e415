/* The black box: the events of the last seconds, in memory, which are written into a file when something goes wrong: a
 * loop is blocked (the watchdog), SIGUSR2 comes, the process crashes, or it exits with a status other than 0.
 *
 * It is a trace without a writer: the queues of events go round (event_queue.h). The service thread writes the file. A
 * thread that crashes only wakes it and waits: what is written needs memory and locks, which a signal handler must not
 * touch. While a trace is written, there is no black box: the trace has it all. */
#ifndef ROTA_TRACE_BLACK_BOX_H
#define ROTA_TRACE_BLACK_BOX_H

#include <stdbool.h>

/* Whether events are kept. */
bool rota__black_box_is_on(void);
/* For one who has to do something else before it is written: from the first to the second, a process that exits waits.
 */
void rota__black_box_hold(void);
void rota__black_box_write_held(const char *reason);
/* A loop is run for the first time: handlers that the program has set since its start are no longer before ours. */
void rota__black_box_guard(void);
/* On the service thread: writes the file, if a crash has asked for it. */
void rota__black_box_look(void);
void rota__black_box_before_fork(void);
void rota__black_box_after_fork_in_parent(void);
void rota__black_box_after_fork_in_child(void);

#endif
