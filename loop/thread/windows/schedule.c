/* How the system runs and shows a thread: on which processors, how urgently, under what name. */
#include <stddef.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/check.h"
#include "loop/base/text.h"
#include "loop/os/thread.h"
#include "loop/os/windows/convert.h"
#include "uv.h"

/* The five priorities have the system's numbers. */
_Static_assert(UV_THREAD_PRIORITY_LOWEST == THREAD_PRIORITY_LOWEST, "priority");
_Static_assert(UV_THREAD_PRIORITY_HIGHEST == THREAD_PRIORITY_HIGHEST, "priority");

static void give_mask(DWORD_PTR bits, char *mask) {
  for (int i = 0; i < rota__os_cpu_mask_size(); i++)
    mask[i] = (char)(bits >> i & 1);
}

int uv_thread_setaffinity(uv_thread_t *tid, char *cpumask, char *oldmask, size_t mask_size) {
  DWORD_PTR bits = 0, allowed, system;
  if (mask_size < (size_t)rota__os_cpu_mask_size())
    return UV_EINVAL;
  if (!GetProcessAffinityMask(GetCurrentProcess(), &allowed, &system))
    return rota__os_last_error();
  for (int i = 0; i < rota__os_cpu_mask_size(); i++)
    if (cpumask[i])
      bits |= (DWORD_PTR)1 << i;
  if (bits & ~allowed)
    return UV_EINVAL; /* the process may not run there */
  DWORD_PTR before = SetThreadAffinityMask(*tid, bits);
  if (before == 0)
    return rota__os_last_error();
  if (oldmask != NULL)
    give_mask(before, oldmask);
  return 0;
}

/* The system tells the mask only to who sets another one. */
int uv_thread_getaffinity(uv_thread_t *tid, char *cpumask, size_t mask_size) {
  DWORD_PTR allowed, system;
  if (mask_size < (size_t)rota__os_cpu_mask_size())
    return UV_EINVAL;
  if (!GetProcessAffinityMask(GetCurrentProcess(), &allowed, &system))
    return rota__os_last_error();
  DWORD_PTR before = SetThreadAffinityMask(*tid, allowed);
  if (before == 0 || SetThreadAffinityMask(*tid, before) == 0)
    return rota__os_last_error();
  give_mask(before, cpumask);
  return 0;
}

int uv_thread_getcpu(void) {
  return rota__os_current_cpu();
}

int uv_thread_setname(const char *name) {
  return name == NULL ? UV_EINVAL : rota__os_thread_set_name(name);
}

int uv_thread_getname(uv_thread_t *tid, char *name, size_t size) {
  return tid == NULL || name == NULL || size == 0 ? UV_EINVAL : rota__os_handle_name(*tid, name, size);
}

/* A handle that is none is, for the interface, a thread that does not exist. */
static int error_of_thread(void) {
  int err = rota__os_last_error();
  return err == UV_EBADF ? UV_ESRCH : err;
}

int uv_thread_getpriority(uv_thread_t tid, int *priority) {
  if (priority == NULL)
    return UV_EINVAL;
  int found = GetThreadPriority(tid);
  if (found == THREAD_PRIORITY_ERROR_RETURN)
    return error_of_thread();
  *priority = found;
  return 0;
}

int uv_thread_setpriority(uv_thread_t tid, int priority) {
  if (priority < UV_THREAD_PRIORITY_LOWEST || priority > UV_THREAD_PRIORITY_HIGHEST)
    return UV_EINVAL;
  return SetThreadPriority(tid, priority) ? 0 : error_of_thread();
}
