/* What an embedder reports of its own callbacks, queues and stacks, and how the trace shows it. */
#include "trace_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uv_timer_t timer;
static uv_check_t check;
static uv_work_t jobs[4];
static uv_fs_t file;

/* Three callbacks of the embedder's in one of the loop's; the second has ticks and microtasks. */
static void several(uv_timer_t *handle) {
  uv_loop_t *loop = handle->loop;
  burn_ms(3);
  rota_call_next(loop, rota_name("first", "app.js", 7), uv_hrtime() - 5000000);
  burn_ms(4);
  rota_call_next(loop, rota_name("second", "app.js", 9), 0);
  rota_drain_open(loop, 0, 0);
  for (int i = 0; i < 3; i++)
    rota_drain_step(loop, rota_name("a tick", NULL, 0));
  burn_ms(2);
  rota_drain_close(loop, 0, 3);
  rota_drain_open(loop, 1, 3);
  rota_drain_close(loop, 1, 0); /* none: it is left out */
  rota_call_next(loop, rota_name("third", "app.js", 11), 0);
  burn_ms(2);
  uv_close((uv_handle_t *)handle, NULL);
}

static void housekeeping(uv_check_t *handle) {
  rota_name_call(handle->loop, ROTA_NAME_NONE);
  uv_close((uv_handle_t *)handle, NULL);
}

TEST(trace_tells_of_an_embedders_callbacks) {
  struct trace_text trace;
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(rota_trace_start("trace.json", NULL), 0);
  CHECK_EQ(rota_observe(loop), 0);
  rota_call_open(loop, rota_name("main script", "app.js", 1));
  burn_ms(5);
  rota_call_close(loop);
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, several, 5, 0), 0);
  CHECK_EQ(uv_check_init(loop, &check), 0);
  CHECK_EQ(uv_check_start(&check, housekeeping), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(rota_trace_stop(), 0);
  trace_read("trace.json", &trace);

  CHECK_EQ(trace_count(&trace, "call", NULL), 4);
  const char *names[] = {"main script", "first", "second", "third"};
  for (size_t i = 0; i < 4; i++)
    CHECK_STR(trace_find(&trace, "call", NULL, i)->name, names[i]);
  const struct trace_line *script = trace_find(&trace, "call", "main script", 0);
  CHECK(trace_has(script, "\"phase\":\"outside\"") && trace_has(script, "\"on\":\"program\""));
  CHECK(script->duration_us >= 5000);
  const struct trace_line *first = trace_find(&trace, "call", "first", 0);
  /* The trace counts cycles of the processor, and burn_ms and the due time are of the system's clock: microseconds
   * apart. */
  CHECK(first->duration_us >= 3990 && trace_number(first, "late_us") >= 4990);
  CHECK(trace_has(first, "\"file\":\"app.js\",\"line\":7"));
  const struct trace_line *second = trace_find(&trace, "call", "second", 0);
  CHECK(!trace_has(second, "late_us"));
  CHECK_EQ(trace_count(&trace, "drain", NULL), 1);
  const struct trace_line *ticks = trace_find(&trace, "drain", "ticks", 0);
  CHECK_EQ((int)trace_number(ticks, "count"), 3);
  CHECK(trace_has(ticks, "\"first\":\"a tick\"") && trace_is_inside(ticks, second));
  CHECK_EQ((int)trace_number(trace_find(&trace, "phase", "timers", 0), "calls"), 3);
  CHECK(trace_find(&trace, "phase", "check", 0) == NULL);
  trace_free(&trace);
  test_close_default_loop();
}

/* A batch: the embedder is entered several times in one callback of the loop. */
static void batch(uv_timer_t *handle) {
  uv_loop_t *loop = handle->loop;
  rota_call_enter(loop, rota_name("one", "app.js", 1));
  rota_call_enter(loop, rota_name("own", NULL, 0));
  rota_name_call(loop, rota_name("two", "app.js", 2));
  burn_ms(5);
  rota_call_enter(loop, rota_name("own", NULL, 0));
  rota_call_next(loop, rota_name("three", "app.js", 3), 0);
  rota_call_next(loop, rota_name("four", "app.js", 4), 0);
  rota_call_enter(loop, rota_name("own", NULL, 0));
  uv_close((uv_handle_t *)handle, NULL);
}

TEST(trace_tells_of_each_time_an_embedder_is_entered) {
  struct trace_text trace;
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(rota_trace_start("trace.json", NULL), 0);
  CHECK_EQ(rota_observe(loop), 0);
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, batch, 1, 0), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(rota_trace_stop(), 0);
  trace_read("trace.json", &trace);
  const char *names[] = {"one", "two", "three", "four", "own"};
  CHECK_EQ(trace_count(&trace, "call", NULL), 5);
  for (size_t i = 0; i < 5; i++)
    CHECK_STR(trace_find(&trace, "call", NULL, i)->name, names[i]);
  CHECK(trace_find(&trace, "call", "two", 0)->duration_us >= 5000);
  CHECK_EQ((int)trace_number(trace_find(&trace, "phase", "timers", 0), "calls"), 5);
  trace_free(&trace);
  test_close_default_loop();
}

