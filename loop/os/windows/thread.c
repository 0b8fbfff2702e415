/* Threads: what shared code asks of the system beyond pthreads, which winpthreads provides.
 *
 * uv_mutex_t and its like are the system's own locks here (loop/thread/windows), as in libuv: their layout is public.
 */
#include "loop/os/thread.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/text.h"
#include "loop/base/units.h"
#include "loop/os/memory.h"
#include "loop/os/process.h"
#include "loop/os/windows/convert.h"
#include "uv.h"

/* ---- threads ----
 *
 * ---- semaphores ---- */

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

/* ---- stacks ----
 *
 * Where a thread is.
 *
 * Another thread is suspended only while its registers and its stack are copied: a suspended thread may hold any lock
 * of the system, also those that unwinding takes. Pointers in the copy that lead into the stack are turned to lead into
 * the copy, so that it can be unwound while the thread runs on. */

/* Behind the copy, so that wrong tables for unwinding do no harm at once. */
enum { SLACK = 64 * 1024 };

void rota__os_backtrace_prepare(void) {
  void *frames[1];
  (void)rota__os_backtrace(frames, 1);
}

int rota__os_backtrace(void **frames, int frames_max) {
  return CaptureStackBackTrace(1, (DWORD)frames_max, frames, NULL);
}

/* ---- another thread ---- */

struct copy {
  CONTEXT context; /* its registers */
  uintptr_t from;  /* where the stack was */
  unsigned char *stack;
  size_t room, size;
};

/* What the system tells of a thread; in no header of mingw. */
struct basic_information {
  LONG exit_status;
  NT_TIB *block;
  uintptr_t rest[5];
};

LONG NTAPI NtQueryInformationThread(HANDLE thread, int which, void *information, ULONG size, ULONG *written);

/* Nothing here may take a lock or memory. */
static int copy_suspended(HANDLE thread, const NT_TIB *block, struct copy *copy) {
  copy->context.ContextFlags = CONTEXT_FULL;
  if (!GetThreadContext(thread, &copy->context))
    return rota__os_last_error();
  uintptr_t end = (uintptr_t)block->StackBase;
  copy->from = (uintptr_t)copy->context.Rsp;
  if (copy->from % sizeof(uintptr_t) != 0 || copy->from < (uintptr_t)block->StackLimit || copy->from >= end)
    return UV_EFAULT; /* it runs on a stack that the system does not know */
  copy->size = end - copy->from;
  if (copy->size > copy->room)
    return UV_EAGAIN; /* it has just grown */
  memcpy(copy->stack, (const void *)copy->from, copy->size);
  return 0;
}

/* The block of the thread stays as long as the thread, which is the caller's concern. */
static int copy_thread(HANDLE thread, struct copy *copy) {
  struct basic_information information = {0};
  if (NtQueryInformationThread(thread, 0, &information, sizeof(information), NULL) < 0 || information.block == NULL)
    return UV_ESRCH;
  const NT_TIB *block = information.block;
  copy->room = (size_t)((char *)block->StackBase - (char *)block->StackLimit);
  copy->stack = VirtualAlloc(NULL, copy->room + SLACK, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
  if (copy->stack == NULL)
    return UV_ENOMEM;
  if (SuspendThread(thread) == (DWORD)-1)
    return rota__os_last_error();
  int err = copy_suspended(thread, block, copy);
  ResumeThread(thread);
  return err;
}

static void turn(const struct copy *copy, uint64_t *value) {
  if (*value >= copy->from && *value < copy->from + copy->size)
    *value = *value - copy->from + (uint64_t)(uintptr_t)copy->stack;
}

static void turn_all(struct copy *copy) {
  CONTEXT *context = &copy->context;
  DWORD64 *const registers[] = {&context->Rsp, &context->Rbp, &context->Rbx, &context->Rsi, &context->Rdi,
                                &context->R12, &context->R13, &context->R14, &context->R15};
  for (size_t i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
    turn(copy, registers[i]);
  for (size_t i = 0; i + sizeof(uint64_t) <= copy->size; i += sizeof(uint64_t))
    turn(copy, (uint64_t *)(void *)(copy->stack + i));
}

static bool is_in_copy(const struct copy *copy, uint64_t stack) {
  uint64_t begin = (uint64_t)(uintptr_t)copy->stack;
  return stack % sizeof(uint64_t) == 0 && stack >= begin && stack + sizeof(uint64_t) <= begin + copy->size;
}

/* Code without tables ends the walk, unless it is the innermost: a function that calls none needs no tables, and then
 * the return address is on top of the stack. */
static bool step(CONTEXT *context, bool is_innermost) {
  DWORD64 base, frame;
  void *handler_data;
  RUNTIME_FUNCTION *function = RtlLookupFunctionEntry(context->Rip, &base, NULL);
  if (function != NULL) {
    RtlVirtualUnwind(UNW_FLAG_NHANDLER, base, context->Rip, function, context, &handler_data, &frame, NULL);
  } else if (is_innermost) {
    context->Rip = *(const DWORD64 *)(uintptr_t)context->Rsp;
    context->Rsp += sizeof(DWORD64);
  } else {
    return false;
  }
  return context->Rip != 0;
}

static int walk(struct copy *copy, void **frames, int frames_max) {
  CONTEXT *context = &copy->context;
  int count = 0;
  while (count < frames_max) {
    uint64_t stack = context->Rsp;
    frames[count++] = (void *)(uintptr_t)context->Rip;
    if (!is_in_copy(copy, stack) || !step(context, count == 1) || context->Rsp <= stack)
      break;
  }
  return count;
}

int rota__os_backtrace_of(int thread_id, void **frames, int frames_max, uint64_t timeout_ns, long *call) {
  const DWORD rights = THREAD_SUSPEND_RESUME | THREAD_GET_CONTEXT | THREAD_QUERY_INFORMATION;
  struct copy copy = {0};
  (void)timeout_ns;
  *call = -1;
  HANDLE thread = OpenThread(rights, FALSE, (DWORD)thread_id);
  if (thread == NULL)
    return rota__os_last_error();
  int result = copy_thread(thread, &copy);
  CloseHandle(thread);
  if (result == 0) {
    turn_all(&copy);
    result = walk(&copy, frames, frames_max);
  }
  if (copy.stack != NULL)
    VirtualFree(copy.stack, 0, MEM_RELEASE);
  return result;
}
