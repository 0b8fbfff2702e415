/* The pool, steered: which job ends next, and when the loop hears of it, is decided. They are run one at a time, by the
 * pool's own threads, while the loop waits for them, so that what they do to files happens in the order that was
 * decided.
 *
 * A pool of four threads works on the first four jobs of its queue, and any of these may end next: that is the choice.
 * A job that takes long may be waiting for the loop, or for another job. It is left alone then, and heard of when it
 * ends. And a loop that does not come to wait may itself be waiting for a job: then all of them go to the pool. Jobs
 * that come while the loop does not wait are not done before it has looked once, as if a thread had to wake up. */
#ifndef ROTA_SIM_JOBS_H
#define ROTA_SIM_JOBS_H

#include <pthread.h>
#include <stdbool.h>

#include "loop/core/pool/pool.h"
#include "steer/decide.h"

struct rota_steered_jobs {
  struct rota_link link; /* among those of the process */
  uv_loop_t *loop;
  pthread_mutex_t lock; /* for the queue, and until when the loop was seen: the rest is the loop's own */
  struct rota_link queue;
  uint64_t seen_ns;      /* when the loop last waited, in real time */
  uint64_t come;         /* how many have come, until the last look */
  uint64_t number;       /* of the last that came */
  struct rota_link done; /* in the order in which they ended */
};

int rota__jobs_init(struct rota_steered_jobs *jobs, uv_loop_t *loop);
void rota__jobs_close(struct rota_steered_jobs *jobs);

/* The loop looks (and may wait, if `patient`): jobs are run. Hurry: all that there are, in order. */
void rota__jobs_run(struct rota_steered_jobs *jobs, struct rota_decisions *decisions, bool patient, bool hurry);
/* Gives what is done to the loop. Returns whether there was anything. */
bool rota__jobs_tell(struct rota_steered_jobs *jobs, struct rota_decisions *decisions, bool hurry);
void rota__jobs_before_fork(void);
void rota__jobs_after_fork(bool in_child);
/* Whether there are jobs that this could still run or tell. */
bool rota__jobs_left(const struct rota_steered_jobs *jobs);

#endif
