#include "simulate/virtual.h"

#include <pthread.h>

#include "loop/base/alloc.h"
#include "loop/base/units.h"
#include "loop/core/handle.h"
#include "loop/core/internal.h"
#include "loop/core/observe.h"
#include "loop/os/clock.h"
#include "loop/os/process.h"
#include "loop/os/socket.h"
#include "loop/os/thread.h"
#include "simulate/clock.h"
#include "simulate/libc_clock.h"
#include "simulate/wrapped_poller.h"

enum {
  ITERATION_NS = 1000, /* the time that an iteration without a wait takes */
  UNSENT_MS = 250,     /* a system acknowledges within this time: then it sends what it has kept back */
  PATIENCE_MS = 10000  /* what is in progress while time is advanced step by step is waited for so long, each time */
};

static const uint64_t never = UINT64_MAX;

enum state {
  RUNNING,
  WAITING, /* until due_ns */
  OUTSIDE, /* of uv_run */
};

struct virtual_poller {
  struct rota_wrapped_poller wrapped;
  uint64_t last_event_ns;    /* when a descriptor last had an event, in real time */
  pid_t peer;                /* the process at the other end of a local socket; 0: none */
  uint64_t peer_idle_ns;     /* when it was last seen not to compute, in real time */
  uint64_t outside_since_ns; /* when uv_run was left, in real time; 0: it runs, or the program does not poll our
                                descriptor */
  struct rota_link link;     /* in process.pollers; this and what follows is under the lock */
  enum state state;
  bool needs_real_time; /* jobs, children, or a peer on another machine */
  bool awaits_peer;     /* for the peer, which computes */
  bool is_service;      /* an engine's own loop: its timers do not move time */
  uint64_t moves_seen;  /* of process.moves */
  int thread;
  uint64_t due_ns;
};

static struct {
  pthread_mutex_t lock;
  struct rota_link pollers;
  unsigned int holds;
  bool by_hand;
  uint64_t grace_ns;
  /* Time stands still, but for an advance, which lets it go on from timer to timer, up to limit_ns. */
  bool is_still;
  bool is_advancing;
  bool until_none; /* the advance ends with the last timer that keeps a loop alive */
  uint64_t limit_ns;
  uint64_t steps_left;
  uint64_t moves; /* of advances and of their steps: after each, something may have been sent */
  struct rota_virtual_told told;
  struct rota_virtual_told ended; /* to be told when the lock is free; with a null function: nothing */
  int end;
} process = {.lock = PTHREAD_MUTEX_INITIALIZER, .pollers = {&process.pollers, &process.pollers}};

/* Whoever has the lock may have ended an advance. The function that is told may use the library. */
static void unlock_and_tell(void) {
  struct rota_virtual_told ended = process.ended;
  int end = process.end;
  process.ended.function = NULL;
  pthread_mutex_unlock(&process.lock);
  if (ended.function != NULL)
    ended.function(end, ended.data);
}

static struct virtual_poller *self_of(struct rota_poller *poller) {
  return rota__container_of(poller, struct virtual_poller, wrapped.base);
}

static struct virtual_poller *poller_at(struct rota_link *link) {
  return rota__container_of(link, struct virtual_poller, link);
}

void rota__virtual_configure(bool by_hand, uint64_t grace_ns) {
  process.by_hand = by_hand;
  process.grace_ns = grace_ns;
}

/* ---- what takes real time ---- */

static bool is_on_another_machine(const struct sockaddr_storage *peer) {
  if (peer->ss_family == AF_INET)
    return ntohl(((const struct sockaddr_in *)peer)->sin_addr.s_addr) >> 24 != 127;
  if (peer->ss_family != AF_INET6)
    return false;
  const struct in6_addr *address = &((const struct sockaddr_in6 *)peer)->sin6_addr;
  return !IN6_IS_ADDR_LOOPBACK(address) && !(IN6_IS_ADDR_V4MAPPED(address) && address->s6_addr[12] == 127);
}

/* The process that made the other end of a local socket; 0: this one. Usually the parent made the IPC channel and the
 * standard streams. */
