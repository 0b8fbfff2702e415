/* Threads that are coroutines: one runs until it waits, or, by the seed, until it takes or gives up a lock. */
#include "loop/os/thread.h"

#include <stdlib.h>
#include <string.h>

#include "loop/base/check.h"
#include "loop/base/units.h"
#include "loop/os/clock.h"
#include "loop/os/model/model.h"

enum { THREADS = 32, KEYS = 32, FIRST = 0 };

struct thread {
  enum { FREE, RUNS, ENDED } state;
  bool is_detached;
  bool (*ready)(void *what); /* what it waits for; with `until_ns` */
  void *what;
  uint64_t until_ns;
  bool is_waiting, is_interruptible;
  pthread_cond_t *cond; /* waits to be signalled */
  uint64_t mask;
  void *(*run)(void *argument);
  void *argument, *result;
  void *values[KEYS];
  struct rota_model_coroutine *coroutine;
};

static struct {
  struct thread threads[THREADS];
  int now; /* which one runs */
  bool key_used[KEYS];
  void (*key_destroy[KEYS])(void *value);
} threads;

static struct thread *running(void) {
  return &threads.threads[threads.now];
}

void rota__model_threads_start(void) {
  threads.now = FIRST;
  threads.threads[FIRST].state = RUNS;
  threads.threads[FIRST].coroutine = rota__model_coroutine(NULL);
}

void rota__model_threads_fork(void) {
  for (int i = 0; i < THREADS; i++)
    if (i != threads.now && threads.threads[i].state == RUNS)
      threads.threads[i].state = FREE;
}

int rota__model_threads(void) {
  int count = 0;
  for (int i = FIRST + 1; i < THREADS; i++)
    count += threads.threads[i].state == RUNS;
  return count;
}

uint64_t *rota__model_mask(void) {
  return &running()->mask;
}

/* ---- which thread runs ---- */

static bool has_mail(const struct thread *thread) {
  return thread->is_interruptible && rota__model_has_signal(thread->mask);
}

static bool may_run(struct thread *thread) {
  if (thread->state != RUNS)
    return false;
  if (!thread->is_waiting || thread->until_ns <= rota__model_now_ns() || has_mail(thread))
    return true;
  return thread->ready != NULL && thread->ready(thread->what);
}

/* One of those that may run, by chance; -1: none. */
static int choose(void) {
  int candidates[THREADS], count = 0;
  for (int i = 0; i < THREADS; i++)
    if (may_run(&threads.threads[i]))
      candidates[count++] = i;
  return count == 0 ? -1 : candidates[rota__model_below((uint64_t)count)];
}

static void jump_to_next_change(void) {
  uint64_t next_ns = rota__model_next_change();
  for (int i = 0; i < THREADS; i++) {
    const struct thread *thread = &threads.threads[i];
    if (thread->state == RUNS && thread->is_waiting && thread->until_ns < next_ns)
      next_ns = thread->until_ns;
  }
  if (next_ns == UINT64_MAX) {
    if (rota__model_options()->stuck != NULL)
      rota__model_options()->stuck();
    abort();
  }
  rota__model_set_now(next_ns);
}

static void switch_to(int index) {
  struct thread *before = running();
  if (index == threads.now)
    return;
  threads.now = index;
  rota__model_coroutine_switch(before->coroutine, running()->coroutine);
}

static void let_others_run(void) {
  int next;
  rota__model_advance();
  while ((next = choose()) < 0) {
    jump_to_next_change();
    rota__model_advance();
  }
  switch_to(next);
}

void rota__model_yield(void) {
  let_others_run();
}

int rota__model_sched_yield(void) {
  rota__model_pass(100);
  rota__model_yield();
  return 0;
}

bool rota__model_wait(bool (*ready)(void *what), void *what, uint64_t until_ns, bool *interrupted) {
  struct thread *self = running();
  bool found = false;
  self->ready = ready;
  self->what = what;
  self->until_ns = until_ns;
  self->is_waiting = true;
  self->is_interruptible = interrupted != NULL;
  for (;;) {
    let_others_run();
    found = ready != NULL && ready(what);
    if (interrupted != NULL && rota__model_has_signal(self->mask)) {
      *interrupted = true;
      break;
    }
    if (found || rota__model_now_ns() >= until_ns)
      break;
  }
  self->is_waiting = false;
  self->is_interruptible = false;
  return found;
}

static void preempt(void) {
  if (rota__model_chance(rota__model_options()->preempted))
    rota__model_yield();
}

/* ---- life ---- */

static void destroy_values(struct thread *self) {
  for (int key = 0; key < KEYS; key++) {
    void *value = self->values[key];
    self->values[key] = NULL;
    if (value != NULL && threads.key_destroy[key] != NULL)
      threads.key_destroy[key](value);
  }
}

