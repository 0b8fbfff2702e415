/* A poller that decides what a loop does not promise: which ready descriptor comes first, which one waits for another
 * round, how much a read returns, how late a loop wakes; and, through jobs.h, the same for the pool.
 *
 * It cannot break what is promised. The events of one descriptor are one level-triggered event: if it is held back, it
 * is reported again. Phases, ticks and the order of timers are not decided here. Nothing is held back for ever: each
 * round decides again, and a loop that would sleep gets everything.
 *
 *   schedule.c  the poller; a wait that decides for each round anew
 *   ranked.c    a wait that goes by ranks, which are drawn once
 *   pairs.c     which operation comes after which, by name
 *   asyncs.c    when the loop learns of what other threads have sent
 *   jobs.c      which job of the pool ends next
 *   fault.c     errors that the system could give */
#ifndef ROTA_SIMULATE_SCHEDULE_H
#define ROTA_SIMULATE_SCHEDULE_H

#include "loop/core/internal.h"
#include "loop/core/io_hook.h"
#include "simulate/decide.h"
#include "simulate/jobs.h"
#include "simulate/pairs.h"
#include "simulate/wrapped_poller.h"

/* Limits of libraries are no races of the program: fetch gives up a connection after 10 s, and a server of Node
 * closes one that is kept alive after 5 s. So timers come before a ready descriptor for at most ROTA_STEERED_HELD_MS
 * in all. */
enum { ROTA_STEERED_DESCRIPTORS = 256, ROTA_STEERED_ASYNCS = 16, ROTA_STEERED_HELD_MS = 3000 };

/* ---- ranks ---- */

/* Each job, descriptor and timer, and the loop's own next turn, draws a rank when it is first seen. The lowest rank
 * comes first. A change of ranks puts the candidate that would come next behind all others. This is the search of
 * bounded depth (PCT): doc/STEERING.md says with which probability it finds a race.
 *
 * Rank 0 means not put behind. All candidates of rank 0 come together, in their usual order, and the loop's turn and
 * timers after them: without decisions, a loop runs as it would without steering. After ROTA_SLOW_ROUNDS rounds, a rank
 * becomes 0. */
enum {
  ROTA_RANKS = 1 << 16,
  ROTA_TAKE_TURNS =
      16, /* nothing takes longer than so many turns of a loop that does not wait: time hardly passes then */
  ROTA_RANKED_MAX = 64 /* of each kind; a candidate without a slot has rank 0 */
};

struct rota_rank {
  uint64_t key;    /* a job's sequence, a watcher's generation + 1, a timer's due time; 0: the slot is free */
  uint64_t number; /* of the decision that gave the rank: it identifies the candidate in the record */
  unsigned int rank;
  unsigned int rounds; /* in which it was passed over */
  unsigned int turns;  /* of the loop without a wait, while it took a time */
  bool is_waiting;     /* it was passed over in the last round, and in all since waiting_since_ms */
  bool is_asked;       /* how long it takes was decided; for a descriptor that has come, it is asked again */
  uint64_t waiting_since_ms;
  uint64_t until_ns; /* by the loop's clock: it takes until then; 0: it is done */
  uint32_t name;     /* of a job, or of what a descriptor has now (pairs.h); 0: none */
  bool is_named;     /* it was asked for */
  bool is_tied;      /* it waits for another operation */
  const char *why;   /* it does not wait any longer, though that has not come; null: it does */
};

struct rota_ranks {
  struct rota_rank jobs[ROTA_RANKED_MAX], descriptors[ROTA_RANKED_MAX], timer, turn;
  uint64_t begin_ms;          /* by the loop's clock: descriptions of timers count from here */
  bool disk_asked, disk_slow; /* the fault "disk": decided, and how */
  unsigned int changes;       /* how many candidates were put behind all others */
  uint64_t begun_ns;          /* when a job was last seen for the first time, and how many were in that millisecond */
  unsigned int begun_count;
};

/* ---- the poller ---- */

