/* Virtual time: a day of timers takes no time, in the same order; operations that take real time are waited for. */
#include <string.h>
#include <unistd.h>

#include "loop/os/clock.h"
#include "rota.h"
#include "settings/setting.h"
#include "test.h"

enum { HOUR_MS = 3600000, NS_PER_MS = 1000000 };

static uint64_t real_ms(void) {
  return rota__os_clock_ns() / NS_PER_MS;
}

static void start(const rota_virtual_time_options_t *options) {
  CHECK_EQ(rota_virtual_time_start(options), 0);
  CHECK_EQ(rota_virtual_time_start(options), UV_EALREADY);
  CHECK_EQ(rota_steering(), ROTA_STEER_TIME);
}

/* ---- the order of timers ---- */

enum { TIMERS = 200 };

static uv_timer_t timers[TIMERS];
static uint64_t due_ms[TIMERS];
static int last = -1, fired;

static void on_ordered(uv_timer_t *timer) {
  int i = (int)(timer - timers);
  CHECK_EQ(uv_now(timer->loop), due_ms[i]);
  CHECK(last == -1 || due_ms[last] < due_ms[i] || (due_ms[last] == due_ms[i] && last < i));
  last = i;
  fired++;
}

TEST(virtual_day_runs_in_order_and_at_once) {
  uint64_t began_ms = real_ms();
  start(NULL);
  uv_loop_t *loop = uv_default_loop();
  uint64_t first_ms = uv_now(loop), first_ns = uv_hrtime();
  uint32_t random = 12345;
  for (int i = 0; i < TIMERS; i++) {
    random = random * 1664525 + 1013904223;
    uint64_t timeout_ms = (random >> 8) % (i % 3 == 0 ? 50 : 24 * HOUR_MS);
    due_ms[i] = first_ms + timeout_ms;
    CHECK_EQ(uv_timer_init(loop, &timers[i]), 0);
    CHECK_EQ(uv_timer_start(&timers[i], on_ordered, timeout_ms, 0), 0);
  }
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(fired, TIMERS);
  CHECK_EQ((uv_hrtime() - first_ns) / NS_PER_MS, uv_now(loop) - first_ms);
  CHECK(real_ms() - began_ms < 60000);
  test_close_default_loop();
}

static int repeats;

static void on_repeat(uv_timer_t *timer) {
  if (++repeats == 86400)
    uv_timer_stop(timer);
}

TEST(virtual_repeating_timer_does_not_drift) {
  uv_timer_t timer;
  start(NULL);
  uv_loop_t *loop = uv_default_loop();
  uint64_t first_ms = uv_now(loop);
  uv_timer_init(loop, &timer);
  uv_timer_start(&timer, on_repeat, 1000, 1000);
  uv_run(loop, UV_RUN_DEFAULT);
  CHECK_EQ(uv_now(loop) - first_ms, 86400 * 1000);
  test_close_default_loop();
}

static void on_done(uv_timer_t *timer) {
  *(int *)timer->data = 1;
}

static void on_idle(uv_idle_t *idle) {
  if (*(int *)idle->data)
    uv_idle_stop(idle);
}

/* A program that never waits must not wait forever. */
TEST(virtual_time_passes_for_those_who_spin) {
  uv_timer_t timer;
  uv_idle_t idle;
  int done = 0;
  timer.data = idle.data = &done;
  start(NULL);
  uv_loop_t *loop = uv_default_loop();
  uv_timer_init(loop, &timer);
  uv_timer_start(&timer, on_done, 3, 0);
  uv_idle_init(loop, &idle);
  uv_idle_start(&idle, on_idle);
  uv_run(loop, UV_RUN_DEFAULT);
  CHECK_EQ(done, 1);
  uv_timer_start(&timer, on_done, 3, 0);
  do
    uv_run(loop, UV_RUN_NOWAIT);
  while (uv_is_active((uv_handle_t *)&timer));
  uint64_t begin_ns = uv_hrtime(), begin_ms = uv_now(loop);
  while (uv_hrtime() - begin_ns < 3 * NS_PER_MS)
    ;
  while (uv_now(loop) - begin_ms < 6)
    uv_update_time(loop);
  uint64_t before_ms = uv_now(loop);
  uv_sleep(10 * HOUR_MS);
  uv_update_time(loop);
  CHECK(uv_now(loop) - before_ms >= 10 * HOUR_MS);
  test_close_default_loop();
}

