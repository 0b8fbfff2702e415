#include "simulate/schedule.h"

#include <stdio.h>

#include "loop/base/alloc.h"
#include "loop/base/units.h"
#include "loop/core/internal.h"
#include "loop/os/clock.h"
#include "loop/os/socket.h"
#include "simulate/allowance.h"
#include "simulate/clock.h"
#include "simulate/virtual.h"

/* The last two are for loops of other threads, in virtual time: a system may give all of its time to the program's
 * own loop. */
static const unsigned int late_ms[] = {0, 3, 8, 14, 20, 200, 3000};
enum { LATE_OPTIONS = 5, LATE_OPTIONS_OF_THREADS = sizeof(late_ms) / sizeof(late_ms[0]) };
static const unsigned int drift_ms[] = {0, 1, 2, 10};

/* The poller whose clock drifts on this thread. If loops run inside of each other's callbacks, the last one
 * that waited. */
static _Thread_local struct rota_steered_poller *current;

static struct rota_steered_poller *self_of(struct rota_poller *poller) {
  return rota__container_of(poller, struct rota_steered_poller, wrapped.base);
}

static uint64_t drift_ns(void) {
  struct rota_steered_poller *self = current;
  if (self == NULL)
    return 0;
  unsigned int chosen = rota__decide(&self->decisions, ROTA_CHOICE_DRIFT, sizeof(drift_ms) / sizeof(drift_ms[0]));
  uint64_t passed_ns = (uint64_t)drift_ms[chosen] * NS_PER_MS;
  if (chosen == 0 || !rota__allowance_take((int64_t)passed_ns))
    return 0;
  rota__decision_record(&self->decisions, "time: %u ms pass while the program computes", drift_ms[chosen]);
  return passed_ns;
}

static void make_current(struct rota_steered_poller *self) {
  current = self;
  rota__virtual_clock_drift(drift_ns);
}

/* ---- events ---- */

int rota__steered_sort(const struct rota_steered_poller *self, struct rota_ready *ready, int n) {
  int kept = 0;
  for (int i = 0; i < n; i++) {
    struct rota_ready event = ready[i];
    if (event.u.watch.fd == rota__loop(self->wrapped.loop)->wake.watcher.fd) {
      rota__wake_consume(self->wrapped.loop);
      continue;
    }
    int at = kept++;
    for (; at > 0 && ready[at - 1].u.watch.generation > event.u.watch.generation; at--)
      ready[at] = ready[at - 1];
    ready[at] = event;
  }
  return kept;
}

static const char *words(const struct rota_steered_poller *self, const struct rota_ready *ready,
                         char text[ROTA_DESCRIPTION_MAX]) {
  return rota__describe_ready(self->wrapped.loop, ready->u.watch.fd, ready->u.watch.events, text);
}

bool rota__steered_is_signal(const struct rota_steered_poller *self, const struct rota_ready *ready) {
  const struct rota_watcher *watcher = rota__loop(self->wrapped.loop)->signal_watcher;
  return watcher != NULL && watcher->fd == ready->u.watch.fd;
}

/* Returns how many events are left; the others wait for another round. In a round with a signal, only the signal may be
 * held back: signals come after the other events. */
static int hold_some(struct rota_steered_poller *self, struct rota_ready *ready, int n) {
  int kept = 0;
  bool signal = false;
  for (int i = 0; i < n; i++)
    signal |= rota__steered_is_signal(self, &ready[i]);
  for (int i = 0; i < n; i++) {
    char text[ROTA_DESCRIPTION_MAX];
    if ((!signal || rota__steered_is_signal(self, &ready[i])) &&
        rota__decide(&self->decisions, ROTA_CHOICE_HOLD, 2) > 0)
      rota__decision_record(&self->decisions, "poll: %s waits for another round", words(self, &ready[i], text));
    else
      ready[kept++] = ready[i];
  }
  return kept;
}

/* Holds back the events of slow descriptors. Returns how many events are left. */
static int hold_slow(struct rota_steered_poller *self, struct rota_ready *ready, int n, enum rota_hold hold) {
  int kept = 0;
  for (int i = 0; i < n; i++) {
    int fd = ready[i].u.watch.fd;
    struct rota_slow_descriptor *slow =
        fd < ROTA_STEERED_DESCRIPTORS && !rota__steered_is_signal(self, &ready[i]) ? &self->slow[fd] : NULL;
    if (slow != NULL && slow->generation != ready[i].u.watch.generation) {
      char text[ROTA_DESCRIPTION_MAX];
      *slow = (struct rota_slow_descriptor){.generation = ready[i].u.watch.generation};
      slow->is_slow = rota__decide(&self->decisions, ROTA_CHOICE_SLOW, 2) > 0;
      if (slow->is_slow)
        rota__decision_record(&self->decisions, "poll: %s is slow: others come first", words(self, &ready[i], text));
    }
    if (slow != NULL && slow->is_slow && hold == ROTA_HOLD_ANY && ++slow->rounds > ROTA_SLOW_ROUNDS)
      slow->is_slow = false;
    if (slow == NULL || !slow->is_slow)
      ready[kept++] = ready[i];
  }
  return kept;
}

