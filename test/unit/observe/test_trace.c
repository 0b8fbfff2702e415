/* The trace: the file of a program with known phases and durations; names, drops, forks, and abrupt ends. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace_file.h"

/* ---- a program with known phases ---- */

static uv_timer_t timer;
static uv_idle_t idle;
static uv_prepare_t prepare;
static uv_check_t check;
static uv_work_t work;
static int timer_calls;

static void known_close(uv_handle_t *handle) {
  (void)handle;
  burn_ms(2);
}

static void known_check(uv_check_t *handle) {
  burn_ms(3);
  uv_close((uv_handle_t *)handle, known_close);
}

static void known_prepare(uv_prepare_t *handle) {
  burn_ms(4);
  uv_prepare_stop(handle);
}

static void known_idle(uv_idle_t *handle) {
  burn_ms(5);
  uv_idle_stop(handle);
}

static void known_work(uv_work_t *request) {
  (void)request;
  burn_ms(6);
}

static void known_after(uv_work_t *request, int status) {
  (void)request;
  CHECK_EQ(status, 0);
  burn_ms(7);
}

static void known_timer(uv_timer_t *handle) {
  burn_ms(8);
  if (++timer_calls == 2)
    uv_timer_stop(handle);
}

static void run_known_phases(uv_loop_t *loop) {
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_idle_init(loop, &idle), 0);
  CHECK_EQ(uv_prepare_init(loop, &prepare), 0);
  CHECK_EQ(uv_check_init(loop, &check), 0);
  CHECK_EQ(uv_timer_start(&timer, known_timer, 600, 600), 0);
  CHECK_EQ(uv_idle_start(&idle, known_idle), 0);
  CHECK_EQ(uv_prepare_start(&prepare, known_prepare), 0);
  CHECK_EQ(uv_check_start(&check, known_check), 0);
  CHECK_EQ(uv_queue_work(loop, &work, known_work, known_after), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
}

static void check_call(const struct trace_text *trace, const char *name, const char *phase, const char *on,
                       double burnt_ms) {
  char part[64];
  const struct trace_line *call = trace_find(trace, "call", name, 0);
  CHECK(call != NULL);
  CHECK(call->duration_us >= burnt_ms * 1000 - 10);
  snprintf(part, sizeof(part), "\"phase\":\"%s\"", phase);
  CHECK(trace_has(call, part));
  snprintf(part, sizeof(part), "\"on\":\"%s\"", on);
  CHECK(trace_has(call, part));
  /* It is inside of a phase of that name and, except for the first timers, inside of an iteration. */
  bool inside = false;
  for (size_t i = 0; i < trace_count(trace, "phase", phase); i++)
    inside = inside || trace_is_inside(call, trace_find(trace, "phase", phase, i));
  CHECK(inside);
  inside = strcmp(phase, "timers") == 0;
  for (size_t i = 0; i < trace_count(trace, "iteration", NULL); i++)
    inside = inside || trace_is_inside(call, trace_find(trace, "iteration", NULL, i));
  CHECK(inside);
}