/* ---- the time of day ---- */

TEST(virtual_day_begins_where_it_is_told_to) {
  rota_virtual_time_options_t options;
  uv_timeval64_t day;
  uv_timespec64_t same;
  CHECK_EQ(rota__setting_read_time("from=2030-01-02T03:04:05Z,grace=7,by-hand", &options), 0);
  CHECK(options.by_hand == 1 && options.grace_ms == 7);
  CHECK_EQ(rota__setting_read_time("by-hand,,", &options), UV_EINVAL);
  CHECK_EQ(rota__setting_read_time("from=tomorrow", &options), UV_EINVAL);
  CHECK_EQ(rota__setting_read_time("grace=-1", &options), UV_EINVAL);
  CHECK_EQ(rota__setting_read_time("", &options), 0);
  CHECK_EQ(rota__setting_read_time("from=1893553445000", &options), 0);
  CHECK(options.day_ns == (int64_t)1893553445 * 1000000000);
  CHECK_EQ(rota__setting_read_time("from=2030-01-02T03:04:05Z", &options), 0);
  start(&options);
  CHECK_EQ(uv_gettimeofday(&day), 0);
  CHECK_EQ(day.tv_sec, 1893553445);
  CHECK_EQ(rota_virtual_time_advance(1500), 0);
  CHECK_EQ(uv_clock_gettime(UV_CLOCK_REALTIME, &same), 0);
  CHECK_EQ(same.tv_sec, 1893553446);
  CHECK_EQ(same.tv_nsec / NS_PER_MS, 500);
}

/* ---- by hand ---- */

TEST(virtual_time_by_hand) {
  rota_virtual_time_options_t options = {.by_hand = 1};
  uv_timer_t timer;
  int done = 0;
  CHECK_EQ(rota_virtual_time_advance(1), UV_EINVAL);
  start(&options);
  uv_loop_t *loop = uv_default_loop();
  uv_timer_init(loop, &timer);
  timer.data = &done;
  uv_timer_start(&timer, on_done, HOUR_MS, 0);
  for (int i = 0; i < 100; i++)
    CHECK_EQ(uv_run(loop, UV_RUN_NOWAIT), 1);
  CHECK_EQ(rota_virtual_time_advance(HOUR_MS - 1), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_NOWAIT), 1);
  CHECK_EQ(done, 0);
  CHECK_EQ(rota_virtual_time_advance(1), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_NOWAIT), 0);
  CHECK_EQ(done, 1);
  test_close_default_loop();
}

static void advance_later(void *argument) {
  (void)argument;
  usleep(20000);
  CHECK_EQ(rota_virtual_time_advance(HOUR_MS), 0);
}

TEST(virtual_time_moved_by_another_thread_wakes_the_loop) {
  rota_virtual_time_options_t options = {.by_hand = 1};
  uv_timer_t timer;
  uv_thread_t thread;
  int done = 0;
  start(&options);
  uv_loop_t *loop = uv_default_loop();
  uv_timer_init(loop, &timer);
  timer.data = &done;
  uv_timer_start(&timer, on_done, HOUR_MS, 0);
  CHECK_EQ(uv_thread_create(&thread, advance_later, NULL), 0);
  uv_run(loop, UV_RUN_DEFAULT);
  CHECK_EQ(done, 1);
  uv_thread_join(&thread);
  test_close_default_loop();
}

/* ---- time that stands still ---- */

struct advance {
  uv_async_t async;
  int status, ended;
  uint64_t ended_ms; /* of the loop */
};

