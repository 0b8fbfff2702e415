#include "simulate/jobs.h"

#include <sched.h>

#include "loop/base/units.h"
#include "loop/core/internal.h"
#include "loop/os/clock.h"
#include "loop/os/thread.h"
#include "simulate/schedule.h"

enum {
  LONG_MS = 200,    /* a job that takes longer is not waited for */
  ABSENT_MS = 1000, /* a loop that does not come for so long may wait for a job */
  LOOK_MS = 50,
  NAP_NS = 20000,
  YIELDS = 200,
};

static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static struct rota_link all = {&all, &all};
static bool watched; /* a thread looks for loops that do not come */

static struct rota_steered_jobs *jobs_of(const uv_loop_t *loop) {
  for (struct rota_link *link = all.next; link != &all; link = link->next) {
    struct rota_steered_jobs *jobs = rota__container_of(link, struct rota_steered_jobs, link);
    if (jobs->loop == loop)
      return jobs;
  }
  return NULL;
}

static struct rota_work *work_at(struct rota_link *link) {
  return rota__container_of(link, struct rota_work, link);
}

/* ---- the way of a job ---- */

/* Jobs of a loop that was not seen for this long go to the pool. */
static void release(struct rota_steered_jobs *jobs, uint64_t absent_ns) {
  pthread_mutex_lock(&jobs->lock);
  bool absent = rota__os_clock_ns() - jobs->seen_ns >= absent_ns;
  while (absent && !rota__list_empty(&jobs->queue)) {
    struct rota_link *link = rota__list_first(&jobs->queue);
    rota__list_remove(link);
    rota__pool_way.submit(jobs->loop, work_at(link));
  }
  pthread_mutex_unlock(&jobs->lock);
}

static void release_all(uint64_t absent_ns) {
  pthread_mutex_lock(&all_lock);
  for (struct rota_link *link = all.next; link != &all; link = link->next)
    release(rota__container_of(link, struct rota_steered_jobs, link), absent_ns);
  pthread_mutex_unlock(&all_lock);
}

static void *look_for_absent(void *argument) {
  (void)argument;
  rota__os_thread_set_name("rota-steering");
  for (;;) {
    rota__os_sleep_ns((uint64_t)LOOK_MS * NS_PER_MS);
    release_all((uint64_t)ABSENT_MS * NS_PER_MS);
  }
  return NULL;
}

void rota__jobs_finish(void) {
  release_all(0);
}

static void steered_submit(uv_loop_t *loop, struct rota_work *work) {
  pthread_mutex_lock(&all_lock);
  struct rota_steered_jobs *jobs = jobs_of(loop);
  if (!watched) {
    pthread_t thread;
    watched = pthread_create(&thread, NULL, look_for_absent, NULL) == 0 && pthread_detach(thread) == 0;
    rota__os_stay_loaded();
  }
  pthread_mutex_unlock(&all_lock);
  pthread_mutex_lock(&jobs->lock);
  if (rota__list_empty(&jobs->queue))
    jobs->seen_ns = rota__os_clock_ns();
  work->req->rota.by.sequence = ++jobs->number;
  rota__list_append(&jobs->queue, &work->link);
  pthread_mutex_unlock(&jobs->lock);
}

/* False: it has gone to the pool. With the lock held. */
static bool is_queued(const struct rota_steered_jobs *jobs, const struct rota_work *work) {
  for (const struct rota_link *link = jobs->queue.next; link != &jobs->queue; link = link->next)
    if (link == &work->link)
      return true;
  return false;
}

static int steered_cancel(uv_loop_t *loop, struct rota_work *work) {
  pthread_mutex_lock(&all_lock);
  struct rota_steered_jobs *jobs = jobs_of(loop);
  pthread_mutex_unlock(&all_lock);
  pthread_mutex_lock(&jobs->lock);
  bool queued = is_queued(jobs, work);
  if (queued) {
    rota__list_remove(&work->link);
    work->req->rota.state = ROTA_WORK_CANCELLED;
    rota__list_append(&jobs->done, &work->link);
  }
  pthread_mutex_unlock(&jobs->lock);
  return queued ? 0 : rota__pool_way.cancel(loop, work);
}

static const struct rota_job_way steered_way = {.submit = steered_submit, .cancel = steered_cancel};

