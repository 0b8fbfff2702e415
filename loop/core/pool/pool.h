/* The thread pool: its threads run what would block the loop.
 *
 * One lock, held for a few instructions, guards two queues: quick jobs and slow ones (name look-ups), which may take at
 * most half of the threads. Threads are made when there is more to do than there are threads, up to the size. A thread
 * that runs out of jobs spins for some microseconds before it sleeps, because waking a thread costs a hundred times
 * more than handing over to one that is awake. The loop does the same on its side (poll_phase.c). A loop that sleeps
 * and waits for many jobs is not woken for each: a thread that has another job wakes it later (wake.h). */
#ifndef ROTA_LOOP_POOL_H
#define ROTA_LOOP_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "loop/core/pool/work.h"
#include "rota.h"
#include "uv.h"

/* The values of rota_req.state; changed under the pool's lock. */
enum {
  ROTA_WORK_QUEUED,
  ROTA_WORK_RUNNING,
  ROTA_WORK_CANCELLED,
  ROTA_WORK_GATHERED, /* not queued itself: it will be done by a job that does several (struct rota_gathered_slot) */
};

/* How a loop's jobs reach the threads of its pool: directly, or through a tool that decides when. */
struct rota_job_way {
  void (*submit)(uv_loop_t *loop, struct rota_work *work);
  int (*cancel)(uv_loop_t *loop, struct rota_work *work); /* 0, or UV_EBUSY: it is too late */
};

extern const struct rota_job_way rota__pool_way;

/* How many threads the pool of this loop may have. */
unsigned int rota__pool_size(const uv_loop_t *loop);

/* The process's pool now: jobs that wait, and threads. Any thread. False: it was not needed yet. */
struct rota_pool_look {
  unsigned int queued, threads, threads_most;
};
bool rota__pool_look(struct rota_pool_look *look);

/* The job is finished: its `done` runs, on the loop's thread. */
void rota__work_done(uv_loop_t *loop, struct rota_work *work);
/* Ends the process's pool after all of its jobs, queued ones included. A later job starts it anew. */
void rota__pool_shutdown(void);
/* The loop is closed: it releases its pool. */
void rota__pool_leave(uv_loop_t *loop);

#endif
