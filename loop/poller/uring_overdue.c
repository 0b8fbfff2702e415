/* Hands over to the kernel what a loop has submitted and not handed over itself.
 *
 * A wait hands over all operations that were submitted since the last one: that is why the ring is fast. But a callback
 * may block until one of them has had its effect: until a lock is free that a close gives up, until a pipe is read, or
 * until somebody opens the other side of a FIFO. A thread of the pool would have begun the operation at once. Here a
 * thread of the process looks at all rings once in a millisecond, and enters those whose operations are older.
 * It sleeps while no ring is used, and ends with the last ring.
 *
 * The thread shares the submission queue with the loop as the kernel does: what is published at the tail is never
 * written again. Who takes an entry back, or closes a ring, holds the lock, and then the thread enters no ring. */
#include <pthread.h>

#include "loop/base/units.h"
#include "loop/os/clock.h"
#include "loop/os/signal.h"
#include "loop/os/thread.h"
#include "loop/poller/uring.h"

enum { PERIOD_NS = NS_PER_MS, QUIET_PERIODS = 4 };

/* Whether a ring was used since the thread has looked. */
enum use { UNUSED, USED, ASLEEP };

static pthread_mutex_t life = PTHREAD_MUTEX_INITIALIZER; /* who holds it may make and end the thread */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the list; taken after the other one */
static pthread_cond_t more;
static struct rota_link rings = {&rings, &rings};
static _Atomic int use;
static _Atomic bool exists; /* the thread */
static bool ending;
static pthread_t thread;
static unsigned int forks = 1; /* how often this process was forked off, and one */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The thread is the parent's, and so are the rings. */
static void note_fork(void) {
  static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  life = lock = fresh;
  rota__list_init(&rings);
  atomic_store(&exists, false);
  ending = false;
  forks++;
}

static void watch_forks(void) {
  static struct rota_os_fork_handler handler = {.child = note_fork};
  rota__os_at_fork(&handler);
}

static void look_at(struct rota_uring_poller *self) {
  uint64_t since_ns = atomic_load_explicit(&self->files_since_ns, memory_order_relaxed);
  if (rota__os_ring_published(&self->files) == 0 || rota__os_clock_ns() - since_ns < PERIOD_NS)
    return;
  atomic_store(&self->handed_over_late, true);
  rota__os_ring_submit_published(&self->files); /* the loop sees an error when it enters the ring itself */
}

static void *look_at_rings(void *nothing) {
  rota__os_thread_set_name("rota-files");
  pthread_mutex_lock(&lock);
  for (unsigned int quiet = 0; !ending;) {
    quiet = atomic_exchange(&use, UNUSED) == USED ? 0 : quiet + 1;
    for (struct rota_link *link = rings.next; link != &rings; link = link->next)
      look_at(rota__container_of(link, struct rota_uring_poller, overseen));
    int unused = UNUSED;
    if (quiet >= QUIET_PERIODS && atomic_compare_exchange_strong(&use, &unused, ASLEEP))
      while (!ending && atomic_load(&use) == ASLEEP)
        pthread_cond_wait(&more, &lock);
    else
      rota__os_cond_wait_for(&more, &lock, PERIOD_NS);
  }
  pthread_mutex_unlock(&lock);
  return nothing;
}

static bool make_thread(void) {
  sigset_t saved;
  if (rota__os_cond_init(&more) < 0)
    return false;
  atomic_store(&use, UNUSED);
  rota__os_signals_block(&saved); /* the program's handlers run on the program's threads */
  int err = pthread_create(&thread, NULL, look_at_rings, NULL);
  rota__os_signals_restore(&saved);
  if (err != 0)
    pthread_cond_destroy(&more);
  return err == 0;
}

static void end_thread(void) {
  if (!atomic_exchange(&exists, false))
    return;
  pthread_mutex_lock(&lock);
  ending = true;
  pthread_cond_signal(&more);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  pthread_cond_destroy(&more);
  ending = false;
}

void rota__uring_oversee(struct rota_uring_poller *self) {
  pthread_once(&once, watch_forks);
  pthread_mutex_lock(&life);
  if (!atomic_load(&exists))
    atomic_store(&exists, make_thread());
  pthread_mutex_lock(&lock);
  rota__list_append(&rings, &self->overseen);
  self->overseen_since = forks;
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&life);
}

void rota__uring_oversee_no_more(struct rota_uring_poller *self) {
  if (self->overseen_since != forks)
    return;
  pthread_mutex_lock(&life);
  pthread_mutex_lock(&lock);
  rota__list_remove(&self->overseen);
  bool was_last = rota__list_empty(&rings);
  pthread_mutex_unlock(&lock);
  if (was_last)
    end_thread();
  pthread_mutex_unlock(&life);
}

bool rota__uring_is_overseen(const struct rota_uring_poller *self) {
  if (self->overseen_since != forks || !atomic_load_explicit(&exists, memory_order_relaxed))
    return false;
  atomic_thread_fence(memory_order_seq_cst); /* either the thread sees the operation, or we see that it sleeps */
  if (atomic_load_explicit(&use, memory_order_relaxed) == USED || atomic_exchange(&use, USED) != ASLEEP)
    return true;
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&more);
  pthread_mutex_unlock(&lock);
  return true;
}

void rota__uring_overdue_lock(void) {
  pthread_mutex_lock(&lock);
}

void rota__uring_overdue_unlock(void) {
  pthread_mutex_unlock(&lock);
}

void rota__uring_shutdown(void) {
  pthread_mutex_lock(&life);
  end_thread();
  pthread_mutex_unlock(&life);
}