static void begin(void) {
  struct thread *self = running();
  self->result = self->run(self->argument);
  destroy_values(self);
  self->state = ENDED;
  let_others_run();
}

static int find_free(void) {
  for (int i = FIRST + 1; i < THREADS; i++) {
    struct thread *thread = &threads.threads[i];
    if (thread->state == FREE || (thread->state == ENDED && thread->is_detached))
      return i;
  }
  return -1;
}

int rota__model_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
  int index = find_free();
  (void)attributes;
  rota__model_call("thread", index);
  if (index < 0 || rota__model_chance(rota__model_options()->no_threads))
    return EAGAIN;
  struct thread *made = &threads.threads[index];
  rota__model_coroutine_free(made->coroutine);
  struct rota_model_coroutine *coroutine = rota__model_coroutine(begin);
  made->coroutine = NULL;
  if (coroutine == NULL)
    return EAGAIN;
  *made =
      (struct thread){.state = RUNS, .run = run, .argument = argument, .coroutine = coroutine, .mask = running()->mask};
  *thread = (pthread_t)index;
  preempt();
  return 0;
}

static bool has_ended(void *what) {
  return ((struct thread *)what)->state == ENDED;
}

int rota__model_join(pthread_t thread, void **result) {
  struct thread *joined = &threads.threads[(int)thread];
  if ((int)thread == threads.now)
    return EDEADLK;
  rota__check(joined->state != FREE);
  if (joined->state != ENDED)
    rota__model_wait(has_ended, joined, UINT64_MAX, NULL);
  if (result != NULL)
    *result = joined->result;
  joined->state = FREE;
  rota__model_coroutine_free(joined->coroutine);
  joined->coroutine = NULL;
  return 0;
}

int rota__model_detach(pthread_t thread) {
  threads.threads[(int)thread].is_detached = true;
  return 0;
}

pthread_t rota__model_self(void) {
  return (pthread_t)threads.now;
}

int rota__model_once(pthread_once_t *once, void (*function)(void)) {
  int *done = (int *)once;
  if (*done != 0)
    return 0;
  *done = 1;
  function();
  return 0;
}

/* ---- locks ---- */

/* In the memory of a pthread_mutex_t, whose initialiser is all zero. */
struct lock {
  int owner; /* and one */
  int depth;
  int is_recursive;
};

_Static_assert(sizeof(struct lock) <= sizeof(pthread_mutex_t), "a lock of the model fits");

static struct lock *lock_of(pthread_mutex_t *lock) {
  return (struct lock *)(void *)lock;
}

int rota__model_lock_init(pthread_mutex_t *lock, const pthread_mutexattr_t *attributes) {
  int type = PTHREAD_MUTEX_NORMAL;
  if (attributes != NULL)
    pthread_mutexattr_gettype(attributes, &type);
  *lock_of(lock) = (struct lock){.is_recursive = type == PTHREAD_MUTEX_RECURSIVE};
  return 0;
}

int rota__model_lock_destroy(pthread_mutex_t *lock) {
  return lock_of(lock)->owner != 0 ? EBUSY : 0;
}

static bool is_free(void *what) {
  return ((const struct lock *)what)->owner == 0;
}

static int take(struct lock *self) {
  self->owner = threads.now + 1;
  self->depth = 1;
  return 0;
}

int rota__model_trylock(pthread_mutex_t *lock) {
  struct lock *self = lock_of(lock);
  if (self->owner == 0)
    return take(self);
  if (self->owner != threads.now + 1 || !self->is_recursive)
    return EBUSY;
  self->depth++;
  return 0;
}

int rota__model_lock(pthread_mutex_t *lock) {
  preempt();
  while (rota__model_trylock(lock) != 0) {
    rota__check(lock_of(lock)->owner != threads.now + 1);
    rota__model_wait(is_free, lock, UINT64_MAX, NULL);
  }
  return 0;
}

int rota__model_unlock(pthread_mutex_t *lock) {
  struct lock *self = lock_of(lock);
  rota__check(self->owner == threads.now + 1);
  if (--self->depth > 0)
    return 0;
  self->owner = 0;
  preempt();
  return 0;
}

/* ---- conditions ---- */

static bool is_signalled(void *what) {
  return ((const struct thread *)what)->cond == NULL;
}

static int wait_for_signal(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t until_ns) {
  struct thread *self = running();
  self->cond = cond;
  lock_of(lock)->owner = 0;
  bool found = rota__model_wait(is_signalled, self, until_ns, NULL);
  self->cond = NULL;
  rota__model_lock(lock);
  return found ? 0 : ETIMEDOUT;
}

int rota__model_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attributes) {
  (void)attributes;
  memset(cond, 0, sizeof *cond);
  return 0;
}

