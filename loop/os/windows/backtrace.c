/* Where a thread is.
 *
 * Another thread is suspended only while its registers and its stack are copied: a suspended thread may hold any lock
 * of the system, also those that unwinding takes. Pointers in the copy that lead into the stack are turned to lead into
 * the copy, so that it can be unwound while the thread runs on. */
#include "loop/os/memory.h"

#include <stdbool.h>
#include <string.h>

#include "loop/os/windows/convert.h"
#include "uv.h"

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
