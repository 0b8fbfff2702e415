#include "simulate/shuffle.h"

#include <stdio.h>

#include "loop/base/alloc.h"
#include "loop/base/units.h"
#include "loop/core/internal.h"
#include "loop/os/clock.h"
#include "loop/os/socket.h"
#include "simulate/clock.h"
#include "simulate/decide.h"
#include "simulate/fault.h"
#include "simulate/jobs.h"
#include "simulate/steered_poller.h"
#include "simulate/virtual.h"
#include "simulate/words.h"

/* The last ones are for loops of other threads: a system may give all of its time to the program's own. */
static const unsigned int late_ms[] = {0, 1, 2, 5, 20, 200, 3000};
enum { LATE_OPTIONS = 5, LATE_OPTIONS_OF_THREADS = sizeof(late_ms) / sizeof(late_ms[0]) };
static const unsigned int drift_ms[] = {0, 1, 2, 10};

/* Whose clock drifts. Of loops that run inside of each other's callbacks, the one that waited last. */
static _Thread_local struct rota_steered_poller *here;

static struct rota_steered_poller *self_of(struct rota_poller *poller) {
  return rota__container_of(poller, struct rota_steered_poller, base);
}

static uint64_t drift_ns(void) {
  struct rota_steered_poller *self = here;
  if (self == NULL)
    return 0;
  unsigned int chosen = rota__decide(&self->decisions, ROTA_CHOICE_DRIFT, sizeof(drift_ms) / sizeof(drift_ms[0]));
  if (chosen > 0)
    rota__decided(&self->decisions, "time: %u ms pass while the program computes", drift_ms[chosen]);
  return (uint64_t)drift_ms[chosen] * NS_PER_MS;
}

static void take_over(struct rota_steered_poller *self) {
  here = self;
  rota__virtual_clock_drift(drift_ns);
}

/* ---- events ---- */

