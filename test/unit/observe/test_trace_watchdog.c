/* The watchdog: a callback that blocks a loop is named while it runs, and once; and why a loop is alive. */
#include <errno.h>
#include <fnmatch.h>
#include <time.h>

#include "trace_file.h"

static uv_timer_t timer;
static int calls;

/* ---- blocked by a callback ---- */

static volatile int burnt;

__attribute__((noinline)) static void burn_in_vain(unsigned int ms) {
  burn_ms(ms);
  burnt++; /* there is something to come back to */
}

/* On a busy machine the watchdog may miss one: until it has reported four times, however many calls that takes. */
static void blocking_timer(uv_timer_t *handle) {
  burn_in_vain(200);
  calls++;
  if (output_has("rota: watchdog: a loop is blocked") == 4)
    uv_close((uv_handle_t *)handle, NULL);
}

HELPER(watchdog_blocked) {
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, blocking_timer, 1, 1), 0);
  uv_run(loop, UV_RUN_DEFAULT);
  return calls >= 8 && rota_watchdog_count() == (uint64_t)calls ? 0 : 1;
}

TEST(watchdog_names_a_callback_while_it_burns) {
  CHECK_EQ(run_helper("ROTA_WATCHDOG=60", "watchdog_blocked", "out"), 0);
  char *text = read_text("out");
  /* The first, the second, the fourth and the eighth time. */
  CHECK_EQ(count_in(text, "rota: watchdog: a loop is blocked"), 4);
  CHECK_EQ(count_in(text, " ms by blocking_timer"), 4);
  CHECK_EQ(count_in(text, "rota: watchdog: the loop was blocked for "), 4);
  CHECK_EQ(count_in(text, " ms in all by blocking_timer"), 4);
  CHECK_EQ(count_in(text, ", callback of a timer, in phase timers"), 8);
  CHECK(strstr(text, "; 8 times so far, worst ") != NULL);
  free(text);
}

/* What a run has written. A thread that had no processor when its stack was asked for has none: then it runs again. */
static char *text_with(const char *wanted, const char *environment, const char *helper) {
  char *text = NULL;
  for (int tries = 0; tries < 8 && (text == NULL || strstr(text, wanted) == NULL); tries++) {
    free(text);
    CHECK_EQ(run_helper(environment, helper, "out"), 0);
    text = read_text("out");
  }
  return text;
}

TEST(watchdog_shows_where_the_callback_is) {
  char *text = text_with(" burn_in_vain", "ROTA_WATCHDOG=60", "watchdog_blocked");
  CHECK(strstr(text, " burn_in_vain") != NULL);
  CHECK(strstr(text, " blocking_timer") != NULL);
  CHECK(strstr(text, " uv_run") != NULL);
  free(text);
}

/* Some C libraries cannot be unwound: a stack that is taken in fnmatch ends there. */
__attribute__((noinline)) static void search_and_spin(void) {
  static char text[20000];
  volatile unsigned int spun = 0;
  memset(text, 'a', sizeof text - 1);
  burnt += fnmatch("*b*", text, 0) == 0;
  for (unsigned int i = 0; i < 300000; i++)
    spun = i;
  (void)spun;
}

static void searching_timer(uv_timer_t *handle) {
  while (output_has("rota: watchdog: a loop is blocked") == 0)
    for (int i = 0; i < 1000; i++) {
      search_and_spin();
      burnt++;
    }
  uv_close((uv_handle_t *)handle, NULL);
}

HELPER(watchdog_searching) {
  CHECK_EQ(uv_timer_init(uv_default_loop(), &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, searching_timer, 1, 0), 0);
  uv_run(uv_default_loop(), UV_RUN_DEFAULT);
  return 0;
}

TEST(watchdog_shows_a_callback_that_is_often_in_the_c_library) {
  char *text = text_with(" search_and_spin", "ROTA_WATCHDOG=20", "watchdog_searching");
  CHECK(strstr(text, " search_and_spin") != NULL);
  CHECK(strstr(text, " searching_timer (") != NULL);
  CHECK(strstr(text, " uv_run") != NULL);
  free(text);
}

