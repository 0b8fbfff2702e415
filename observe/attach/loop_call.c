#include "observe/attach/attach.h"

#include <pthread.h>
#include <stdatomic.h>

#include "loop/base/alloc.h"
#include "loop/base/list.h"
#include "loop/base/units.h"
#include "loop/core/internal.h"
#include "loop/core/wake.h"
#include "loop/os/clock.h"
#include "loop/os/thread.h"
#include "observe/trace/tracer.h"
#include "rota.h"

enum { OBSERVE = 1, PRINT_ALIVE = 2, LISTED_MAX = 8, LOOK_NS = 5 * NS_PER_MS };

struct target {
  struct rota_attachment attachment;
  struct rota_link link;
  uv_loop_t *loop;
  int thread_id; /* that made the loop */
  bool is_sent;  /* and not taken yet */
  unsigned int what;
  uv_req_t req;
  struct rota_work work;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct rota_link targets = {&targets, &targets};
static FILE *answer; /* null: nobody waits for one */
static const char attachment_key;
static struct {
  rota_observe_hook hook;
  void *data;
} embedder;

void rota_set_observe_hook(rota_observe_hook hook, void *data) {
  pthread_mutex_lock(&lock);
  embedder.hook = hook;
  embedder.data = data;
  pthread_mutex_unlock(&lock);
}

/* ---- on the loop's thread ---- */

static void observe(uv_loop_t *loop) {
  unsigned int observing = rota_observing();
  if (observing != 0)
    (void)rota_observe(loop); /* without memory, it is not seen */
  else
    rota__tracer_rest(loop);
  pthread_mutex_lock(&lock);
  rota_observe_hook hook = embedder.hook;
  void *data = embedder.data;
  pthread_mutex_unlock(&lock);
  if (hook != NULL)
    hook(loop, observing, data);
}

static void on_taken(struct rota_work *work, int status) {
  struct target *target = rota__container_of(work, struct target, work);
  (void)status;
  rota__loop(target->loop)->jobs++; /* it was none of the pool's */
  pthread_mutex_lock(&lock);
  unsigned int what = target->what;
  target->what = 0;
  if (what & PRINT_ALIVE && answer != NULL)
    rota_print_alive(target->loop, answer);
  target->is_sent = false;
  pthread_mutex_unlock(&lock);
  if (what & OBSERVE)
    observe(target->loop);
}

static void release(uv_loop_t *loop, struct rota_attachment *attachment) {
  struct target *target = rota__container_of(attachment, struct target, attachment);
  (void)loop;
  pthread_mutex_lock(&lock);
  rota__list_remove(&target->link);
  pthread_mutex_unlock(&lock);
  rota__free(target);
}

void rota__loop_call_loop_made(uv_loop_t *loop) {
  struct rota_attachment *attachment = rota__loop_attachment(loop, &attachment_key);
  if (attachment != NULL) { /* it goes on in a child: what was sent in the parent is lost */
    struct target *known = rota__container_of(attachment, struct target, attachment);
    known->is_sent = false;
    known->thread_id = rota__os_thread_number();
    return;
  }
  struct target *target = rota__calloc(1, sizeof(*target));
  if (target == NULL)
    return;
  target->loop = loop;
  target->thread_id = rota__os_thread_number();
  target->work.done = on_taken;
  target->work.req = &target->req;
  target->attachment.key = &attachment_key;
  target->attachment.release = release;
  pthread_mutex_lock(&lock);
  rota__list_append(&targets, &target->link);
  pthread_mutex_unlock(&lock);
  rota__loop_attach(loop, &target->attachment);
}

/* ---- on the asker's ---- */

static void send_all(unsigned int what, FILE *stream) {
  pthread_mutex_lock(&lock);
  answer = stream;
  for (struct rota_link *link = targets.next; link != &targets; link = link->next) {
    struct target *target = rota__container_of(link, struct target, link);
    target->what |= what;
    if (!target->is_sent) {
      target->is_sent = true;
      rota__wake_finished(target->loop, &target->work, false);
    }
  }
  pthread_mutex_unlock(&lock);
}

/* Whether uv_run is under way: the answer may be old when it is used. */
static bool is_run(const struct target *target) {
  return __atomic_load_n(&target->loop->core.phase, __ATOMIC_RELAXED) != ROTA_PHASE_NONE;
}

/* A loop that is not run makes no call: programs keep such loops beside the one that matters. Only if no loop is run
 * at all, it is worth telling. */
static unsigned int list_waiting(int thread_ids[LISTED_MAX], bool *are_run) {
  unsigned int run = 0, resting = 0, taken = 0;
  int resting_ids[LISTED_MAX];
  pthread_mutex_lock(&lock);
  for (struct rota_link *link = targets.next; link != &targets; link = link->next) {
    const struct target *target = rota__container_of(link, struct target, link);
    if (!target->is_sent)
      taken++;
    else if (is_run(target) && run < LISTED_MAX)
      thread_ids[run++] = target->thread_id;
    else if (resting < LISTED_MAX)
      resting_ids[resting++] = target->thread_id;
  }
  pthread_mutex_unlock(&lock);
  *are_run = run > 0;
  if (run == 0 && taken == 0 && resting > 0) {
    thread_ids[0] = resting_ids[0];
    return 1;
  }
  return run;
}

static void print_late(const int *thread_ids, unsigned int count, bool are_run, FILE *late) {
  for (unsigned int i = 0; i < count; i++) {
    fprintf(late, "rota: %s Thread %d is at:\n",
            are_run ? "a loop does not answer: a callback blocks it." : "no loop runs: other code computes or waits.",
            thread_ids[i]);
    rota__watchdog_print_stack(thread_ids[i], late);
  }
  if (count > 0)
    fputs("rota: JavaScript is named only if the program was started with ROTA_WATCHDOG=ms\n", late);
}

static unsigned int run(unsigned int what, uint64_t timeout_ns, FILE *stream, FILE *late) {
  uint64_t begin_ns = rota__os_clock_ns();
  int thread_ids[LISTED_MAX];
  unsigned int waiting;
  bool are_run;
  send_all(what, stream);
  while ((waiting = list_waiting(thread_ids, &are_run)) > 0 && rota__os_clock_ns() - begin_ns < timeout_ns)
    rota__os_sleep_ns(LOOK_NS);
  if (late != NULL)
    print_late(thread_ids, waiting, are_run, late);
  pthread_mutex_lock(&lock);
  answer = NULL;
  pthread_mutex_unlock(&lock);
  return waiting;
}

unsigned int rota__loop_call_observe(uint64_t timeout_ns, FILE *late) {
  return run(OBSERVE, timeout_ns, NULL, late);
}

unsigned int rota__loop_call_print_alive(uint64_t timeout_ns, FILE *stream, FILE *late) {
  return run(PRINT_ALIVE, timeout_ns, stream, late);
}

void rota__loop_call_before_fork(void) {
  pthread_mutex_lock(&lock);
}

void rota__loop_call_after_fork(void) {
  pthread_mutex_unlock(&lock);
}
