#include "simulate/jobs.h"

#include <sched.h>

#include "loop/base/units.h"
#include "loop/core/internal.h"
#include "loop/os/clock.h"
#include "loop/os/thread.h"
#include "simulate/schedule.h"

enum {
  LONG_MS = 200,     /* the loop waits for a job no longer than this */
  BLOCKED_MS = 1000, /* a loop that does not poll for so long may be waiting for a job */
  MONITOR_PERIOD_MS = 50,
  SLEEP_NS = 20000,
  YIELDS = 200,
};

static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
static struct rota_link registry = {&registry, &registry};
static bool has_monitor; /* a thread looks for loops that do not poll */

static struct rota_steered_jobs *jobs_of(const uv_loop_t *loop) {
  for (struct rota_link *link = registry.next; link != &registry; link = link->next) {
    struct rota_steered_jobs *jobs = rota__container_of(link, struct rota_steered_jobs, link);
    if (jobs->loop == loop)
      return jobs;
  }
  return NULL;
}

static struct rota_work *work_at(struct rota_link *link) {
  return rota__container_of(link, struct rota_work, link);
}

/* ---- queueing ---- */

/* Hands the jobs of a loop to the pool if it has not polled for this long. */
static void release(struct rota_steered_jobs *jobs, uint64_t blocked_ns) {
  pthread_mutex_lock(&jobs->lock);
  bool is_blocked = rota__os_clock_ns() - jobs->polled_ns >= blocked_ns;
  while (is_blocked && !rota__list_empty(&jobs->queue)) {
    struct rota_link *link = rota__list_first(&jobs->queue);
    rota__list_remove(link);
    rota__pool_way.submit(jobs->loop, work_at(link));
  }
  pthread_mutex_unlock(&jobs->lock);
}

static void release_jobs_of_all(uint64_t blocked_ns) {
  pthread_mutex_lock(&registry_lock);
  for (struct rota_link *link = registry.next; link != &registry; link = link->next)
    release(rota__container_of(link, struct rota_steered_jobs, link), blocked_ns);
  pthread_mutex_unlock(&registry_lock);
}

static void *monitor_main(void *argument) {
  (void)argument;
  rota__os_thread_set_name("rota-steering");
  for (;;) {
    rota__os_sleep_ns((uint64_t)MONITOR_PERIOD_MS * NS_PER_MS);
    release_jobs_of_all((uint64_t)BLOCKED_MS * NS_PER_MS);
  }
  return NULL;
}

void rota__jobs_release(void) {
  release_jobs_of_all(0);
}

static void steered_submit(uv_loop_t *loop, struct rota_work *work) {
  pthread_mutex_lock(&registry_lock);
  struct rota_steered_jobs *jobs = jobs_of(loop);
  if (!has_monitor) {
    pthread_t thread;
    has_monitor = pthread_create(&thread, NULL, monitor_main, NULL) == 0 && pthread_detach(thread) == 0;
    rota__os_stay_loaded();
  }
  pthread_mutex_unlock(&registry_lock);
  pthread_mutex_lock(&jobs->lock);
  if (rota__list_empty(&jobs->queue))
    jobs->polled_ns = rota__os_clock_ns();
  work->req->rota.by.sequence = ++jobs->last_sequence;
  rota__list_append(&jobs->queue, &work->link);
  pthread_mutex_unlock(&jobs->lock);
  rota__pairs_submitted(&rota__container_of(jobs, struct rota_steered_poller, jobs)->pairs, work);
}

/* False: the job went to the pool. With the lock held. */
static bool is_queued(const struct rota_steered_jobs *jobs, const struct rota_work *work) {
  for (const struct rota_link *link = jobs->queue.next; link != &jobs->queue; link = link->next)
    if (link == &work->link)
      return true;
  return false;
}

static int steered_cancel(uv_loop_t *loop, struct rota_work *work) {
  pthread_mutex_lock(&registry_lock);
  struct rota_steered_jobs *jobs = jobs_of(loop);
  pthread_mutex_unlock(&registry_lock);
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
  pthread_mutex_lock(&registry_lock);
  rota__list_append(&registry, &jobs->link);
  pthread_mutex_unlock(&registry_lock);
  return 0;
}

