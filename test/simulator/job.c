/* Jobs of the pool: each runs once, or was cancelled and never runs, and then calls back once. Async handles: after a
 * send there is a callback, and without a send there is none. */
#include <stdlib.h>
#include <string.h>

#include "simulator.h"

enum { ASYNCS = 5, JOBS = 24, POOL_SIZE = 4, NAMES = 6 };

/* ---- async handles ---- */

static struct async {
  struct sim_handle base;
  bool is_sent, is_unreferenced;
} asyncs[ASYNCS];

static void on_async(uv_async_t *handle) {
  struct async *async = handle->data;
  sim_handle_check_open(&async->base, "its callback");
  sim_check(async->is_sent, "async %d: a callback without a send", async->base.number);
  async->is_sent = false; /* other threads may send from here on */
  sim_called(SIM_POLL);
  sim_log("async %d", async->base.number);
  sim_steps();
}

static void send_one(int number) {
  struct async *async = &asyncs[number];
  if (!sim_handle_is_open(&async->base))
    return;
  sim_log("send to async %d", number);
  async->is_sent = true;
  sim_check(uv_async_send((uv_async_t *)async->base.handle) == 0, "uv_async_send");
}

static void async_step(void) {
  int number = (int)sim_below(ASYNCS);
  struct async *async = &asyncs[number];
  if (async->base.handle == NULL) {
    *async = (struct async){0};
    uv_async_t *handle = sim_handle_make(&async->base, "async", number, sizeof *handle);
    if (sim_refused(uv_async_init(&sim.loop, handle, on_async), "uv_async_init")) {
      sim_handle_forget(&async->base);
      return;
    }
    handle->data = async;
  }
  if (async->base.is_closing)
    return;
  if (sim_chance(10)) {
    sim_handle_close(&async->base);
    async->is_sent = false;
  } else {
    send_one(number);
  }
}

static bool asyncs_done(void) {
  for (int i = 0; i < ASYNCS; i++)
    if (asyncs[i].is_sent)
      return false;
  return true;
}

static void asyncs_close(void) {
  for (int i = 0; i < ASYNCS; i++)
    if (sim_handle_is_open(&asyncs[i].base)) {
      sim_handle_close(&asyncs[i].base);
      asyncs[i].is_sent = false;
    }
}

static bool asyncs_alive(void) {
  for (int i = 0; i < ASYNCS; i++)
    if (sim_handle_is_open(&asyncs[i].base))
      return true;
  return false;
}

const struct sim_part sim_asyncs = {
    .name = "asyncs", .step = async_step, .is_done = asyncs_done, .close = asyncs_close, .is_alive = asyncs_alive};

/* ---- jobs ---- */

static struct job {
  uv_work_t *req; /* null: there is none */
  int number;
  uint64_t order;
  bool is_cancelled, has_begun, has_run;
} jobs[JOBS];

static int running;
static uint64_t queued;

/* Jobs begin in the order in which they were queued, and each thread has one at most. */
static bool is_surely_waiting(const struct job *job) {
  int before = 0;
  for (int i = 0; i < JOBS; i++)
    before += jobs[i].req != NULL && !jobs[i].is_cancelled && !jobs[i].has_begun && jobs[i].order < job->order;
  return !job->has_begun && before >= POOL_SIZE;
}

static void on_work(uv_work_t *req) {
  struct job *job = req->data;
  sim_check(!job->has_begun, "job %d runs twice", job->number);
  sim_check(!job->is_cancelled, "job %d runs, though it was cancelled", job->number);
  job->has_begun = true;
  running++;
  sim_check(running <= POOL_SIZE, "%d jobs run at once", running);
  sim_log("job %d runs", job->number);
  for (unsigned int i = sim_below(4); i > 0; i--) {
    rota__model_work(sim_below(2000000));
    if (sim_chance(30))
      send_one((int)sim_below(ASYNCS));
  }
  job->has_run = true;
  running--;
}

