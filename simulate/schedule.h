/* A poller that decides what a loop does not promise: which ready descriptor comes first, which one waits for another
 * round, how much a read returns, how late a loop wakes; and, through jobs.h, the same for the pool.
 *
 * It cannot break what is promised. The events of one descriptor are one level-triggered event: if it is held back, it
 * is reported again. Phases, ticks and the order of timers are not decided here. Nothing is held back for ever: each
 * round decides again, and a loop that would sleep gets everything.
 *
 *   schedule.c  the poller; a wait that decides for each round anew
 *   ranked.c    a wait that goes by ranks, which are drawn once
 *   asyncs.c    when the loop learns of what other threads have sent
 *   jobs.c      which job of the pool ends next
 *   fault.c     errors that the system could give */
#ifndef ROTA_SIMULATE_SCHEDULE_H
#define ROTA_SIMULATE_SCHEDULE_H

#include "loop/core/internal.h"
#include "loop/core/io_hook.h"
#include "simulate/decide.h"
#include "simulate/jobs.h"
#include "simulate/wrapped_poller.h"

/* Limits of libraries are no races of the program: fetch gives up a connection after 10 s, and a server of Node closes
 * one that is kept alive after 5 s. For so long, in all, timers come before a descriptor that is ready. */
enum { ROTA_STEERED_DESCRIPTORS = 256, ROTA_STEERED_ASYNCS = 16, ROTA_STEERED_HELD_MS = 3000 };

/* ---- ranks ---- */

/* Ranks: who of those that could come next does. Each job, descriptor and timer, and the loop's own next turn, draws a
 * rank when it is first seen; the lowest comes first. A change of ranks puts the one that would come next behind all
 * others. This is the search of bounded depth (PCT): doc/STEERING.md tells what it finds with which probability.
 *
 * Rank 0 is that of everybody who was not put behind. All of rank 0 come together, in their usual order, and the loop's
 * turn and timers after them: without decisions a loop runs as it would without us.
 *
 * Nobody is put behind for ever: see ROTA_SLOW_LOOKS. */
enum {
  ROTA_RANKS = 1 << 16,
  ROTA_RANKED_MAX = 64 /* of each kind; who finds no place has rank 0 */
};

struct rota_rank {
  uint64_t key; /* what it is: a job's number, a watcher's generation, a timer's time; 0: the place is free */
  uint64_t number;
  unsigned int rank, looks;
  bool waits; /* it could have come, and did not, since: */
  uint64_t since_ms;
};

struct rota_ranks {
  struct rota_rank jobs[ROTA_RANKED_MAX], descriptors[ROTA_RANKED_MAX], timer, turn;
  uint64_t begin_ms; /* by the loop's clock: timers are told from there */
  bool disk_asked, disk_slow;
  unsigned int changes; /* so many were put behind all others */
};

/* ---- the poller ---- */

struct rota_slow_descriptor {
  uint32_t generation; /* of the watcher for which it was decided */
  uint32_t looks;
  bool is_slow;
};

struct rota_late_async {
  const uv_async_t *async; /* null: the place is free */
  uint64_t until_ns;       /* by the loop's clock */
  unsigned int looks;
  bool is_last; /* it comes at the next look */
  bool seen;
};

struct rota_steered_poller {
  struct rota_wrapped_poller wrapped;
  struct rota_io_hook hook;
  struct rota_decisions decisions;
  struct rota_steered_jobs jobs;
  int64_t slack_ns;  /* what is left of it */
  bool holds;        /* a descriptor that is ready, in a loop without ranks: */
  int64_t held_ns;   /* so much time has passed since one of them or another was */
  uint64_t until_ns; /* the end of this wait by the virtual clock; 0: none */
  struct rota_slow_descriptor slow[ROTA_STEERED_DESCRIPTORS];
  struct rota_ranks ranks;
  struct rota_late_async late[ROTA_STEERED_ASYNCS];
};

/* In an order that depends on nothing but the program: that in which the descriptors were first watched. Without the
 * loop's own, which only says that there is something to look at. Returns how many are left. */
int rota__steered_put_in_order(const struct rota_steered_poller *self, struct rota_ready *ready, int n);
bool rota__steered_is_signal(const struct rota_steered_poller *self, const struct rota_ready *ready);
/* Whether the timer of this time may come before what is ready. */
bool rota__steered_has_slack(const struct rota_steered_poller *self, int64_t timeout_ns);
/* The time of the timer has come. */
void rota__steered_pass_time(struct rota_steered_poller *self, int64_t timeout_ns);
/* Nothing is there: sleeps. More than 0: events came, and the next look has them; else what the wait returns: 0 if the
 * loop has something else to do, or an error. */
int rota__steered_sleep(struct rota_steered_poller *self, int64_t timeout_ns, struct rota_ready *out, int out_max);
/* Whether the wait ends with what a look has found. */
static inline bool rota__steered_has_found(const struct rota_steered_poller *self, int n, bool told,
                                           int64_t timeout_ns) {
  return n > 0 || told || timeout_ns == 0 || rota__wake_has_work(self->wrapped.loop);
}

/* The loop looks: decides what other threads have sent. (asyncs.c) */
void rota__steered_look_at_asyncs(struct rota_steered_poller *self);
/* How long the loop may sleep until the first that was put off is due: this, or less. */
int64_t rota__steered_time_to_async(const struct rota_steered_poller *self, int64_t timeout_ns);

/* The wait of ranked.c. */
int rota__ranked_wait(struct rota_steered_poller *self, int64_t timeout_ns, struct rota_ready *out, int out_max);

/* ---- the loop's poller, from outside ---- */

/* The loop's poller from now on; null: no memory. It owns the inner one, which must report levels. */
struct rota_poller *rota__schedule_wrap(uv_loop_t *loop, struct rota_poller *inner);
/* The calling thread will sleep, outside of its loop's wait: its jobs are run meanwhile. */
void rota__schedule_sleeps(void);

/* ---- faults (fault.c) ---- */

/* Faults: errors that the system could give for an operation, given by decision. They are off until asked for
 * (rota_schedule_options_t.faults); a record that has some is played back without that. */

/* The answers that are no errors: only a part is done (a short write); the child is killed; the disk is slow. */
enum { ROTA_FAULT_HAPPENS = 1 };

/* One of the faults that the system could give for this operation, or 0. */
int rota__fault(struct rota_steered_poller *self, const char *operation, const char *what);
/* A job of the pool that is going to run: it may fail instead, or write a part only. */
void rota__fault_job(uv_loop_t *loop, struct rota_work *work);

#endif
