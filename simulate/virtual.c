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

enum { LOOK_NS = 1000 /* what an iteration takes that does not wait */ };

static const uint64_t never = UINT64_MAX;

enum state {
  RUNNING,
  WAITING, /* until due_ns */
  OUTSIDE, /* of uv_run */
};

struct virtual_poller {
  struct rota_wrapped_poller wrapped;
  uint64_t heard_ns;  /* when a descriptor last had an event, in real time */
  pid_t partner;      /* a process that this one has a local socket to; 0: none */
  uint64_t rested_ns; /* when it was last seen at rest, in real time */
  uint64_t left_ns;   /* when uv_run was left, in real time; 0: it runs, or the program does not poll our descriptor */
  struct rota_link link; /* among those of the process; this and what follows is under the lock */
  enum state state;
  bool engaged;    /* with something that takes real time */
  bool awaits;     /* its partner, which computes */
  bool is_service; /* an engine's own: time does not move for its sake */
  int thread;
  uint64_t due_ns;
};

static struct {
  pthread_mutex_t lock;
  struct rota_link pollers;
  unsigned int holds;
  bool by_hand;
  uint64_t grace_ns;
} process = {.lock = PTHREAD_MUTEX_INITIALIZER, .pollers = {&process.pollers, &process.pollers}};

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

/* ---- what may still happen ---- */

static bool is_on_another_machine(const struct sockaddr_storage *peer) {
  if (peer->ss_family == AF_INET)
    return ntohl(((const struct sockaddr_in *)peer)->sin_addr.s_addr) >> 24 != 127;
  if (peer->ss_family != AF_INET6)
    return false;
  const struct in6_addr *address = &((const struct sockaddr_in6 *)peer)->sin6_addr;
  return !IN6_IS_ADDR_LOOPBACK(address) && !(IN6_IS_ADDR_V4MAPPED(address) && address->s6_addr[12] == 127);
}

/* Who made the other end of a local socket: the parent, of the channel and the standard streams that it gave to this
 * process. */
static pid_t maker_of(int fd) {
  pid_t maker;
  uid_t user;
  return rota__os_peer(fd, &maker, &user) == 0 && maker != rota__os_process_id() ? maker : 0;
}

static bool has_children(const uv_loop_t *loop) {
  for (const struct rota_link *link = loop->handle_queue.next; link != &loop->handle_queue; link = link->next) {
    const uv_handle_t *handle = rota__container_of(link, const uv_handle_t, handle_queue);
    if (handle->type == UV_PROCESS && rota__handle_is_active(handle))
      return true;
  }
  return false;
}

/* Looks at the descriptors that are watched, besides the loop's own. */
static void look_around(struct virtual_poller *self, bool *engaged, bool *listening) {
  const uv_loop_t *loop = self->wrapped.loop;
  const struct rota_loop *internal = rota__loop(loop);
  *engaged = internal->jobs > 0 || has_children(loop);
  *listening = false;
  self->partner = 0;
  for (size_t fd = 0; fd < rota__loop(loop)->watchers_capacity; fd++) {
    const struct rota_watcher *watcher = rota__loop(loop)->watchers[fd];
    if (watcher == NULL || watcher == &internal->wake.watcher || watcher == internal->signal_watcher)
      continue;
    *listening = true;
    struct sockaddr_storage peer;
    socklen_t length = sizeof(peer);
    if (rota__os_getpeername((int)fd, (struct sockaddr *)&peer, &length) < 0)
      continue;
    if (peer.ss_family == AF_UNIX && self->partner == 0)
      self->partner = maker_of((int)fd);
    *engaged |= is_on_another_machine(&peer);
  }
}

/* ---- moving on; with the lock held ---- */

/* A thread waits in one place. Its other loops are those whose callback runs this one, or that were never run. */
static bool thread_waits(int thread) {
  for (struct rota_link *link = process.pollers.next; link != &process.pollers; link = link->next)
    if (poller_at(link)->thread == thread && poller_at(link)->state == WAITING)
      return true;
  return false;
}

/* Something was sent to it, and it has not come to it yet. */
static bool is_woken(const struct virtual_poller *poller) {
  return atomic_load(&rota__loop(poller->wrapped.loop)->wake.asleep) == 0;
}

/* Who left uv_run may be waiting for other threads, or be about to run another loop. An engine's thread goes on running
 * JavaScript. */