int rota__jobs_init(struct rota_steered_jobs *jobs, uv_loop_t *loop) {
  *jobs = (struct rota_steered_jobs){.loop = loop};
  rota__list_init(&jobs->queue);
  rota__list_init(&jobs->done);
  pthread_mutex_init(&jobs->lock, NULL);
  rota__loop(loop)->job_way = &steered_way;
  pthread_mutex_lock(&all_lock);
  rota__list_append(&all, &jobs->link);
  pthread_mutex_unlock(&all_lock);
  return 0;
}

void rota__jobs_close(struct rota_steered_jobs *jobs) {
  pthread_mutex_lock(&all_lock);
  rota__list_remove(&jobs->link);
  pthread_mutex_unlock(&all_lock);
  rota__loop(jobs->loop)->job_way = &rota__pool_way;
  pthread_mutex_destroy(&jobs->lock);
}

void rota__jobs_before_fork(void) {
  pthread_mutex_lock(&all_lock);
}

void rota__jobs_after_fork_in_parent(void) {
  pthread_mutex_unlock(&all_lock);
}

/* The jobs belong to the parent, as with a pool. */
void rota__jobs_after_fork_in_child(void) {
  for (struct rota_link *link = all.next; link != &all; link = link->next) {
    struct rota_steered_jobs *jobs = rota__container_of(link, struct rota_steered_jobs, link);
    rota__list_init(&jobs->queue);
    pthread_mutex_init(&jobs->lock, NULL); /* another thread may have held it */
  }
  watched = false;
  pthread_mutex_unlock(&all_lock);
}

/* ---- running ---- */

/* What the pool's threads have given to the loop comes here first. Returns whether `wanted` was among it. */
static bool collect(struct rota_steered_jobs *jobs, const struct rota_work *wanted) {
  struct rota_link *newest =
      atomic_exchange_explicit(&rota__loop(jobs->loop)->wake.finished, NULL, memory_order_acquire);
  struct rota_link *end = jobs->done.prev;
  bool found = false;
  while (newest != NULL) {
    struct rota_link *next = newest->next;
    found |= wanted != NULL && newest == &wanted->link;
    rota__list_append(end->next, newest); /* before those that came later */
    newest = next;
  }
  return found;
}

static void run_one(struct rota_steered_jobs *jobs, struct rota_work *work) {
  uint64_t begin_ns = rota__os_clock_ns();
  rota__pool_way.submit(jobs->loop, work);
  for (int tries = 0; !collect(jobs, work); tries++) {
    if (rota__os_clock_ns() - begin_ns > (uint64_t)LONG_MS * NS_PER_MS)
      return;
    if (tries < YIELDS)
      sched_yield();
    else
      rota__os_sleep_ns(NAP_NS);
  }
}

/* ---- slow ones; all with the lock held ---- */

static struct rota_slow_job *slow_at(struct rota_steered_jobs *jobs, uint64_t sequence) {
  for (int i = 0; i < ROTA_SLOW_MAX; i++)
    if (jobs->slow[i].sequence == sequence)
      return &jobs->slow[i];
  return NULL;
}

static unsigned int level_of(struct rota_steered_jobs *jobs, const struct rota_work *work) {
  const struct rota_slow_job *slow = slow_at(jobs, work->req->rota.by.sequence);
  return slow == NULL ? 0 : slow->level;
}

static void forget_slow(struct rota_steered_jobs *jobs, const struct rota_work *work) {
  struct rota_slow_job *slow = slow_at(jobs, work->req->rota.by.sequence);
  if (slow != NULL)
    slow->sequence = 0;
}

/* Jobs come to the front in the order in which they came: each is asked for once. */
static void draw(struct rota_steered_jobs *jobs, struct rota_decisions *decisions, const struct rota_work *work) {
  static const struct {
    unsigned int level, others;
    const char *meaning;
  } choices[] = {{0, 0, ""},
                 {1, 0, "slow: all others come first"},
                 {2, 0, "very slow: all others and timers come first"},
                 {1, 1, "slow: another one comes first"},
                 {1, 2, "slow: two others come first"},
                 {1, 3, "slow: three others come first"},
                 {1, 5, "slow: five others come first"}};
  struct rota_slow_job *place = slow_at(jobs, 0);
  if (work->req->rota.by.sequence <= jobs->drawn)
    return;
  jobs->drawn = work->req->rota.by.sequence;
  unsigned int chosen =
      rota__decide(decisions, ROTA_CHOICE_SLOW, place != NULL ? sizeof(choices) / sizeof(choices[0]) : 1);
  if (chosen == 0 || place == NULL)
    return;
  char it[ROTA_WORDS_MAX];
  *place = (struct rota_slow_job){
      .sequence = work->req->rota.by.sequence, .level = choices[chosen].level, .others = choices[chosen].others};
  rota__decided(decisions, "pool: %s is %s", rota__words_for_job(work, it), choices[chosen].meaning);
}