static pid_t process_behind(int fd) {
  pid_t process_id;
  uid_t user;
  return rota__os_peer(fd, &process_id, &user) == 0 && process_id != rota__os_process_id() ? process_id : 0;
}

/* An active handle of this kind, from a link of the loop's list on; null: there is none. */
static const uv_handle_t *find_handle(const uv_loop_t *loop, const struct rota_link *link, uv_handle_type type) {
  for (; link != &loop->handle_queue; link = link->next) {
    const uv_handle_t *handle = rota__container_of(link, const uv_handle_t, handle_queue);
    if (handle->type == type && rota__handle_is_active(handle))
      return handle;
  }
  return NULL;
}

static bool has_children(const uv_loop_t *loop) {
  return find_handle(loop, loop->handle_queue.next, UV_PROCESS) != NULL;
}

static bool has_busy_child(const uv_loop_t *loop) {
  const uv_handle_t *handle = find_handle(loop, loop->handle_queue.next, UV_PROCESS);
  for (; handle != NULL; handle = find_handle(loop, handle->handle_queue.next, UV_PROCESS))
    if (rota__os_process_is_busy(((const uv_process_t *)handle)->pid))
      return true;
  return false;
}

static bool has_timer_that_keeps_alive(const uv_loop_t *loop) {
  const uv_handle_t *handle = find_handle(loop, loop->handle_queue.next, UV_TIMER);
  for (; handle != NULL; handle = find_handle(loop, handle->handle_queue.next, UV_TIMER))
    if (uv_has_ref(handle))
      return true;
  return false;
}

/* Inspects the watched descriptors, without the loop's own. Returns for how long they may have no event before it is
 * clear that none comes by itself; 0: there are no such descriptors. */
static uint64_t inspect_descriptors(struct virtual_poller *self, bool *needs_real_time) {
  uint64_t grace_ns = 0;
  const uv_loop_t *loop = self->wrapped.loop;
  const struct rota_loop *internal = rota__loop(loop);
  *needs_real_time = internal->jobs > 0 || (!process.is_still && has_children(loop));
  self->peer = 0;
  for (size_t fd = 0; fd < rota__loop(loop)->watchers_capacity; fd++) {
    const struct rota_watcher *watcher = rota__loop(loop)->watchers[fd];
    if (watcher == NULL || watcher == &internal->wake.watcher || watcher == internal->signal_watcher)
      continue;
    if (grace_ns == 0)
      grace_ns = process.grace_ns;
    if (grace_ns < (uint64_t)UNSENT_MS * NS_PER_MS && rota__os_has_unsent((int)fd))
      grace_ns = (uint64_t)UNSENT_MS * NS_PER_MS;
    struct sockaddr_storage peer;
    socklen_t length = sizeof(peer);
    if (rota__os_getpeername((int)fd, (struct sockaddr *)&peer, &length) < 0)
      continue;
    if (peer.ss_family == AF_UNIX && self->peer == 0)
      self->peer = process_behind((int)fd);
    if (!is_on_another_machine(&peer))
      continue;
    *needs_real_time |= !process.is_still;
    grace_ns = (uint64_t)UNSENT_MS * NS_PER_MS;
  }
  if (process.is_still && has_children(loop) && grace_ns == 0)
    grace_ns = process.grace_ns;
  return grace_ns;
}

/* ---- moving time; with the lock held ---- */

/* A thread waits in one loop. Its other loops are in the callback that runs this one, or were never run. */
static bool thread_waits(int thread) {
  for (struct rota_link *link = process.pollers.next; link != &process.pollers; link = link->next)
    if (poller_at(link)->thread == thread && poller_at(link)->state == WAITING)
      return true;
  return false;
}

/* Another thread has woken the loop, which has not run yet. */
static bool is_woken(const struct virtual_poller *poller) {
  return atomic_load(&rota__loop(poller->wrapped.loop)->wake.asleep) == 0;
}

/* A thread that left uv_run may be waiting for other threads, or be about to run another loop. An engine's thread goes
 * on running JavaScript. */