/* A callback that goes on is reported again, but does not count twice. */
static void stuck_timer(uv_timer_t *handle) {
  burn_in_vain(700);
  uv_close((uv_handle_t *)handle, NULL);
}

HELPER(watchdog_stuck) {
  CHECK_EQ(uv_timer_init(uv_default_loop(), &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, stuck_timer, 1, 0), 0);
  uv_run(uv_default_loop(), UV_RUN_DEFAULT);
  return rota_watchdog_count() == 1 ? 0 : 1;
}

TEST(watchdog_tells_of_one_that_goes_on) {
  CHECK_EQ(run_helper("ROTA_WATCHDOG=40", "watchdog_stuck", "out"), 0);
  char *text = read_text("out");
  CHECK_EQ(count_in(text, "rota: watchdog: a loop is blocked for "), 1);
  CHECK(strstr(text, "times so far") == NULL);
  /* A watchdog that gets no processor sees it late; then the report at ten times the limit never comes. */
  CHECK(count_in(text, "rota: watchdog: a loop is still blocked for ") <= 1);
  free(text);
}

/* ---- starved by ticks ---- */

static rota_ticks_t *ticks;
static const char *enough; /* the last words of the report */

static void recursive_tick(void *data, void *more) {
  if (output_has(enough) == 0)
    CHECK_EQ(rota_tick_enqueue(ticks, recursive_tick, data, more), 0);
}

static void starving_timer(uv_timer_t *handle) {
  enough = ", after starving_timer";
  CHECK_EQ(rota_tick_enqueue(ticks, recursive_tick, NULL, NULL), 0);
  uv_close((uv_handle_t *)handle, NULL);
}

HELPER(watchdog_starved) {
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(rota_ticks_attach(loop, &ticks), 0);
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, starving_timer, 1, 0), 0);
  uv_run(loop, UV_RUN_DEFAULT);
  return 0;
}

HELPER(watchdog_starved_main) {
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(rota_ticks_attach(loop, &ticks), 0);
  enough = ", after code outside of any callback";
  CHECK_EQ(rota_tick_enqueue(ticks, recursive_tick, NULL, NULL), 0);
  rota_ticks_drain(ticks);
  return 0;
}

TEST(watchdog_tells_starvation_by_ticks) {
  CHECK_EQ(run_helper("ROTA_WATCHDOG=50", "watchdog_starved", "out"), 0);
  char *text = read_text("out");
  CHECK(strstr(text, "a loop is starved for ") != NULL);
  CHECK(strstr(text, " by ticks: ") != NULL);
  CHECK(strstr(text, " so far, now recursive_tick") != NULL);
  CHECK(strstr(text, ", after starving_timer") != NULL);
  free(text);
}

TEST(watchdog_sees_ticks_of_the_main_script) {
  CHECK_EQ(run_helper("ROTA_WATCHDOG=50", "watchdog_starved_main", "out"), 0);
  char *text = read_text("out");
  CHECK(strstr(text, "a loop is starved for ") != NULL);
  CHECK(strstr(text, ", after code outside of any callback") != NULL);
  free(text);
}

/* ---- no false reports ---- */

static void sleeping_timer(uv_timer_t *handle) {
  struct timespec half_a_second = {.tv_nsec = 500000000};
  do
    CHECK_EQ(nanosleep(&half_a_second, NULL), 0); /* it must not be interrupted */
  while (output_has("it waits in system call ") == 0);
  uv_close((uv_handle_t *)handle, NULL);
}

HELPER(watchdog_asleep) {
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, sleeping_timer, 1, 0), 0);
  uv_run(loop, UV_RUN_DEFAULT);
  return 0;
}

TEST(watchdog_does_not_disturb_a_callback_that_sleeps) {
  CHECK_EQ(run_helper("ROTA_WATCHDOG=50", "watchdog_asleep", "out"), 0);
  char *text = read_text("out");
  CHECK(strstr(text, "by sleeping_timer") != NULL);
  CHECK(strstr(text, "it waits in system call ") != NULL);
  free(text);
}

static void short_timer(uv_timer_t *handle) {
  if (++calls == 15)
    uv_close((uv_handle_t *)handle, NULL);
}

