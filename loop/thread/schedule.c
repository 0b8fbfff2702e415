/* How the system runs and shows a thread: on which processors, how urgently, under what name. */
#include <sched.h>
#include <stdbool.h>
#include <string.h>

#include "loop/base/text.h"
#include "loop/os/thread.h"
#include "uv.h"

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
