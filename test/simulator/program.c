/* A program: its faults, its steps, and its end. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulator.h"

struct simulation sim;

static const struct sim_part *const parts[] = {&sim_timers, &sim_watchers,  &sim_asyncs,  &sim_jobs,     &sim_streams,
                                               &sim_files,  &sim_datagrams, &sim_signals, &sim_children, &sim_polls};
enum { PARTS = sizeof parts / sizeof parts[0], STEPS_MAX = 300, STEPS_AT_ONCE = 3 };

static bool is_verbose;
static unsigned int weights[PARTS];
static struct sim_handle heartbeat;
static bool is_beating;

/* ---- what is said ---- */

static void print_line(const char *line) {
  printf("%s\n", line);
}

void sim_log(const char *format, ...) {
  va_list arguments;
  if (!is_verbose)
    return;
  printf("%10.6f  ", (double)rota__model_now_ns() / 1e9);
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
}

void sim_fail(const char *format, ...) {
  va_list arguments;
  printf("seed %llu: ", (unsigned long long)sim.seed);
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
  fflush(stdout);
  exit(1);
}

static void on_stuck(void) {
  char open[512];
  rota__model_describe(open, sizeof open);
  sim_fail("the loop waits for ever; open are%s", open);
}

bool sim_refused(int result, const char *call) {
  if (result >= 0)
    return false;
  bool is_lack = result == UV_ENOMEM || result == UV_EMFILE || result == UV_ENFILE;
  sim_check(is_lack && !sim.calm, "%s: %s", call, uv_err_name(result));
  return true;
}

/* ---- steps ---- */

static void one_step(void) {
  unsigned int sum = 0, at;
  for (int i = 0; i < PARTS; i++)
    sum += weights[i];
  at = sim_below(sum);
  for (int i = 0; i < PARTS; i++) {
    if (at < weights[i]) {
      parts[i]->step();
      return;
    }
    at -= weights[i];
  }
}

static void other_step(void) {
  switch (sim_below(4)) {
  case 0:
    uv_stop(&sim.loop);
    sim_log("uv_stop");
    return;
  case 1:
    uv_update_time(&sim.loop);
    return;
  default:
    rota__model_work(sim_below(3000000));
  }
}

void sim_steps(void) {
  if (sim.calm)
    return;
  for (unsigned int i = sim_below(STEPS_AT_ONCE); i > 0 && sim.steps_left > 0; i--) {
    sim.steps_left--;
    if (sim_chance(8))
      other_step();
    else
      one_step();
  }
}

/* ---- whether the loop is alive ---- */

static bool is_alive(void) {
  if (sim_requests > 0 || sim_handles_closing() > 0 || is_beating)
    return true;
  for (int i = 0; i < PARTS; i++)
    if (parts[i]->is_alive())
      return true;
  return false;
}

static void check_alive(int alive) {
  bool expected = is_alive();
  sim_check((alive != 0) == expected, "the loop says that it is %s, and it is not", alive ? "alive" : "not alive");
}

/* ---- running ---- */

/* Something always comes: a program in which everything waits goes on. */
static void on_beat(uv_timer_t *timer) {
  if (!sim.calm && sim.steps_left > 0) {
    sim.steps_left--;
    sim_steps();
  }
  if (sim.steps_left <= 0 || sim.calm || sim_chance(20))
    uv_stop(timer->loop);
}

static void beat(void) {
  uv_timer_start((uv_timer_t *)heartbeat.handle, on_beat, 1 + sim_below(10), 1 + sim_below(10));
  is_beating = true;
}

static void start_heartbeat(void) {
  uv_timer_t *timer = sim_handle_make(&heartbeat, "heartbeat", 0, sizeof *timer);
  uv_timer_init(&sim.loop, timer);
  beat();
}

static void run_once(void) {
  static const uv_run_mode modes[] = {UV_RUN_DEFAULT, UV_RUN_ONCE, UV_RUN_NOWAIT};
  uv_run_mode mode = sim.calm ? modes[1 + sim_below(2)] : modes[sim_below(3)];
  sim_log("uv_run, mode %d", (int)mode);
  int alive = uv_run(&sim.loop, mode);
  check_alive(alive);
  sim_check(uv_loop_alive(&sim.loop) == (alive != 0), "uv_loop_alive and uv_run differ");
}

static void run_steps(void) {
  for (int i = 0; sim.steps_left > 0; i++) {
    sim_check(i < 20000, "the program does not end");
    sim.steps_left--;
    sim_steps();
    run_once();
  }
}

/* What was begun comes to its end. */
static void run_to_rest(void) {
  sim.calm = true;
  sim.no_memory = 0;
  rota__model_calm();
  sim_log("---- calm");
  /* What is waited for must come by itself. */
  uv_timer_stop((uv_timer_t *)heartbeat.handle);
  is_beating = false;
  for (int turn = 0; turn < 10000; turn++) {
    bool done = true;
    for (int i = 0; i < PARTS; i++)
      if (parts[i]->is_done != NULL && !parts[i]->is_done())
        done = false;
    if (done)
      return;
    run_once();
  }
  for (int i = 0; i < PARTS; i++)
    sim_check(parts[i]->is_done == NULL || parts[i]->is_done(), "of the %s something does not come to its end",
              parts[i]->name);
}

