/* Virtual time and schedules on Windows. The exit status is the number of parts that failed. `make test-windows` runs
 * it. */
#include "part.h"

enum { DAY_MS = 24 * 3600 * 1000, SEEDS = 40 };

static uv_loop_t loop;

/* ---- a day ---- */

static void on_day(uv_timer_t *timer) {
  uv_close((uv_handle_t *)timer, NULL);
}

static int do_day(void) {
  uv_timer_t timer;
  uv_timeval64_t before, after;
  uv_loop_init(&loop);
  uv_timer_init(&loop, &timer);
  uv_timer_start(&timer, on_day, DAY_MS, 0);
  uint64_t begin = uv_now(&loop), begin_ns = uv_hrtime();
  uv_gettimeofday(&before);
  uv_run(&loop, UV_RUN_DEFAULT);
  uv_gettimeofday(&after);
  printf("%d %d %d\n", uv_now(&loop) - begin >= DAY_MS, uv_hrtime() - begin_ns >= DAY_MS * UINT64_C(1000000),
         after.tv_sec - before.tv_sec >= DAY_MS / 1000);
  return uv_loop_close(&loop);
}

/* ---- a race: a timer works by a plan that a file brings; the file is read in time, mostly ---- */

static uv_fs_t opening, reading;
static char plan[16];
static uv_buf_t buffer;

static void on_read(uv_fs_t *req) {
  uv_fs_req_cleanup(req);
}

static void on_open(uv_fs_t *req) {
  buffer = uv_buf_init(plan, sizeof(plan) - 1);
  uv_fs_read(req->loop, &reading, (uv_file)req->result, &buffer, 1, 0, on_read);
  uv_fs_req_cleanup(req);
}

static void on_work(uv_timer_t *timer) {
  puts(plan[0] == '\0' ? "there is no plan" : "working by the plan");
  uv_close((uv_handle_t *)timer, NULL);
}

static int do_race(void) {
  char path[4096];
  size_t size = sizeof(path);
  uv_timer_t timer;
  uv_exepath(path, &size);
  uv_loop_init(&loop);
  uv_fs_open(&loop, &opening, path, UV_FS_O_RDONLY, 0, on_open);
  uv_timer_init(&loop, &timer);
  uv_timer_start(&timer, on_work, 300, 0);
  uv_run(&loop, UV_RUN_DEFAULT);
  return uv_loop_close(&loop);
}

/* ---- what is found ---- */

static void test_day(void) {
  const char *const one[] = {"ROTA_VIRTUAL_TIME=1", NULL};
  const struct outcome *outcome = run_self("day", one);
  check_run("a day of virtual time is a moment", outcome, outcome->status == 0 && has(outcome->out.text, "1 1 1"));
}

static const struct outcome *run_seed(int seed, const char *record) {
  char number[64];
  snprintf(number, sizeof(number), "ROTA_SCHEDULE_SEED=%d", seed);
  const char *const more[] = {number, record, NULL};
  return run_self("race", more);
}

static int is_found(const struct outcome *outcome) {
  return outcome->status == 0 && has(outcome->out.text, "there is no plan");
}

static void test_race(void) {
  const char *const none[] = {NULL}, *const replay[] = {"ROTA_SCHEDULE_REPLAY=steer-\xe2\x82\xac.schedule", NULL};
  const char *record = "ROTA_SCHEDULE_RECORD=steer-\xe2\x82\xac.schedule";
  const struct outcome *outcome = run_self("race", none);
  check_run("the race is not seen in a usual run", outcome, has(outcome->out.text, "working by the plan"));
  int seed = 1;
  while (seed <= SEEDS && !is_found(run_seed(seed, NULL)))
    seed++;
  check("a seed finds the race", seed <= SEEDS);
  for (int i = 0; i < 2; i++) {
    outcome = run_seed(seed, record);
    check_run("the same seed finds it again", outcome, is_found(outcome));
  }
  outcome = run_self("race", replay);
  check_run("so does its record", outcome, is_found(outcome));
  remove_file("steer-\xe2\x82\xac.schedule");
}

int main(int argc, char **argv) {
  if (argc > 1)
    return strcmp(argv[1], "day") == 0 ? do_day() : do_race();
  test_day();
  test_race();
  return failures;
}