static void count_look(struct rota_steered_jobs *jobs) {
  for (int i = 0; i < ROTA_SLOW_MAX; i++)
    if (jobs->slow[i].sequence != 0 && ++jobs->slow[i].looks > ROTA_SLOW_LOOKS)
      jobs->slow[i].level = 0;
}

void rota__jobs_count_others(struct rota_steered_jobs *jobs, unsigned int count) {
  pthread_mutex_lock(&jobs->lock);
  for (int i = 0; i < ROTA_SLOW_MAX; i++) {
    struct rota_slow_job *slow = &jobs->slow[i];
    if (slow->sequence == 0 || slow->others == 0)
      continue;
    slow->level = slow->others <= count ? 0 : slow->level;
    slow->others = slow->others <= count ? 0 : slow->others - count;
  }
  pthread_mutex_unlock(&jobs->lock);
}

/* ---- running ---- */

/* Those that have a thread, so that any of them may end next, and are as slow as wanted. With the lock held. */
static unsigned int candidates(struct rota_steered_jobs *jobs, struct rota_decisions *decisions, uint64_t until,
                               unsigned int level, struct rota_work *found[ROTA_JOBS_FRONT_MAX]) {
  unsigned int count = 0, seen = 0, threads = rota__pool_size(jobs->loop);
  for (struct rota_link *link = jobs->queue.next; link != &jobs->queue && seen < threads; link = link->next, seen++) {
    struct rota_work *work = work_at(link);
    if (work->req->rota.by.sequence > until || count == ROTA_JOBS_FRONT_MAX)
      break;
    draw(jobs, decisions, work);
    if (level_of(jobs, work) == level)
      found[count++] = work;
  }
  return count;
}

static struct rota_work *pick(struct rota_decisions *decisions, struct rota_work *const found[], unsigned int count) {
  unsigned int chosen = rota__decide(decisions, ROTA_CHOICE_JOB, count);
  if (chosen > 0) {
    char it[ROTA_WORDS_MAX], first[ROTA_WORDS_MAX];
    rota__decided(decisions, "pool: %s ends before %s", rota__words_for_job(found[chosen], it),
                  rota__words_for_job(found[0], first));
  }
  return found[chosen];
}

/* Releases the lock while the job runs. */
static void run_locked(struct rota_steered_jobs *jobs, struct rota_work *work) {
  rota__list_remove(&work->link);
  forget_slow(jobs, work);
  pthread_mutex_unlock(&jobs->lock);
  rota__fault_job(jobs->loop, work);
  run_one(jobs, work);
  pthread_mutex_lock(&jobs->lock);
  jobs->seen_ns = rota__os_clock_ns();
}

static bool run_slow(struct rota_steered_jobs *jobs, struct rota_decisions *decisions, uint64_t until) {
  struct rota_work *found[ROTA_JOBS_FRONT_MAX];
  for (unsigned int level = 1; level <= 2; level++) {
    if (candidates(jobs, decisions, until, level, found) == 0)
      continue;
    run_locked(jobs, found[0]);
    return true;
  }
  return false;
}

void rota__jobs_run(struct rota_steered_jobs *jobs, struct rota_decisions *decisions, bool patient,
                    enum rota_hold hold) {
  struct rota_work *found[ROTA_JOBS_FRONT_MAX];
  unsigned int count;
  collect(jobs, NULL);
  pthread_mutex_lock(&jobs->lock);
  jobs->seen_ns = rota__os_clock_ns();
  uint64_t until = patient ? UINT64_MAX : jobs->come;
  jobs->come = jobs->number;
  if (hold == ROTA_HOLD_ANY)
    count_look(jobs);
  while ((count = candidates(jobs, decisions, until, 0, found)) > 0) {
    if (hold == ROTA_HOLD_ANY && rota__decide(decisions, ROTA_CHOICE_STAY, 2) > 0) {
      char it[ROTA_WORDS_MAX];
      rota__decided(decisions, "pool: %s takes another round", rota__words_for_job(found[0], it));
      break;
    }
    run_locked(jobs, pick(decisions, found, count));
  }
  if (hold == ROTA_HOLD_NOTHING)
    run_slow(jobs, decisions, until);
  pthread_mutex_unlock(&jobs->lock);
}

