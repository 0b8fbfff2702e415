/* The steered pool: decides which job ends next, and when the loop learns of it. Jobs run one at a time, on the pool's
 * threads, while the loop waits for them, so that their effects on files happen in the decided order.
 *
 * A pool of four threads works on the first four jobs of its queue, and any of these may end next: that is the choice.
 * A job that takes long may be waiting for the loop, or for another job. Then it is not waited for, and is reported
 * when it ends. A loop that does not reach its wait may itself be waiting for a job: then all jobs go to the pool. Jobs
 * that are queued while the loop does not wait are not run before its next look, as if a thread had to wake up.
 *
 * A job may be slow: it has a thread, but it ends only when nothing else happens in the loop, or after a number of
 * others. So whole chains of others come before it. A very slow job also lets timers come first. Both are limited: see
 * ROTA_SLOW_LOOKS. */
#ifndef ROTA_SIMULATE_JOBS_H
#define ROTA_SIMULATE_JOBS_H

#include <pthread.h>
#include <stdbool.h>

#include "loop/core/pool/pool.h"
#include "simulate/decide.h"

/* What a look of the loop may hold back. It holds back less when it would find nothing else. */
enum rota_hold {
  ROTA_HOLD_ANY,     /* what the decisions say */
  ROTA_HOLD_SLOW,    /* what is slow */
  ROTA_HOLD_NOTHING, /* one of the slow jobs runs, too */
};

/* How often a loop may look before something slow is no longer slow: the loop may be busy waiting for it. */
enum { ROTA_SLOW_LOOKS = 100, ROTA_SLOW_MAX = 32, ROTA_JOBS_FRONT_MAX = 64 };

struct rota_slow_job {
  uint64_t sequence; /* 0: the place is free */
  unsigned int level, looks;
  unsigned int others; /* after so many it is slow no more; 0: however many there are */
};

struct rota_steered_jobs {
  struct rota_link link; /* among those of the process */
  uv_loop_t *loop;
  pthread_mutex_t lock; /* for the queue, and until when the loop was seen: the rest is the loop's own */
  struct rota_link queue;
  uint64_t seen_ns;      /* when the loop last waited, in real time */
  uint64_t come;         /* how many have come, until the last look */
  uint64_t number;       /* of the last that came */
  struct rota_link done; /* in the order in which they ended */
  uint64_t drawn;        /* the last one of which it was decided whether it is slow */
  struct rota_slow_job slow[ROTA_SLOW_MAX];
};

int rota__jobs_init(struct rota_steered_jobs *jobs, uv_loop_t *loop);
void rota__jobs_close(struct rota_steered_jobs *jobs);

/* The loop looks (and may wait, if `patient`): runs jobs; all that may not be held back, in order. */
void rota__jobs_run(struct rota_steered_jobs *jobs, struct rota_decisions *decisions, bool patient,
                    enum rota_hold hold);
/* The loop looks: those that have a thread, so that any of them may end next, in order. Returns how many. */
unsigned int rota__jobs_front(struct rota_steered_jobs *jobs, bool patient,
                              struct rota_work *found[ROTA_JOBS_FRONT_MAX]);
/* Runs one of these. */
void rota__jobs_run_this(struct rota_steered_jobs *jobs, struct rota_work *work);
/* Runs all that there are, in order; none if its loop has been closed. */
void rota__jobs_run_all(struct rota_steered_jobs *jobs);
/* Hands all jobs that are held back, of all loops, to the pool. */
void rota__jobs_finish(void);
/* Gives the finished jobs to the loop. Returns whether there were any. */
bool rota__jobs_tell(struct rota_steered_jobs *jobs, struct rota_decisions *decisions, enum rota_hold hold);
void rota__jobs_before_fork(void);
void rota__jobs_after_fork_in_parent(void);
void rota__jobs_after_fork_in_child(void);
/* So many others have come. */
void rota__jobs_count_others(struct rota_steered_jobs *jobs, unsigned int count);
/* Whether there are jobs that this could still run or tell. */
bool rota__jobs_left(const struct rota_steered_jobs *jobs);
/* How slow they are, if only slow ones are left; else 0. */
unsigned int rota__jobs_slowness(struct rota_steered_jobs *jobs);

#endif