static void check_known_phases(const char *backend) {
  uv_loop_t loop;
  struct trace_text trace;
  static const char *const order[] = {"known_idle", "known_prepare", "known_check", "known_close"};
  CHECK_EQ(uv_os_setenv("ROTA_POLLER", backend), 0);
  CHECK_EQ(rota_trace_start("known.json", NULL), 0);
  CHECK_EQ(rota_trace_start("known.json", NULL), UV_EALREADY);
  CHECK_EQ(rota_observing(), ROTA_OBSERVE_TRACE);
  CHECK_EQ(uv_loop_init(&loop), 0);
  if (strcmp(rota_backend_name(&loop), backend) != 0 && strcmp(backend, "uring") != 0)
    test_fail(__FILE__, __LINE__, "the backend is %s", rota_backend_name(&loop));
  run_known_phases(&loop);
  uv_close((uv_handle_t *)&timer, NULL);
  uv_close((uv_handle_t *)&idle, NULL);
  uv_close((uv_handle_t *)&prepare, NULL);
  CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(uv_loop_close(&loop), 0);
  CHECK_EQ(rota_trace_stop(), 0);
  CHECK_EQ(rota_trace_stop(), UV_EINVAL);
  CHECK_EQ(rota_observing(), 0);

  trace_read("known.json", &trace);
  CHECK(trace.ended);
  check_call(&trace, "known_idle", "idle", "idle", 5);
  check_call(&trace, "known_prepare", "prepare", "prepare", 4);
  check_call(&trace, "known_check", "check", "check", 3);
  check_call(&trace, "known_close", "closing", "check", 2);
  check_call(&trace, "known_after", "poll", "work", 7);
  check_call(&trace, "known_timer", "timers", "timer", 8);
  /* Just these calls, and no others. */
  CHECK_EQ(trace_count(&trace, "call", NULL), 7);
  CHECK_EQ(trace_count(&trace, "call", "known_timer"), 2);
  for (size_t i = 0; i + 1 < sizeof(order) / sizeof(order[0]); i++)
    CHECK(trace_find(&trace, "call", order[i], 0)->at_us + trace_find(&trace, "call", order[i], 0)->duration_us <=
          trace_find(&trace, "call", order[i + 1], 0)->at_us + 0.002);
  /* Only phases in which something ran, or that waited. */
  CHECK_EQ(trace_count(&trace, "phase", "idle"), 1);
  CHECK_EQ(trace_count(&trace, "phase", "prepare"), 1);
  CHECK_EQ(trace_count(&trace, "phase", "check"), 1);
  CHECK_EQ(trace_count(&trace, "phase", "timers"), 2);
  CHECK_EQ(trace_count(&trace, "phase", "pending"), 0);

  const struct trace_line *job = trace_find(&trace, "job", "known_work", 0);
  CHECK(job != NULL && job->duration_us >= 5990);
  CHECK(trace_has(job, "\"kind\":\"work\""));
  CHECK(trace_number(job, "queue_us") >= 0);
  CHECK(job->track != trace_find(&trace, "call", "known_after", 0)->track);
  CHECK(trace_find(&trace, "call", "known_after", 0)->at_us >= job->at_us + job->duration_us - 10);

  /* The loop waited for the timers; it is told how long it might. */
  double longest_us = 0;
  for (size_t i = 0; i < trace_count(&trace, "wait", "wait"); i++) {
    const struct trace_line *wait = trace_find(&trace, "wait", "wait", i);
    CHECK(trace_number(wait, "timeout_us") <= 600000);
    longest_us = wait->duration_us > longest_us ? wait->duration_us : longest_us;
  }
  CHECK(longest_us > 1000);
  CHECK(trace_number(trace_find(&trace, "call", "known_timer", 0), "late_us") < 1e6);
  CHECK_EQ((long long)trace_number(trace_find(&trace, NULL, "rota_end", 0), "dropped"), 0);
  /* Where the function is, once. */
  CHECK_EQ(trace_count(&trace, NULL, "rota_symbol"), 7);
  trace_free(&trace);
}

TEST(trace_holds_known_phases_on_epoll) {
  check_known_phases("epoll");
}

TEST(trace_holds_known_phases_on_the_ring) {
  check_known_phases("uring");
}

/* ---- ticks, nested runs, names, marks ---- */

static rota_ticks_t *ticks;
static int ticks_to_go;

static void one_tick(void *data, void *more) {
  (void)data;
  (void)more;
  if (--ticks_to_go > 0)
    CHECK_EQ(rota_tick_enqueue(ticks, one_tick, NULL, NULL), 0);
}

static void one_microtask(void *data, void *more) {
  (void)data;
  (void)more;
}

static void tick_timer(uv_timer_t *handle) {
  uv_close((uv_handle_t *)handle, NULL);
  ticks_to_go = 5;
  CHECK_EQ(rota_tick_enqueue(ticks, one_tick, NULL, NULL), 0);
  CHECK_EQ(rota_microtask_enqueue(ticks, one_microtask, NULL, NULL), 0);
  CHECK_EQ(rota_microtask_enqueue(ticks, one_microtask, NULL, NULL), 0);
  uint32_t name = rota_name("onTimeout \"quoted\"", "/app/main.js", 42);
  CHECK(name != 0);
  CHECK_EQ(rota_name("onTimeout \"quoted\"", "/app/main.js", 42), name);
  CHECK(rota_name("onTimeout", "/app/main.js", 43) != name);
  rota_name_call(handle->loop, name);
  rota_trace_mark(rota_name("mark", NULL, 0), 7);
  uint64_t now_ns = uv_hrtime();
  rota_trace_span(rota_name("span", "x.js", 1), now_ns - 1000, now_ns);
}

