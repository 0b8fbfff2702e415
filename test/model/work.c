/* Jobs of the thread pool, some of them cancelled: each is called back once; one that was cancelled has not run. */
#include "model.h"
#include "steps.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { JOBS_MAX = 12 };

struct job {
  uv_work_t req;
  struct work *work;
  atomic_int runs;
  bool cancelled, called;
};

struct work {
  struct object base;
  int count, called;
  struct job jobs[JOBS_MAX];
};

static bool settled(const struct object *object) {
  return ((const struct work *)object)->called == ((const struct work *)object)->count;
}

static void print(const struct object *object, struct text *out) {
  text_add(out, " %d jobs,", ((const struct work *)object)->called);
}

static const struct kind kind = {.name = "work", .settled = settled, .print = print};

static void on_work(uv_work_t *req) {
  struct job *job = req->data;
  atomic_fetch_add(&job->runs, 1);
}

static void after_work(uv_work_t *req, int status) {
  struct job *job = req->data;
  struct work *work = job->work;
  callback_enter(&work->base);
  if (job->called)
    object_bad(&work->base, "called twice");
  job->called = true;
  if (status != (job->cancelled ? UV_ECANCELED : 0))
    object_bad(&work->base, "status %s", error_name(status));
  if (atomic_load(&job->runs) != (job->cancelled ? 0 : 1))
    object_bad(&work->base, "runs %d", atomic_load(&job->runs));
  if (++work->called == work->count)
    object_gone(&work->base);
  object_react(&work->base, ON_FIRE);
  callback_leave();
}

void step_work(const struct step *step) {
  struct work *work = object_new(sizeof(*work), &kind, 0);
  work->base.own_close = true;
  work->count = 1 + step->a % JOBS_MAX;
  for (int i = 0; i < work->count; i++) {
    struct job *job = &work->jobs[i];
    job->work = work;
    job->req.data = job;
    if (uv_queue_work(world.loop, &job->req, on_work, after_work) != 0)
      abort();
  }
  for (int i = 0; i < work->count; i++) {
    if ((step->b >> i) % 3 != 0)
      continue;
    int err = uv_cancel((uv_req_t *)&work->jobs[i].req);
    work->jobs[i].cancelled = err == 0;
    if (err != 0 && err != UV_EBUSY)
      object_bad(&work->base, "cancel %s", error_name(err));
  }
}
