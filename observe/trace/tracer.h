/* The tracer: the observer of a loop that serves trace, statistics and watchdog.
 *
 * It tracks the state of the loop (iteration, phase, callback), reads the clock once at each step, and passes on what
 * has ended: an event goes to the thread's queue, a duration to the histograms. What runs now is published for the
 * watchdog. All of it happens on the loop's thread, without locks. A phase begins when the step before it ended: the
 * loop's own time between two callbacks counts for the second one. */
#ifndef ROTA_TRACE_TRACER_H
#define ROTA_TRACE_TRACER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "loop/core/internal.h"
#include "loop/core/observe.h"
#include "observe/name/origin.h"
#include "observe/stats/histogram.h"
#include "observe/trace/event_queue.h"
#include "observe/watch/block.h"
#include "observe/watch/hot.h"
#include "rota.h"

/* What is switched on for the process: ROTA_OBSERVE_* of rota.h. */
extern _Atomic unsigned int rota__observing;

static inline bool rota__observes(unsigned int what) {
  return (atomic_load_explicit(&rota__observing, memory_order_relaxed) & what) != 0;
}

enum { ROTA_LOOP_FIGURES = ROTA_FIGURE_CLOSING + 1, ROTA_CALL_DEPTH = 16 };

struct rota_loop_stats {
  struct rota_histogram figures[ROTA_LOOP_FIGURES];
  _Atomic uint64_t idle_ns;
  _Atomic uint64_t busy_ns;
  /* What goes on now, and is not in the sums yet: it waits, or it runs, since this time; 0: neither. */
  _Atomic uint64_t waits_since_ns;
  _Atomic uint64_t runs_since_ns;
};

struct rota_measure;

struct rota_position {
  enum rota_phase phase;
  unsigned int phase_calls;
  uint64_t phase_begin_ns;
  uint64_t phase_waited_ns;
  bool waited;                 /* and not only looked */
  uint64_t iteration_begin_ns; /* 0: in none */
  unsigned int iteration_calls;
  uint64_t iteration_waited_ns;
  uint64_t busy_since_ns;
};

struct rota_frame {
  uint64_t begin_ns;
  const void *function;
  uint64_t late_ns;
  int32_t number; /* the descriptor, or a file request's kind; -1: none */
  uint32_t name;
  uint8_t type; /* uv_handle_type or uv_req_type */
  uint8_t flags;
  uint8_t phase;
  bool position_saved;
  bool entered;                  /* by an embedder */
  uint32_t parts;                /* the embedder's callbacks that are part of this one */
  bool until_run;                /* of one that an embedder has opened, without a function: the next run closes it */
  uint32_t call;                 /* its number, or that of the part that runs */
  uint32_t cause;                /* the number of the callback that has scheduled it; 0: unknown */
  struct rota_position position; /* of the run that called us; saved when the callback runs the loop again */
};

/* Of the parts that have ended, of the callback that runs. */
struct rota_longest_part {
  _Atomic uint64_t took_ns; /* 0: none has ended */
  _Atomic uint64_t sequence;
  _Atomic(const void *) function;
  _Atomic uint32_t name;
};

/* For the watchdog, which reads it from its own thread. */
struct rota_tracer_now {
  _Atomic uint64_t sequence; /* of callbacks and drains; another number: something else runs */
  _Atomic uint64_t since_ns; /* 0: no callback runs */
  /* These three are for the watchdog alone. A callback may have many parts, such as the reactions of a loop of
   * promises: none of them takes long. */
  _Atomic uint64_t whole_since_ns;
  _Atomic uint32_t parts;
  struct rota_longest_part longest;
  _Atomic bool has_served;    /* the loop has waited, or ended an iteration: its start-up is over */
  _Atomic uint64_t described; /* the sequence of which number, type and flags tell: without a watchdog none */
  _Atomic uint64_t drain_since_ns;
  _Atomic(const void *) function;
  _Atomic bool draining;
  struct rota_drain_progress drain; /* meaningful while draining */
  _Atomic uint32_t tick_name;       /* what an embedder calls the tick that runs */
  _Atomic uint32_t name;
  _Atomic int32_t number;
  _Atomic uint8_t type;
  _Atomic uint8_t flags;
  _Atomic uint8_t phase;
  _Atomic bool microtasks;
  _Atomic int thread_id;
  _Atomic uint64_t waits_since_ns; /* 0: it does not wait */
};

/* How what was reported has ended. By the loop's thread. */
struct rota_block_end {
  _Atomic uint64_t at_ns;       /* 0: it has not. All else is valid when it has */
  struct rota_hot_function hot; /* where most of the time went */
  _Atomic uint32_t name;
};

