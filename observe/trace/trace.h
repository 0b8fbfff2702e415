/* The trace of a process: its file, the thread that writes it, its life over forks and at exit.
 *
 * Invariant: the writer's structure belongs to the writing thread from start to stop; `lock` is held to start and to
 * stop, and over a fork. */
#ifndef ROTA_TRACE_TRACE_H
#define ROTA_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loop/core/observe.h"

/* In a child: the parent's trace is dropped, and continues in a file of the child's own, if the name allows it. */
void rota__trace_before_fork(void);
void rota__trace_after_fork_in_parent(void);
void rota__trace_after_fork_in_child(void);
/* Children after fork are traced, too: their process id is added to the name. */
void rota__trace_with_forks(void);
void rota__trace_resume(void);
/* The process that started this one makes a page of the trace. If it is gone at the end, a line says where that is. */
void rota__trace_is_for(int parent_id);
bool rota__trace_is_written(void);
/* In a signal handler: the writing thread is asked to write all that there is. False: there is no trace. */
bool rota__trace_hurry(void);
bool rota__trace_has_hurried(void);
/* Writes what runs now, if it has run for so long. */
struct rota_writer;
void rota__trace_note_calls(struct rota_writer *writer, uint64_t least_ns);
/* A job of the pool has ended. */
void rota__trace_job(const struct rota_job *job);

/* The black box: the events of the last seconds, in memory, which are written into a file when something goes wrong: a
 * loop is blocked (the watchdog), SIGUSR2 comes, the process crashes, or it exits with a status other than 0.
 *
 * It is a trace without a writer: the queues of events go round (event_queue.h). The service thread writes the file. A
 * thread that crashes only wakes it and waits: what is written needs memory and locks, which a signal handler must not
 * touch. While a trace is written, there is no black box: the trace has it all. */

/* Whether events are kept. */
bool rota__black_box_is_on(void);
/* For one who has to do something else before it is written: from the first to the second, a process that exits waits.
 */
void rota__black_box_hold(void);
void rota__black_box_write_held(const char *reason);
/* A loop is run for the first time: handlers that the program has set since its start are no longer before ours. */
void rota__black_box_guard(void);
/* A trace is written: a crash waits until all of it is. */
void rota__black_box_end_trace(void);
/* On the service thread: writes the file, if a crash has asked for it. */
void rota__black_box_look(void);
void rota__black_box_before_fork(void);
void rota__black_box_after_fork_in_parent(void);
void rota__black_box_after_fork_in_child(void);

/* Names of trace files: one for each process, and for each program that a process was.
 *
 * A process that becomes another program (execve) keeps its number and its environment. The trace of the program that
 * it was before must not be overwritten. */

enum { ROTA_TRACE_NAME_SIZE = 4096 };

/* "%p" in a name is the process id, "%n" this number; -ENAMETOOLONG. Without "%p", add_process appends it. */
int rota__trace_path(char *path, size_t size, const char *pattern, unsigned int number, bool add_process);
/* What to say of an error of opening a file for a trace or a black box. */
const char *rota__trace_fault(int err);
/* Whether the file is a trace that this process has written, as another program. */
bool rota__trace_was_written(const char *path);
/* The name in ROTA_TRACE, or in the room, for this process; null: null was given. */
const char *rota__trace_name_for_process(const char *trace, char room[ROTA_TRACE_NAME_SIZE]);

/* The service thread: it wakes periodically to look for blocked loops, and when SIGUSR2 asks for a report. There is at
 * most one; other files switch on what it does. */

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