struct rota_slow_descriptor {
  uint32_t generation; /* of the watcher for which it was decided */
  uint32_t rounds;
  bool is_slow;
};

struct rota_late_async {
  const uv_async_t *async; /* null: the slot is free */
  uint64_t until_ns;       /* by the loop's clock */
  unsigned int rounds;
  bool is_last; /* a later send has come: this one comes in the next round */
  bool seen;    /* in this round */
};

struct rota_steered_poller {
  struct rota_wrapped_poller wrapped;
  struct rota_io_hook hook;
  struct rota_decisions decisions;
  struct rota_steered_jobs jobs;
  int64_t time_budget_ns; /* how long timers may still come before what is ready */
  bool is_holding;        /* without ranks: a ready descriptor is held back */
  int64_t held_ns;        /* virtual or real time that has passed since is_holding became true */
  uint64_t until_ns;      /* the end of this wait by the virtual clock; 0: none */
  struct rota_slow_descriptor slow[ROTA_STEERED_DESCRIPTORS];
  struct rota_ranks ranks;
  struct rota_pairs pairs;
  struct rota_late_async late[ROTA_STEERED_ASYNCS];
};

/* Sorts the events by when their descriptors were first watched: an order that depends on the program alone. Removes
 * the event of the wake-up descriptor. Returns how many are left. */
int rota__steered_sort(const struct rota_steered_poller *self, struct rota_ready *ready, int n);
bool rota__steered_is_signal(const struct rota_steered_poller *self, const struct rota_ready *ready);
/* The clock of the loop: virtual time, or real. */
uint64_t rota__steered_now_ns(void);
/* Whether the timer that is due in timeout_ns may come before what is ready. */
bool rota__steered_may_pass_time(const struct rota_steered_poller *self, int64_t timeout_ns);
/* Lets time pass until the timer. */
void rota__steered_pass_time(struct rota_steered_poller *self, int64_t timeout_ns);
/* Sleeps, because a round found nothing. More than 0: events came, which the next round takes. 0: the loop has
 * something else to do. Negative: an error. */
int rota__steered_sleep(struct rota_steered_poller *self, int64_t timeout_ns, struct rota_ready *out, int out_max);
/* Whether the wait ends after a round that found this. */
static inline bool rota__steered_wait_ends(const struct rota_steered_poller *self, int n, bool reported,
                                           int64_t timeout_ns) {
  return n > 0 || reported || timeout_ns == 0 || rota__wake_has_work(self->wrapped.loop);
}

/* A round: decides which sends of other threads come now. (asyncs.c) */
void rota__steered_decide_asyncs(struct rota_steered_poller *self);
/* The timeout, or less: until the first postponed send is due. */
int64_t rota__steered_time_to_async(const struct rota_steered_poller *self, int64_t timeout_ns);

/* The wait of ranked.c. */
int rota__ranked_wait(struct rota_steered_poller *self, int64_t timeout_ns, struct rota_ready *out, int out_max);

/* ---- the loop's poller, from outside ---- */

/* The loop's poller from now on; null: no memory. It owns the inner one, which must report levels. */
struct rota_poller *rota__schedule_wrap(uv_loop_t *loop, struct rota_poller *inner);
/* The calling thread is about to sleep outside of its loop's wait: runs the loop's jobs. */
void rota__schedule_before_sleep(void);

/* ---- faults (fault.c) ---- */

/* Errors that the system could give for an operation. They are off unless rota_schedule_options_t.faults turns them on;
 * a replayed record turns on its own. */

/* The result that is no error: a part is done (a short write), the child is killed, or the disk is slow. */
enum { ROTA_FAULT_HAPPENS = 1 };

/* Returns a fault that the system could give for this operation, or 0. */
int rota__fault(struct rota_steered_poller *self, const char *operation, const char *what);
/* Whether the job makes, writes, renames or removes something. */
bool rota__job_changes_files(const struct rota_work *work);
/* A job of the pool is about to run: perhaps makes it fail, or write a part only. */
void rota__fault_job(uv_loop_t *loop, struct rota_work *work);

#endif