struct rota_tracer {
  struct rota_observer observer;
  struct rota_attachment attachment;
  struct rota_link link; /* among all tracers; under the lock */
  uv_loop_t *loop;
  uint32_t number;                /* 1, 2, ... in the order of the loops */
  struct rota_event_queue *queue; /* of the thread, while the loop runs */
  uint64_t last_ns;               /* the last look at the clock; never goes back */
  uint64_t iteration;
  uint64_t wait_begin_ns;
  int64_t wait_timeout_ns;
  uint64_t drain_begin_ns[2]; /* ticks, microtasks */
  uint32_t first_tick;        /* what an embedder calls the first tick of the run that goes on */
  uint64_t operations;        /* of the poller's own that have ended */
  struct rota_position at;
  uint32_t next_call, last_call; /* numbers that this loop may give, see rota__tracer_number */
  unsigned int depth; /* callbacks that run, one inside of the other; those beyond the frames are only counted */
  struct rota_frame frames[ROTA_CALL_DEPTH];
  struct rota_tracer_now now;
  struct rota_loop_stats *stats;      /* null until they are wanted */
  struct rota_measure *measure;       /* null unless there are metrics */
  struct rota_request_table *origins; /* requests with the pool or the poller; null until they are wanted */
  _Atomic bool print_alive;           /* set by another thread that asks for a report */
  _Atomic bool take_census;           /* the same, for a census (census.h) */
  bool is_resting;                    /* it is no observer of the loop now */
  /* the watchdog's own: */
  uint64_t reported_key; /* the sequence, or the begin of many parts */
  uint64_t reported_ns;
  _Atomic uint64_t reported_sequence; /* of the last that was reported while it ran */
  _Atomic uint64_t reported_end_ns;   /* when it has ended, by the loop's thread */
  _Atomic uint64_t reported_whole_ns; /* a whole callback was reported, which began then; 0: a part, or nothing */
  struct rota_reported reported;
  struct rota_block_end ended;
  struct rota_block_request request; /* under the watchdog's lock */
  struct rota_hot *hot;              /* null until the first sample */
};

/* Adds a tracer to the loop, if it has none. On its thread. UV_ENOMEM. */
int rota__tracer_attach(uv_loop_t *loop);
struct rota_tracer *rota__tracer_of(const uv_loop_t *loop); /* null: none */
/* Nothing is observed any more: the loop runs as if it had no tracer, until one is attached again. On its thread,
 * outside of callbacks; else the tracer stays. */
void rota__tracer_rest(uv_loop_t *loop);
/* The process exits: what this thread runs is counted up to now, as its end will not come. */
void rota__tracer_record_unfinished(void);
/* All tracers. Code that walks the list holds the lock, for a short time. */
struct rota_link *rota__tracer_lock(void);
void rota__tracer_unlock(void);
void rota__tracer_before_fork(void);
void rota__tracer_after_fork_in_parent(void);
void rota__tracer_after_fork_in_child(void);
/* A callback, or a part of one, has ended now: passes it on. */
void rota__tracer_call_ended(struct rota_tracer *tracer, const struct rota_frame *frame);
/* What is sent from this thread from now on is sent by callbacks of this loop. */
void rota__tracer_runs_here(struct rota_tracer *tracer);
/* The number of the callback that runs on this thread; 0: none. */
uint32_t rota__tracer_call_of_thread(void);
/* Gives the loop its histograms, if it has none. */
void rota__tracer_want_stats(struct rota_tracer *tracer);

/* In stats.c: a loop is closed; its values are kept in the sum. */
void rota__stats_keep(const struct rota_tracer *tracer);

/* What is switched on: the one word that all hooks check, and the functions that change it. environment.c does so by
 * the environment variables, for any program. */

/* Before anything is switched on for the first time: forks are watched from then on. */
void rota__observe_prepare(void);
void rota__observe_more(unsigned int what);
void rota__observe_less(unsigned int what);

/* The watchdog: reports what blocks a loop, while the loop is blocked.
 *
 * The loop's thread publishes what it runs (tracer.h); the service thread reads it periodically. A callback that runs
 * too long is reported, with a backtrace that the loop's thread makes in a signal handler. Callbacks that end late are
 * counted. The same callback is reported the first, second, fourth, eighth time, so the output stays short; the number
 * of callbacks that are tracked is bounded. */

/* On the service thread, at every look. */
void rota__watchdog_look(void);
/* How blocks are told: rota__tell_set. */
void rota__watchdog_tell(bool json, bool native_frames, const char *limit, const char *to);
/* On the loop's thread: a callback has ended. */
void rota__watchdog_ended(struct rota_tracer *tracer, const struct rota_frame *frame, uint64_t took_ns);
/* The same of a whole callback with its parts, and of a drain outside of any. */
void rota__watchdog_whole_ended(struct rota_tracer *tracer);
void rota__watchdog_drain_ended(struct rota_tracer *tracer);
/* The loop is closed. With the tracers' lock. */
void rota__watchdog_forget(struct rota_tracer *tracer);
/* Where a thread is, as lines. Waits for it for a short time. */
void rota__watchdog_print_stack(int thread_id, FILE *stream);

#endif
