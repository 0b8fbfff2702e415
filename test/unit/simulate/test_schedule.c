/* Shuffled schedules: the same seed gives the same run, a record can be replayed, and guarantees hold. */
#include <fcntl.h>
#include <unistd.h>

#include "rota.h"
#include "test.h"

enum { PIPES = 4, JOBS = 8, TIMERS = 6 };

/* ---- a program with all sorts of events, whose story depends on the schedule ---- */

static char story[4096];
static uv_pipe_t readers[PIPES];
static uv_work_t jobs[JOBS];
static uv_timer_t timers[TIMERS];
static uv_check_t check;
static int bytes_read[PIPES], left, last_timer;

static void tell(char kind, int number) {
  size_t length = strlen(story);
  snprintf(story + length, sizeof(story) - length, "%c%d ", kind, number);
  if (--left == 0)
    uv_check_stop(&check);
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
  static char byte;
  (void)handle;
  (void)size;
  *buf = uv_buf_init(&byte, 1);
}

/* Bytes of one descriptor come in order, whatever the seed. */
static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf) {
  int i = (int)((uv_pipe_t *)stream - readers);
  if (n == 0)
    return;
  CHECK_EQ(n, 1);
  CHECK_EQ(buf->base[0], bytes_read[i]);
  tell('r', i);
  if (++bytes_read[i] == 3)
    uv_close((uv_handle_t *)stream, NULL);
}

static void run_job(uv_work_t *req) {
  (void)req;
}

static void after_job(uv_work_t *req, int status) {
  CHECK_EQ(status, 0);
  tell('j', (int)(req - jobs));
}

/* All of them have the same time, and are started in order. */
static void on_timer(uv_timer_t *timer) {
  int i = (int)(timer - timers);
  CHECK_EQ(i, last_timer++);
  tell('t', i);
}

static void on_check(uv_check_t *handle) {
  (void)handle;
}

