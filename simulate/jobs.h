/* The steered pool: decides which job ends next, and when the loop learns of it. Jobs run one at a time, on the pool's
 * threads, while the loop waits for them, so that their effects on files happen in the decided order.
 *
 * A pool of four threads works on the first four jobs of its queue, and any of these may end next: that is the choice.
 * A job that takes long may be waiting for the loop, or for another job. The loop does not wait for it then; the job is
 * reported when it ends. A loop that does not reach its wait may itself be waiting for a job: then all jobs go to the
 * pool. A round that may not wait leaves the jobs that came since the last round to the next one, as if a thread had to
 * wake up.
 *
 * A job may be slow: it has a thread, but it ends only when nothing else happens in the loop, or after a number of
 * other jobs and events. A very slow job also lets timers come first. ROTA_SLOW_ROUNDS limits both. */
#ifndef ROTA_SIMULATE_JOBS_H
#define ROTA_SIMULATE_JOBS_H

#include <pthread.h>
#include <stdbool.h>

#include "loop/core/pool/pool.h"
#include "simulate/decide.h"

/* What a round of the wait may hold back. It holds back less when it would find nothing else. */
enum rota_hold {
  ROTA_HOLD_ANY,     /* whatever the decisions say */
  ROTA_HOLD_SLOW,    /* slow jobs and descriptors */
  ROTA_HOLD_NOTHING, /* and one of the slow jobs runs */
};

/* After how many rounds something slow is no longer slow: the loop may be busy waiting for it. */
enum { ROTA_SLOW_ROUNDS = 100, ROTA_SLOW_MAX = 32, ROTA_JOBS_FRONT_MAX = 64 };

enum rota_slowness { ROTA_NOT_SLOW, ROTA_SLOW, ROTA_VERY_SLOW };

struct rota_slow_job {
  uint64_t sequence; /* 0: the slot is free */
  enum rota_slowness slowness;
  unsigned int rounds; /* that it was held back */
  unsigned int others; /* after so many others it is not slow; 0: there is no such limit */
};

struct rota_steered_jobs {
  struct rota_link link; /* in the registry of the process */
  uv_loop_t *loop;
  pthread_mutex_t lock; /* of queue and polled_ns; only the loop's thread uses the rest */
  struct rota_link queue;
  uint64_t polled_ns;     /* when the loop last waited, in real time */
  uint64_t arrived;       /* the newest job at the last round */
  uint64_t last_sequence; /* of the last that came */
  struct rota_link done;  /* in the order in which they ended */
  uint64_t decided_until; /* the newest job of which it is decided whether it is slow */
  struct rota_slow_job slow[ROTA_SLOW_MAX];
};

int rota__jobs_init(struct rota_steered_jobs *jobs, uv_loop_t *loop);
void rota__jobs_close(struct rota_steered_jobs *jobs);

/* A round of the wait, after which the loop may sleep if may_wait: runs the jobs that may not be held back. */
void rota__jobs_run(struct rota_steered_jobs *jobs, struct rota_decisions *decisions, bool may_wait,
                    enum rota_hold hold);
/* A round of the wait: finds the jobs that have a thread, any of which may end next, in the order of the queue. Returns
 * how many there are. */
unsigned int rota__jobs_front(struct rota_steered_jobs *jobs, bool may_wait,
                              struct rota_work *found[ROTA_JOBS_FRONT_MAX]);
/* Runs one of the jobs that rota__jobs_front has found. */
void rota__jobs_run_one(struct rota_steered_jobs *jobs, struct rota_work *work);
/* Runs all jobs in the order of the queue, unless the loop has been closed. */
void rota__jobs_run_all(struct rota_steered_jobs *jobs);
/* Hands all held jobs of all loops to the pool. */
void rota__jobs_release(void);
/* Gives the finished jobs to the loop. Returns whether it gave any. */
bool rota__jobs_report(struct rota_steered_jobs *jobs, struct rota_decisions *decisions, enum rota_hold hold);
void rota__jobs_before_fork(void);
void rota__jobs_after_fork_in_parent(void);
void rota__jobs_after_fork_in_child(void);
/* So many other jobs and events have come. */
void rota__jobs_count_others(struct rota_steered_jobs *jobs, unsigned int count);
/* Whether jobs are queued, or finished and not reported. */
bool rota__jobs_any(const struct rota_steered_jobs *jobs);
/* The slowness of the quickest job that has a thread; ROTA_NOT_SLOW also if there is none. */
enum rota_slowness rota__jobs_slowness(struct rota_steered_jobs *jobs);

#endif
