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
  req->rota.queued = 0;
  loop->active_reqs.count++;
}

static inline void rota__req_end(uv_loop_t *loop) {
  rota__check(loop->active_reqs.count > 0);
  loop->active_reqs.count--;
}

/* The moment that a measured request carries. It is never 0. */
static inline void rota__req_stamp(uv_req_t *req, uint64_t ns) {
  req->rota.queued = ns == 0 || sizeof(rota_stamp) == sizeof(ns) ? (rota_stamp)ns : (rota_stamp)(ns >> 10 | 1);
}

/* That moment, which is not later than now. Where its upper bits are missing, it is the last one with these lower bits:
 * wrong after 73 minutes. */
static inline uint64_t rota__req_stamped_ns(const uv_req_t *req, uint64_t now_ns) {
  if (sizeof(rota_stamp) == sizeof(now_ns))
    return req->rota.queued;
  uint32_t age = (uint32_t)(now_ns >> 10) - (uint32_t)req->rota.queued;
  return age > UINT32_MAX - 2 ? now_ns : now_ns - ((uint64_t)age << 10);
}

#endif