/* A loop that waits for long, and one that a callback runs: neither is blocked. */
static void running_timer(uv_timer_t *handle) {
  uv_close((uv_handle_t *)handle, NULL);
  static uv_timer_t inner;
  CHECK_EQ(uv_timer_init(handle->loop, &inner), 0);
  CHECK_EQ(uv_timer_start(&inner, short_timer, 100, 100), 0);
  uv_run(handle->loop, UV_RUN_DEFAULT);
}

HELPER(watchdog_quiet) {
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, running_timer, 1500, 0), 0);
  uv_run(loop, UV_RUN_DEFAULT);
  return rota_watchdog_count() == 0 ? 0 : 1;
}

TEST(watchdog_is_quiet_while_loops_wait) {
  CHECK_EQ(run_helper("ROTA_WATCHDOG=1000", "watchdog_quiet", "out"), 0);
  char *text = read_text("out");
  CHECK_STR(text, "");
  free(text);
}

/* ---- the embedder's part ---- */

static uv_sem_t reported;
static int reports;

static void add_stack(uv_loop_t *loop, FILE *report, void *data) {
  CHECK(loop == uv_default_loop());
  CHECK(data == &reports);
  CHECK_EQ(rota_watchdog_call(), rota_call_now(loop, NULL));
  fputs("    at main.js:1\n", report);
  if (++reports == 1)
    uv_sem_post(&reported);
}

static void wait_for_report(uv_timer_t *handle) {
  rota_name_call(handle->loop, rota_name("handler", "main.js", 1));
  uv_sem_wait(&reported);
  uv_close((uv_handle_t *)handle, NULL);
}

TEST(watchdog_calls_the_embedder_while_the_loop_is_blocked) {
  CHECK_EQ(uv_sem_init(&reported, 0), 0);
  CHECK_EQ(rota_watchdog_start(0, NULL, NULL), UV_EINVAL);
  CHECK_EQ(rota_watchdog_start(20, add_stack, &reports), 0);
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, wait_for_report, 1, 0), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(rota_watchdog_count(), 1);
  rota_watchdog_stop();
  CHECK_EQ(rota_observing(), 0);
  test_close_default_loop();
}

static uv_timer_t second_timer;
static uv_sem_t second_runs, compared;

/* The embedder can tell that what runs by now is not what is reported. */
static void compare_calls(uv_loop_t *loop, FILE *report, void *data) {
  (void)report;
  (void)data;
  if (++reports > 1)
    return;
  uint64_t call = rota_watchdog_call();
  CHECK_EQ(call, rota_call_now(loop, NULL));
  uv_sem_post(&reported);
  uv_sem_wait(&second_runs);
  CHECK_EQ(rota_watchdog_call(), call);
  CHECK(rota_call_now(loop, NULL) != call);
  uv_sem_post(&compared);
}

static void wait_for_comparison(uv_timer_t *handle) {
  uv_sem_post(&second_runs);
  uv_sem_wait(&compared);
  uv_close((uv_handle_t *)handle, NULL);
}

TEST(watchdog_tells_the_embedder_which_callback_it_reports) {
  CHECK_EQ(uv_sem_init(&reported, 0), 0);
  CHECK_EQ(uv_sem_init(&second_runs, 0), 0);
  CHECK_EQ(uv_sem_init(&compared, 0), 0);
  CHECK_EQ(rota_watchdog_start(20, compare_calls, NULL), 0);
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_timer_init(loop, &second_timer), 0);
  CHECK_EQ(uv_timer_start(&timer, wait_for_report, 1, 0), 0);
  CHECK_EQ(uv_timer_start(&second_timer, wait_for_comparison, 1, 0), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK(reports >= 1);
  rota_watchdog_stop();
  test_close_default_loop();
}

static void add_frame(uv_loop_t *loop, FILE *report, void *data) {
  (void)loop;
  (void)data;
  fputs("  in JavaScript:\n    at inner (main.js:1)\n    at outer (main.js:9)\n", report);
}

static void reacting_timer(uv_timer_t *handle) {
  rota_name_call(handle->loop, rota_name("(reaction)", NULL, 0));
  while (output_has("rota: watchdog: a loop is blocked") == 0)
    burn_in_vain(20);
  uv_close((uv_handle_t *)handle, NULL);
}