static bool is_busy(const struct virtual_poller *poller) {
  if (poller->state == WAITING)
    return poller->engaged || poller->awaits || is_woken(poller);
  return (poller->state == RUNNING || rota__libc_clock_is_attached()) && !thread_waits(poller->thread);
}

/* Others than this one; null: any. */
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
    other->state = RUNNING; /* time stands still until it has had its turn */
    rota__wake_signal(other->wrapped.loop);
  }
}

static void jump(const struct virtual_poller *self) {
  uint64_t to_ns = never;
  for (struct rota_link *link = process.pollers.next; link != &process.pollers; link = link->next) {
    const struct virtual_poller *waiting = poller_at(link);
    if (waiting->state == WAITING && !waiting->is_service && waiting->due_ns < to_ns)
      to_ns = waiting->due_ns;
  }
  if (to_ns == never)
    return;
  rota__virtual_clock_set(to_ns);
  wake_those_due(self);
}

/* One loop less runs: the waiting loops may have been waiting for it. */
static void move_on(void) {
  if (!process.by_hand && !others_are_busy(NULL))
    jump(NULL);
}

/* A partner that computes may be about to send something: what it does takes real time. It is looked at once in a grace
 * period. */
static bool partner_is_busy(struct virtual_poller *self, uint64_t real_ns) {
  if (self->partner == 0 || real_ns - self->rested_ns < process.grace_ns)
    return false;
  if (rota__os_process_is_busy(self->partner))
    return true;
  self->rested_ns = real_ns;
  return false;
}

/* How long to wait in real time before time may jump; 0: not at all, -1: for ever. */
static int64_t patience_of(struct virtual_poller *self, bool listening, uint64_t since_ns) {
  if (process.by_hand)
    return -1;
  uint64_t real_ns = rota__os_clock_ns(), waited_ns = real_ns - since_ns;
  bool has_timer = self->due_ns != never;
  uint64_t until_ns = has_timer ? self->due_ns - rota__virtual_clock_ns() : 0;
  int64_t left_ns = !has_timer ? -1 : until_ns > waited_ns ? (int64_t)(until_ns - waited_ns) : 0;
  if (self->engaged || is_woken(self) || others_are_busy(self))
    return left_ns;
  uint64_t silent_ns = real_ns - self->heard_ns;
  if (listening && silent_ns < process.grace_ns)
    return (int64_t)(process.grace_ns - silent_ns);
  self->awaits = has_timer && left_ns > 0 && partner_is_busy(self, real_ns);
  if (!self->awaits)
    return 0;
  return left_ns < (int64_t)process.grace_ns ? left_ns : (int64_t)process.grace_ns;
}

/* ---- the poller ---- */

