#include "loop/core/pool/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "loop/base/alloc.h"
#include "loop/base/check.h"
#include "loop/base/list.h"
#include "loop/core/handle.h"
#include "loop/core/internal.h"
#include "loop/core/req.h"
#include "loop/core/spin.h"
#include "loop/os/clock.h"
#include "loop/os/signal.h"
#include "loop/os/thread.h"

enum { THREADS_DEFAULT = 4, THREADS_MAX = 1024, TURN_JOBS = 500 };

struct rota_pool {
  pthread_mutex_t lock;
  pthread_cond_t more; /* a sleeping thread is needed, or the pool ends */
  struct rota_link queue;
  struct rota_link slow_queue;
  _Atomic unsigned int queued; /* in both; written under the lock, read by spinning threads without it */
  _Atomic unsigned int
      spinning; /* threads that spin for jobs: at most one, else they would take the cores from threads with work */
  unsigned int sleeping;
  bool waking;           /* a sleeping thread was woken and does not run yet: it will wake the next one if needed */
  bool relieving;        /* that thread was woken to spin in place of another one */
  unsigned int in_a_row; /* how often a thread began to spin since the spinning thread was last changed */
  unsigned int slow_running;
  uint64_t sequence; /* of the last job that came */
  bool ending;
  unsigned int users;         /* loops that were told to use it */
  _Atomic unsigned int forks; /* of this process when the threads were made */
  unsigned int threads;
  unsigned int threads_max;
  struct rota_spin spin; /* of the one that spins; used under the lock */
  pthread_t *ids;        /* of threads_max */
};

static struct rota_pool process_pool;
static pthread_mutex_t process_pool_lock = PTHREAD_MUTEX_INITIALIZER; /* also of what is made anew after a fork */
static _Atomic bool process_pool_made;
static pthread_once_t forks_once = PTHREAD_ONCE_INIT;
static _Atomic unsigned int forks; /* how often a child that runs this code was forked off */

/* ---- a thread's life ---- */

static void *thread_main(void *argument);

static bool slow_allowed(const struct rota_pool *pool) {
  return pool->slow_running < (pool->threads_max + 1) / 2;
}

static struct rota_work *first_of(const struct rota_link *queue) {
  return rota__container_of(rota__list_first(queue), struct rota_work, link);
}

/* The next job, or null if there is none that may run now. With the lock held. */
static struct rota_work *take(struct rota_pool *pool) {
  bool slow = !rota__list_empty(&pool->slow_queue) && slow_allowed(pool);
  bool quick = !rota__list_empty(&pool->queue);
  if (!slow && !quick)
    return NULL;
  struct rota_work *work = slow ? first_of(&pool->slow_queue) : first_of(&pool->queue);
  if (slow && quick && first_of(&pool->queue)->req->rota.by.sequence < work->req->rota.by.sequence) {
    work = first_of(&pool->queue); /* it came earlier */
    slow = false;
  }
  rota__list_remove(&work->link);
  atomic_fetch_sub_explicit(&pool->queued, 1, memory_order_relaxed);
  work->req->rota.state = ROTA_WORK_RUNNING;
  if (slow)
    pool->slow_running++;
  return work;
}

/* Looks for a job without sleeping, and without the lock. */
static bool has_jobs(const void *what) {
  const struct rota_pool *pool = what;
  return atomic_load_explicit(&pool->queued, memory_order_acquire) > 0;
}

static bool spin(struct rota_pool *pool, uint64_t *spent_ns) {
  bool found = rota__spin_until(has_jobs, pool, 0, spent_ns);
  atomic_store(&pool->spinning, 0);
  return found;
}

/* Whether there are more jobs than threads that will take them. Then the caller has to wake a sleeping thread: with
 * unlock_and_wake, since a thread that is woken while the lock is held would sleep again until it is free. With the
 * lock held. */
static bool needs_another(struct rota_pool *pool) {
  if (pool->waking || pool->sleeping == 0 ||
      atomic_load_explicit(&pool->queued, memory_order_relaxed) <= atomic_load(&pool->spinning))
    return false;
  pool->waking = true;
  return true;
}

