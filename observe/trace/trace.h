/* The trace of a process: its file, the thread that writes it, its life over forks and at exit.
 *
 * Invariant: the writer's structure belongs to the writing thread from start to stop; `lock` is held to start and to
 * stop, and over a fork. */
#ifndef ROTA_TRACE_TRACE_H
#define ROTA_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "loop/core/observe.h"

/* In a child: the parent's trace is dropped, and continues in a file of the child's own, if the name allows it. */
void rota__trace_before_fork(void);
void rota__trace_after_fork_in_parent(void);
void rota__trace_after_fork_in_child(void);
/* Children after fork are traced, too: their process id is added to the name. */
void rota__trace_with_forks(void);
void rota__trace_resume(void);
bool rota__trace_is_written(void);
/* In a signal handler: the writing thread is asked to write all that there is. False: there is no trace. */
bool rota__trace_hurry(void);
bool rota__trace_has_hurried(void);
/* Writes what runs now, if it has run for so long. */
struct rota_writer;
void rota__trace_note_calls(struct rota_writer *writer, uint64_t least_ns);
/* A job of the pool has ended. */
void rota__trace_job(const struct rota_job *job);

#endif
