/* Random bytes, at once or through the thread pool: the system may have to wait for entropy. */
#include "loop/base/list.h"
#include "loop/core/observe.h"
#include "loop/core/pool/work.h"
#include "loop/core/req.h"
#include "loop/os/host.h"
#include "uv.h"

static void run(struct rota_work *work) {
  uv_random_t *req = rota__container_of(work, uv_random_t, work);
  req->status = rota__os_random(req->buf, req->buflen);
}

static void done(struct rota_work *work, int status) {
  uv_random_t *req = rota__container_of(work, uv_random_t, work);
  uv_loop_t *loop = req->loop; /* the callback may free the request */
  if (status == 0)
    status = req->status;
  rota__req_end(loop);
  rota__req_call_begin(loop, req, (rota_function)req->cb);
  req->cb(req, status, req->buf, req->buflen);
  rota__call_end(loop);
}

int uv_random(uv_loop_t *loop, uv_random_t *req, void *buf, size_t buflen, unsigned flags, uv_random_cb cb) {
  if (buflen > 0x7FFFFFFF)
    return UV_E2BIG;
  if (flags != 0)
    return UV_EINVAL;
  if (cb == NULL)
    return rota__os_random(buf, buflen);

  rota__req_begin(loop, (uv_req_t *)req, UV_RANDOM);
  req->loop = loop;
  req->status = 0;
  req->buf = buf;
  req->buflen = buflen;
  req->cb = cb;
  rota__work_submit(loop, (uv_req_t *)req, &req->work, ROTA_WORK_RANDOM, run, done);
  return 0;
}
