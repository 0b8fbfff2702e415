/* Jobs for the thread pool. */
#ifndef ROTA_LOOP_WORK_H
#define ROTA_LOOP_WORK_H

#include <stdatomic.h>

#include "uv.h"

enum rota_work_kind {
  ROTA_WORK_FILE,
  ROTA_WORK_NAME, /* slow: may take at most half of the threads */
  ROTA_WORK_USER,
  ROTA_WORK_RANDOM,
  ROTA_WORK_CRYPTO,
};

/* The place of a file request in a job that does several. A thread takes the request by exchanging it for null;
 * uv_cancel takes it in the same way. req->new_path points to the place. */
struct rota_gathered_slot {
  _Atomic(uv_fs_t *) req;
  void *job;
};

/* req is the request that work is part of, already begun on its loop (rota__req_begin). `run` is called on a thread of
 * the pool, then `done` on the loop's thread, with 0, or with UV_ECANCELED if uv_cancel came before run. Cannot fail:
 * if no thread can be made, the job runs at once on this thread. */
void rota__work_submit(uv_loop_t *loop, uv_req_t *req, struct rota_work *work, enum rota_work_kind kind,
                       void (*run)(struct rota_work *work), void (*done)(struct rota_work *work, int status));

#endif