/* Its loop may have been closed by another thread. */
static bool is_there(const struct rota_steered_jobs *jobs) {
  pthread_mutex_lock(&all_lock);
  const struct rota_link *link = all.next;
  while (link != &all && link != &jobs->link)
    link = link->next;
  pthread_mutex_unlock(&all_lock);
  return link != &all;
}

unsigned int rota__jobs_front(struct rota_steered_jobs *jobs, bool patient,
                              struct rota_work *found[ROTA_JOBS_FRONT_MAX]) {
  unsigned int count = 0, threads = rota__pool_size(jobs->loop);
  collect(jobs, NULL);
  pthread_mutex_lock(&jobs->lock);
  jobs->seen_ns = rota__os_clock_ns();
  uint64_t until = patient ? UINT64_MAX : jobs->come;
  jobs->come = jobs->number;
  threads = threads < ROTA_JOBS_FRONT_MAX ? threads : ROTA_JOBS_FRONT_MAX;
  for (struct rota_link *link = jobs->queue.next; link != &jobs->queue && count < threads; link = link->next) {
    struct rota_work *work = work_at(link);
    if (work->req->rota.by.sequence > until)
      break;
    found[count++] = work;
  }
  pthread_mutex_unlock(&jobs->lock);
  return count;
}

void rota__jobs_run_this(struct rota_steered_jobs *jobs, struct rota_work *work) {
  pthread_mutex_lock(&jobs->lock);
  if (is_queued(jobs, work))
    run_locked(jobs, work);
  pthread_mutex_unlock(&jobs->lock);
}

void rota__jobs_run_all(struct rota_steered_jobs *jobs) {
  if (!is_there(jobs))
    return;
  collect(jobs, NULL);
  pthread_mutex_lock(&jobs->lock);
  while (!rota__list_empty(&jobs->queue))
    run_locked(jobs, work_at(rota__list_first(&jobs->queue)));
  pthread_mutex_unlock(&jobs->lock);
}

/* ---- telling ---- */

bool rota__jobs_tell(struct rota_steered_jobs *jobs, struct rota_decisions *decisions, enum rota_hold hold) {
  bool told = false;
  while (!rota__list_empty(&jobs->done)) {
    struct rota_work *work = work_at(rota__list_first(&jobs->done));
    if (hold == ROTA_HOLD_ANY && rota__decide(decisions, ROTA_CHOICE_TELL, 2) > 0) {
      char it[ROTA_WORDS_MAX];
      rota__decided(decisions, "pool: %s is done, and is told in another round", rota__words_for_job(work, it));
      return told;
    }
    rota__list_remove(&work->link);
    rota__wake_finished(jobs->loop, work);
    rota__jobs_count_others(jobs, 1);
    told = true;
  }
  return told;
}

bool rota__jobs_left(const struct rota_steered_jobs *jobs) {
  pthread_mutex_t *lock = (pthread_mutex_t *)&jobs->lock;
  pthread_mutex_lock(lock);
  bool left = !rota__list_empty(&jobs->queue) || !rota__list_empty(&jobs->done);
  pthread_mutex_unlock(lock);
  return left;
}

/* Jobs that are done, or could be run at once, are not slow; those behind slow ones that have all the threads are. */
unsigned int rota__jobs_slowness(struct rota_steered_jobs *jobs) {
  unsigned int slowest = 0, seen = 0, threads = rota__pool_size(jobs->loop);
  pthread_mutex_lock(&jobs->lock);
  bool quick = !rota__list_empty(&jobs->done);
  for (struct rota_link *link = jobs->queue.next; link != &jobs->queue && seen < threads; link = link->next, seen++) {
    unsigned int level = level_of(jobs, work_at(link));
    quick |= level == 0;
    slowest = slowest == 0 || level < slowest ? level : slowest;
  }
  pthread_mutex_unlock(&jobs->lock);
  return quick ? 0 : slowest;
}