static const char *run_program(void) {
  uv_loop_t loop;
  int fds[2];
  CHECK_EQ(uv_loop_init(&loop), 0);
  story[0] = '\0';
  last_timer = 0;
  left = PIPES * 3 + JOBS + TIMERS;
  uv_check_init(&loop, &check);
  uv_check_start(&check, on_check);
  for (int i = 0; i < PIPES; i++) {
    bytes_read[i] = 0;
    CHECK_EQ(pipe(fds), 0);
    CHECK_EQ(write(fds[1], "\0\1\2", 3), 3);
    close(fds[1]);
    uv_pipe_init(&loop, &readers[i], 0);
    CHECK_EQ(uv_pipe_open(&readers[i], fds[0]), 0);
    CHECK_EQ(uv_read_start((uv_stream_t *)&readers[i], on_alloc, on_read), 0);
  }
  for (int i = 0; i < JOBS; i++)
    CHECK_EQ(uv_queue_work(&loop, &jobs[i], run_job, after_job), 0);
  for (int i = 0; i < TIMERS; i++) {
    uv_timer_init(&loop, &timers[i]);
    uv_timer_start(&timers[i], on_timer, 5, 0);
  }
  uv_run(&loop, UV_RUN_DEFAULT);
  for (int i = 0; i < TIMERS; i++)
    uv_close((uv_handle_t *)&timers[i], NULL);
  uv_close((uv_handle_t *)&check, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
  CHECK_EQ(uv_loop_close(&loop), 0);
  CHECK_EQ(left, 0);
  return story;
}

/* A process has one schedule, so each run has a process of its own. */
HELPER(run_scheduled) {
  rota_schedule_options_t options = {.seed = strtoull(argv[1], NULL, 10)};
  options.record = argv[2][0] == '-' ? NULL : argv[2];
  options.replay = argc > 3 ? argv[3] : NULL;
  CHECK_EQ(rota_virtual_time_start(NULL), 0);
  CHECK_EQ(rota_schedule_start(&options), 0);
  CHECK_EQ(rota_schedule_start(&options), UV_EALREADY);
  CHECK_EQ(rota_steering(), ROTA_STEER_TIME | ROTA_STEER_SCHEDULE);
  puts(run_program());
  return 0;
}

static void story_of(const char *seed, const char *record, const char *replay, char *to, size_t size) {
  char command[4096];
  snprintf(command, sizeof(command), "%s --helper run_scheduled %s %s %s", test_program(), seed, record, replay);
  FILE *output = popen(command, "r");
  CHECK(output != NULL);
  size_t length = fread(to, 1, size - 1, output);
  to[length] = '\0';
  CHECK_EQ(pclose(output), 0);
  CHECK(length > 0);
}

TEST(schedule_of_a_seed_is_the_same_every_time) {
  static char first[4096], again[4096];
  int different = 0;
  for (int seed = 1; seed <= 4; seed++) {
    char number[16];
    snprintf(number, sizeof(number), "%d", seed);
    story_of(number, "record", "", first, sizeof(first));
    for (int i = 0; i < 3; i++) {
      story_of(number, "-", "", again, sizeof(again));
      CHECK_STR(again, first);
    }
    story_of("0", "-", "record", again, sizeof(again));
    CHECK_STR(again, first);
    story_of("0", "-", "/dev/null", again, sizeof(again));
    different += strcmp(again, first) != 0;
  }
  CHECK(different > 0);
}

TEST(schedule_that_cannot_be) {
  rota_schedule_options_t nowhere = {.replay = "nowhere"}, strange = {.replay = "strange"}, unknown = {.without = "x"};
  FILE *file = fopen("strange", "w");
  fputs("this is no record\n", file);
  fclose(file);
  CHECK_EQ(rota_schedule_start(&nowhere), UV_ENOENT);
  CHECK_EQ(rota_schedule_start(&strange), UV_EINVAL);
  CHECK_EQ(rota_schedule_start(&unknown), UV_EINVAL);
  CHECK_EQ(rota_steering(), 0);
}

static uv_sem_t begun;

static void say_begun(uv_work_t *req) {
  (void)req;
  uv_sem_post(&begun);
}

/* A loop that waits for a job, outside of uv_run, gets it; and one that waits for another job does not hold it up. */
static void wait_for_begun(uv_work_t *req) {
  (void)req;
  uv_sem_wait(&begun);
}

static void on_absent_job(uv_work_t *req, int status) {
  (void)req;
  CHECK_EQ(status, 0);
  left++;
}

TEST(schedule_lets_those_through_who_wait_for_a_job) {
  rota_schedule_options_t options = {.seed = 5};
  uv_work_t work[3];
  CHECK_EQ(rota_schedule_start(&options), 0);
  uv_loop_t *loop = uv_default_loop();
  uv_sem_init(&begun, 0);
  CHECK_EQ(uv_queue_work(loop, &work[0], say_begun, on_absent_job), 0);
  uv_sem_wait(&begun);
  CHECK_EQ(uv_queue_work(loop, &work[1], wait_for_begun, on_absent_job), 0);
  CHECK_EQ(uv_queue_work(loop, &work[2], say_begun, on_absent_job), 0);
  uv_run(loop, UV_RUN_DEFAULT);
  CHECK_EQ(left, 3);
  CHECK_EQ(uv_queue_work(loop, &work[0], say_begun, on_absent_job), 0);
  CHECK_EQ(uv_cancel((uv_req_t *)&work[0]), 0);
  work[0].after_work_cb = NULL;
  uv_run(loop, UV_RUN_DEFAULT);
  uv_sem_destroy(&begun);
  test_close_default_loop();
}

TEST(schedule_for_a_loop_that_was_there_before) {
  rota_schedule_options_t options = {.seed = 5};
  uv_loop_t *loop = uv_default_loop();
  uv_work_t work;
  CHECK_EQ(rota_schedule_start(&options), 0);
  CHECK_EQ(rota_steer(loop), 0);
  left = 0;
  CHECK_EQ(uv_queue_work(loop, &work, run_job, on_absent_job), 0);
  uv_run(loop, UV_RUN_DEFAULT);
  CHECK_EQ(left, 1);
  test_close_default_loop();
}

/* ---- many loops, each on a thread of its own, in virtual time ---- */

enum { LOOPS = 60, ROUNDS = 50 };

static void on_round(uv_timer_t *timer) {
  int *rounds = timer->data;
  if (++*rounds == ROUNDS)
    uv_close((uv_handle_t *)timer, NULL);
}

static void run_a_loop(void *argument) {
  uv_loop_t loop;
  uv_timer_t timer;
  int rounds = 0;
  (void)argument;
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK_EQ(uv_timer_init(&loop, &timer), 0);
  timer.data = &rounds;
  CHECK_EQ(uv_timer_start(&timer, on_round, 1, 1), 0);
  CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(rounds, ROUNDS);
  CHECK_EQ(uv_loop_close(&loop), 0);
}

/* The loops wake each other all the time, and a loop that was woken too early goes on waiting: the next wake-up must
 * reach it. */
TEST(schedule_of_many_loops_comes_to_an_end) {
  rota_schedule_options_t options = {.seed = 3};
  uv_thread_t threads[LOOPS];
  CHECK_EQ(rota_virtual_time_start(NULL), 0);
  CHECK_EQ(rota_schedule_start(&options), 0);
  for (int i = 0; i < LOOPS; i++)
    CHECK_EQ(uv_thread_create(&threads[i], run_a_loop, NULL), 0);
  for (int i = 0; i < LOOPS; i++)
    CHECK_EQ(uv_thread_join(&threads[i]), 0);
}