static void close_all(void) {
  sim.closing = true;
  sim_log("---- close");
  for (unsigned int i = 0, first = sim_below(PARTS); i < PARTS; i++)
    parts[(first + i) % PARTS]->close();
  sim_handle_close(&heartbeat);
  sim_order_close();
  int turns = 0;
  while (uv_run(&sim.loop, sim_chance(50) ? UV_RUN_DEFAULT : UV_RUN_ONCE) != 0)
    sim_check(++turns < 3000, "the loop does not end");
  sim_check(sim_requests == 0, "%d requests have not called back", sim_requests);
  sim_check(sim_handles_closing() == 0, "%d handles have not called back", sim_handles_closing());
  int err = uv_loop_close(&sim.loop);
  sim_check(err == 0, "uv_loop_close: %s", uv_err_name(err));
  uv_library_shutdown();
  char open[512];
  rota__model_describe(open, sizeof open);
  sim_check(rota__model_descriptors() == 0, "left open:%s", open);
  sim_check(rota__model_processes() == 0, "%d children are not reaped", rota__model_processes());
  sim_check(rota__model_threads() == 0, "%d threads are left", rota__model_threads());
  sim_check(sim_memory_used() == 0, "%zu blocks of memory are left", sim_memory_used());
}

/* Half of the steps, and then the process forks while nothing is under way. What goes on is the child. */
static void run_and_fork(const struct rota_model_options *options, unsigned int no_memory) {
  int left = sim.steps_left;
  sim.steps_left = left / 2;
  run_steps();
  run_to_rest();
  sim_log("---- fork");
  rota__model_fork();
  int err = uv_loop_fork(&sim.loop);
  sim_check(err == 0, "uv_loop_fork: %s", uv_err_name(err));
  sim.calm = false;
  sim.no_memory = no_memory;
  rota__model_trouble(options);
  sim.steps_left = left - left / 2;
  beat();
}

/* ---- what a seed chooses ---- */

/* The chance of a fault: for most seeds it never comes. */
static unsigned int some_chance(uint64_t *bits, unsigned int most) {
  unsigned int chosen = *bits & 7;
  *bits = *bits >> 3 | *bits << 61;
  if (chosen < 7)
    return chosen < 3 ? 0 : chosen < 6 ? most / 4 + 1 : most;
  return most < 200 ? 5 * most : 900;
}

static uint64_t mixed(uint64_t seed) {
  seed = (seed ^ (seed >> 33)) * 0xff51afd7ed558ccd;
  seed = (seed ^ (seed >> 33)) * 0xc4ceb9fe1a85ec53;
  return seed ^ (seed >> 33);
}

static struct rota_model_options choose_options(uint64_t seed) {
  static const uint64_t delays[] = {0, 10000, 1000000, 20000000};
  static const size_t sizes[] = {0, 100, 4096, 300000};
  uint64_t bits = mixed(seed), more = mixed(seed + 0x1234567);
  struct rota_model_options options = {
      .seed = bits,
      .shortened = some_chance(&bits, 500),
      .again = some_chance(&bits, 300),
      .interrupted = some_chance(&bits, 100),
      .withheld = some_chance(&bits, 500),
      .resets = some_chance(&bits, 20),
      .refused = some_chance(&bits, 100),
      .no_descriptors = some_chance(&bits, 30),
      .disk_errors = some_chance(&bits, 50),
      .no_threads = some_chance(&bits, 300),
      .cancelled = some_chance(&bits, 100),
      .preempted = some_chance(&bits, 300),
      .buffer_size = sizes[more % 4],
      .delay_max_ns = delays[more / 4 % 4],
      .has_rings = more & 16,
      .has_processors = more & 32,
      .has_child_descriptors = more & 64,
      .lost = more & 128 ? 100 : 0,
      .log = is_verbose ? print_line : NULL,
      .stuck = on_stuck,
  };
  sim.no_memory = some_chance(&more, 20);
  sim.steps_left = 20 + (int)(mixed(more) % STEPS_MAX);
  return options;
}

void sim_run(uint64_t seed, bool verbose) {
  is_verbose = verbose;
  sim.seed = seed;
  struct rota_model_options options = choose_options(seed);
  unsigned int no_memory = sim.no_memory;
  sim.no_memory = 0;
  rota__model_start(&options);
  sim_memory_start();
  for (int i = 0; i < PARTS; i++)
    weights[i] = 1 + sim_below(10) * sim_below(10);
  int err = uv_loop_init(&sim.loop);
  sim_check(err == 0, "uv_loop_init: %s", uv_err_name(err));
  sim_order_start();
  for (int i = 0; i < PARTS; i++)
    if (parts[i]->start != NULL)
      parts[i]->start();
  start_heartbeat();
  rota__model_trouble(&options);
  sim.no_memory = no_memory;
  if (sim_chance(20))
    run_and_fork(&options, no_memory);
  run_steps();
  run_to_rest();
  close_all();
  sim_log("---- the end, after %llu calls of the system", (unsigned long long)rota__model_calls());
}
