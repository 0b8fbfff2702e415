/* Rounds: the steps of one are performed in one callback, then the loop runs until all is settled, on this thread or on
 * another one, in one of four ways. */
#include "model.h"
#include "steps.h"

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MODE_EMBEDDED = 3, MODES = 4, MISSED_MS = 8000 };

static const struct step *batch;
static int batch_count;

static void perform_batch(void) {
  world.in_batch = true;
  for (int i = 0; i < batch_count; i++)
    perform(&batch[i]);
  world.in_batch = false;
  world.batch_done = true;
}

static bool all_done(void) {
  return world.batch_done && world_settled();
}

/* As a program does that has a loop of its own, and polls ours from there. */
static void run_embedded(void) {
  struct pollfd pollfd = {.fd = uv_backend_fd(world.loop), .events = POLLIN};
  uv_run(world.loop, UV_RUN_NOWAIT);
  while (!all_done()) {
    int timeout_ms = uv_backend_timeout(world.loop);
    int n = poll(&pollfd, 1, timeout_ms < 0 ? MISSED_MS : timeout_ms);
    uv_run(world.loop, UV_RUN_NOWAIT);
    if (n == 0 && timeout_ms < 0 && all_done())
      text_add(&world.log, "round %d: nobody was woken\n", world.round);
  }
}

static void run_until_settled(void) {
  while (!all_done()) {
    if (world.mode == MODE_EMBEDDED) {
      run_embedded();
    } else {
      uv_run(world.loop, (uv_run_mode)world.mode);
      if (world.mode == UV_RUN_NOWAIT)
        sched_yield();
    }
    if (!uv_loop_alive(world.loop) && !all_done()) {
      world_print_unsettled(&world.log);
      text_add(&world.log, "round %d: the loop is at its end too early\n", world.round);
      break;
    }
  }
}

struct round {
  int mode, context;
  bool elsewhere;
};

static void run_round(const struct round *round) {
  world.mode = round->mode;
  world.batch_done = false;
  if (world.fault_arm != NULL)
    world.fault_arm(world.fault_kind, 1 + (int)(mix(world.seed * 100 + (uint64_t)world.round) % 24));
  world_calm();
  context_call(round->context, perform_batch);
  world.running = true;
  run_until_settled();
  world.running = false;
  text_add(&world.log, "round %d: closed%s, timers%s\n", world.round, text_of(&world.close_order),
           text_of(&world.timer_order));
  world.close_order.length = world.timer_order.length = 0;
  if (world.close_order.bytes != NULL)
    world.close_order.bytes[0] = '\0';
  if (world.timer_order.bytes != NULL)
    world.timer_order.bytes[0] = '\0';
  world.round++;
}

static void *on_thread(void *round) {
  run_round(round);
  return NULL;
}

static void run_anywhere(struct round *round) {
  pthread_t thread;
  if (!round->elsewhere || !program_allows("move") || pthread_create(&thread, NULL, on_thread, round) != 0)
    run_round(round);
  else
    pthread_join(thread, NULL);
}

static struct round round_of(const struct step *step) {
  struct round round = {.mode = step->a % MODES, .context = step->b % context_count, .elsewhere = step->c % 5 == 0};
  if (round.mode == MODE_EMBEDDED && !program_allows("embedded"))
    round.mode = UV_RUN_DEFAULT;
  if (!program_allows("contexts"))
    round.context = 0;
  return round;
}

/* The program goes on in the child, and the parent ends: it would keep open what the child closes. libuv aborts in the
 * child when the loop has not been told what has changed since its last iteration. */
static void go_on_in_child(void) {
  world_calm();
  for (int i = 0; i < 4; i++)
    uv_run(world.loop, UV_RUN_NOWAIT);
  unsigned int seconds = alarm(0);
  pid_t pid = fork();
  if (pid > 0)
    _exit(EXIT_GOES_ON);
  alarm(seconds);
  int err = pid < 0 ? -1 : uv_loop_fork(world.loop);
  if (err != 0)
    text_add(&world.log, "fork: %d\n", err);
  world_forked();
}

static void end_program(void) {
  struct round last = {.mode = UV_RUN_DEFAULT};
  batch_count = 0;
  run_round(&last);
  world_finish();
  run_round(&last);
  world.in_batch = true;
  world_close_all();
  world.in_batch = false;
  run_round(&last);
  text_add(&world.log, "alive %d", uv_run(world.loop, UV_RUN_DEFAULT));
  text_add(&world.log, ", loop closed: %s\n", error_name(uv_loop_close(world.loop)));
}

/* What stands between rounds. */
static bool perform_alone(const struct step *step) {
  bool is_fork = op_is(step, "fork");
  if (!is_fork && !op_is(step, "order"))
    return false;
  if (is_fork && program_allows("fork"))
    go_on_in_child();
  if (!is_fork && program_allows("order"))
    order_run(step);
  return true;
}

static bool ends_batch(const struct step *step) {
  return op_is(step, "round") || op_is(step, "fork") || op_is(step, "order");
}

void program_run(const struct program *program) {
  for (int i = 0; i < program->count;) {
    struct round round = {.mode = UV_RUN_DEFAULT};
    if (perform_alone(&program->steps[i])) {
      i++;
      continue;
    }
    if (op_is(&program->steps[i], "round"))
      round = round_of(&program->steps[i++]);
    batch = &program->steps[i];
    for (batch_count = 0; i < program->count && !ends_batch(&program->steps[i]); i++)
      batch_count++;
    run_anywhere(&round);
  }
  end_program();
  world_print(&world.log);
}