static void shuffle(struct rota_steered_poller *self, struct rota_ready *ready, int n) {
  for (int i = 0; i + 1 < n; i++) {
    unsigned int chosen = rota__decide(&self->decisions, ROTA_CHOICE_ORDER, (unsigned int)(n - i));
    if (chosen == 0)
      continue;
    char text[ROTA_DESCRIPTION_MAX], first[ROTA_DESCRIPTION_MAX];
    struct rota_ready event = ready[i + (int)chosen];
    rota__decision_record(&self->decisions, "poll: %s comes before %s", words(self, &event, text),
                          words(self, &ready[i], first));
    for (int at = i + (int)chosen; at > i; at--)
      ready[at] = ready[at - 1];
    ready[i] = event;
  }
}

/* ---- waiting ---- */

/* Whether a ready descriptor may be held back until the timer. A replay has no limit. */
static bool may_hold_longer(const struct rota_steered_poller *self, int64_t timeout_ns) {
  return !self->is_holding || self->decisions.time_budget_ms == UINT32_MAX ||
         self->held_ns + timeout_ns <= (int64_t)ROTA_STEERED_HELD_MS * NS_PER_MS;
}

bool rota__steered_may_pass_time(const struct rota_steered_poller *self, int64_t timeout_ns) {
  return timeout_ns > 0 && timeout_ns <= self->time_budget_ns && may_hold_longer(self, timeout_ns) &&
         rota__allowance_has(timeout_ns);
}

void rota__steered_pass_time(struct rota_steered_poller *self, int64_t timeout_ns) {
  (void)rota__allowance_take(timeout_ns); /* the caller has asked whether it is left */
  self->time_budget_ns -= timeout_ns;
  if (self->is_holding)
    self->held_ns += timeout_ns;
  if (rota__virtual_clock_on())
    rota__virtual_advance((uint64_t)timeout_ns);
  else
    rota__os_sleep_ns((uint64_t)timeout_ns);
}

/* Perhaps lets the next timer come before what is ready. */
static bool decide_to_pass_time(struct rota_steered_poller *self, int64_t timeout_ns) {
  if (rota__decide(&self->decisions, ROTA_CHOICE_PASS, rota__steered_may_pass_time(self, timeout_ns) ? 2 : 1) == 0)
    return false;
  rota__decision_record(&self->decisions, "time: the next timer comes before what is ready");
  rota__steered_pass_time(self, timeout_ns);
  return true;
}

/* If only very slow jobs are left, the next timer comes before them. */
static bool pass_time_before_very_slow(struct rota_steered_poller *self, int64_t timeout_ns) {
  if (rota__jobs_slowness(&self->jobs) != ROTA_VERY_SLOW || !rota__steered_may_pass_time(self, timeout_ns))
    return false;
  rota__steered_pass_time(self, timeout_ns);
  return true;
}

/* The timer that is waited for shall share a turn with a later one. */
static int64_t lateness_of_timer(const struct rota_steered_poller *self, int64_t timeout_ns) {
  const struct rota_wheel *timers = &rota__loop(self->wrapped.loop)->timers;
  if (timeout_ns < 0 || rota__wheel_empty(timers))
    return 0;
  int64_t late_ns = (int64_t)rota__pairs_lateness(&self->pairs, rota__wheel_next_due(timers)) * NS_PER_MS;
  return late_ns > 0 && rota__allowance_take(late_ns) ? late_ns : 0;
}

static int64_t add_lateness(struct rota_steered_poller *self, int64_t timeout_ns) {
  int64_t late_ns = lateness_of_timer(self, timeout_ns);
  if (late_ns > 0)
    return timeout_ns + late_ns;
  bool is_thread = rota__virtual_clock_on() && !rota__loop_is_default(self->wrapped.loop);
  unsigned int options = is_thread ? LATE_OPTIONS_OF_THREADS : LATE_OPTIONS;
  unsigned int chosen = timeout_ns < 0 ? 0 : rota__decide(&self->decisions, ROTA_CHOICE_LATE, options);
  if (chosen == 0 || !rota__allowance_take((int64_t)late_ms[chosen] * NS_PER_MS))
    return timeout_ns;
  rota__decision_record(&self->decisions, "time: the loop wakes %u ms late", late_ms[chosen]);
  return timeout_ns + (int64_t)late_ms[chosen] * NS_PER_MS;
}