static void on_ended(int status, void *data) {
  struct advance *advance = data;
  advance->status = status;
  uv_async_send(&advance->async);
}

static void on_end_of_advance(uv_async_t *async) {
  struct advance *advance = async->data;
  advance->ended++;
  advance->ended_ms = uv_now(async->loop);
  uv_close((uv_handle_t *)async, NULL);
}

static void begin_advance(uv_loop_t *loop, struct advance *advance) {
  memset(advance, 0, sizeof *advance);
  CHECK_EQ(uv_async_init(loop, &advance->async, on_end_of_advance), 0);
  advance->async.data = advance;
}

static struct {
  uint64_t at_ms[4];
  int count;
} steps;

static void on_step(uv_timer_t *timer) {
  steps.at_ms[steps.count++] = uv_now(timer->loop);
  uv_sleep(0);
}

static void on_read_between(uv_fs_t *req) {
  CHECK_EQ(uv_now(req->loop), steps.at_ms[0]); /* time has not moved while the pool worked */
  uv_timer_t *next = req->data;
  uv_timer_start(next, on_step, 5, 0);
  uv_fs_req_cleanup(req);
}

static uv_fs_t stat_req;

static void on_first_step(uv_timer_t *timer) {
  on_step(timer);
  stat_req.data = timer->data;
  CHECK_EQ(uv_fs_stat(timer->loop, &stat_req, "/", on_read_between), 0);
}

TEST(virtual_time_that_stands_still_goes_on_from_step_to_step) {
  struct advance advance;
  uv_timer_t first, between, second, late;
  CHECK_EQ(rota_clock_stop(), UV_EINVAL);
  start(NULL);
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(rota_clock_advance(1, on_ended, &advance), UV_EINVAL);
  CHECK_EQ(rota_clock_stop(), 0);
  uint64_t began_ns = uv_hrtime(), began_ms = (uv_update_time(loop), uv_now(loop));
  for (int i = 0; i < 100000; i++)
    CHECK_EQ(uv_hrtime(), began_ns);
  uv_timer_init(loop, &first);
  uv_timer_init(loop, &between);
  uv_timer_init(loop, &second);
  uv_timer_init(loop, &late);
  first.data = &between;
  uv_timer_start(&first, on_first_step, 10, 0);
  uv_timer_start(&second, on_step, 20, 0);
  uv_timer_start(&late, on_step, 101, 0);
  begin_advance(loop, &advance);
  CHECK_EQ(rota_clock_advance(100, on_ended, &advance), 0);
  CHECK_EQ(rota_clock_advance(100, on_ended, &advance), UV_EBUSY);
  while (advance.ended == 0)
    uv_run(loop, UV_RUN_ONCE);
  CHECK_EQ(advance.status, 0);
  CHECK_EQ(steps.count, 3);
  CHECK_EQ(steps.at_ms[0] - began_ms, 10);
  CHECK_EQ(steps.at_ms[1] - began_ms, 15);
  CHECK_EQ(steps.at_ms[2] - began_ms, 20);
  CHECK_EQ(advance.ended_ms - began_ms, 100);
  CHECK_EQ(uv_hrtime() - began_ns, (uint64_t)100 * NS_PER_MS);
  CHECK_EQ(rota_clock_go(), 0);
  uv_run(loop, UV_RUN_DEFAULT);
  CHECK_EQ(steps.count, 4);
  test_close_default_loop();
}

static void on_tick_of_hour(uv_timer_t *timer) {
  (void)timer;
}

