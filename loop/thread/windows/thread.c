/* Threads: starting them, waiting for them, telling them apart.
 *
 * A thread is known by a handle. Invariant: in a thread that the library started, uv_thread_self is the handle that
 * uv_thread_create gave; it is closed when the thread is joined or detached. Any other thread gets a handle of its own
 * with its first question, which is closed when the thread ends. */
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/check.h"
#include "loop/base/text.h"
#include "loop/core/io_hook.h"
#include "loop/os/thread.h"
#include "loop/os/windows/convert.h"
#include "uv.h"

struct start {
  uv_thread_cb entry;
  void *arg;
  HANDLE self;
  bool is_held; /* see rota__hook_thread_starts */
};

static uv_once_t once = UV_ONCE_INIT;
static DWORD own_index = TLS_OUT_OF_INDEXES;     /* of threads that the library started */
static DWORD foreign_index = FLS_OUT_OF_INDEXES; /* of others */

static void CALLBACK thread_ends(void *handle) {
  if (handle != NULL)
    CloseHandle(handle);
}

static void make_indexes(void) {
  own_index = TlsAlloc();
  foreign_index = FlsAlloc(thread_ends);
  rota__check(own_index != TLS_OUT_OF_INDEXES && foreign_index != FLS_OUT_OF_INDEXES);
}

static unsigned int __stdcall run(void *opaque) {
  struct start start = *(struct start *)opaque;
  rota__free(opaque);
  TlsSetValue(own_index, start.self);
  rota__hook_thread_runs(start.is_held);
  start.entry(start.arg);
  rota__hook_thread_rests();
  return 0;
}

int uv_thread_create(uv_thread_t *tid, uv_thread_cb entry, void *arg) {
  uv_thread_options_t options = {.flags = UV_THREAD_NO_FLAGS};
  return uv_thread_create_ex(tid, &options, entry, arg);
}

/* The thread waits until its handle is known to it. */
int uv_thread_create_ex(uv_thread_t *tid, const uv_thread_options_t *params, uv_thread_cb entry, void *arg) {
  size_t stack_size = params->flags & UV_THREAD_HAS_STACK_SIZE ? params->stack_size : 0;
  size_t page = rota__os_page_size();
  if (stack_size > UINT_MAX - page)
    return UV_EINVAL;
  stack_size = (stack_size + page - 1) / page * page;

  uv_once(&once, make_indexes);
  struct start *start = rota__malloc(sizeof(*start));
  if (start == NULL)
    return UV_ENOMEM;
  *start = (struct start){entry, arg, NULL, rota__hook_thread_starts()};
  unsigned int flags = CREATE_SUSPENDED | (stack_size == 0 ? 0 : STACK_SIZE_PARAM_IS_A_RESERVATION);
  HANDLE thread = (HANDLE)_beginthreadex(NULL, (unsigned int)stack_size, run, start, flags, NULL);
  if (thread == NULL) {
    int err = rota__os_last_error();
    rota__hook_thread_failed(start->is_held);
    rota__free(start);
    return err;
  }
  start->self = thread;
  *tid = thread;
  ResumeThread(thread);
  return 0;
}

int uv_thread_detach(uv_thread_t *tid) {
  if (!CloseHandle(*tid))
    return rota__os_last_error();
  *tid = NULL;
  return 0;
}

int uv_thread_join(uv_thread_t *tid) {
  if (WaitForSingleObject(*tid, INFINITE) != WAIT_OBJECT_0)
    return rota__os_last_error();
  CloseHandle(*tid);
  *tid = NULL;
  return 0;
}

uv_thread_t uv_thread_self(void) {
  uv_once(&once, make_indexes);
  HANDLE self = TlsGetValue(own_index);
  if (self == NULL)
    self = FlsGetValue(foreign_index);
  if (self != NULL)
    return self;
  HANDLE process = GetCurrentProcess();
  rota__check(DuplicateHandle(process, GetCurrentThread(), process, &self, 0, FALSE, DUPLICATE_SAME_ACCESS));
  FlsSetValue(foreign_index, self);
  return self;
}

int uv_thread_equal(const uv_thread_t *t1, const uv_thread_t *t2) {
  return *t1 == *t2;
}

/* ---- processors, priority, name ---- */

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