static int wait_for_others(struct virtual_poller *self, struct rota_ready *out, int out_max, uint64_t due_ns) {
  uint64_t since_ns = rota__os_clock_ns();
  bool engaged, listening;
  look_around(self, &engaged, &listening);
  for (;;) {
    pthread_mutex_lock(&process.lock);
    self->state = WAITING;
    self->engaged = engaged;
    self->awaits = false;
    self->due_ns = due_ns;
    int64_t patience_ns = 0;
    if (rota__virtual_clock_ns() < due_ns) {
      patience_ns = patience_of(self, listening, since_ns);
      if (patience_ns == 0) {
        jump(self);
        patience_ns = -1; /* unless it was our own timer, another loop has to continue now */
      }
    }
    bool due = rota__virtual_clock_ns() >= due_ns;
    pthread_mutex_unlock(&process.lock);
    if (due)
      return 0;
    int n = rota__wrapped_wait(&self->wrapped, patience_ns, out, out_max);
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
    move_on();
  pthread_mutex_unlock(&process.lock);
  rota__steer_thread_rests(); /* it runs a loop, which may be one that was made before: that one counts */
}

static int virtual_wait(struct rota_poller *poller, int64_t timeout_ns, struct rota_ready *out, int out_max) {
  struct virtual_poller *self = self_of(poller);
  self->wrapped.inner->blocked_signals = poller->blocked_signals;
  note_state(self, RUNNING);
  rota__virtual_clock_rest();
  if (!process.by_hand)
    rota__virtual_clock_add(self->left_ns > 0 ? rota__os_clock_ns() - self->left_ns : LOOK_NS);
  self->left_ns = 0;
  int n = rota__wrapped_wait(&self->wrapped, 0, out, out_max);
  /* A wake-up of the loop by itself is nothing that was heard. */
  bool heard =
      n > 1 || (n == 1 && (out->op != NULL || out->u.watch.fd != rota__loop(self->wrapped.loop)->wake.watcher.fd));
  if (n == 0 && timeout_ns != 0) {
    /* To the millisecond in which the timer is due, not beyond it by what this look took. */
    uint64_t due_ns = timeout_ns < 0 ? never : rota__virtual_clock_ns() + (uint64_t)timeout_ns;
    n = wait_for_others(self, out, out_max, due_ns == never ? never : due_ns - due_ns % NS_PER_MS);
    note_state(self, RUNNING);
    heard = n > 0;
  }
  if (heard)
    self->heard_ns = rota__os_clock_ns();
  return n;
}

static void virtual_flush(struct rota_poller *poller) {
  struct virtual_poller *self = self_of(poller);
  note_state(self, OUTSIDE);
  /* A program that polls the descriptor waits in real time, so virtual time passes with it. */
  if (self->wrapped.shared)
    self->left_ns = rota__os_clock_ns();
  rota__wrapped_flush(poller);
}

static void virtual_close(struct rota_poller *poller) {
  struct virtual_poller *self = self_of(poller);
  pthread_mutex_lock(&process.lock);
  rota__list_remove(&self->link);
  move_on();
  pthread_mutex_unlock(&process.lock);
  self->wrapped.inner->ops->close(self->wrapped.inner);
  rota__free(self);
}

/* Never idle: an iteration that does not ask for events takes virtual time, too. */
static const struct rota_poller_ops virtual_ops = {
    .wait = virtual_wait,
    .flush = virtual_flush,
    .close = virtual_close,
};

/* With the lock held. What runs on other threads before the program has its loop is not the program: Node's platform
 * has a loop for the delayed tasks of V8. */
static void note_services(int thread) {
  for (struct rota_link *link = process.pollers.next; link != &process.pollers; link = link->next)
    poller_at(link)->is_service |= poller_at(link)->thread != thread;
}

struct rota_poller *rota__virtual_wrap(uv_loop_t *loop, struct rota_poller *inner) {
  struct virtual_poller *self = rota__calloc(1, sizeof(*self));
  if (self == NULL)
    return NULL;
  rota__wrapped_init(&self->wrapped, loop, inner, &virtual_ops);
  self->heard_ns = rota__os_clock_ns();
  self->thread = rota__os_thread_id();
  rota__virtual_clock_rest();
  rota__libc_clock_mark_thread();
  pthread_mutex_lock(&process.lock);
  if (rota__loop_is_default(loop) && rota__libc_clock_is_attached())
    note_services(self->thread);
  rota__list_append(&process.pollers, &self->link);
  pthread_mutex_unlock(&process.lock);
  return &self->wrapped.base;
}

/* ---- from outside ---- */

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

void rota__virtual_hold(int change) {
  pthread_mutex_lock(&process.lock);
  if (change > 0 || process.holds > 0) /* in a child there may be none of its parent's left */
    process.holds += (unsigned int)change;
  if (process.holds == 0)
    move_on();
  pthread_mutex_unlock(&process.lock);
}

/* With the lock held: what the loops of this thread are. */
static void look_at_own(bool *has_loop, bool *has_jobs) {
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

/* Whether time may go to due_ns while this thread waits: nobody else is busy, or has something to do before. */
static bool is_next(uint64_t due_ns) {
  int thread = rota__os_thread_id();
  struct virtual_poller self = {.thread = thread};
  if (process.by_hand || others_are_busy(&self))
    return false;
  for (struct rota_link *link = process.pollers.next; link != &process.pollers; link = link->next) {
    const struct virtual_poller *other = poller_at(link);
    if (other->thread != thread && other->state == WAITING && !other->is_service && other->due_ns < due_ns)
      return false;
  }
  return true;
}

bool rota__virtual_waits(uint64_t due_ns, uint64_t waited_ns) {
  bool has_loop, has_jobs;
  pthread_mutex_lock(&process.lock);
  look_at_own(&has_loop, &has_jobs);
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
  look_at_own(&has_loop, &has_jobs);
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

/* The threads of the other loops exist in the parent only: they are not waited for. */
void rota__virtual_after_fork_in_child(void) {
  for (struct rota_link *link = process.pollers.next; link != &process.pollers; link = link->next)
    poller_at(link)->state = OUTSIDE;
  process.holds = 0;
  pthread_mutex_unlock(&process.lock);
}