static void unlock_and_wake(struct rota_pool *pool, bool another) {
  pthread_mutex_unlock(&pool->lock);
  if (another)
    pthread_cond_signal(&pool->more);
}

/* With the lock held. Fails only if the system cannot make a thread. */
static bool add_thread(struct rota_pool *pool) {
  if (pthread_create(&pool->ids[pool->threads], NULL, thread_main, pool) != 0)
    return false;
  pool->threads++;
  return true;
}

/* Jobs that come one after another would all go to the one thread that spins. Programs expect that other threads work
 * too, so after a while another thread, or a new one, spins in its place. With the lock held. */
static bool is_relieved(struct rota_pool *pool) {
  if (++pool->in_a_row < TURN_JOBS || pool->waking)
    return false;
  pool->in_a_row = 0;
  if (pool->threads < pool->threads_max)
    return add_thread(pool);
  if (pool->sleeping == 0)
    return false;
  pool->waking = pool->relieving = true;
  pthread_cond_signal(&pool->more);
  return true;
}

/* The next job, or null if the pool ends. */
static struct rota_work *wait_for_job(struct rota_pool *pool) {
  struct rota_work *work;
  bool spun = false;
  pthread_mutex_lock(&pool->lock);
  while ((work = take(pool)) == NULL && !pool->ending) {
    if (!spun && atomic_load_explicit(&pool->queued, memory_order_relaxed) == 0 &&
        atomic_load_explicit(&pool->spinning, memory_order_relaxed) == 0 && !is_relieved(pool) &&
        rota__spin_try(&pool->spin)) {
      atomic_store(&pool->spinning, 1); /* under the lock, so no other thread does */
      pthread_mutex_unlock(&pool->lock);
      uint64_t spent_ns;
      bool found = spin(pool, &spent_ns);
      pthread_mutex_lock(&pool->lock);
      rota__spin_result(&pool->spin, !found, spent_ns);
      spun = true;
      continue;
    }
    pool->sleeping++;
    pthread_cond_wait(&pool->more, &pool->lock);
    pool->sleeping--;
    spun = !pool->relieving;
    pool->waking = pool->relieving = false;
  }
  unlock_and_wake(pool, needs_another(pool));
  return work;
}

/* Like work->run, but measures how long the job waited and ran, for an observer. */
static void run_observed(struct rota_work *work) {
  struct rota_job job = {.req = work->req, .kind = work->req->rota.kind, .begin_ns = rota__os_clock_ns()};
  job.queued_ns = rota__req_stamped_ns(work->req, job.begin_ns);
  work->run(work);
  job.end_ns = rota__os_clock_ns();
  rota__req_stamp(work->req, job.end_ns); /* from now on its callback is late */
  rota__observe_job(&job);
}

static inline void run_job(struct rota_work *work) {
  if (rota__unlikely(work->req->rota.queued != 0))
    run_observed(work);
  else
    work->run(work);
}

/* Hands the result to the loop. Returns the next job, or null: there is none that may run now. If the loop sleeps
 * briefly, the next job is taken before, to tell whether another result follows. */
static struct rota_work *finish(struct rota_pool *pool, struct rota_work *work) {
  uv_loop_t *loop = work->req->rota.loop;
  bool slow = work->req->rota.kind == ROTA_WORK_NAME;
  bool at_once = !slow && !rota__wake_is_brief(&rota__loop(loop)->wake);
  if (at_once)
    rota__wake_finished(loop, work, false);
  pthread_mutex_lock(&pool->lock);
  if (slow)
    pool->slow_running--;
  struct rota_work *next = take(pool);
  bool more_follows = next != NULL && next->req->rota.loop == loop;
  unlock_and_wake(pool, needs_another(pool));
  if (!at_once)
    rota__wake_finished(loop, work, more_follows);
  return next;
}

static void *thread_main(void *argument) {
  struct rota_pool *pool = argument;
  rota__os_thread_set_name("libuv-worker"); /* the name that libuv gives, which people look for */
  struct rota_work *work = wait_for_job(pool);
  while (work != NULL) {
    run_job(work);
    work = finish(pool, work);
    if (work == NULL)
      work = wait_for_job(pool);
  }
  return NULL;
}

/* ---- a pool's life ---- */

