/* A loop that waits for many jobs sleeps briefly first, and is not woken for each result; no result is left lying. */
#include <stdatomic.h>
#include <unistd.h>

#include "loop/core/internal.h"
#include "loop/core/pool/pool.h"
#include "loop/core/spin.h"
#include "loop/core/wake.h"
#include "loop/os/clock.h"
#include "loop/os/host.h"
#include "loop/os/thread.h"
#include "loop/poller/poller.h"
#include "test.h"

enum { JOBS = 5, THREADS = 4, ROUNDS = 100, SPINS = 40 };

static struct rota_poller_ops counting;
static int (*asked)(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max);
static _Atomic int naps, sleeps;

static int count_wait(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  naps += timeout_ns == ROTA_NAP_NS;
  sleeps += timeout_ns < 0;
  return asked(poller, timeout_ns, out, out_max);
}

/* A loop that does not spin: it sleeps, in one way or the other. */
static void open_loop(uv_loop_t *loop) {
  CHECK_EQ(uv_loop_init(loop), 0);
  struct rota_poller *poller = rota__loop_poller(loop);
  counting = *poller->ops;
  asked = counting.wait;
  counting.wait = count_wait;
  poller->ops = &counting;
  rota__loop(loop)->spin.possible = false;
}

static void close_loop(uv_loop_t *loop) {
  uv_run(loop, UV_RUN_DEFAULT);
  CHECK_EQ(uv_loop_close(loop), 0);
}

/* ---- jobs that end only when another one's callback has run ---- */

static uv_sem_t released;
static int done;

static void quick(uv_work_t *work) {
  (void)work;
}

static void wait_for_release(uv_work_t *work) {
  (void)work;
  uv_sem_wait(&released);
}

static void on_done(uv_work_t *work, int status) {
  (void)work;
  CHECK_EQ(status, 0);
  done++;
}

static void on_quick(uv_work_t *work, int status) {
  on_done(work, status);
  for (int i = 0; i < THREADS; i++)
    uv_sem_post(&released);
}

static void queue_jobs(uv_loop_t *loop, uv_work_t *works) {
  CHECK_EQ(uv_queue_work(loop, &works[0], quick, on_quick), 0);
  for (int i = 1; i < JOBS; i++)
    CHECK_EQ(uv_queue_work(loop, &works[i], wait_for_release, on_done), 0);
}

/* The thread that had the quick job may take a long one next, and tell nobody. */
TEST(result_comes_though_all_threads_are_stuck_in_long_jobs) {
  uv_loop_t loop;
  uv_work_t works[JOBS];
  open_loop(&loop);
  CHECK_EQ(uv_sem_init(&released, 0), 0);
  for (int round = 1; round <= ROUNDS; round++) {
    rota__loop(&loop)->nap = (struct rota_spin){.possible = true, .next_rest = 1};
    queue_jobs(&loop, works);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_EQ(done, round * JOBS);
  }
  CHECK(naps > 0);
  close_loop(&loop);
  uv_sem_destroy(&released);
}

static void on_poll(uv_poll_t *poll, int status, int events) {
  (void)poll;
  (void)status;
  (void)events;
}

static void release_when_it_sleeps(void *unused) {
  (void)unused;
  while (naps + sleeps == 0)
    uv_sleep(1);
  for (int i = 0; i < JOBS; i++)
    uv_sem_post(&released);
}

/* All jobs end after it has slept. Returns whether it napped. */
static bool naps_while_jobs_wait(uv_loop_t *loop, int jobs) {
  uv_work_t works[JOBS];
  uv_thread_t thread;
  naps = sleeps = done = 0;
  CHECK_EQ(uv_sem_init(&released, 0), 0);
  for (int i = 0; i < jobs; i++)
    CHECK_EQ(uv_queue_work(loop, &works[i], wait_for_release, on_done), 0);
  CHECK_EQ(uv_thread_create(&thread, release_when_it_sleeps, NULL), 0);
  while (done < jobs)
    uv_run(loop, UV_RUN_ONCE);
  CHECK_EQ(uv_thread_join(&thread), 0);
  uv_sem_destroy(&released);
  return naps > 0;
}

/* A few results are not worth the delay. If a descriptor is watched, the wake-up's place among the events would be
 * lost. */
