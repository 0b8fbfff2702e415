/* The instruments on Windows: a program is run with the library's variables, and what they show is what it did. The
 * exit status is the number of parts that failed. `make test-windows` runs it. */
#include "part.h"
#include "rota.h"

enum { BEATS = 10, STATS = 3, JOBS = 2, TICKS = 4, BLOCK_MS = 90000, STAY_MS = 90000 };

/* ---- what the children do ---- */

static uv_loop_t loop;
static rota_ticks_t *ticks;
static int beats;

static void on_tick(void *unused, void *more) {
  (void)unused;
  (void)more;
}

static void on_beat(uv_timer_t *timer) {
  for (int i = 0; i < TICKS && beats == 0; i++)
    rota_tick_enqueue(ticks, on_tick, NULL, NULL);
  if (++beats == BEATS)
    uv_close((uv_handle_t *)timer, NULL);
}

static void on_stat(uv_fs_t *req) {
  uv_fs_req_cleanup(req);
}

static void work(uv_work_t *req) {
  (void)req;
}

static void after_work(uv_work_t *req, int status) {
  (void)req;
  (void)status;
}

/* A known number of callbacks of each kind. */
static int do_work(void) {
  uv_timer_t timer;
  uv_fs_t stats[STATS];
  uv_work_t jobs[JOBS];
  uv_loop_init(&loop);
  rota_ticks_attach(&loop, &ticks);
  uv_timer_init(&loop, &timer);
  uv_timer_start(&timer, on_beat, 1, 1);
  for (int i = 0; i < STATS; i++)
    uv_fs_stat(&loop, &stats[i], ".", on_stat);
  for (int i = 0; i < JOBS; i++)
    uv_queue_work(&loop, &jobs[i], work, after_work);
  uv_run(&loop, UV_RUN_DEFAULT);
  rota_ticks_detach(ticks);
  uv_loop_close(&loop);
  puts("done");
  return 0;
}

/* The clock is read seldom: wine's stack of a thread that is in the kernel is not whole. */
static __attribute__((noinline)) void burn(unsigned int ms) {
  uint64_t end_ns = uv_hrtime() + (uint64_t)ms * 1000000;
  while (uv_hrtime() < end_ns)
    for (volatile int i = 0; i < 1000000; i++)
      continue;
}

static void on_block(uv_timer_t *timer) {
  burn(BLOCK_MS);
  uv_close((uv_handle_t *)timer, NULL);
}

static int do_block(void) {
  uv_timer_t timer;
  uv_loop_init(&loop);
  uv_timer_init(&loop, &timer);
  uv_timer_start(&timer, on_block, 1, 0);
  uv_run(&loop, UV_RUN_DEFAULT);
  return uv_loop_close(&loop);
}

static void on_nothing(uv_stream_t *server, int status) {
  (void)server;
  (void)status;
}

static uv_tcp_t server;
static uv_pipe_t pipe_server;

static void on_stayed(uv_timer_t *timer) {
  uv_close((uv_handle_t *)timer, NULL);
  uv_close((uv_handle_t *)&server, NULL);
  uv_close((uv_handle_t *)&pipe_server, NULL);
}

/* A timer and two servers keep it alive. */
static int do_stay(void) {
  uv_timer_t timer;
  struct sockaddr_in address;
  uv_loop_init(&loop);
  uv_timer_init(&loop, &timer);
  uv_timer_start(&timer, on_stayed, STAY_MS, 0);
  uv_tcp_init(&loop, &server);
  uv_ip4_addr("127.0.0.1", 0, &address);
  uv_tcp_bind(&server, (struct sockaddr *)&address, 0);
  uv_listen((uv_stream_t *)&server, 8, on_nothing);
  uv_pipe_init(&loop, &pipe_server, 0);
  uv_pipe_bind(&pipe_server, "\\\\.\\pipe\\rota-see");
  uv_listen((uv_stream_t *)&pipe_server, 8, on_nothing);
  uv_run(&loop, UV_RUN_DEFAULT);
  return uv_loop_close(&loop);
}

static void on_crash(uv_timer_t *timer) {
  volatile int *nowhere = NULL;
  (void)timer;
  *nowhere = 1;
}

static int do_crash(void) {
  uv_timer_t timer;
  uv_loop_init(&loop);
  uv_timer_init(&loop, &timer);
  uv_timer_start(&timer, on_crash, 20, 0);
  uv_run(&loop, UV_RUN_DEFAULT);
  return 0;
}

static int has_beats(const char *text) {
  return count_lines(text, "\"cat\":\"call\"", "\"name\":\"on_beat\"") == BEATS;
}

