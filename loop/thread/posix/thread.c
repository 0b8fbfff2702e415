/* Threads: starting them, waiting for them, telling them apart; and how the system runs and shows them: on which
 * processors, how urgently, under what name. */
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/text.h"
#include "loop/core/io_hook.h"
#include "loop/os/thread.h"
#include "uv.h"

/* ---- life ---- */

/* What glibc uses if there is no limit. */
enum { STACK_SIZE_UNLIMITED = 2 * 1024 * 1024 };

/* A thread gets a stack as large as the main thread's: C libraries such as musl would give it much less. */
static size_t default_stack_size(void) {
  size_t page = rota__os_page_size();
  size_t limit = rota__os_stack_limit();
  limit -= limit % page;
  if (limit == 0 || limit < rota__os_stack_smallest())
    return STACK_SIZE_UNLIMITED;
  return limit;
}

static int wanted_stack_size(const uv_thread_options_t *options, size_t *size) {
  *size = options->flags & UV_THREAD_HAS_STACK_SIZE ? options->stack_size : 0;
  if (*size == 0) {
    *size = default_stack_size();
    return 0;
  }
  size_t page = rota__os_page_size();
  if (*size > SIZE_MAX - page)
    return UV_EINVAL;
  if (*size < rota__os_stack_smallest())
    *size = rota__os_stack_smallest();
  *size = (*size + page - 1) / page * page;
  return 0;
}

/* pthreads calls a function that returns a pointer; the caller's function returns nothing. */
struct start {
  uv_thread_cb entry;
  void *arg;
  bool is_held; /* see rota__hook_thread_starts */
};

static void *run(void *opaque) {
  struct start start = *(struct start *)opaque;
  rota__free(opaque);
  rota__hook_thread_runs(start.is_held);
  start.entry(start.arg);
  rota__hook_thread_rests();
  return NULL;
}

int uv_thread_create(uv_thread_t *tid, uv_thread_cb entry, void *arg) {
  uv_thread_options_t options = {.flags = UV_THREAD_NO_FLAGS};
  return uv_thread_create_ex(tid, &options, entry, arg);
}

int uv_thread_create_ex(uv_thread_t *tid, const uv_thread_options_t *params, uv_thread_cb entry, void *arg) {
  struct start *start = NULL;
  size_t stack_size;
  pthread_attr_t attributes;

  int err = wanted_stack_size(params, &stack_size);
  if (err != 0)
    return err;
  err = -pthread_attr_init(&attributes);
  if (err != 0)
    return err;
  err = -pthread_attr_setstacksize(&attributes, stack_size);
  if (err != 0)
    goto fail;
  start = rota__malloc(sizeof(*start));
  err = UV_ENOMEM;
  if (start == NULL)
    goto fail;
  *start = (struct start){entry, arg, rota__hook_thread_starts()};
  err = -pthread_create(tid, &attributes, run, start);
  if (err != 0) {
    rota__hook_thread_failed(start->is_held);
    goto fail;
  }
  pthread_attr_destroy(&attributes);
  return 0;

fail:
  rota__free(start);
  pthread_attr_destroy(&attributes);
  return err;
}

int uv_thread_detach(uv_thread_t *tid) {
  return -pthread_detach(*tid);
}

int uv_thread_join(uv_thread_t *tid) {
  return -pthread_join(*tid, NULL);
}

uv_thread_t uv_thread_self(void) {
  return pthread_self();
}

int uv_thread_equal(const uv_thread_t *t1, const uv_thread_t *t2) {
  return pthread_equal(*t1, *t2);
}

/* ---- processors, priority, name ---- */

enum {
  NAME_SIZE = 64,    /* the longest of a system, with the NUL */
  NICE_PER_STEP = 2, /* from one of the five priorities to the next */
};

int uv_thread_setaffinity(uv_thread_t *tid, char *cpumask, char *oldmask, size_t mask_size) {
  if (mask_size < (size_t)uv_cpumask_size())
    return UV_EINVAL;
  if (oldmask != NULL) {
    int err = uv_thread_getaffinity(tid, oldmask, mask_size);
    if (err < 0)
      return err;
  }
  return rota__os_set_affinity(*tid, cpumask);
}

int uv_thread_getaffinity(uv_thread_t *tid, char *cpumask, size_t mask_size) {
  if (mask_size < (size_t)uv_cpumask_size())
    return UV_EINVAL;
  return rota__os_affinity(*tid, cpumask);
}

int uv_thread_getcpu(void) {
  return rota__os_current_cpu();
}

int uv_thread_setname(const char *name) {
  return name == NULL ? UV_EINVAL : rota__os_thread_set_name(name);
}

int uv_thread_getname(uv_thread_t *tid, char *name, size_t size) {
  char whole[NAME_SIZE];
  if (name == NULL || size == 0)
    return UV_EINVAL;
  int err = rota__os_thread_name_of(*tid, whole, sizeof(whole));
  if (err == 0)
    rota__text_copy(name, size, whole);
  return err;
}

/* Under the usual policy all threads have priority 0, and niceness tells them apart. Linux keeps one for each thread,
 * but pthreads cannot set it for another thread. */
static bool has_niceness(uv_thread_t tid, int policy) {
  return policy == SCHED_OTHER && pthread_equal(tid, pthread_self());
}

int uv_thread_getpriority(uv_thread_t tid, int *priority) {
  struct sched_param parameters;
  int policy;
  if (priority == NULL)
    return UV_EINVAL;
  int err = -pthread_getschedparam(tid, &policy, &parameters);
  if (err != 0)
    return err;
  if (has_niceness(tid, policy))
    return rota__os_thread_nice(priority);
  *priority = parameters.sched_priority;
  return 0;
}

int uv_thread_setpriority(uv_thread_t tid, int priority) {
  struct sched_param parameters;
  int policy;
  if (priority < UV_THREAD_PRIORITY_LOWEST || priority > UV_THREAD_PRIORITY_HIGHEST)
    return UV_EINVAL;
  int err = -pthread_getschedparam(tid, &policy, &parameters);
  if (err != 0)
    return err;
  if (has_niceness(tid, policy))
    return rota__os_thread_set_nice(-priority * NICE_PER_STEP);

  int lowest = sched_get_priority_min(policy);
  int highest = sched_get_priority_max(policy);
  if (lowest < 0 || highest < 0)
    return UV_EINVAL; /* not a policy that has priorities */
  int steps = UV_THREAD_PRIORITY_HIGHEST - UV_THREAD_PRIORITY_LOWEST;
  parameters.sched_priority = lowest + (highest - lowest) * (priority - UV_THREAD_PRIORITY_LOWEST) / steps;
  return -pthread_setschedparam(tid, policy, &parameters);
}