TEST(virtual_time_runs_all_timers_that_keep_the_loop_alive) {
  struct advance advance;
  uv_timer_t hours, day;
  start(NULL);
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(rota_clock_stop(), 0);
  uint64_t began_ms = (uv_update_time(loop), uv_now(loop));
  uv_timer_init(loop, &hours);
  uv_timer_start(&hours, on_tick_of_hour, HOUR_MS, HOUR_MS);
  begin_advance(loop, &advance);
  CHECK_EQ(rota_clock_run_all(10, on_ended, &advance), 0);
  while (advance.ended == 0)
    uv_run(loop, UV_RUN_ONCE);
  CHECK_EQ(advance.status, UV_E2BIG);
  CHECK(advance.ended_ms - began_ms <= 10 * HOUR_MS);
  uv_unref((uv_handle_t *)&hours);
  uv_timer_init(loop, &day);
  uv_timer_start(&day, on_tick_of_hour, 24 * HOUR_MS, 0);
  uint64_t day_ms = uv_now(loop) + 24 * HOUR_MS;
  uv_run(loop, UV_RUN_NOWAIT); /* the handle that was closed */
  begin_advance(loop, &advance);
  CHECK_EQ(rota_clock_run_all(1000, on_ended, &advance), 0);
  while (advance.ended == 0)
    uv_run(loop, UV_RUN_ONCE);
  CHECK_EQ(advance.status, 0);
  CHECK_EQ(advance.ended_ms, day_ms);
  begin_advance(loop, &advance);
  uv_run(loop, UV_RUN_NOWAIT);
  CHECK_EQ(rota_clock_advance(HOUR_MS, on_ended, &advance), 0);
  CHECK_EQ(rota_clock_go(), 0);
  while (advance.ended == 0)
    uv_run(loop, UV_RUN_ONCE);
  CHECK_EQ(advance.status, UV_ECANCELED);
  uv_close((uv_handle_t *)&hours, NULL);
  uv_run(loop, UV_RUN_DEFAULT);
  test_close_default_loop();
}

TEST(virtual_time_for_a_loop_that_was_there_before) {
  uv_timer_t timer;
  int done = 0;
  uv_loop_t *loop = uv_default_loop();
  uv_timer_init(loop, &timer);
  timer.data = &done;
  uv_timer_start(&timer, on_done, HOUR_MS, 0);
  uint64_t due = uv_now(loop) + HOUR_MS;
  start(NULL);
  CHECK_EQ(rota_steer(loop), 0);
  uv_run(loop, UV_RUN_DEFAULT);
  CHECK(done == 1 && uv_now(loop) == due);
  test_close_default_loop();
}

/* ---- what takes real time ---- */

static char story[64];

static void tell(const char *what) {
  strcat(story, what);
}

static void on_tell(uv_timer_t *timer) {
  tell(timer->data);
}

static uv_sem_t timer_told;

static void on_tell_and_post(uv_timer_t *timer) {
  tell(timer->data);
  uv_sem_post(&timer_told);
}

static void work_for_30_ms(uv_work_t *req) {
  (void)req;
  usleep(30000);
}

static void work_until_the_timer(uv_work_t *req) {
  (void)req;
  uv_sem_wait(&timer_told);
}

static void after_work(uv_work_t *req, int status) {
  (void)req;
  CHECK_EQ(status, 0);
  tell("job ");
}

static void story_of_job(uv_work_cb job, uint64_t timer_ms) {
  uv_work_t work;
  uv_timer_t timer;
  start(NULL);
  uv_loop_t *loop = uv_default_loop();
  uv_timer_init(loop, &timer);
  timer.data = (void *)"timer ";
  CHECK_EQ(uv_sem_init(&timer_told, 0), 0);
  uv_timer_start(&timer, on_tell_and_post, timer_ms, 0);
  CHECK_EQ(uv_queue_work(loop, &work, job, after_work), 0);
  uv_run(loop, UV_RUN_DEFAULT);
  test_close_default_loop();
}

TEST(virtual_time_waits_for_the_pool) {
  story_of_job(work_for_30_ms, HOUR_MS);
  CHECK_STR(story, "job timer ");
}

TEST(virtual_time_waits_for_the_pool_no_longer_than_the_timer) {
  story_of_job(work_until_the_timer, 20);
  CHECK_STR(story, "timer job ");
}