void rota__jobs_close(struct rota_steered_jobs *jobs) {
  pthread_mutex_lock(&registry_lock);
  rota__list_remove(&jobs->link);
  pthread_mutex_unlock(&registry_lock);
  rota__loop(jobs->loop)->job_way = &rota__pool_way;
  pthread_mutex_destroy(&jobs->lock);
}

void rota__jobs_before_fork(void) {
  pthread_mutex_lock(&registry_lock);
}

void rota__jobs_after_fork_in_parent(void) {
  pthread_mutex_unlock(&registry_lock);
}

/* The jobs belong to the parent, as with a pool. */
void rota__jobs_after_fork_in_child(void) {
  for (struct rota_link *link = registry.next; link != &registry; link = link->next) {
    struct rota_steered_jobs *jobs = rota__container_of(link, struct rota_steered_jobs, link);
    rota__list_init(&jobs->queue);
    pthread_mutex_init(&jobs->lock, NULL); /* another thread may have held it */
  }
  has_monitor = false;
  pthread_mutex_unlock(&registry_lock);
}

/* ---- running ---- */

/* Takes the jobs that the pool's threads have finished, before the loop sees them. Returns whether `wanted` is one
 * of them. */
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

static void run_in_pool(struct rota_steered_jobs *jobs, struct rota_work *work) {
  uint64_t begin_ns = rota__os_clock_ns();
  rota__pool_way.submit(jobs->loop, work);
  for (int tries = 0; !collect(jobs, work); tries++) {
    if (rota__os_clock_ns() - begin_ns > (uint64_t)LONG_MS * NS_PER_MS)
      return;
    if (tries < YIELDS)
      sched_yield();
    else
      rota__os_sleep_ns(SLEEP_NS);
  }
}

/* ---- slow jobs; with the lock held ---- */

static struct rota_slow_job *slow_at(struct rota_steered_jobs *jobs, uint64_t sequence) {
  for (int i = 0; i < ROTA_SLOW_MAX; i++)
    if (jobs->slow[i].sequence == sequence)
      return &jobs->slow[i];
  return NULL;
}

static enum rota_slowness slowness_of(struct rota_steered_jobs *jobs, const struct rota_work *work) {
  const struct rota_slow_job *slow = slow_at(jobs, work->req->rota.by.sequence);
  return slow == NULL ? ROTA_NOT_SLOW : slow->slowness;
}

static void forget_slow(struct rota_steered_jobs *jobs, const struct rota_work *work) {
  struct rota_slow_job *slow = slow_at(jobs, work->req->rota.by.sequence);
  if (slow != NULL)
    slow->sequence = 0;
}

/* Decides once for each job whether it is slow, in the order of the queue. */
static void decide_slowness(struct rota_steered_jobs *jobs, struct rota_decisions *decisions,
                            const struct rota_work *work) {
  static const struct {
    enum rota_slowness slowness;
    unsigned int others;
    const char *meaning;
  } choices[] = {{ROTA_NOT_SLOW, 0, ""},
                 {ROTA_SLOW, 0, "slow: all others come first"},
                 {ROTA_VERY_SLOW, 0, "very slow: all others and timers come first"},
                 {ROTA_SLOW, 1, "slow: another one comes first"},
                 {ROTA_SLOW, 2, "slow: two others come first"},
                 {ROTA_SLOW, 3, "slow: three others come first"},
                 {ROTA_SLOW, 5, "slow: five others come first"}};
  uint64_t sequence = work->req->rota.by.sequence;
  if (sequence <= jobs->decided_until)
    return;
  jobs->decided_until = sequence;
  struct rota_slow_job *slot = slow_at(jobs, 0);
  unsigned int options = slot != NULL ? sizeof(choices) / sizeof(choices[0]) : 1;
  unsigned int chosen = rota__decide(decisions, ROTA_CHOICE_SLOW, options);
  if (chosen == 0 || slot == NULL)
    return;
  char text[ROTA_DESCRIPTION_MAX];
  *slot = (struct rota_slow_job){
      .sequence = sequence, .slowness = choices[chosen].slowness, .others = choices[chosen].others};
  rota__decision_record(decisions, "pool: %s is %s", rota__describe_job(work, text), choices[chosen].meaning);
}