TEST(loop_naps_for_many_jobs_and_if_it_watches_nothing) {
  uv_loop_t loop;
  uv_poll_t poll;
  int fds[2];
  open_loop(&loop);
  CHECK(naps_while_jobs_wait(&loop, JOBS));
  CHECK(!naps_while_jobs_wait(&loop, JOBS - 1));
  CHECK_EQ(pipe(fds), 0);
  CHECK_EQ(uv_poll_init(&loop, &poll, fds[0]), 0);
  CHECK_EQ(uv_poll_start(&poll, UV_READABLE, on_poll), 0);
  CHECK(!naps_while_jobs_wait(&loop, JOBS));
  uv_close((uv_handle_t *)&poll, NULL);
  close_loop(&loop);
  close(fds[0]);
  close(fds[1]);
}

/* ---- who wakes it ---- */

static void never(struct rota_work *work, int status) {
  (void)work;
  (void)status;
}

/* Whether the loop was woken, by a result of which `more_follow`, this long after it fell asleep. */
static bool is_woken(uv_loop_t *loop, bool briefly, bool more_follow, uint64_t after_ns) {
  uv_req_t req = {0};
  struct rota_work work = {.done = never, .req = &req};
  bool woken;
  uint64_t took_ns;
  do {
    uint64_t before_ns = rota__os_clock_ns();
    if (briefly)
      CHECK(rota__wake_sleep_briefly(loop, before_ns - after_ns));
    else
      CHECK(rota__wake_sleep(loop));
    rota__wake_finished(loop, &work, more_follow);
    took_ns = rota__os_clock_ns() - before_ns;
    woken = rota__wake_was_woken(loop);
    atomic_store(&rota__loop(loop)->wake.finished, NULL);
    rota__wake_up(loop);
  } while (took_ns >= ROTA_QUIET_NS && after_ns == 0); /* this thread did not run meanwhile */
  return woken;
}

TEST(result_wakes_a_brief_sleep_unless_more_follow_soon) {
  uv_loop_t loop;
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK(!is_woken(&loop, true, true, 0));
  CHECK(is_woken(&loop, true, false, 0));
  CHECK(is_woken(&loop, true, true, ROTA_QUIET_NS));
  CHECK(is_woken(&loop, false, true, 0));
  CHECK_EQ(atomic_load(&rota__loop(&loop)->wake.pushing), 0);
  close_loop(&loop);
}

TEST(async_send_wakes_a_brief_sleep) {
  uv_loop_t loop;
  uv_async_t async;
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK_EQ(uv_async_init(&loop, &async, NULL), 0);
  CHECK(rota__wake_sleep_briefly(&loop, rota__os_clock_ns()));
  CHECK_EQ(uv_async_send(&async), 0);
  CHECK(rota__wake_was_woken(&loop));
  uv_close((uv_handle_t *)&async, NULL);
  close_loop(&loop);
}

/* ---- a program that may use one processor only ---- */

static bool look(const void *what) {
  ++*(int *)(uintptr_t)what;
  return true;
}

/* How often it looked in so many spins. */
static int count_looks(void) {
  int looks = 0;
  for (int i = 0; i < SPINS; i++) {
    uint64_t spent_ns;
    bool found = rota__spin_until(look, &looks, 0, &spent_ns);
    CHECK_EQ(found, spent_ns < ROTA_SPIN_AWAY_NS);
  }
  return looks;
}

TEST(program_with_one_processor_soon_stops_to_spin_until_it_has_two) {
  char all[1024], one[1024] = {0};
  int size = rota__os_cpu_mask_size();
  if (size < 2 || size > (int)sizeof(all) || rota__os_allowed_cpus() < 2)
    return;
  CHECK_EQ(rota__os_affinity(pthread_self(), all), 0);
  for (int i = 0; i < size; i++)
    if (all[i]) {
      one[i] = 1;
      break;
    }
  CHECK_EQ(rota__os_set_affinity(pthread_self(), one), 0);
  CHECK(count_looks() < SPINS);
  CHECK_EQ(count_looks(), 0);
  CHECK_EQ(rota__os_set_affinity(pthread_self(), all), 0);
  double quota;
  if (!rota__os_cpu_quota(&quota) || quota >= 2)
    CHECK_EQ(count_looks(), SPINS);
}