/* A burst that is faster than the writer: the queue grows while it is needed. */
TEST(trace_has_room_for_a_burst) {
  enum { MARKS = 100000 };
  struct trace_text trace;
  uint32_t name = rota_name("a mark", NULL, 0);
  CHECK_EQ(rota_trace_start("trace.json", NULL), 0);
  for (int i = 0; i < MARKS; i++)
    rota_trace_mark(name, (uint64_t)i);
  CHECK_EQ(rota_trace_stop(), 0);
  CHECK_EQ((int)rota_trace_dropped(), 0);
  trace_read("trace.json", &trace);
  CHECK_EQ((int)trace_count(&trace, "mark", "a mark"), MARKS);
  /* In their order, though they were in parts of different sizes. */
  CHECK_EQ((int)trace_number(trace_find(&trace, "mark", "a mark", 0), "value"), 0);
  CHECK_EQ((int)trace_number(trace_find(&trace, "mark", "a mark", 12345), "value"), 12345);
  CHECK_EQ((int)trace_number(trace_find(&trace, "mark", "a mark", MARKS - 1), "value"), MARKS - 1);
  trace_free(&trace);
}

static void nothing(uv_work_t *req) {
  (void)req;
}

static void done(uv_work_t *req, int status) {
  (void)req;
  CHECK_EQ(status, 0);
}

TEST(jobs_have_kinds) {
  static const char *const kinds[] = {"work", "file", "name", "crypto"};
  struct trace_text trace;
  rota_stats_t stats;
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(rota_stats_start(), 0);
  CHECK_EQ(rota_trace_start("trace.json", NULL), 0);
  CHECK_EQ(rota_observe(loop), 0);
  CHECK_EQ(rota_queue_work(loop, &jobs[0], (rota_job_kind)9, nothing, done), UV_EINVAL);
  CHECK_EQ(rota_queue_work(loop, &jobs[0], ROTA_JOB_WORK, NULL, done), UV_EINVAL);
  for (int kind = ROTA_JOB_WORK; kind <= ROTA_JOB_CRYPTO; kind++)
    CHECK_EQ(rota_queue_work(loop, &jobs[kind], (rota_job_kind)kind, nothing, done), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(rota_trace_stop(), 0);
  trace_read("trace.json", &trace);
  CHECK_EQ(trace_count(&trace, "job", NULL), 4);
  CHECK_EQ(trace_count(&trace, "job", "nothing"), 1); /* the others are called by their kind */
  for (int i = 1; i < 4; i++)
    CHECK_EQ(trace_count(&trace, "job", kinds[i]), 1);
  CHECK_EQ(rota_stats_get(NULL, ROTA_FIGURE_QUEUE_CRYPTO, &stats), 0);
  CHECK_EQ(stats.count, 1);
  trace_free(&trace);
  test_close_default_loop();
}

static void on_read(uv_fs_t *req) {
  CHECK_EQ(req->result, 4);
  uv_fs_req_cleanup(req);
}

/* By the queue it is a pair of events, by the pool a job. */
TEST(file_operations_of_the_poller_are_told) {
  struct trace_text trace;
  char data[4];
  uv_loop_t *loop = uv_default_loop();
  int fd = open("four", O_CREAT | O_RDWR, 0600);
  CHECK(fd >= 0);
  CHECK_EQ(write(fd, "four", 4), 4);
  CHECK_EQ(rota_trace_start("trace.json", NULL), 0);
  CHECK_EQ(rota_observe(loop), 0);
  uv_buf_t buf = uv_buf_init(data, sizeof(data));
  CHECK_EQ(uv_fs_read(loop, &file, fd, &buf, 1, 0, on_read), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(rota_trace_stop(), 0);
  trace_read("trace.json", &trace);
  bool by_ring = strcmp(rota_backend_name(loop), "io_uring") == 0;
  CHECK_EQ(trace_count(&trace, "operation", "read"), by_ring ? 2 : 0);
  CHECK_EQ(trace_count(&trace, "job", "read"), by_ring ? 0 : 1);
  if (by_ring)
    CHECK(trace_find(&trace, "operation", "read", 0)->phase == 'b' &&
          trace_find(&trace, "operation", "read", 1)->phase == 'e');
  trace_free(&trace);
  close(fd);
  test_close_default_loop();
}

static char *own_stack(void *data) {
  return strdup(data);
}

static int own_words(uv_loop_t *loop, const uv_handle_t *handle, FILE *stream, void *data) {
  (void)loop;
  if (handle != data)
    return 0;
  fputs("  two timers of the embedder's\n", stream);
  return 1;
}

static void never(uv_timer_t *handle) {
  (void)handle;
}

TEST(an_embedder_describes_what_is_alive) {
  uv_timer_t other;
  uv_loop_t *loop = uv_default_loop();
  rota_track_origins(1);
  CHECK_EQ(rota_observe(loop), 0);
  rota_set_stack_hook(own_stack, (void *)"      at here (app.js:5)\n");
  rota_set_alive_hook(own_words, &timer);
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_timer_init(loop, &other), 0);
  CHECK_EQ(uv_timer_start(&timer, never, 100000, 0), 0);
  CHECK_EQ(uv_timer_start(&other, never, 100000, 0), 0);
  FILE *stream = fopen("alive", "w");
  rota_print_alive(loop, stream);
  fclose(stream);
  char *text = read_text("alive");
  CHECK_EQ(count_in(text, "  two timers of the embedder's\n"), 1);
  CHECK_EQ(count_in(text, "      at here (app.js:5)\n"), 1);
  CHECK_EQ(count_in(text, "made by"), 0);
  CHECK_EQ(count_in(text, "calls never"), 0);
  free(text);
  rota_set_stack_hook(NULL, NULL);
  rota_set_alive_hook(NULL, NULL);
  uv_close((uv_handle_t *)&timer, NULL);
  uv_close((uv_handle_t *)&other, NULL);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  test_close_default_loop();
}