static bool is_busy(const struct virtual_poller *poller) {
  if (poller->state == WAITING)
    return poller->needs_real_time || poller->awaits_peer || is_woken(poller);
  return (poller->state == RUNNING || rota__libc_clock_is_attached()) && !thread_waits(poller->thread);
}

/* Whether another loop than this one is busy; null: any loop. */
static bool others_are_busy(const struct virtual_poller *self) {
  if (process.holds > 0)
    return true;
  for (struct rota_link *link = process.pollers.next; link != &process.pollers; link = link->next) {
    const struct virtual_poller *other = poller_at(link);
    /* An outer loop of this thread is in the callback that runs this loop. */
    if ((self == NULL || other->thread != self->thread) && is_busy(other))
      return true;
  }
  return false;
}

static void wake_those_due(const struct virtual_poller *self) {
  uint64_t now_ns = rota__virtual_clock_ns();
  for (struct rota_link *link = process.pollers.next; link != &process.pollers; link = link->next) {
    struct virtual_poller *other = poller_at(link);
    if ((self != NULL && other == self) || other->state != WAITING || other->due_ns > now_ns)
      continue;
    other->state = RUNNING; /* time stands still until it waits again */
    rota__wake_signal(other->wrapped.loop);
  }
}

static void end_advance(int end) {
  process.is_advancing = false;
  process.ended = process.told;
  process.end = end;
}

/* While time is advanced: whether it may go on to the next timer. If not, the advance has ended. */
static bool may_step(uint64_t to_ns, bool keeps_alive) {
  if (process.until_none ? !keeps_alive : to_ns > process.limit_ns) {
    if (!process.until_none)
      rota__virtual_clock_set(process.limit_ns);
    end_advance(0);
    return false;
  }
  process.moves++;
  if (process.steps_left-- > 0)
    return true;
  end_advance(UV_E2BIG);
  return false;
}

static void jump(const struct virtual_poller *self) {
  uint64_t to_ns = never;
  bool keeps_alive = false;
  for (struct rota_link *link = process.pollers.next; link != &process.pollers; link = link->next) {
    const struct virtual_poller *waiting = poller_at(link);
    if (waiting->state != WAITING || waiting->is_service || waiting->due_ns == never)
      continue;
    keeps_alive = keeps_alive || !process.until_none || has_timer_that_keeps_alive(waiting->wrapped.loop);
    if (waiting->due_ns < to_ns)
      to_ns = waiting->due_ns;
  }
  if (process.is_still && !may_step(to_ns, keeps_alive))
    return;
  if (to_ns == never)
    return;
  rota__virtual_clock_set(to_ns);
  wake_those_due(self);
}

/* A loop that waits looks again at what it waits for. */
static void wake_all(void) {
  for (struct rota_link *link = process.pollers.next; link != &process.pollers; link = link->next)
    if (poller_at(link)->state == WAITING)
      rota__wake_signal(poller_at(link)->wrapped.loop);
}

/* Called when one loop less runs: the waiting loops may have been waiting for it. */
static void jump_if_idle(void) {
  if (process.is_advancing)
    wake_all();
  else if (!process.by_hand && !process.is_still && !others_are_busy(NULL))
    jump(NULL);
}

/* A peer that computes may be about to send something, which takes real time. It is checked once in a grace period. */
static bool peer_is_busy(struct virtual_poller *self, uint64_t real_ns) {
  if (self->peer == 0 || real_ns - self->peer_idle_ns < process.grace_ns)
    return false;
  if (rota__os_process_is_busy(self->peer))
    return true;
  self->peer_idle_ns = real_ns;
  return false;
}

/* While time is advanced: all that is in progress is waited for, since a step may be as short as the next timer is
 * near.
 */