TEST(trace_counts_ticks_and_microtasks_and_takes_names) {
  uv_loop_t loop;
  struct trace_text trace;
  CHECK_EQ(rota_trace_start("ticks.json", NULL), 0);
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK_EQ(rota_ticks_attach(&loop, &ticks), 0);
  CHECK_EQ(uv_timer_init(&loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, tick_timer, 0, 0), 0);
  CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(rota_ticks_detach(ticks), 0);
  CHECK_EQ(uv_loop_close(&loop), 0);
  CHECK_EQ(rota_trace_stop(), 0);
  trace_read("ticks.json", &trace);
  const struct trace_line *call = trace_find(&trace, "call", NULL, 0);
  CHECK(trace_has(call, "\"name\":\"onTimeout \\\"quoted\\\"\""));
  CHECK(trace_has(call, "\"file\":\"/app/main.js\",\"line\":42"));
  const struct trace_line *drained = trace_find(&trace, "drain", "ticks", 0);
  const struct trace_line *microtasks = trace_find(&trace, "drain", "microtasks", 0);
  CHECK(drained != NULL && microtasks != NULL);
  CHECK_EQ((long long)trace_number(drained, "count"), 5);
  CHECK_EQ((long long)trace_number(microtasks, "count"), 2);
  CHECK(trace_is_inside(drained, call));
  CHECK(trace_is_inside(microtasks, call));
  CHECK(microtasks->at_us >= drained->at_us + drained->duration_us - 0.002);
  CHECK_EQ((long long)trace_number(trace_find(&trace, "mark", "mark", 0), "value"), 7);
  CHECK(trace_find(&trace, "span", "span", 0)->duration_us >= 0.99);
  CHECK_EQ(trace_count(&trace, "call", NULL), 1);
  trace_free(&trace);
}

static void inner_timer(uv_timer_t *handle) {
  burn_ms(1);
  uv_close((uv_handle_t *)handle, NULL);
}

static void outer_timer(uv_timer_t *handle) {
  static uv_timer_t inner;
  CHECK_EQ(uv_timer_init(handle->loop, &inner), 0);
  CHECK_EQ(uv_timer_start(&inner, inner_timer, 5, 0), 0);
  uv_close((uv_handle_t *)handle, NULL);
  CHECK_EQ(uv_run(handle->loop, UV_RUN_DEFAULT), 0);
  burn_ms(1);
}

TEST(trace_of_a_loop_that_a_callback_runs) {
  uv_loop_t loop;
  struct trace_text trace;
  CHECK_EQ(rota_trace_start("nested.json", NULL), 0);
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK_EQ(uv_timer_init(&loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, outer_timer, 0, 0), 0);
  CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(uv_loop_close(&loop), 0);
  CHECK_EQ(rota_trace_stop(), 0);
  trace_read("nested.json", &trace);
  CHECK_EQ(trace_count(&trace, "call", NULL), 2);
  const struct trace_line *outer = trace_find(&trace, "call", "outer_timer", 0);
  CHECK(trace_is_inside(trace_find(&trace, "call", "inner_timer", 0), outer));
  CHECK(outer->duration_us >= 5000);
  /* The phase that the outer one is in goes on after the inner run. */
  bool inside = false;
  for (size_t i = 0; i < trace_count(&trace, "phase", "timers"); i++)
    inside = inside || trace_is_inside(outer, trace_find(&trace, "phase", "timers", i));
  CHECK(inside);
  trace_free(&trace);
}

/* ---- a loop that was there before ---- */

static void start_trace(uv_timer_t *handle) {
  if (++timer_calls == 1) {
    CHECK_EQ(rota_trace_start("late.json", NULL), 0);
    CHECK_EQ(rota_observe(handle->loop), 0);
  } else if (timer_calls == 4) {
    uv_close((uv_handle_t *)handle, NULL);
  }
}

TEST(trace_may_begin_inside_of_a_callback) {
  uv_loop_t *loop = uv_default_loop();
  struct trace_text trace;
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, start_trace, 1, 1), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  test_close_default_loop();
  CHECK_EQ(rota_trace_stop(), 0);
  trace_read("late.json", &trace);
  CHECK_EQ(trace_count(&trace, "call", "start_trace"), 3);
  CHECK(trace_count(&trace, "phase", "timers") >= 3);
  trace_free(&trace);
}

/* ---- drops ---- */

static int iterations;

static void count_iteration(uv_idle_t *handle) {
  if (++iterations == 20000)
    uv_close((uv_handle_t *)handle, NULL);
}

