/* uv_queue_work: the user's own jobs. */
#include "loop/core/pool/work.h"

#include "loop/base/list.h"
#include "loop/core/req.h"
#include "rota.h"

static void run(struct rota_work *work) {
  uv_work_t *req = rota__container_of(work, uv_work_t, work);
  req->work_cb(req);
}

static void done(struct rota_work *work, int status) {
  uv_work_t *req = rota__container_of(work, uv_work_t, work);
  uv_loop_t *loop = req->loop;
  rota__req_end(loop);
  if (req->after_work_cb == NULL)
    return;
  rota__req_call_begin(loop, req, (rota_function)req->after_work_cb);
  req->after_work_cb(req, status);
  rota__call_end(loop);
}

static int queue(uv_loop_t *loop, uv_work_t *req, enum rota_work_kind kind, uv_work_cb work_cb,
                 uv_after_work_cb after_work_cb) {
  if (work_cb == NULL)
    return UV_EINVAL;
  rota__req_begin(loop, (uv_req_t *)req, UV_WORK);
  req->loop = loop;
  req->work_cb = work_cb;
  req->after_work_cb = after_work_cb;
  rota__work_submit(loop, (uv_req_t *)req, &req->work, kind, run, done);
  return 0;
}

int uv_queue_work(uv_loop_t *loop, uv_work_t *req, uv_work_cb work_cb, uv_after_work_cb after_work_cb) {
  return queue(loop, req, ROTA_WORK_USER, work_cb, after_work_cb);
}

int rota_queue_work(uv_loop_t *loop, uv_work_t *req, rota_job_kind kind, uv_work_cb work_cb,
                    uv_after_work_cb after_work_cb) {
  switch (kind) {
  case ROTA_JOB_WORK:
    return queue(loop, req, ROTA_WORK_USER, work_cb, after_work_cb);
  case ROTA_JOB_FILE:
    return queue(loop, req, ROTA_WORK_FILE, work_cb, after_work_cb);
  case ROTA_JOB_NAME:
    return queue(loop, req, ROTA_WORK_NAME, work_cb, after_work_cb);
  case ROTA_JOB_CRYPTO:
    return queue(loop, req, ROTA_WORK_CRYPTO, work_cb, after_work_cb);
  default:
    return UV_EINVAL;
  }
}