static int64_t timeout_of_step(struct virtual_poller *self, uint64_t grace_ns, uint64_t since_ns) {
  uint64_t real_ns = rota__os_clock_ns(), waited_ns = real_ns - since_ns;
  uint64_t left_ns = (uint64_t)PATIENCE_MS * NS_PER_MS;
  if (waited_ns >= left_ns)
    return 0;
  left_ns -= waited_ns;
  if (self->moves_seen != process.moves) {
    self->moves_seen = process.moves;
    self->last_event_ns = real_ns;
  }
  if (self->needs_real_time || is_woken(self) || others_are_busy(self))
    return (int64_t)left_ns;
  uint64_t silent_ns = real_ns - self->last_event_ns;
  if (silent_ns < grace_ns)
    return (int64_t)(grace_ns - silent_ns);
  self->awaits_peer = peer_is_busy(self, real_ns) || has_busy_child(self->wrapped.loop);
  return self->awaits_peer ? (int64_t)process.grace_ns : 0;
}

/* How long to wait in real time before time may jump. 0: no wait; -1: no limit. */
static int64_t real_timeout(struct virtual_poller *self, uint64_t grace_ns, uint64_t since_ns) {
  if (process.by_hand || (process.is_still && !process.is_advancing))
    return -1;
  if (process.is_still)
    return timeout_of_step(self, grace_ns, since_ns);
  uint64_t real_ns = rota__os_clock_ns(), waited_ns = real_ns - since_ns;
  bool has_timer = self->due_ns != never;
  uint64_t until_ns = has_timer ? self->due_ns - rota__virtual_clock_ns() : 0;
  int64_t left_ns = !has_timer ? -1 : until_ns > waited_ns ? (int64_t)(until_ns - waited_ns) : 0;
  if (self->needs_real_time || is_woken(self) || others_are_busy(self))
    return left_ns;
  uint64_t silent_ns = real_ns - self->last_event_ns;
  if (silent_ns < grace_ns)
    return (int64_t)(grace_ns - silent_ns);
  self->awaits_peer = has_timer && left_ns > 0 && peer_is_busy(self, real_ns);
  if (!self->awaits_peer)
    return 0;
  return left_ns < (int64_t)process.grace_ns ? left_ns : (int64_t)process.grace_ns;
}

/* ---- the poller ---- */

static int wait_for_others(struct virtual_poller *self, struct rota_ready *out, int out_max, uint64_t due_ns) {
  uint64_t since_ns = rota__os_clock_ns();
  bool needs_real_time;
  uint64_t grace_ns = inspect_descriptors(self, &needs_real_time);
  for (;;) {
    pthread_mutex_lock(&process.lock);
    self->state = WAITING;
    self->needs_real_time = needs_real_time;
    self->awaits_peer = false;
    self->due_ns = due_ns;
    int64_t real_timeout_ns = 0;
    if (rota__virtual_clock_ns() < due_ns) {
      real_timeout_ns = real_timeout(self, grace_ns, since_ns);
      if (real_timeout_ns == 0) {
        jump(self);
        real_timeout_ns = -1; /* unless the timer was our own, another loop has to continue now */
      }
    }
    bool due = rota__virtual_clock_ns() >= due_ns;
    unlock_and_tell();
    if (due)
      return 0;
    int n = rota__wrapped_wait(&self->wrapped, real_timeout_ns, out, out_max);
    /* Some pollers do not report that the loop was woken. */
    if (n != 0 || rota__wake_was_woken(self->wrapped.loop))
      return n;
  }
}

static void note_state(struct virtual_poller *self, enum state state) {
  rota__libc_clock_mark_thread();
  pthread_mutex_lock(&process.lock);
  self->state = state;
  self->thread = rota__os_thread_id();
  if (state == OUTSIDE)
    jump_if_idle();
  pthread_mutex_unlock(&process.lock);
  rota__steer_thread_waits(); /* it runs a loop, possibly one that was made before the thread */
}