/* Ends in the middle of its trace, as a killed process does, when what it did is in the file. */
static void on_look(uv_timer_t *timer) {
  char *text = read_file("see-killed.json");
  (void)timer;
  if (has_beats(text))
    TerminateProcess(GetCurrentProcess(), 3);
  free(text);
}

static int do_end(void) {
  uv_timer_t timer, look;
  uv_loop_init(&loop);
  rota_ticks_attach(&loop, &ticks);
  uv_timer_init(&loop, &timer);
  uv_timer_start(&timer, on_beat, 1, 1);
  uv_timer_init(&loop, &look);
  uv_timer_start(&look, on_look, 50, 50);
  uv_run(&loop, UV_RUN_DEFAULT);
  return 0;
}

static void on_grandchild(uv_process_t *process, int64_t status, int signal) {
  (void)signal;
  beats = (int)status;
  printf("child %d\n", (int)process->pid);
  uv_close((uv_handle_t *)process, NULL);
}

/* Starts a child that works; both have the same variables. */
static int do_family(void) {
  char path[4096];
  size_t size = sizeof(path);
  uv_process_t process;
  uv_exepath(path, &size);
  char *args[] = {path, "work", NULL};
  uv_process_options_t options = {.file = path, .args = args, .exit_cb = on_grandchild};
  uv_loop_init(&loop);
  if (uv_spawn(&loop, &process, &options) < 0)
    return 1;
  uv_run(&loop, UV_RUN_DEFAULT);
  uv_loop_close(&loop);
  return beats;
}

/* Many events: more than a buffer of the trace holds. */
static int turns;

static void on_turn(uv_check_t *check_handle) {
  if (++turns < 100000)
    return;
  uv_close((uv_handle_t *)check_handle, NULL);
}

static void on_idle(uv_idle_t *idle) {
  if (turns >= 100000 - 1)
    uv_close((uv_handle_t *)idle, NULL);
}

static int do_turns(void) {
  uv_check_t check_handle;
  uv_idle_t idle;
  uv_loop_init(&loop);
  uv_check_init(&loop, &check_handle);
  uv_idle_init(&loop, &idle);
  uv_check_start(&check_handle, on_turn);
  uv_idle_start(&idle, on_idle);
  uv_run(&loop, UV_RUN_DEFAULT);
  return uv_loop_close(&loop);
}

/* ---- what is seen ---- */

static int is_whole(const char *text) {
  size_t length = text == NULL ? 0 : strlen(text);
  return length > 2 && strcmp(text + length - 2, "]\n") == 0 && has(text, "\"rota_end\"");
}

/* What the work of one process is in its trace. */
static int is_of_work(const char *text) {
  return count_lines(text, "\"cat\":\"call\"", "\"name\":\"on_beat\"") == BEATS &&
         count_lines(text, "\"cat\":\"call\"", "\"operation\":\"stat\"") == STATS &&
         count_lines(text, "\"cat\":\"call\"", "\"name\":\"after_work\"") == JOBS &&
         count_lines(text, "\"cat\":\"job\"", "\"kind\":\"file\"") == STATS &&
         count_lines(text, "\"cat\":\"job\"", "\"name\":\"work\"") == JOBS &&
         count_lines(text, "\"name\":\"ticks\"", "\"count\":4") == 1 && is_whole(text);
}

static void check_file(const char *part, const struct outcome *outcome, const char *path,
                       int (*is_right)(const char *)) {
  char *text = read_file(path);
  check_run(part, outcome, outcome->status == 0 && is_right(text));
  if (!is_right(text))
    printf("  %s: %s\n", path, text == NULL ? "is not there" : text);
  free(text);
  remove_file(path);
}

static void test_trace(void) {
  const char *const plain[] = {"ROTA_TRACE=see.json", NULL};
  const char *const unicode[] = {"ROTA_TRACE=s\xc3\xa9\xe2\x82\xac-\xe6\x97\xa5\xf0\x9f\x99\x82.json", NULL};
  check_file("a trace has what the program did", run_self("work", plain), "see.json", is_of_work);
  check_file("a trace has any name", run_self("work", unicode),
             "s\xc3\xa9\xe2\x82\xac-\xe6\x97\xa5\xf0\x9f\x99\x82.json", is_of_work);
}

static void test_bad_name(void) {
  const char *const bad[] = {"ROTA_TRACE=no-such-folder/see.json", NULL};
  const struct outcome *outcome = run_self("work", bad);
  check_run("a trace that cannot be written is said to be, and the program runs", outcome,
            outcome->status == 0 && has(outcome->out.text, "done") &&
                has(outcome->err.text, "ROTA_TRACE=no-such-folder"));
}