static void count_round(struct rota_steered_jobs *jobs) {
  for (int i = 0; i < ROTA_SLOW_MAX; i++)
    if (jobs->slow[i].sequence != 0 && ++jobs->slow[i].rounds > ROTA_SLOW_ROUNDS)
      jobs->slow[i].slowness = ROTA_NOT_SLOW;
}

void rota__jobs_count_others(struct rota_steered_jobs *jobs, unsigned int count) {
  pthread_mutex_lock(&jobs->lock);
  for (int i = 0; i < ROTA_SLOW_MAX; i++) {
    struct rota_slow_job *slow = &jobs->slow[i];
    if (slow->sequence == 0 || slow->others == 0)
      continue;
    if (slow->others <= count)
      slow->slowness = ROTA_NOT_SLOW;
    slow->others = slow->others <= count ? 0 : slow->others - count;
  }
  pthread_mutex_unlock(&jobs->lock);
}

/* ---- running ---- */

/* Finds the jobs of this slowness that have a thread, any of which may end next. With the lock held. */
static unsigned int find_jobs(struct rota_steered_jobs *jobs, struct rota_decisions *decisions, uint64_t until,
                              enum rota_slowness slowness, struct rota_work *found[ROTA_JOBS_FRONT_MAX]) {
  unsigned int count = 0, seen = 0, threads = rota__pool_size(jobs->loop);
  for (struct rota_link *link = jobs->queue.next; link != &jobs->queue && seen < threads; link = link->next, seen++) {
    struct rota_work *work = work_at(link);
    if (work->req->rota.by.sequence > until || count == ROTA_JOBS_FRONT_MAX)
      break;
    decide_slowness(jobs, decisions, work);
    if (slowness_of(jobs, work) == slowness)
      found[count++] = work;
  }
  return count;
}

static struct rota_work *decide_job(struct rota_decisions *decisions, struct rota_work *const found[],
                                    unsigned int count) {
  unsigned int chosen = rota__decide(decisions, ROTA_CHOICE_JOB, count);
  if (chosen > 0) {
    char text[ROTA_DESCRIPTION_MAX], first[ROTA_DESCRIPTION_MAX];
    rota__decision_record(decisions, "pool: %s ends before %s", rota__describe_job(found[chosen], text),
                          rota__describe_job(found[0], first));
  }
  return found[chosen];
}

/* Releases the lock while the job runs. */
static void run_job(struct rota_steered_jobs *jobs, struct rota_work *work) {
  rota__list_remove(&work->link);
  forget_slow(jobs, work);
  pthread_mutex_unlock(&jobs->lock);
  rota__fault_job(jobs->loop, work);
  run_in_pool(jobs, work);
  pthread_mutex_lock(&jobs->lock);
  jobs->polled_ns = rota__os_clock_ns();
}

/* Runs one slow job; a very slow one only if there is no other. */
static void run_slow(struct rota_steered_jobs *jobs, struct rota_decisions *decisions, uint64_t until) {
  struct rota_work *found[ROTA_JOBS_FRONT_MAX];
  if (find_jobs(jobs, decisions, until, ROTA_SLOW, found) > 0 ||
      find_jobs(jobs, decisions, until, ROTA_VERY_SLOW, found) > 0)
    run_job(jobs, found[0]);
}

/* Takes the lock. Returns the newest job that may run in this round: if the round may not wait, a thread of the pool
 * would not have woken up yet for the jobs that came since the last one. */
static uint64_t begin_round(struct rota_steered_jobs *jobs, bool may_wait) {
  collect(jobs, NULL);
  pthread_mutex_lock(&jobs->lock);
  jobs->polled_ns = rota__os_clock_ns();
  uint64_t until = may_wait ? UINT64_MAX : jobs->arrived;
  jobs->arrived = jobs->last_sequence;
  return until;
}