int rota__steered_put_in_order(const struct rota_steered_poller *self, struct rota_ready *ready, int n) {
  int kept = 0;
  for (int i = 0; i < n; i++) {
    struct rota_ready event = ready[i];
    if (event.u.watch.fd == rota__loop(self->loop)->wake.watcher.fd) {
      rota__wake_consume(self->loop);
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
                         char text[ROTA_WORDS_MAX]) {
  return rota__words_for_fd(self->loop, ready->u.watch.fd, ready->u.watch.events, text);
}

bool rota__steered_is_signal(const struct rota_steered_poller *self, const struct rota_ready *ready) {
  const struct rota_watcher *watcher = rota__loop(self->loop)->signal_watcher;
  return watcher != NULL && watcher->fd == ready->u.watch.fd;
}

/* Returns how many are left; the others wait. Signals come after the other events of a round: they may be held back for
 * others, but not the others for them. */
static int hold_some(struct rota_steered_poller *self, struct rota_ready *ready, int n) {
  int kept = 0;
  bool signal = false;
  for (int i = 0; i < n; i++)
    signal |= rota__steered_is_signal(self, &ready[i]);
  for (int i = 0; i < n; i++) {
    char it[ROTA_WORDS_MAX];
    if ((!signal || rota__steered_is_signal(self, &ready[i])) &&
        rota__decide(&self->decisions, ROTA_CHOICE_HOLD, 2) > 0)
      rota__decided(&self->decisions, "poll: %s waits for another round", words(self, &ready[i], it));
    else
      ready[kept++] = ready[i];
  }
  return kept;
}

/* Events of a slow descriptor come when nothing else is left to do. Returns how many events are not slow. */
static int hold_slow(struct rota_steered_poller *self, struct rota_ready *ready, int n, enum rota_haste haste) {
  int kept = 0;
  for (int i = 0; i < n; i++) {
    int fd = ready[i].u.watch.fd;
    struct rota_slow_descriptor *slow =
        fd < ROTA_STEERED_DESCRIPTORS && !rota__steered_is_signal(self, &ready[i]) ? &self->slow[fd] : NULL;
    if (slow != NULL && slow->generation != ready[i].u.watch.generation) {
      char it[ROTA_WORDS_MAX];
      *slow = (struct rota_slow_descriptor){.generation = ready[i].u.watch.generation};
      slow->is_slow = rota__decide(&self->decisions, ROTA_CHOICE_SLOW, 2) > 0;
      if (slow->is_slow)
        rota__decided(&self->decisions, "poll: %s is slow: others come first", words(self, &ready[i], it));
    }
    if (slow != NULL && slow->is_slow && haste == ROTA_CALM && ++slow->looks > ROTA_SLOW_LOOKS)
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
    char it[ROTA_WORDS_MAX], first[ROTA_WORDS_MAX];
    struct rota_ready event = ready[i + (int)chosen];
    rota__decided(&self->decisions, "poll: %s comes before %s", words(self, &event, it), words(self, &ready[i], first));
    for (int at = i + (int)chosen; at > i; at--)
      ready[at] = ready[at - 1];
    ready[i] = event;
  }
}

/* ---- waiting ---- */

/* A record is replayed as it is. */
static bool may_be_held(const struct rota_steered_poller *self, int64_t timeout_ns) {
  return !self->holds || self->decisions.slack_ms == UINT32_MAX ||
         self->held_ns + timeout_ns <= (int64_t)ROTA_STEERED_HELD_MS * NS_PER_MS;
}

bool rota__steered_has_slack(const struct rota_steered_poller *self, int64_t timeout_ns) {
  return timeout_ns > 0 && timeout_ns <= self->slack_ns && may_be_held(self, timeout_ns);
}

void rota__steered_pass_time(struct rota_steered_poller *self, int64_t timeout_ns) {
  self->slack_ns -= timeout_ns;
  if (self->holds)
    self->held_ns += timeout_ns;
  if (rota__virtual_clock_on())
    rota__virtual_advance((uint64_t)timeout_ns);
  else
    rota__os_sleep_ns((uint64_t)timeout_ns);
}

/* Something is ready, but the timer comes first. */
static bool let_time_pass(struct rota_steered_poller *self, int64_t timeout_ns) {
  if (rota__decide(&self->decisions, ROTA_CHOICE_PASS, rota__steered_has_slack(self, timeout_ns) ? 2 : 1) == 0)
    return false;
  rota__decided(&self->decisions, "time: the next timer comes before what is ready");
  rota__steered_pass_time(self, timeout_ns);
  return true;
}

/* Only very slow things are left: they were decided to be slower than timers. */
static bool time_is_quicker(struct rota_steered_poller *self, int64_t timeout_ns) {
  if (rota__jobs_slowness(&self->jobs) < 2 || !rota__steered_has_slack(self, timeout_ns))
    return false;
  rota__steered_pass_time(self, timeout_ns);
  return true;
}

static int64_t perhaps_late(struct rota_steered_poller *self, int64_t timeout_ns) {
  bool is_thread = rota__virtual_clock_on() && !rota__loop_is_default(self->loop);
  unsigned int options = is_thread ? LATE_OPTIONS_OF_THREADS : LATE_OPTIONS;
  unsigned int chosen = timeout_ns < 0 ? 0 : rota__decide(&self->decisions, ROTA_CHOICE_LATE, options);
  if (chosen == 0)
    return timeout_ns;
  rota__decided(&self->decisions, "time: the loop wakes %u ms late", late_ms[chosen]);
  return timeout_ns + (int64_t)late_ms[chosen] * NS_PER_MS;
}

int rota__steered_sleep(struct rota_steered_poller *self, int64_t timeout_ns, struct rota_ready *out, int out_max,
                        bool *over) {
  *over = true;
  /* The wake-up was consumed and had no effect. The next one must write to the descriptor again. */
  if (!rota__wake_sleep(self->loop))
    return 0;
  /* Another loop may have moved the clock since this wait began. */
  if (self->until_ns > 0) {
    uint64_t now_ns = rota__virtual_clock_ns();
    if (now_ns >= self->until_ns)
      return 0;
    timeout_ns = (int64_t)(self->until_ns - now_ns);
  }
  timeout_ns = rota__steered_time_to_async(self, perhaps_late(self, timeout_ns));
  int n = self->inner->ops->wait(self->inner, timeout_ns, out, out_max);
  if (n <= 0 || rota__wake_has_work(self->loop))
    return n < 0 ? n : 0;
  *over = false; /* what came is ready still, and is looked at again */
  return 0;
}

static int shuffled_wait(struct rota_steered_poller *self, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  struct rota_poller *inner = self->inner;
  for (enum rota_haste haste = ROTA_CALM;;) {
    int n = inner->ops->wait(inner, 0, out, out_max);
    if (n < 0)
      return n;
    int ready = rota__steered_put_in_order(self, out, n);
    rota__steered_look_at_asyncs(self);
    rota__jobs_run(&self->jobs, &self->decisions, timeout_ns != 0, haste);
    bool slow_jobs = rota__jobs_slowness(&self->jobs) > 0;
    n = haste == ROTA_SLOW_TOO ? ready : hold_slow(self, out, ready, haste);
    int quick = n;
    n = haste == ROTA_CALM ? hold_some(self, out, n) : n;
    shuffle(self, out, n);
    bool told = rota__jobs_tell(&self->jobs, &self->decisions, haste);
    rota__jobs_count_others(&self->jobs, (unsigned int)n);
    self->holds = n < ready;
    self->held_ns = self->holds ? self->held_ns : 0;
    if (n > 0 || told)
      self->slack_ns = (int64_t)self->decisions.slack_ms * NS_PER_MS;
    if (n > 0 || told || timeout_ns == 0 || rota__wake_has_work(self->loop))
      return n;
    if (haste == ROTA_CALM && (quick > 0 || (rota__jobs_left(&self->jobs) && !slow_jobs))) {
      if (let_time_pass(self, timeout_ns))
        return 0;
      haste = ROTA_HURRY;
      continue;
    }
    if (haste != ROTA_SLOW_TOO && (ready > 0 || rota__jobs_left(&self->jobs))) {
      if (time_is_quicker(self, timeout_ns) || (haste == ROTA_CALM && let_time_pass(self, timeout_ns)))
        return 0;
      haste = ROTA_SLOW_TOO;
      continue;
    }
    bool over;
    n = rota__steered_sleep(self, timeout_ns, out, out_max, &over);
    if (over)
      return n;
  }
}

static int steered_wait(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  struct rota_steered_poller *self = self_of(poller);
  self->inner->blocked_signals = poller->blocked_signals;
  self->until_ns = timeout_ns > 0 && rota__virtual_clock_on() ? rota__virtual_clock_ns() + (uint64_t)timeout_ns : 0;
  take_over(self);
  return self->decisions.ranked ? rota__ranked_wait(self, timeout_ns, out, out_max)
                                : shuffled_wait(self, timeout_ns, out, out_max);
}

/* ---- the rest of the poller ---- */

static int shuffle_watch(struct rota_poller *poller, int fd, unsigned int events, uint32_t generation) {
  struct rota_poller *inner = self_of(poller)->inner;
  return inner->ops->watch(inner, fd, events, generation);
}

static void shuffle_forget(struct rota_poller *poller, int fd) {
  struct rota_poller *inner = self_of(poller)->inner;
  inner->ops->forget(inner, fd);
}

/* ---- the hook ---- */

static struct rota_steered_poller *hooked(struct rota_io_hook *hook) {
  return rota__container_of(hook, struct rota_steered_poller, hook);
}

static int hook_fault(struct rota_io_hook *hook, const char *operation, int fd) {
  char what[ROTA_WORDS_MAX];
  if (rota__decisions_faults() == 0)
    return 0;
  if (fd < 0)
    snprintf(what, sizeof(what), "a child");
  else
    snprintf(what, sizeof(what), "tcp %d", fd);
  return rota__fault(hooked(hook), operation, what);
}

/* The reader's own call, perhaps with less room. */
static ssize_t hook_receive(struct rota_io_hook *hook, int fd, const uv_buf_t *buf) {
  struct rota_steered_poller *self = hooked(hook);
  size_t length = buf->len;
  static const unsigned int sizes[] = {0, 1, 7, 100};
  int fault = hook_fault(hook, "receive", fd);
  if (fault < 0)
    return fault;
  unsigned int chosen = rota__decide(&self->decisions, ROTA_CHOICE_READ, sizeof(sizes) / sizeof(sizes[0]));
  if (chosen > 0) {
    rota__decided(&self->decisions, "read: tcp %d gives at most %u bytes", fd, sizes[chosen]);
    length = length < sizes[chosen] ? length : sizes[chosen];
  }
  return rota__os_recv(fd, buf->base, length);
}

static void shuffle_flush(struct rota_poller *poller) {
  struct rota_poller *inner = self_of(poller)->inner;
  if (inner->ops->flush != NULL)
    inner->ops->flush(inner);
}

static int shuffle_fd(struct rota_poller *poller) {
  struct rota_steered_poller *self = self_of(poller);
  self->shared = true;
  return self->inner->ops->fd(self->inner);
}

/* A program that polls the descriptor must be woken when jobs, or sends of other threads, wait for another round:
 * nothing else would wake it. A send is held back that comes while the loop calls others. */
static bool shuffle_has_events(const struct rota_poller *poller) {
  const struct rota_steered_poller *self = rota__container_of(poller, const struct rota_steered_poller, base);
  return self->shared && (rota__jobs_left(&self->jobs) || rota__loop(self->loop)->asyncs.held != NULL);
}

static void shuffle_close(struct rota_poller *poller) {
  struct rota_steered_poller *self = self_of(poller);
  if (here == self)
    here = NULL;
  rota__loop(self->loop)->io_hook = NULL;
  rota__jobs_close(&self->jobs);
  self->inner->ops->close(self->inner);
  rota__free(self);
}

/* No `submit`: the pool's jobs can be steered. */
static const struct rota_poller_ops shuffle_ops = {
    .watch = shuffle_watch,
    .forget = shuffle_forget,
    .wait = steered_wait,
    .has_events = shuffle_has_events,
    .flush = shuffle_flush,
    .fd = shuffle_fd,
    .close = shuffle_close,
};

struct rota_poller *rota__shuffle_wrap(uv_loop_t *loop, struct rota_poller *inner) {
  struct rota_steered_poller *self = rota__calloc(1, sizeof(*self));
  if (self == NULL)
    return NULL;
  self->ops = shuffle_ops;
  self->ops.name = inner->ops->name;
  self->base.ops = &self->ops;
  self->base.blocked_signals = inner->blocked_signals;
  self->base.port = inner->port;
  self->inner = inner;
  self->loop = loop;
  rota__decisions_init(&self->decisions);
  self->slack_ns = (int64_t)self->decisions.slack_ms * NS_PER_MS;
  self->ranks.begin_ms = loop->core.now_ms;
  rota__jobs_init(&self->jobs, loop);
  self->hook = (struct rota_io_hook){.receive = hook_receive, .fault = hook_fault};
  rota__loop(loop)->io_hook = &self->hook;
  take_over(self);
  return &self->base;
}

/* Null: nobody decides the schedule of this loop. */
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
    rota__decided(&self->decisions, "%s", words[chosen]);
  return chosen;
}

int rota_schedule_fault(uv_loop_t *loop, const char *operation, const char *what) {
  struct rota_steered_poller *self = poller_of(loop);
  return self == NULL ? 0 : rota__fault(self, operation, what);
}

void rota__shuffle_sleeps(void) {
  if (here != NULL)
    rota__jobs_run_all(&here->jobs);
}