/* Resets all but the table of threads and the users, which stay valid after a fork. */
static void pool_reset(struct rota_pool *pool) {
  rota__os_brief_lock_init(&pool->lock);
  pthread_cond_init(&pool->more, NULL);
  rota__list_init(&pool->queue);
  rota__list_init(&pool->slow_queue);
  atomic_store(&pool->queued, 0);
  atomic_store(&pool->spinning, 0);
  pool->sleeping = 0;
  pool->waking = pool->relieving = false;
  pool->in_a_row = 0;
  pool->slow_running = 0;
  pool->sequence = 0;
  pool->ending = false;
  pool->threads = 0;
  atomic_store_explicit(&pool->forks, atomic_load(&forks),
                        memory_order_release); /* written last: other threads read this first */
}

/* In a child, the threads do not exist, and the locks that they held are not valid. Queued jobs are lost, as with
 * libuv. */
static bool is_of_parent(const struct rota_pool *pool) {
  return rota__unlikely(atomic_load_explicit(&pool->forks, memory_order_acquire) !=
                        atomic_load_explicit(&forks, memory_order_relaxed));
}

/* Several threads of the child may come here at once. */
static void renew(struct rota_pool *pool) {
  pthread_mutex_lock(&process_pool_lock);
  if (is_of_parent(pool))
    pool_reset(pool);
  pthread_mutex_unlock(&process_pool_lock);
}

static void note_fork(void) {
  atomic_fetch_add(&forks, 1);
  static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  process_pool_lock = fresh;
}

static void watch_forks(void) {
  static struct rota_os_fork_handler handler = {.child = note_fork};
  rota__os_at_fork(&handler);
}

static int pool_init(struct rota_pool *pool, unsigned int threads_max) {
  pthread_once(&forks_once, watch_forks);
  pool->ids = rota__calloc(threads_max, sizeof(*pool->ids));
  if (pool->ids == NULL)
    return UV_ENOMEM;
  pool->users = 0;
  pool->threads_max = threads_max;
  rota__spin_init(&pool->spin, rota__os_has_cpus());
  pool_reset(pool);
  return 0;
}

static unsigned int count_threads(struct rota_pool *pool) {
  pthread_mutex_lock(&pool->lock);
  unsigned int threads = pool->threads;
  pthread_mutex_unlock(&pool->lock);
  return threads;
}

static void pool_end(struct rota_pool *pool) {
  pthread_mutex_lock(&pool->lock);
  pool->ending = true;
  pthread_cond_broadcast(&pool->more);
  pthread_mutex_unlock(&pool->lock);
  /* Jobs may queue more jobs, and start more threads. A job that ends the process does not wait for itself. */
  bool all_ended = true;
  for (unsigned int i = 0; i < count_threads(pool); i++)
    all_ended &= pthread_join(pool->ids[i], NULL) == 0;
  if (!all_ended)
    return;
  pthread_cond_destroy(&pool->more);
  pthread_mutex_destroy(&pool->lock);
  rota__free(pool->ids);
}

static unsigned int size_from_environment(void) {
  const char *text = getenv("UV_THREADPOOL_SIZE");
  if (text == NULL)
    return THREADS_DEFAULT;
  long size = strtol(text, NULL, 10);
  if (size < 1)
    return 1;
  return size > THREADS_MAX ? THREADS_MAX : (unsigned int)size;
}

void rota__pool_shutdown(void) {
  pthread_mutex_lock(&process_pool_lock);
  if (atomic_load(&process_pool_made)) {
    if (is_of_parent(&process_pool))
      pool_reset(&process_pool);
    pool_end(&process_pool);
    atomic_store(&process_pool_made, false);
  }
  pthread_mutex_unlock(&process_pool_lock);
}

int rota_pool_create(rota_pool_t **pool, unsigned int threads) {
  if (pool == NULL || threads < 1 || threads > THREADS_MAX)
    return UV_EINVAL;
  struct rota_pool *made = rota__calloc(1, sizeof(*made));
  if (made == NULL)
    return UV_ENOMEM;
  int err = pool_init(made, threads);
  if (err < 0) {
    rota__free(made);
    return err;
  }
  *pool = made;
  return 0;
}