static void on_done(uv_work_t *req, int status) {
  struct job *job = req->data;
  sim_called(SIM_POLL);
  sim_check(job->req == req, "job %d calls back twice", job->number);
  sim_check(status == (job->is_cancelled ? UV_ECANCELED : 0), "job %d: status %d", job->number, status);
  sim_check(job->has_run == !job->is_cancelled, "job %d is done, and %s", job->number,
            job->has_run ? "has run" : "has not run");
  sim_log("job %d is done: %d", job->number, status);
  memset(req, 0xdb, sizeof *req);
  free(req);
  job->req = NULL;
  sim_requests--;
  sim_steps();
}

static void cancel(struct job *job) {
  if (job->is_cancelled)
    return;
  int err = uv_cancel((uv_req_t *)job->req);
  sim_log("cancel job %d: %d", job->number, err);
  sim_check(err == 0 || err == UV_EBUSY, "uv_cancel: %d", err);
  sim_check(err == 0 || !is_surely_waiting(job), "job %d cannot be cancelled, and has not begun", job->number);
  sim_check(err != 0 || !job->has_begun, "job %d is cancelled while it runs", job->number);
  job->is_cancelled |= err == 0;
}

/* ---- names ---- */

static struct lookup {
  uv_getaddrinfo_t *req;
  bool is_known, is_cancelled;
} lookups[NAMES];

static void on_found(uv_getaddrinfo_t *req, int status, struct addrinfo *found) {
  struct lookup *lookup = req->data;
  sim_called(SIM_POLL);
  sim_check(lookup->req == req, "a name calls back twice");
  sim_log("a name: %d", status);
  sim_check(lookup->is_cancelled == (status == UV_EAI_CANCELED), "a name: %d, and it was %scancelled", status,
            lookup->is_cancelled ? "" : "not ");
  if (!lookup->is_cancelled)
    sim_check(lookup->is_known ? status == 0 || status == UV_EAI_MEMORY
                               : status == UV_EAI_NONAME || status == UV_EAI_AGAIN,
              "a name: %d", status);
  sim_check((found != NULL) == (status == 0), "a name: %d, and %s", status,
            found == NULL ? "no address" : "an address");
  uv_freeaddrinfo(found);
  memset(req, 0xdb, sizeof *req);
  free(req);
  lookup->req = NULL;
  sim_requests--;
  sim_steps();
}

static void lookup_step(void) {
  struct lookup *lookup = &lookups[sim_below(NAMES)];
  if (lookup->req != NULL) {
    int err = uv_cancel((uv_req_t *)lookup->req);
    sim_check(err == 0 || err == UV_EBUSY, "uv_cancel: %d", err);
    lookup->is_cancelled |= err == 0;
    return;
  }
  *lookup = (struct lookup){.req = malloc(sizeof *lookup->req), .is_known = sim_chance(70)};
  if (lookup->req == NULL)
    abort();
  lookup->req->data = lookup;
  sim_requests++;
  int err = uv_getaddrinfo(&sim.loop, lookup->req, on_found, lookup->is_known ? "localhost" : "nobody", "80", NULL);
  sim_log("look a name up: %d", err);
  if (!sim_refused(err, "uv_getaddrinfo"))
    return;
  free(lookup->req);
  lookup->req = NULL;
  sim_requests--;
}

static void job_step(void) {
  if (sim_chance(15)) {
    lookup_step();
    return;
  }
  int number = (int)sim_below(JOBS);
  struct job *job = &jobs[number];
  if (job->req != NULL) {
    cancel(job);
    return;
  }
  *job = (struct job){.req = malloc(sizeof *job->req), .number = number, .order = queued++};
  if (job->req == NULL)
    abort();
  job->req->data = job;
  sim_log("queue job %d", number);
  sim_requests++;
  int err = uv_queue_work(&sim.loop, job->req, on_work, on_done);
  sim_check(err == 0, "uv_queue_work: %d", err);
}

static bool jobs_done(void) {
  for (int i = 0; i < JOBS; i++)
    if (jobs[i].req != NULL)
      return false;
  for (int i = 0; i < NAMES; i++)
    if (lookups[i].req != NULL)
      return false;
  return true;
}

static void jobs_close(void) {
}

static bool jobs_alive(void) {
  return !jobs_done();
}

const struct sim_part sim_jobs = {
    .name = "jobs", .step = job_step, .is_done = jobs_done, .close = jobs_close, .is_alive = jobs_alive};