int rota__model_cond_destroy(pthread_cond_t *cond) {
  (void)cond;
  return 0;
}

int rota__model_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock) {
  return wait_for_signal(cond, lock, UINT64_MAX);
}

/* Any of those that wait. */
int rota__model_cond_signal(pthread_cond_t *cond) {
  int waiting[THREADS], count = 0;
  for (int i = 0; i < THREADS; i++)
    if (threads.threads[i].state == RUNS && threads.threads[i].cond == cond)
      waiting[count++] = i;
  if (count > 0)
    threads.threads[waiting[rota__model_below((uint64_t)count)]].cond = NULL;
  return 0;
}

int rota__model_cond_broadcast(pthread_cond_t *cond) {
  for (int i = 0; i < THREADS; i++)
    if (threads.threads[i].cond == cond)
      threads.threads[i].cond = NULL;
  return 0;
}

static uint64_t after(uint64_t timeout_ns) {
  uint64_t now_ns = rota__model_now_ns();
  return timeout_ns > UINT64_MAX - now_ns ? UINT64_MAX : now_ns + timeout_ns;
}

int rota__os_cond_init(pthread_cond_t *cond) {
  return rota__model_cond_init(cond, NULL);
}

int rota__os_cond_wait_for(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t timeout_ns) {
  return -wait_for_signal(cond, mutex, after(timeout_ns));
}

void rota__os_brief_lock_init(pthread_mutex_t *lock) {
  rota__model_lock_init(lock, NULL);
}

/* ---- values ---- */

int rota__model_key_create(pthread_key_t *key, void (*destroy)(void *value)) {
  for (int i = 0; i < KEYS; i++) {
    if (threads.key_used[i])
      continue;
    threads.key_used[i] = true;
    threads.key_destroy[i] = destroy;
    *key = (pthread_key_t)i;
    return 0;
  }
  return EAGAIN;
}

int rota__model_key_delete(pthread_key_t key) {
  threads.key_used[key] = false;
  for (int i = 0; i < THREADS; i++)
    threads.threads[i].values[key] = NULL;
  return 0;
}

int rota__model_key_set(pthread_key_t key, const void *value) {
  running()->values[key] = (void *)(uintptr_t)value;
  return 0;
}

void *rota__model_key_get(pthread_key_t key) {
  return running()->values[key];
}

/* ---- semaphores and barriers, in the memory of theirs ---- */

struct count {
  unsigned int value, of, round;
};

_Static_assert(sizeof(struct count) <= sizeof(uv_sem_t) && sizeof(struct count) <= sizeof(uv_barrier_t), "it fits");

static struct count *count_of(void *memory) {
  return memory;
}

int rota__os_sem_init(uv_sem_t *sem, unsigned int value) {
  *count_of(sem) = (struct count){.value = value};
  return 0;
}

int rota__os_sem_destroy(uv_sem_t *sem) {
  (void)sem;
  return 0;
}

int rota__os_sem_post(uv_sem_t *sem) {
  count_of(sem)->value++;
  preempt();
  return 0;
}

static bool is_positive(void *what) {
  return count_of(what)->value > 0;
}

int rota__os_sem_trywait(uv_sem_t *sem) {
  if (!is_positive(sem))
    return -EAGAIN;
  count_of(sem)->value--;
  return 0;
}

int rota__os_sem_wait(uv_sem_t *sem) {
  while (rota__os_sem_trywait(sem) < 0)
    rota__model_wait(is_positive, sem, UINT64_MAX, NULL);
  return 0;
}

int rota__os_sem_wait_for(uv_sem_t *sem, uint64_t timeout_ns) {
  uint64_t until_ns = after(timeout_ns);
  while (rota__os_sem_trywait(sem) < 0) {
    if (rota__model_now_ns() >= until_ns)
      return -ETIMEDOUT;
    rota__model_wait(is_positive, sem, until_ns, NULL);
  }
  return 0;
}

int rota__os_barrier_init(uv_barrier_t *barrier, unsigned int count) {
  if (count == 0)
    return -EINVAL;
  *count_of(barrier) = (struct count){.of = count};
  return 0;
}

int rota__os_barrier_destroy(uv_barrier_t *barrier) {
  (void)barrier;
  return 0;
}

struct turn {
  const struct count *barrier;
  unsigned int round;
};

static bool is_over(void *what) {
  const struct turn *turn = what;
  return turn->barrier->round != turn->round;
}

int rota__os_barrier_wait(uv_barrier_t *barrier) {
  struct count *self = count_of(barrier);
  struct turn turn = {self, self->round};
  if (++self->value == self->of) {
    self->value = 0;
    self->round++;
    return 1;
  }
  rota__model_wait(is_over, &turn, UINT64_MAX, NULL);
  return 0;
}