int rota_pool_destroy(rota_pool_t *pool) {
  if (is_of_parent(pool))
    renew(pool);
  pthread_mutex_lock(&pool->lock);
  bool used = pool->users > 0;
  pthread_mutex_unlock(&pool->lock);
  if (used)
    return UV_EBUSY;
  pool_end(pool);
  rota__free(pool);
  return 0;
}

static void count_user(struct rota_pool *pool, int change) {
  if (pool == NULL)
    return;
  if (is_of_parent(pool))
    renew(pool);
  pthread_mutex_lock(&pool->lock);
  pool->users += (unsigned int)change;
  pthread_mutex_unlock(&pool->lock);
}

int rota_loop_use_pool(uv_loop_t *loop, rota_pool_t *pool) {
  struct rota_loop *internal = rota__loop(loop);
  if (internal->jobs > 0)
    return UV_EBUSY;
  count_user(pool, 1);
  count_user(internal->pool, -1);
  internal->pool = pool;
  return 0;
}

void rota__pool_leave(uv_loop_t *loop) {
  struct rota_loop *internal = rota__loop(loop);
  count_user(internal->pool, -1);
  internal->pool = NULL;
}

/* ---- jobs ---- */

static struct rota_pool *the_process_pool(void) {
  if (!atomic_load_explicit(&process_pool_made, memory_order_acquire)) {
    pthread_mutex_lock(&process_pool_lock);
    if (!atomic_load(&process_pool_made))
      atomic_store(&process_pool_made, pool_init(&process_pool, size_from_environment()) == 0);
    pthread_mutex_unlock(&process_pool_lock);
  }
  return atomic_load_explicit(&process_pool_made, memory_order_acquire) ? &process_pool : NULL;
}

static struct rota_pool *pool_of(const uv_loop_t *loop) {
  struct rota_pool *pool = rota__loop(loop)->pool;
  if (pool == NULL)
    pool = the_process_pool();
  if (pool != NULL && is_of_parent(pool))
    renew(pool);
  return pool;
}

/* Makes sure that a thread will take the job just queued. With the lock held. False: there is no thread and none can be
 * made. `another`: see needs_another. */
static bool find_hands(struct rota_pool *pool, bool *another) {
  unsigned int queued = atomic_load_explicit(&pool->queued, memory_order_relaxed);
  unsigned int awake = atomic_load(&pool->spinning);
  if (queued <= awake)
    return true;
  *another = needs_another(pool);
  /* Each sleeping thread takes one job, and that job may run for ever. */
  if (queued > awake + pool->sleeping && pool->threads < pool->threads_max && !add_thread(pool))
    return pool->threads > 0;
  return true;
}

static void pool_submit(uv_loop_t *loop, struct rota_work *work) {
  uv_req_t *req = work->req;
  struct rota_pool *pool = pool_of(loop);
  bool somebody = false, another = false;
  if (pool != NULL) {
    pthread_mutex_lock(&pool->lock);
    rota__list_append(req->rota.kind == ROTA_WORK_NAME ? &pool->slow_queue : &pool->queue, &work->link);
    req->rota.by.sequence = ++pool->sequence;
    atomic_fetch_add(&pool->queued, 1);
    somebody = find_hands(pool, &another);
    if (!somebody) {
      rota__list_remove(&work->link);
      atomic_fetch_sub(&pool->queued, 1);
    }
    unlock_and_wake(pool, another);
  }
  if (somebody)
    return;
  req->rota.state = ROTA_WORK_RUNNING; /* it is in no queue that uv_cancel could take it from */
  work->run(work);
  rota__wake_finished(loop, work, false);
}

static int pool_cancel(uv_loop_t *loop, struct rota_work *work) {
  uv_req_t *req = work->req;
  struct rota_pool *pool = pool_of(loop);
  if (pool == NULL)
    return UV_EBUSY;
  pthread_mutex_lock(&pool->lock);
  bool queued = req->rota.state == ROTA_WORK_QUEUED;
  bool cancelled_before = req->rota.state == ROTA_WORK_CANCELLED; /* a second uv_cancel succeeds with libuv, too */
  if (queued) {
    rota__list_remove(&work->link);
    atomic_fetch_sub_explicit(&pool->queued, 1, memory_order_relaxed);
    req->rota.state = ROTA_WORK_CANCELLED;
  }
  pthread_mutex_unlock(&pool->lock);
  if (!queued)
    return cancelled_before ? 0 : UV_EBUSY;
  rota__wake_finished(loop, work, false);
  return 0;
}

