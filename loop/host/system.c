/* What all systems are asked in the same way: clocks, processors, memory, random bytes, and what is freed of users. */

#include "loop/base/alloc.h"
#include "loop/base/list.h"
#include "loop/base/units.h"
#include "loop/core/observe.h"
#include "loop/core/pool/work.h"
#include "loop/core/req.h"
#include "loop/os/clock.h"
#include "loop/os/host.h"
#include "loop/os/thread.h"
#include "uv.h"

/* ---- clocks ---- */

uint64_t uv_hrtime(void) {
  return rota__os_clock.program_ns();
}

int uv_clock_gettime(uv_clock_id clock_id, uv_timespec64_t *ts) {
  struct timespec now;
  clockid_t clock;
  if (ts == NULL)
    return UV_EFAULT;
  switch (clock_id) {
  case UV_CLOCK_MONOTONIC:
    clock = CLOCK_MONOTONIC;
    break;
  case UV_CLOCK_REALTIME:
    clock = CLOCK_REALTIME;
    break;
  default:
    return UV_EINVAL;
  }
  int err = rota__os_clock.read(clock, &now);
  if (err != 0)
    return err;
  ts->tv_sec = now.tv_sec;
  ts->tv_nsec = (int32_t)now.tv_nsec;
  return 0;
}

int uv_gettimeofday(uv_timeval64_t *tv) {
  struct timespec now;
  if (tv == NULL)
    return UV_EINVAL;
  int err = rota__os_clock.read(CLOCK_REALTIME, &now);
  if (err != 0)
    return err;
  tv->tv_sec = now.tv_sec;
  tv->tv_usec = (int32_t)(now.tv_nsec / NS_PER_US);
  return 0;
}

void uv_sleep(unsigned int msec) {
  rota__os_clock.sleep_ns((uint64_t)msec * NS_PER_MS);
}

/* ---- processors ---- */

int uv_cpumask_size(void) {
  return rota__os_cpu_mask_size();
}

unsigned int uv_available_parallelism(void) {
  int count = rota__os_allowed_cpus();
  if (count < 1) /* refused: more processors than a mask has bits, or a sandbox */
    count = rota__os_online_cpus();
  double quota;
  if (rota__os_cpu_quota(&quota) && quota < count)
    count = (int)quota;
  return count < 1 ? 1 : (unsigned int)count;
}

int uv_cpu_info(uv_cpu_info_t **cpu_infos, int *count) {
  *cpu_infos = NULL;
  *count = 0;
  return rota__os_processors(cpu_infos, count);
}

void uv_free_cpu_info(uv_cpu_info_t *cpu_infos, int count) {
  for (int i = 0; i < count; i++)
    rota__free((char *)cpu_infos[i].model);
  rota__free(cpu_infos);
}

/* ---- memory ---- */

uint64_t uv_get_free_memory(void) {
  return rota__os_memory_free();
}

uint64_t uv_get_total_memory(void) {
  return rota__os_memory_total();
}

uint64_t uv_get_constrained_memory(void) {
  return rota__os_memory_limit();
}

uint64_t uv_get_available_memory(void) {
  uint64_t left;
  if (rota__os_memory_left(uv_get_total_memory(), &left))
    return left;
  return uv_get_free_memory();
}

int uv_resident_set_memory(size_t *rss) {
  return rota__os_memory_resident(rss);
}

/* ---- random bytes ---- */

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

/* ---- users: one block has all strings of an entry ---- */

void uv_os_free_passwd(uv_passwd_t *pwd) {
  if (pwd == NULL)
    return;
  rota__free(pwd->username);
  pwd->username = NULL;
  pwd->shell = NULL;
  pwd->homedir = NULL;
}

void uv_os_free_group(uv_group_t *grp) {
  if (grp == NULL)
    return;
  rota__free(grp->members);
  grp->members = NULL;
  grp->groupname = NULL;
}
