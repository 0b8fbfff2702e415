/* Threads: what shared code asks of the system beyond pthreads, which winpthreads provides.
 *
 * uv_mutex_t and its like are the system's own locks here (loop/thread/windows), as in libuv: their layout is public.
 */
#include "loop/os/thread.h"

#include <limits.h>

#include "loop/base/alloc.h"
#include "loop/base/text.h"
#include "loop/base/units.h"
#include "loop/os/process.h"
#include "loop/os/windows/convert.h"

/* ---- semaphores ---- */

int rota__os_sem_init(uv_sem_t *sem, unsigned int value) {
  if (value > INT_MAX)
    return UV_EINVAL;
  *sem = CreateSemaphoreW(NULL, (LONG)value, INT_MAX, NULL);
  return *sem == NULL ? rota__os_last_error() : 0;
}

int rota__os_sem_destroy(uv_sem_t *sem) {
  return CloseHandle(*sem) ? 0 : rota__os_last_error();
}

int rota__os_sem_post(uv_sem_t *sem) {
  return ReleaseSemaphore(*sem, 1, NULL) ? 0 : rota__os_last_error();
}

static int wait_ms(uv_sem_t *sem, DWORD timeout_ms, int err_of_timeout) {
  switch (WaitForSingleObject(*sem, timeout_ms)) {
  case WAIT_OBJECT_0:
    return 0;
  case WAIT_TIMEOUT:
    return err_of_timeout;
  default:
    return rota__os_last_error();
  }
}

int rota__os_sem_wait(uv_sem_t *sem) {
  return wait_ms(sem, INFINITE, UV_ETIMEDOUT);
}

int rota__os_sem_trywait(uv_sem_t *sem) {
  return wait_ms(sem, 0, UV_EAGAIN);
}

int rota__os_sem_wait_for(uv_sem_t *sem, uint64_t timeout_ns) {
  uint64_t timeout_ms = timeout_ns / NS_PER_MS + (timeout_ns % NS_PER_MS != 0);
  return wait_ms(sem, timeout_ms < INFINITE ? (DWORD)timeout_ms : INFINITE - 1, UV_ETIMEDOUT);
}

/* ---- barriers ----
 *
 * `in` counts those that have come, `out` those that have not left yet. Nobody comes to the next round before all have
 * left, so `in` stays 0 until then. */

int rota__os_barrier_init(uv_barrier_t *barrier, unsigned int count) {
  if (count == 0)
    return UV_EINVAL;
  InitializeCriticalSection(&barrier->mutex);
  InitializeConditionVariable(&barrier->cond);
  barrier->threshold = count;
  barrier->in = 0;
  barrier->out = 0;
  return 0;
}

int rota__os_barrier_destroy(uv_barrier_t *barrier) {
  EnterCriticalSection(&barrier->mutex);
  bool is_used = barrier->in != 0 || barrier->out != 0;
  LeaveCriticalSection(&barrier->mutex);
  if (is_used)
    return UV_EBUSY;
  DeleteCriticalSection(&barrier->mutex);
  return 0;
}

int rota__os_barrier_wait(uv_barrier_t *barrier) {
  EnterCriticalSection(&barrier->mutex);
  while (barrier->out != 0)
    SleepConditionVariableCS(&barrier->cond, &barrier->mutex, INFINITE);
  if (++barrier->in == barrier->threshold) {
    barrier->in = 0;
    barrier->out = barrier->threshold;
    WakeAllConditionVariable(&barrier->cond);
  }
  while (barrier->in != 0)
    SleepConditionVariableCS(&barrier->cond, &barrier->mutex, INFINITE);
  bool is_last = --barrier->out == 0;
  if (is_last)
    WakeAllConditionVariable(&barrier->cond);
  LeaveCriticalSection(&barrier->mutex);
  return is_last;
}

/* ---- pthreads' conditions and locks ---- */

int rota__os_cond_init(pthread_cond_t *cond) {
  return rota__os_translate(pthread_cond_init(cond, NULL) == 0 ? 0 : ERROR_NOT_ENOUGH_MEMORY);
}