void rota__jobs_run(struct rota_steered_jobs *jobs, struct rota_decisions *decisions, bool may_wait,
                    enum rota_hold hold) {
  struct rota_work *found[ROTA_JOBS_FRONT_MAX];
  unsigned int count;
  uint64_t until = begin_round(jobs, may_wait);
  if (hold == ROTA_HOLD_ANY)
    count_round(jobs);
  while ((count = find_jobs(jobs, decisions, until, ROTA_NOT_SLOW, found)) > 0) {
    if (hold == ROTA_HOLD_ANY && rota__decide(decisions, ROTA_CHOICE_STAY, 2) > 0) {
      char text[ROTA_DESCRIPTION_MAX];
      rota__decision_record(decisions, "pool: %s takes another round", rota__describe_job(found[0], text));
      break;
    }
    run_job(jobs, decide_job(decisions, found, count));
  }
  if (hold == ROTA_HOLD_NOTHING)
    run_slow(jobs, decisions, until);
  pthread_mutex_unlock(&jobs->lock);
}

/* Whether the loop is open: another thread may have closed it. */
static bool is_registered(const struct rota_steered_jobs *jobs) {
  pthread_mutex_lock(&registry_lock);
  const struct rota_link *link = registry.next;
  while (link != &registry && link != &jobs->link)
    link = link->next;
  pthread_mutex_unlock(&registry_lock);
  return link != &registry;
}

unsigned int rota__jobs_front(struct rota_steered_jobs *jobs, bool may_wait,
                              struct rota_work *found[ROTA_JOBS_FRONT_MAX]) {
  unsigned int count = 0, threads = rota__pool_size(jobs->loop);
  uint64_t until = begin_round(jobs, may_wait);
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

void rota__jobs_run_one(struct rota_steered_jobs *jobs, struct rota_work *work) {
  pthread_mutex_lock(&jobs->lock);
  if (is_queued(jobs, work))
    run_job(jobs, work);
  pthread_mutex_unlock(&jobs->lock);
}

void rota__jobs_run_all(struct rota_steered_jobs *jobs) {
  if (!is_registered(jobs))
    return;
  collect(jobs, NULL);
  pthread_mutex_lock(&jobs->lock);
  while (!rota__list_empty(&jobs->queue))
    run_job(jobs, work_at(rota__list_first(&jobs->queue)));
  pthread_mutex_unlock(&jobs->lock);
}

/* ---- reporting ---- */

bool rota__jobs_report(struct rota_steered_jobs *jobs, struct rota_decisions *decisions, enum rota_hold hold) {
  bool reported = false;
  while (!rota__list_empty(&jobs->done)) {
    struct rota_work *work = work_at(rota__list_first(&jobs->done));
    if (hold == ROTA_HOLD_ANY && rota__decide(decisions, ROTA_CHOICE_TELL, 2) > 0) {
      char text[ROTA_DESCRIPTION_MAX];
      rota__decision_record(decisions, "pool: %s is done, and is told in another round",
                            rota__describe_job(work, text));
      return reported;
    }
    rota__list_remove(&work->link);
    rota__wake_finished(jobs->loop, work, false);
    rota__jobs_count_others(jobs, 1);
    reported = true;
  }
  return reported;
}

bool rota__jobs_any(const struct rota_steered_jobs *jobs) {
  pthread_mutex_t *lock = (pthread_mutex_t *)&jobs->lock;
  pthread_mutex_lock(lock);
  bool left = !rota__list_empty(&jobs->queue) || !rota__list_empty(&jobs->done);
  pthread_mutex_unlock(lock);
  return left;
}

/* A job that is done, or that could run at once, is not slow. A job without a thread does not count: slow ones have
 * all threads. */
enum rota_slowness rota__jobs_slowness(struct rota_steered_jobs *jobs) {
  enum rota_slowness least = ROTA_NOT_SLOW;
  unsigned int seen = 0, threads = rota__pool_size(jobs->loop);
  pthread_mutex_lock(&jobs->lock);
  bool has_quick = !rota__list_empty(&jobs->done);
  for (struct rota_link *link = jobs->queue.next; link != &jobs->queue && seen < threads; link = link->next, seen++) {
    enum rota_slowness slowness = slowness_of(jobs, work_at(link));
    has_quick |= slowness == ROTA_NOT_SLOW;
    if (least == ROTA_NOT_SLOW || slowness < least)
      least = slowness;
  }
  pthread_mutex_unlock(&jobs->lock);
  return has_quick ? ROTA_NOT_SLOW : least;
}