int rota__steered_sleep(struct rota_steered_poller *self, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  /* The wake-up was consumed and had no effect. The next one must write to the descriptor again. */
  if (!rota__wake_sleep(self->wrapped.loop))
    return 0;
  /* Another loop may have moved the clock since this wait began. */
  if (self->until_ns > 0) {
    uint64_t now_ns = rota__virtual_clock_ns();
    if (now_ns >= self->until_ns)
      return 0;
    timeout_ns = (int64_t)(self->until_ns - now_ns);
  }
  timeout_ns = rota__steered_time_to_async(self, add_lateness(self, timeout_ns));
  int n = rota__wrapped_wait(&self->wrapped, timeout_ns, out, out_max);
  return n > 0 && rota__wake_has_work(self->wrapped.loop) ? 0 : n;
}

/* ---- the wait that decides for each round anew ---- */

/* What one round of the wait has found. */
struct round {
  int n;          /* events that come now, or an error */
  int ready;      /* events that there are */
  int not_slow;   /* those of descriptors that are not slow */
  bool slow_jobs; /* jobs are left, and all of them are slow */
  bool reported;  /* the loop got finished jobs */
};

/* One round: runs jobs, and keeps the events that are not held back. */
static struct round run_round(struct rota_steered_poller *self, int64_t timeout_ns, enum rota_hold hold,
                              struct rota_ready *out, int out_max) {
  struct round round = {.n = rota__wrapped_wait(&self->wrapped, 0, out, out_max)};
  if (round.n < 0)
    return round;
  round.ready = rota__steered_sort(self, out, round.n);
  rota__steered_decide_asyncs(self);
  rota__jobs_run(&self->jobs, &self->decisions, timeout_ns != 0, hold);
  round.slow_jobs = rota__jobs_slowness(&self->jobs) != ROTA_NOT_SLOW;
  round.not_slow = hold == ROTA_HOLD_NOTHING ? round.ready : hold_slow(self, out, round.ready, hold);
  round.n = hold == ROTA_HOLD_ANY ? hold_some(self, out, round.not_slow) : round.not_slow;
  shuffle(self, out, round.n);
  round.reported = rota__jobs_report(&self->jobs, &self->decisions, hold);
  rota__jobs_count_others(&self->jobs, (unsigned int)round.n);
  self->is_holding = round.n < round.ready;
  self->held_ns = self->is_holding ? self->held_ns : 0;
  if (round.n > 0 || round.reported)
    self->time_budget_ns = (int64_t)self->decisions.time_budget_ms * NS_PER_MS;
  return round;
}

/* What the next round may hold back, because this one found nothing. The result is `hold` again if nothing is
 * held back. */
static enum rota_hold next_hold(const struct rota_steered_poller *self, const struct round *round,
                                enum rota_hold hold) {
  bool left = rota__jobs_any(&self->jobs);
  if (hold == ROTA_HOLD_ANY && (round->not_slow > 0 || (left && !round->slow_jobs)))
    return ROTA_HOLD_SLOW;
  return round->ready > 0 || left ? ROTA_HOLD_NOTHING : hold;
}

/* Whether the next timer comes before what is held back. */
static bool timer_comes_first(struct rota_steered_poller *self, int64_t timeout_ns, enum rota_hold hold,
                              enum rota_hold next) {
  if (next == ROTA_HOLD_NOTHING && pass_time_before_very_slow(self, timeout_ns))
    return true;
  return hold == ROTA_HOLD_ANY && decide_to_pass_time(self, timeout_ns);
}

static int shuffled_wait(struct rota_steered_poller *self, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  for (enum rota_hold hold = ROTA_HOLD_ANY;;) {
    struct round round = run_round(self, timeout_ns, hold, out, out_max);
    if (round.n < 0 || rota__steered_wait_ends(self, round.n, round.reported, timeout_ns))
      return round.n;
    enum rota_hold next = next_hold(self, &round, hold);
    if (next == hold) {
      int n = rota__steered_sleep(self, timeout_ns, out, out_max);
      if (n <= 0)
        return n;
    } else if (timer_comes_first(self, timeout_ns, hold, next)) {
      return 0;
    }
    hold = next;
  }
}

static int steered_wait(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  struct rota_steered_poller *self = self_of(poller);
  self->wrapped.inner->blocked_signals = poller->blocked_signals;
  self->until_ns = timeout_ns > 0 && rota__virtual_clock_on() ? rota__virtual_clock_ns() + (uint64_t)timeout_ns : 0;
  make_current(self);
  rota__pairs_waits(&self->pairs);
  return self->decisions.ranked ? rota__ranked_wait(self, timeout_ns, out, out_max)
                                : shuffled_wait(self, timeout_ns, out, out_max);
}