/* winpthreads waits by the wall clock, and turns the end into a length at once: setting the clock does not matter. */
int rota__os_cond_wait_for(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t timeout_ns) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += (time_t)(timeout_ns / NS_PER_SECOND);
  until.tv_nsec += (long)(timeout_ns % NS_PER_SECOND);
  if (until.tv_nsec >= NS_PER_SECOND) {
    until.tv_nsec -= NS_PER_SECOND;
    until.tv_sec++;
  }
  return pthread_cond_timedwait(cond, mutex, &until) == 0 ? 0 : UV_ETIMEDOUT;
}

void rota__os_brief_lock_init(pthread_mutex_t *lock) {
  pthread_mutex_init(lock, NULL);
}

/* ---- threads and processors ---- */

size_t rota__os_page_size(void) {
  SYSTEM_INFO info;
  GetSystemInfo(&info);
  return info.dwPageSize;
}

/* The program's file says how large stacks are; a size of 0 means that. */
size_t rota__os_stack_limit(void) {
  return 0;
}

size_t rota__os_stack_smallest(void) {
  return 0;
}

int rota__os_current_cpu(void) {
  return (int)GetCurrentProcessorNumber();
}

int rota__os_allowed_cpus(void) {
  DWORD_PTR process, system;
  if (!GetProcessAffinityMask(GetCurrentProcess(), &process, &system))
    return rota__os_last_error();
  return __builtin_popcountll((unsigned long long)process);
}

int rota__os_online_cpus(void) {
  SYSTEM_INFO info;
  GetSystemInfo(&info);
  return (int)info.dwNumberOfProcessors;
}

int rota__os_cpu_mask_size(void) {
  return (int)sizeof(DWORD_PTR) * CHAR_BIT;
}

bool rota__os_has_cpus(void) {
  return rota__os_online_cpus() > 1;
}

/* Windows has names of threads since version 10, 1607. */
int rota__os_thread_set_name(const char *name) {
  WCHAR *wide;
  HRESULT(WINAPI * set)
  (HANDLE, const WCHAR *) =
      __extension__(void *) GetProcAddress(GetModuleHandleW(L"kernelbase.dll"), "SetThreadDescription");
  if (set == NULL)
    return UV_ENOSYS;
  int err = rota__os_wide(name, &wide);
  if (err < 0)
    return err;
  HRESULT result = set(GetCurrentThread(), wide);
  rota__free(wide);
  return SUCCEEDED(result) ? 0 : rota__os_translate((int)HRESULT_CODE(result));
}

int rota__os_handle_name(HANDLE thread, char *name, size_t size) {
  WCHAR *wide;
  char *text;
  HRESULT(WINAPI * get)
  (HANDLE, WCHAR **) =
      __extension__(void *) GetProcAddress(GetModuleHandleW(L"kernelbase.dll"), "GetThreadDescription");
  if (get == NULL)
    return UV_ENOSYS;
  HRESULT result = get(thread, &wide);
  if (FAILED(result))
    return rota__os_translate((int)HRESULT_CODE(result));
  int err = rota__os_narrow(wide, -1, &text);
  LocalFree(wide);
  if (err < 0)
    return err;
  rota__text_copy(name, size, text);
  rota__free(text);
  return 0;
}

/* A thread that nobody has named is called like the program, as on other systems. */
int rota__os_thread_name_of(pthread_t thread, char *name, size_t size) {
  int err = rota__os_handle_name(pthread_gethandle(thread), name, size);
  if (err < 0 || name[0] == '\0')
    rota__text_copy(name, size, rota__os_program_name());
  return 0;
}

void rota__os_stay_loaded(void) {
  HMODULE library;
  (void)GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                           (const WCHAR *)(uintptr_t)rota__os_stay_loaded, &library);
}

int rota__os_thread_id(void) {
  return (int)GetCurrentThreadId();
}

int rota__os_thread_number(void) {
  return (int)GetCurrentThreadId();
}