static int virtual_wait(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  struct virtual_poller *self = self_of(poller);
  self->wrapped.inner->blocked_signals = poller->blocked_signals;
  note_state(self, RUNNING);
  rota__virtual_clock_begin_wait();
  if (!process.by_hand && !process.is_still)
    rota__virtual_clock_add(self->outside_since_ns > 0 ? rota__os_clock_ns() - self->outside_since_ns : ITERATION_NS);
  self->outside_since_ns = 0;
  int n = rota__wrapped_wait(&self->wrapped, 0, out, out_max);
  /* A wake-up alone is no event of a descriptor. */
  bool has_event =
      n > 1 || (n == 1 && (out->op != NULL || out->u.watch.fd != rota__loop(self->wrapped.loop)->wake.watcher.fd));
  if (n == 0 && timeout_ns != 0) {
    /* Until the millisecond in which the timer is due begins: this call has taken a part of the wait already. */
    uint64_t due_ns = timeout_ns < 0 ? never : rota__virtual_clock_ns() + (uint64_t)timeout_ns;
    n = wait_for_others(self, out, out_max, due_ns == never ? never : due_ns - due_ns % NS_PER_MS);
    note_state(self, RUNNING);
    has_event = n > 0;
  }
  if (has_event)
    self->last_event_ns = rota__os_clock_ns();
  return n;
}

static void virtual_flush(struct rota_poller *poller) {
  struct virtual_poller *self = self_of(poller);
  note_state(self, OUTSIDE);
  /* A program that polls the descriptor waits in real time, so virtual time passes with it. */
  if (self->wrapped.shared)
    self->outside_since_ns = rota__os_clock_ns();
  rota__wrapped_flush(poller);
}

static void virtual_close(struct rota_poller *poller) {
  struct virtual_poller *self = self_of(poller);
  pthread_mutex_lock(&process.lock);
  rota__list_remove(&self->link);
  jump_if_idle();
  pthread_mutex_unlock(&process.lock);
  self->wrapped.inner->ops->close(self->wrapped.inner);
  rota__free(self);
}

/* There is no is_idle: an iteration that does not ask for events takes virtual time, too. */
static const struct rota_poller_ops virtual_ops = {
    .wait = virtual_wait,
    .flush = virtual_flush,
    .close = virtual_close,
};

/* With the lock held. Loops that run on other threads before the program has its loop are not the program's: Node's
 * platform has a loop for the delayed tasks of V8. */
static void note_services(int thread) {
  for (struct rota_link *link = process.pollers.next; link != &process.pollers; link = link->next)
    poller_at(link)->is_service |= poller_at(link)->thread != thread;
}

struct rota_poller *rota__virtual_wrap(uv_loop_t *loop, struct rota_poller *inner) {
  struct virtual_poller *self = rota__calloc(1, sizeof(*self));
  if (self == NULL)
    return NULL;
  rota__wrapped_init(&self->wrapped, loop, inner, &virtual_ops);
  self->last_event_ns = rota__os_clock_ns();
  self->thread = rota__os_thread_id();
  rota__virtual_clock_begin_wait();
  rota__libc_clock_mark_thread();
  pthread_mutex_lock(&process.lock);
  if (rota__loop_is_default(loop) && rota__libc_clock_is_attached())
    note_services(self->thread);
  rota__list_append(&process.pollers, &self->link);
  pthread_mutex_unlock(&process.lock);
  return &self->wrapped.base;
}

/* ---- for the rest of the library ---- */

bool rota__virtual_is_service(struct rota_poller *poller) {
  if (poller->ops->wait != virtual_wait)
    return false;
  pthread_mutex_lock(&process.lock);
  bool is_service = self_of(poller)->is_service;
  pthread_mutex_unlock(&process.lock);
  return is_service;
}

void rota__virtual_advance(uint64_t duration_ns) {
  pthread_mutex_lock(&process.lock);
  rota__virtual_clock_add(duration_ns);
  wake_those_due(NULL);
  pthread_mutex_unlock(&process.lock);
}

void rota__virtual_stop(void) {
  pthread_mutex_lock(&process.lock);
  if (!process.is_still) {
    process.is_still = true;
    uint64_t now_ns = rota__virtual_clock_ns();
    rota__virtual_clock_set(now_ns + (NS_PER_MS - now_ns % NS_PER_MS) % NS_PER_MS);
    rota__virtual_clock_stand(true);
  }
  pthread_mutex_unlock(&process.lock);
}