HELPER(watchdog_common_name) {
  CHECK_EQ(rota_watchdog_start(20, add_frame, NULL), 0);
  CHECK_EQ(uv_timer_init(uv_default_loop(), &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, reacting_timer, 1, 0), 0);
  return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}

TEST(watchdog_names_the_place_where_a_name_stands_for_many) {
  CHECK_EQ(run_helper("", "watchdog_common_name", "out"), 0);
  char *text = read_text("out");
  CHECK(strstr(text, "by inner (main.js:1), in (reaction), callback of a timer, in phase timers") != NULL);
  free(text);
}

/* ---- what took the time ---- */

static void sampled_timer(uv_timer_t *handle) {
  const uint32_t names[] = {rota_name("outer", "main.js", 1), rota_name("inner", "main.js", 3)};
  while (output_has("rota: watchdog: a loop is blocked") == 0)
    burn_in_vain(20);
  rota_watchdog_sample(handle->loop, names, 2, 3600 * (uint64_t)1000000000);
  uv_close((uv_handle_t *)handle, NULL);
}

HELPER(watchdog_sampled) {
  CHECK_EQ(uv_timer_init(uv_default_loop(), &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, sampled_timer, 1, 0), 0);
  return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}

TEST(watchdog_tells_what_an_embedder_has_seen_of_the_time) {
  CHECK_EQ(run_helper("ROTA_WATCHDOG=20", "watchdog_sampled", "out"), 0);
  char *text = read_text("out");
  CHECK(strstr(text, " ms in all by sampled_timer") != NULL);
  CHECK(strstr(text, "; 3600000 ms of it in inner (main.js:3)\n") != NULL);
  free(text);
}

/* ---- as JSON ---- */

static void odd_timer(uv_timer_t *handle) {
  rota_name_call(handle->loop, rota_name("\"\\\n\x80\xC3\xA4\xED\xA0\x80", "caf\xE9.js", 7));
  while (output_has("\"event\":\"blocked\"") == 0)
    burn_in_vain(20);
  uv_close((uv_handle_t *)handle, NULL);
}

HELPER(watchdog_json) {
  CHECK_EQ(uv_timer_init(uv_default_loop(), &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, odd_timer, 1, 0), 0);
  return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}

/* Names may be anything; JSON is UTF-8. */
TEST(watchdog_writes_json_whatever_the_names_are) {
  char *text = text_with("\"native_stack\":[\"", "ROTA_WATCHDOG=20 ROTA_WATCHDOG_FORMAT=json", "watchdog_json");
  CHECK(strstr(text, "\"function\":\"\\\"\\\\\\u000a\\ufffd\xC3\xA4\\ufffd\\ufffd\\ufffd\",\"file\":\"caf\\ufffd.js\","
                     "\"line\":7") != NULL);
  CHECK(strstr(text, "\"native_stack\":[\"") != NULL);
  CHECK_EQ(count_in(text, "{\"event\":\"ended\",\"time\":\"2"), 1);
  CHECK_EQ(count_in(text, "{\"event\":\"blocked\""), 1);
  CHECK(count_in(text, "\"block\":1,") >= 2); /* where a stack takes long, it is still blocked meanwhile */
  CHECK(strstr(text, "\"block\":2,") == NULL);
  free(text);
}

/* ---- why alive ---- */

static void alive_timer(uv_timer_t *handle) {
  (void)handle;
}

static uv_sem_t hold;

static void alive_work(uv_work_t *request) {
  (void)request;
  uv_sem_wait(&hold);
}

static void alive_after(uv_work_t *request, int status) {
  (void)request;
  (void)status;
}

static void alive_connection(uv_stream_t *server, int status) {
  (void)server;
  (void)status;
}

__attribute__((noinline)) static void make_timer(uv_loop_t *loop, uv_timer_t *handle) {
  CHECK_EQ(uv_timer_init(loop, handle), 0);
  CHECK_EQ(uv_timer_start(handle, alive_timer, 1000000, 5000), 0);
}

static char *print_alive(uv_loop_t *loop) {
  FILE *stream = fopen("alive", "w");
  CHECK(stream != NULL);
  rota_print_alive(loop, stream);
  fclose(stream);
  return read_text("alive");
}