TEST(trace_counts_what_it_drops) {
  uv_loop_t loop;
  struct trace_text trace;
  rota_trace_options_t options = {.loop_events = 100};
  CHECK_EQ(rota_trace_start("drops.json", &options), UV_EINVAL);
  options.loop_events = 64;
  options.flush_ms = 100;
  CHECK_EQ(rota_trace_start("drops.json", &options), 0);
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK_EQ(uv_idle_init(&loop, &idle), 0);
  CHECK_EQ(uv_idle_start(&idle, count_iteration), 0);
  CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(uv_loop_close(&loop), 0);
  CHECK_EQ(rota_trace_stop(), 0);
  trace_read("drops.json", &trace);
  uint64_t told = 0;
  for (size_t i = 0; i < trace_count(&trace, "rota", "dropped"); i++)
    told += (uint64_t)trace_number(trace_find(&trace, "rota", "dropped", i), "events");
  CHECK(told > 0);
  CHECK_EQ(told, rota_trace_dropped());
  CHECK_EQ(told, (uint64_t)trace_number(trace_find(&trace, NULL, "rota_end", 0), "dropped"));
  /* For each iteration there are a callback, a phase and the iteration itself: written, or counted. */
  uint64_t written = (uint64_t)trace_number(trace_find(&trace, NULL, "rota_end", 0), "events");
  CHECK_EQ(trace_count(&trace, "call", NULL) + trace_count(&trace, "phase", NULL) +
               trace_count(&trace, "iteration", NULL) + trace_count(&trace, "wait", NULL),
           written);
  CHECK(written + told >= 60000 && written + told <= 60010);
  trace_free(&trace);
}

/* ---- ends that come suddenly ---- */

static void endless_timer(uv_timer_t *handle) {
  (void)handle;
  burn_ms(1);
}

HELPER(trace_endless) {
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, endless_timer, 1, 1), 0);
  uv_run(loop, UV_RUN_DEFAULT);
  return 0;
}

static int times_in(const char *text, const char *word) {
  int times = 0;
  while ((text = strstr(text, word)) != NULL) {
    times++;
    text += strlen(word);
  }
  return times;
}

TEST(trace_is_readable_after_kill) {
  struct trace_text trace;
  char *arguments[] = {(char *)test_program(), "--helper", "trace_endless", NULL};
  char *environment[] = {"ROTA_TRACE=killed.json", NULL};
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    execve(arguments[0], arguments, environment);
    _exit(127);
  }
  for (int i = 0; i < 3000; i++) {
    char *text = read_text("killed.json");
    bool enough = times_in(text, "endless_timer") > 10;
    free(text);
    if (enough)
      break;
    uv_sleep(10);
  }
  CHECK_EQ(kill(pid, SIGKILL), 0);
  CHECK_EQ(waitpid(pid, NULL, 0), pid);
  trace_read("killed.json", &trace);
  CHECK(!trace.ended);
  CHECK(trace_count(&trace, "call", "endless_timer") > 5);
  trace_free(&trace);
}

static void abort_later(uv_timer_t *handle) {
  (void)handle;
  burn_ms(300);
  abort();
}

HELPER(trace_abort) {
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, abort_later, 1, 0), 0);
  uv_run(loop, UV_RUN_DEFAULT);
  return 0;
}

TEST(trace_names_the_callback_that_never_ended) {
  struct trace_text trace;
  CHECK(run_helper("ROTA_TRACE=aborted.json", "trace_abort", "out") != 0);
  trace_read("aborted.json", &trace);
  CHECK(trace.is_array && trace.ended);
  CHECK_EQ(trace_count(&trace, "call", NULL), 0);
  const struct trace_line *running = trace_find(&trace, "rota", "still running", 0);
  CHECK(trace_has(running, "\"call\":\"abort_later\""));
  trace_free(&trace);
}

/* ---- processes ---- */

static void run_one_timer(uv_loop_t *loop) {
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, inner_timer, 1, 0), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
}

static void check_fork(const char *pattern, bool child_writes) {
  struct trace_text trace;
  char path[64];
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(rota_trace_start(pattern, NULL), 0);
  CHECK_EQ(rota_observe(loop), 0);
  run_one_timer(loop);
  fflush(NULL);
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    if (uv_loop_fork(loop) != 0)
      _exit(1);
    run_one_timer(loop);
    run_one_timer(loop);
    exit(rota_observing() == (child_writes ? ROTA_OBSERVE_TRACE : 0u) ? 0 : 2);
  }
  int status;
  CHECK_EQ(waitpid(pid, &status, 0), pid);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 0);
  run_one_timer(loop);
  test_close_default_loop();
  CHECK_EQ(rota_trace_stop(), 0);

  snprintf(path, sizeof(path), child_writes ? "t.%d.json" : "plain.json", (int)getpid());
  trace_read(path, &trace);
  CHECK(trace.ended);
  CHECK_EQ(trace_count(&trace, "call", "inner_timer"), 2);
  trace_free(&trace);
  snprintf(path, sizeof(path), "t.%d.json", (int)pid);
  CHECK_EQ(access(path, F_OK) == 0, child_writes);
  if (!child_writes)
    return;
  trace_read(path, &trace);
  CHECK(trace.ended);
  CHECK_EQ(trace_count(&trace, "call", "inner_timer"), 2);
  trace_free(&trace);
}