const struct rota_job_way rota__pool_way = {.submit = pool_submit, .cancel = pool_cancel};

unsigned int rota__pool_size(const uv_loop_t *loop) {
  const struct rota_pool *pool = pool_of(loop);
  return pool == NULL ? 1 : pool->threads_max;
}

bool rota__pool_look(struct rota_pool_look *look) {
  struct rota_pool *pool = &process_pool;
  if (!atomic_load_explicit(&process_pool_made, memory_order_acquire) || is_of_parent(pool))
    return false;
  look->queued = atomic_load_explicit(&pool->queued, memory_order_relaxed);
  look->threads = count_threads(pool);
  look->threads_most = pool->threads_max;
  return true;
}

void rota__work_submit(uv_loop_t *loop, uv_req_t *req, struct rota_work *work, enum rota_work_kind kind,
                       void (*run)(struct rota_work *work), void (*done)(struct rota_work *work, int status)) {
  work->run = run;
  work->done = done;
  work->req = req;
  req->rota.loop = loop;
  req->rota.kind = (uint16_t)kind;
  req->rota.state = ROTA_WORK_QUEUED;
  if (rota__unlikely(loop->core.observers != NULL)) {
    rota__req_stamp(req, rota__observe_queued());
    rota__observe_request(loop, req, true);
  }
  rota__loop(loop)->jobs++;
  rota__loop(loop)->job_way->submit(loop, work);
}

static int work_cancel(uv_req_t *req, struct rota_work *work) {
  uv_loop_t *loop = req->rota.loop;
  return rota__loop(loop)->jobs == 0 ? UV_EBUSY : rota__loop(loop)->job_way->cancel(loop, work);
}

void rota__work_done(uv_loop_t *loop, struct rota_work *work) {
  rota__loop(loop)->jobs--;
  if (rota__unlikely(loop->core.observers != NULL))
    rota__observe_request(loop, work->req, false);
  work->done(work, work->req->rota.state == ROTA_WORK_CANCELLED ? UV_ECANCELED : 0);
}

/* The job that would do it goes on without it. */
static int cancel_gathered(uv_fs_t *req) {
  struct rota_gathered_slot *slot = (struct rota_gathered_slot *)(uintptr_t)req->new_path;
  if (atomic_exchange(&slot->req, NULL) == NULL)
    return UV_EBUSY;
  req->rota.state = ROTA_WORK_CANCELLED;
  rota__op_defer(req->loop, &req->rota.by.op);
  return 0;
}

static int cancel_without_pool(uv_fs_t *req) {
  if (req->rota.state == ROTA_WORK_CANCELLED)
    return 0;
  if (req->rota.state == ROTA_WORK_GATHERED)
    return cancel_gathered(req);
  int err = rota__op_cancel(req->loop, &req->rota.by.op);
  if (err == 0)
    req->rota.state = ROTA_WORK_CANCELLED;
  return err;
}

static int cancel_write(uv_write_t *req) {
  const struct rota_handle_class *kind = req->handle->u.rota.kind;
  return kind->cancel_write == NULL ? UV_EBUSY : kind->cancel_write(req);
}

int uv_cancel(uv_req_t *req) {
  switch (req->type) {
  case UV_FS:
    if (((uv_fs_t *)req)->work.run == NULL)
      return cancel_without_pool((uv_fs_t *)req);
    return work_cancel(req, &((uv_fs_t *)req)->work);
  case UV_GETADDRINFO:
    return work_cancel(req, &((uv_getaddrinfo_t *)req)->work);
  case UV_GETNAMEINFO:
    return work_cancel(req, &((uv_getnameinfo_t *)req)->work);
  case UV_RANDOM:
    return work_cancel(req, &((uv_random_t *)req)->work);
  case UV_WORK:
    return work_cancel(req, &((uv_work_t *)req)->work);
  case UV_WRITE:
    return cancel_write((uv_write_t *)req);
  default:
    return UV_EINVAL;
  }
}