/* ---- the hook in I/O ---- */

static struct rota_steered_poller *hooked(struct rota_io_hook *hook) {
  return rota__container_of(hook, struct rota_steered_poller, hook);
}

static int hook_fault(struct rota_io_hook *hook, const char *operation, int fd) {
  char what[ROTA_DESCRIPTION_MAX];
  if (rota__decisions_faults() == 0)
    return 0;
  if (fd < 0)
    snprintf(what, sizeof(what), "a child");
  else
    snprintf(what, sizeof(what), "tcp %d", fd);
  return rota__fault(hooked(hook), operation, what);
}

/* What is not taken of a message is lost: only streams give less. */
static bool is_stream(int fd) {
  int type;
  return rota__os_get_option(fd, SOL_SOCKET, SO_TYPE, &type) == 0 && type == SOCK_STREAM;
}

/* Reads as the reader would, perhaps with less room. */
static ssize_t hook_receive(struct rota_io_hook *hook, int fd, const uv_buf_t *buf) {
  struct rota_steered_poller *self = hooked(hook);
  size_t length = buf->len;
  static const unsigned int sizes[] = {0, 1, 7, 100};
  int fault = hook_fault(hook, "receive", fd);
  if (fault < 0)
    return fault;
  unsigned int chosen = rota__decide(&self->decisions, ROTA_CHOICE_READ, sizeof(sizes) / sizeof(sizes[0]));
  if (chosen > 0 && is_stream(fd)) {
    rota__decision_record(&self->decisions, "read: tcp %d gives at most %u bytes", fd, sizes[chosen]);
    length = length < sizes[chosen] ? length : sizes[chosen];
  }
  return rota__os_recv(fd, buf->base, length);
}

/* ---- the poller ---- */

/* A program that polls the descriptor must be woken when jobs, or sends of other threads, wait for another round:
 * nothing else would wake it. (A send is held back if it comes while the loop calls others.) */
static bool steered_has_events(const struct rota_poller *poller) {
  const struct rota_steered_poller *self = rota__container_of(poller, const struct rota_steered_poller, wrapped.base);
  return self->wrapped.shared && (rota__jobs_any(&self->jobs) || rota__loop(self->wrapped.loop)->asyncs.held != NULL);
}

static void steered_close(struct rota_poller *poller) {
  struct rota_steered_poller *self = self_of(poller);
  if (current == self)
    current = NULL;
  rota__loop(self->wrapped.loop)->io_hook = NULL;
  rota__jobs_close(&self->jobs);
  rota__pairs_end(&self->pairs);
  self->wrapped.inner->ops->close(self->wrapped.inner);
  rota__free(self);
}

static const struct rota_poller_ops steered_ops = {
    .wait = steered_wait,
    .has_events = steered_has_events,
    .close = steered_close,
};

struct rota_poller *rota__schedule_wrap(uv_loop_t *loop, struct rota_poller *inner) {
  struct rota_steered_poller *self = rota__calloc(1, sizeof(*self));
  if (self == NULL)
    return NULL;
  rota__wrapped_init(&self->wrapped, loop, inner, &steered_ops);
  rota__decisions_init(&self->decisions);
  self->time_budget_ns = (int64_t)self->decisions.time_budget_ms * NS_PER_MS;
  self->ranks.begin_ms = loop->core.now_ms;
  rota__jobs_init(&self->jobs, loop);
  rota__pairs_begin(&self->pairs, loop, &self->decisions);
  self->hook = (struct rota_io_hook){.receive = hook_receive, .fault = hook_fault};
  rota__loop(loop)->io_hook = &self->hook;
  make_current(self);
  return &self->wrapped.base;
}

/* Null: the schedule of this loop is not decided. */
static struct rota_steered_poller *poller_of(const uv_loop_t *loop) {
  struct rota_io_hook *hook = rota__io_hook(loop);
  return hook == NULL ? NULL : hooked(hook);
}

unsigned int rota_schedule_choose(uv_loop_t *loop, unsigned int options, const char *const words[]) {
  struct rota_steered_poller *self = poller_of(loop);
  if (self == NULL)
    return 0;
  unsigned int chosen = rota__decide(&self->decisions, ROTA_CHOICE_MESSAGE, options);
  if (chosen > 0)
    rota__decision_record(&self->decisions, "%s", words[chosen]);
  return chosen;
}

int rota_schedule_fault(uv_loop_t *loop, const char *operation, const char *what) {
  struct rota_steered_poller *self = poller_of(loop);
  return self == NULL ? 0 : rota__fault(self, operation, what);
}

void rota__schedule_before_sleep(void) {
  if (current != NULL)
    rota__jobs_run_all(&current->jobs);
}