TEST(alive_lists_what_keeps_a_loop_alive) {
  uv_loop_t loop;
  uv_timer_t unreferenced;
  uv_tcp_t server;
  uv_work_t works[2];
  struct sockaddr_in address;
  char *text;
  CHECK_EQ(uv_sem_init(&hold, 0), 0);
  CHECK_EQ(uv_loop_init(&loop), 0);
  make_timer(&loop, &timer);
  CHECK_EQ(uv_queue_work(&loop, &works[0], alive_work, alive_after), 0);
  text = print_alive(&loop);
  CHECK(strstr(text, "is alive: 1 handle, 1 request\n") != NULL);
  CHECK(strstr(text, "  timer ") != NULL);
  CHECK(strstr(text, ", every 5000 ms") != NULL);
  CHECK(strstr(text, "calls alive_timer") != NULL);
  CHECK(strstr(text, "made by") == NULL);
  CHECK(strstr(text, "  1 request to the thread pool or the system") != NULL);
  free(text);

  rota_track_origins(1);
  CHECK_EQ(rota_observe(&loop), 0);
  make_timer(&loop, &unreferenced);
  uv_unref((uv_handle_t *)&unreferenced);
  CHECK_EQ(uv_tcp_init(&loop, &server), 0);
  CHECK_EQ(uv_ip4_addr("127.0.0.1", 0, &address), 0);
  CHECK_EQ(uv_tcp_bind(&server, (struct sockaddr *)&address, 0), 0);
  CHECK_EQ(uv_listen((uv_stream_t *)&server, 1, alive_connection), 0);
  CHECK_EQ(uv_queue_work(&loop, &works[1], alive_work, alive_after), 0);
  text = print_alive(&loop);
  CHECK(strstr(text, "is alive: 2 handles, 2 requests") != NULL);
  CHECK_EQ(count_in(text, "  timer "), 1);
  CHECK(strstr(text, "listening on 127.0.0.1:") != NULL);
  CHECK(strstr(text, "calls alive_connection") != NULL);
  CHECK(strstr(text, "  request work ") != NULL);
  CHECK(strstr(text, "calls alive_work") != NULL);
  CHECK_EQ(count_in(text, "made by "), 2);
  CHECK(strstr(text, "alive_lists_what_keeps_a_loop_alive") != NULL);
  CHECK(strstr(text, "  1 request to the thread pool or the system") != NULL);
  free(text);

  uv_sem_post(&hold);
  uv_sem_post(&hold);
  uv_close((uv_handle_t *)&timer, NULL);
  uv_close((uv_handle_t *)&unreferenced, NULL);
  uv_close((uv_handle_t *)&server, NULL);
  CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
  text = print_alive(&loop);
  CHECK(strstr(text, "is not alive: 0 handles, 0 requests") != NULL);
  CHECK_EQ(count_in(text, "\n"), 1);
  free(text);
  CHECK_EQ(uv_loop_close(&loop), 0);
  rota_track_origins(0);
}

static void ask(uv_timer_t *handle) {
  CHECK_EQ(uv_kill(uv_os_getpid(), SIGUSR2), 0);
  uv_timer_stop(handle);
}

static void stop_loop(uv_timer_t *handle) {
  if (output_has("in make_timer") > 0)
    uv_stop(handle->loop);
}

HELPER(alive_asked) {
  uv_loop_t *loop = uv_default_loop();
  uv_timer_t asking, stopping, other;
  make_timer(loop, &other);
  CHECK_EQ(uv_timer_init(loop, &asking), 0);
  CHECK_EQ(uv_timer_start(&asking, ask, 50, 0), 0);
  CHECK_EQ(uv_timer_init(loop, &stopping), 0);
  CHECK_EQ(uv_timer_start(&stopping, stop_loop, 100, 100), 0);
  uv_run(loop, UV_RUN_DEFAULT);
  return 0;
}

TEST(alive_is_told_on_the_signal) {
  CHECK_EQ(run_helper("ROTA_WHY=1", "alive_asked", "out"), 0);
  char *text = read_text("out");
  CHECK(strstr(text, "is alive: 2 handles, 0 requests") != NULL);
  CHECK(strstr(text, "in make_timer") != NULL);
  free(text);
}
