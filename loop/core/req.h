/* Requests: operations with one callback each. A loop is alive while a request is active. */
#ifndef ROTA_LOOP_REQ_H
#define ROTA_LOOP_REQ_H

#include "loop/base/check.h"
#include "loop/core/observe.h"
#include "uv.h"

static inline void rota__req_begin(uv_loop_t *loop, uv_req_t *req, uv_req_type type) {
  req->type = type;
  req->rota.loop = loop;
  req->rota.cause = loop->core.call;
  req->rota.queued_ns = 0;
  loop->active_reqs.count++;
}

static inline void rota__req_end(uv_loop_t *loop) {
  rota__check(loop->active_reqs.count > 0);
  loop->active_reqs.count--;
}

#endif