static uv_pipe_t reader;

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
  static char bytes[16];
  (void)handle;
  (void)size;
  *buf = uv_buf_init(bytes, sizeof(bytes));
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf) {
  (void)buf;
  if (n == 0)
    return;
  tell("read ");
  uv_close((uv_handle_t *)stream, NULL);
}

static void write_later(void *argument) {
  usleep(30000);
  CHECK_EQ(write(*(int *)argument, "x", 1), 1);
}

TEST(virtual_time_gives_descriptors_their_grace) {
  rota_virtual_time_options_t options = {.grace_ms = 30000};
  uv_timer_t timer;
  uv_thread_t thread;
  int fds[2];
  CHECK_EQ(pipe(fds), 0);
  start(&options);
  uv_loop_t *loop = uv_default_loop();
  uv_pipe_init(loop, &reader, 0);
  CHECK_EQ(uv_pipe_open(&reader, fds[0]), 0);
  CHECK_EQ(uv_read_start((uv_stream_t *)&reader, on_alloc, on_read), 0);
  uv_timer_init(loop, &timer);
  timer.data = (void *)"timer ";
  uv_timer_start(&timer, on_tell, HOUR_MS, 0);
  CHECK_EQ(uv_thread_create(&thread, write_later, &fds[1]), 0);
  uv_run(loop, UV_RUN_DEFAULT);
  uv_thread_join(&thread);
  close(fds[1]);
  CHECK_STR(story, "read timer ");
  test_close_default_loop();
}

static void on_release(uv_async_t *async) {
  tell("async ");
  uv_close((uv_handle_t *)async, NULL);
}

static void release_later(void *async) {
  usleep(30000);
  uv_async_send(async);
  rota_virtual_time_release();
}

TEST(virtual_time_is_held) {
  uv_timer_t timer;
  uv_async_t async;
  uv_thread_t thread;
  start(NULL);
  uv_loop_t *loop = uv_default_loop();
  uv_timer_init(loop, &timer);
  timer.data = (void *)"timer ";
  uv_timer_start(&timer, on_tell, HOUR_MS, 0);
  uv_async_init(loop, &async, on_release);
  rota_virtual_time_hold();
  CHECK_EQ(uv_thread_create(&thread, release_later, &async), 0);
  uv_run(loop, UV_RUN_DEFAULT);
  uv_thread_join(&thread);
  CHECK_STR(story, "async timer ");
  test_close_default_loop();
}

/* ---- several loops ---- */

static uv_mutex_t story_lock;

static void on_thread_timer(uv_timer_t *timer) {
  uv_mutex_lock(&story_lock);
  tell(timer->data);
  uv_mutex_unlock(&story_lock);
}

static uv_loop_t loops[2];

static void run_loop(void *loop) {
  uv_run(loop, UV_RUN_DEFAULT);
}

TEST(virtual_time_is_one_for_all_loops) {
  static const char *const names[2][3] = {{"a10 ", "a30 ", "a50 "}, {"b20 ", "b40 ", "b60 "}};
  static uv_timer_t both[2][3];
  uv_thread_t threads[2];
  uv_mutex_init(&story_lock);
  start(NULL);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(uv_loop_init(&loops[i]), 0);
    for (int j = 0; j < 3; j++) {
      uv_timer_init(&loops[i], &both[i][j]);
      both[i][j].data = (void *)names[i][j];
      uv_timer_start(&both[i][j], on_thread_timer, (uint64_t)(10 + 20 * j + 10 * i) * 60000, 0);
    }
  }
  for (int i = 0; i < 2; i++)
    CHECK_EQ(uv_thread_create(&threads[i], run_loop, &loops[i]), 0);
  for (int i = 0; i < 2; i++)
    uv_thread_join(&threads[i]);
  CHECK_STR(story, "a10 b20 a30 b40 a50 b60 ");
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 3; j++)
      uv_close((uv_handle_t *)&both[i][j], NULL);
    uv_run(&loops[i], UV_RUN_DEFAULT);
    CHECK_EQ(uv_loop_close(&loops[i]), 0);
  }
  uv_mutex_destroy(&story_lock);
}