void rota__virtual_go(void) {
  pthread_mutex_lock(&process.lock);
  process.is_still = false;
  rota__virtual_clock_stand(false);
  if (process.is_advancing)
    end_advance(UV_ECANCELED);
  wake_all();
  unlock_and_tell();
}

int rota__virtual_step(uint64_t duration_ns, uint64_t steps_max, struct rota_virtual_told told) {
  pthread_mutex_lock(&process.lock);
  int err = !process.is_still ? UV_EINVAL : process.is_advancing ? UV_EBUSY : 0;
  if (err == 0) {
    process.is_advancing = true;
    process.until_none = duration_ns == ROTA_VIRTUAL_UNTIL_NONE;
    process.limit_ns = process.until_none ? never : rota__virtual_clock_ns() + duration_ns;
    process.steps_left = steps_max;
    process.told = told;
    process.moves++;
    wake_all();
  }
  pthread_mutex_unlock(&process.lock);
  return err;
}

void rota__virtual_hold(int change) {
  pthread_mutex_lock(&process.lock);
  if (change > 0 || process.holds > 0) /* a forked child has none of its parent's holds */
    process.holds += (unsigned int)change;
  if (process.holds == 0)
    jump_if_idle();
  pthread_mutex_unlock(&process.lock);
}

/* With the lock held. Whether this thread has loops, and whether they have jobs in the pool. */
static void inspect_own_loops(bool *has_loop, bool *has_jobs) {
  int thread = rota__os_thread_id();
  *has_loop = *has_jobs = false;
  for (struct rota_link *link = process.pollers.next; link != &process.pollers; link = link->next) {
    const struct virtual_poller *poller = poller_at(link);
    if (poller->thread != thread)
      continue;
    *has_loop = true;
    *has_jobs |= rota__loop(poller->wrapped.loop)->jobs > 0;
  }
}

/* Whether time may go to due_ns while this thread waits: no other loop is busy, or has an earlier timer. */
static bool is_next(uint64_t due_ns) {
  int thread = rota__os_thread_id();
  struct virtual_poller self = {.thread = thread};
  if (process.by_hand || process.is_still || others_are_busy(&self))
    return false;
  for (struct rota_link *link = process.pollers.next; link != &process.pollers; link = link->next) {
    const struct virtual_poller *other = poller_at(link);
    if (other->thread != thread && other->state == WAITING && !other->is_service && other->due_ns < due_ns)
      return false;
  }
  return true;
}

bool rota__virtual_wait_until(uint64_t due_ns, uint64_t waited_ns) {
  bool has_loop, has_jobs;
  pthread_mutex_lock(&process.lock);
  inspect_own_loops(&has_loop, &has_jobs);
  uint64_t to_ns = rota__virtual_clock_ns() + waited_ns;
  bool is_there = to_ns >= due_ns || (has_loop && !has_jobs && is_next(due_ns));
  rota__virtual_clock_set(is_there ? due_ns : to_ns);
  wake_those_due(NULL);
  pthread_mutex_unlock(&process.lock);
  return is_there;
}

void rota__virtual_sleep(uint64_t duration_ns) {
  bool has_loop, has_jobs;
  pthread_mutex_lock(&process.lock);
  inspect_own_loops(&has_loop, &has_jobs);
  if (has_loop)
    rota__virtual_clock_add(duration_ns);
  pthread_mutex_unlock(&process.lock);
  if (!has_loop || has_jobs)
    rota__os_sleep_ns(duration_ns);
}

void rota__virtual_before_fork(void) {
  pthread_mutex_lock(&process.lock);
}

void rota__virtual_after_fork_in_parent(void) {
  pthread_mutex_unlock(&process.lock);
}

/* The threads of the other loops exist in the parent only: the child does not wait for them. */
void rota__virtual_after_fork_in_child(void) {
  for (struct rota_link *link = process.pollers.next; link != &process.pollers; link = link->next)
    poller_at(link)->state = OUTSIDE;
  process.holds = 0;
  process.is_still = process.is_advancing = false;
  rota__virtual_clock_stand(false);
  pthread_mutex_unlock(&process.lock);
}