/* The first process has the file; the other one adds its number to the name. */
static void test_family(void) {
  const char *const one[] = {"ROTA_TRACE=see-family.json", NULL};
  const struct outcome *outcome = run_self("family", one);
  const char *child = strstr(outcome->out.text, "child ");
  char path[64];
  snprintf(path, sizeof(path), "see-family.json.%d", child == NULL ? 0 : atoi(child + 6));
  char *first = read_file("see-family.json"), *second = read_file(path);
  check_run("a child has a trace of its own", outcome,
            outcome->status == 0 && is_whole(first) && is_of_work(second) && has(first, "on_grandchild"));
  free(first);
  free(second);
  remove_file("see-family.json");
  remove_file(path);
}

static void test_killed(void) {
  const char *const one[] = {"ROTA_TRACE=see-killed.json", NULL};
  const struct outcome *outcome = run_self("end", one);
  char *text = read_file("see-killed.json");
  check_run("what a killed program did before is in its trace", outcome,
            outcome->status == 3 && has_beats(text) && !is_whole(text));
  free(text);
  remove_file("see-killed.json");
}

static int has_all_turns(const char *text) {
  return count_lines(text, "\"cat\":\"call\"", "\"name\":\"on_turn\"") == 100000 && is_whole(text) &&
         has(text, "\"dropped\":0");
}

static void test_many(void) {
  const char *const one[] = {"ROTA_TRACE=see-many.json", NULL};
  check_file("a trace of many events is whole", run_self("turns", one), "see-many.json", has_all_turns);
}

static void test_stats(void) {
  const char *const one[] = {"ROTA_STATS=1", NULL};
  const struct outcome *outcome = run_self("work", one);
  const char *row = strstr(outcome->err.text, "  callback ");
  int calls = row == NULL ? 0 : atoi(row + strlen("  callback "));
  check_run("statistics count its callbacks", outcome,
            outcome->status == 0 && calls == BEATS + STATS + JOBS && has(outcome->err.text, "timer lateness") &&
                has(outcome->err.text, "file queued"));
}

static int names_the_block(const char *text) {
  return has(text, "a loop is blocked for") && has(text, "by on_block") && count_lines(text, "#", "burn") > 0 &&
         count_lines(text, "#", "uv_run") > 0;
}

static void test_watchdog(void) {
  const char *const one[] = {"ROTA_WATCHDOG=50", NULL};
  const struct outcome *outcome = run_until("block", one, names_the_block);
  check_run("the watchdog names what blocks, and its stack", outcome, names_the_block(outcome->err.text));
}

static int says_why(const char *text) {
  return has(text, "is alive: 3 handles") && has(text, "timer ") && has(text, "on_stayed") && has(text, "tcp ") &&
         has(text, "pipe ") && has(text, "made by uv_timer_init") && has(text, "do_stay");
}

static void test_why(void) {
  const char *const one[] = {"ROTA_WHY=1", "ROTA_WHY_AFTER=100", NULL};
  const struct outcome *outcome = run_until("stay", one, says_why);
  check_run("why lists what keeps it alive, and where it was made", outcome, says_why(outcome->err.text));
}

static void test_black_box(void) {
  char folder[2048], name[4096];
  size_t size = sizeof(folder);
  uv_cwd(folder, &size);
  snprintf(name, sizeof(name), "ROTA_BLACKBOX_FILE=%s\\see-box.json", folder);
  const char *const one[] = {"ROTA_BLACKBOX=5", name, NULL};
  const struct outcome *outcome = run_self("crash", one);
  char *text = read_file("see-box.json");
  check_run("a black box is written when the program crashes", outcome, outcome->status != 0 && has(text, "on_crash"));
  free(text);
  remove_file("see-box.json");
}

static void test_attach(void) {
  const char *const one[] = {"ROTA_ATTACH=1", NULL};
  const struct outcome *outcome = run_self("work", one);
  check_run("that nobody can attach is said", outcome,
            outcome->status == 0 && has(outcome->err.text, "ROTA_ATTACH=1: operation not supported"));
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*run)(void);
  } roles[] = {{"work", do_work}, {"block", do_block}, {"stay", do_stay},    {"crash", do_crash},
               {"end", do_end},   {"turns", do_turns}, {"family", do_family}};
  for (size_t i = 0; argc > 1 && i < sizeof(roles) / sizeof(roles[0]); i++)
    if (strcmp(argv[1], roles[i].name) == 0)
      return roles[i].run();
  test_trace();
  test_bad_name();
  test_family();
  test_killed();
  test_many();
  test_stats();
  test_watchdog();
  test_why();
  test_black_box();
  test_attach();
  return failures;
}