TEST(trace_of_a_forked_child_is_a_file_of_its_own) {
#if defined(__SANITIZE_THREAD__)
  SKIP("the thread sanitizer allows no threads in a child");
#endif
  check_fork("t.%p.json", true);
}

TEST(trace_without_a_name_for_it_leaves_the_child_out) {
  check_fork("plain.json", false);
}

HELPER(trace_once) {
  run_one_timer(uv_default_loop());
  return 0;
}

TEST(trace_does_not_write_over_the_file_of_another_process) {
  struct trace_text trace;
  uv_loop_t loop;
  CHECK_EQ(rota_trace_start("shared.json", NULL), 0);
  CHECK_EQ(uv_loop_init(&loop), 0);
  CHECK_EQ(run_helper("ROTA_TRACE=shared.json", "trace_once", "out"), 0);
  run_one_timer(&loop);
  CHECK_EQ(uv_loop_close(&loop), 0);
  CHECK_EQ(rota_trace_stop(), 0);
  trace_read("shared.json", &trace);
  CHECK(trace.ended);
  CHECK_EQ(trace_count(&trace, "call", "inner_timer"), 1);
  trace_free(&trace);
  CHECK_EQ(system("test $(ls shared.json.* | wc -l) = 1"), 0);
}

TEST(trace_that_cannot_be_written_is_said_and_ignored) {
  CHECK_EQ(rota_trace_start("", NULL), UV_EINVAL);
  CHECK_EQ(rota_trace_start("no/such/directory", NULL), UV_ENOENT);
  CHECK_EQ(run_helper("ROTA_TRACE=no/such/directory", "trace_once", "out"), 0);
  char *text = read_text("out");
  CHECK(strstr(text, "rota: ROTA_TRACE=no/such/directory:") != NULL);
  free(text);
}

TEST(trace_survives_a_program_that_closes_its_descriptor) {
  uv_loop_t loop;
  struct trace_text trace;
  CHECK_EQ(rota_trace_start("closed.json", NULL), 0);
  uv_sleep(60);
  for (int fd = 3; fd < 1024; fd++)
    close(fd);
  FILE *other = fopen("other", "w");
  int high = fcntl(fileno(other), F_DUPFD, 200); /* where ours was */
  CHECK(high >= 200);
  CHECK_EQ(uv_loop_init(&loop), 0);
  run_one_timer(&loop);
  CHECK_EQ(uv_loop_close(&loop), 0);
  CHECK_EQ(rota_trace_stop(), 0);
  fclose(other);
  char *text = read_text("other");
  CHECK_STR(text, "");
  free(text);
  trace_read("closed.json", &trace);
  trace_free(&trace);
}

/* Neovim, as the system has it, on our library: the environment alone switches the trace on. */
TEST(trace_of_a_program_that_knows_nothing_of_it) {
  char command[8192], library[4096];
  struct trace_text trace;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  SKIP("a program without the sanitizer cannot load a library with it");
#endif
  snprintf(library, sizeof(library), "%s", test_program());
  for (int i = 0; i < 2; i++)
    *strrchr(library, '/') = '\0';
  strcat(library, "/lib");
  /* It is of another processor if this is a build for another one. */
  snprintf(command, sizeof(command),
           "LD_LIBRARY_PATH='%s' ldd \"$(command -v nvim)\" 2>&1 | grep -qF 'libuv.so.1 => %s/'", library, library);
  if (system(command) != 0)
    SKIP("there is no nvim with a libuv to be replaced");
  snprintf(command, sizeof(command),
           "HOME=$PWD LD_LIBRARY_PATH='%s' ROTA_TRACE=nvim.json timeout 60 nvim --headless --clean "
           "+'call timer_start(50, {-> execute(\"qa!\")})' >out 2>&1 </dev/null",
           library);
  CHECK_EQ(system(command), 0);
  trace_read("nvim.json", &trace);
  CHECK(trace.ended);
  CHECK(trace_count(&trace, "call", NULL) > 5);
  CHECK(trace_count(&trace, "phase", "timers") >= 1);
  CHECK(trace_has(trace_find(&trace, NULL, "rota_symbol", 0), "nvim"));
  trace_free(&trace);
}
