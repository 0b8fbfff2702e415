/* Stacks by the compiler's runtime. Another thread's stack is not to be had: these systems have no way to signal a
 * thread by the number that tools know it by, so a watchdog tells the callback and no stack. */
#include "loop/os/memory.h"

#include <errno.h>
#include <unwind.h>

struct unwinding {
  void **frames;
  int count;
  int max;
  int skipped;
};

static _Unwind_Reason_Code on_frame(struct _Unwind_Context *context, void *data) {
  struct unwinding *state = data;
  if (state->skipped < 1) {
    state->skipped++;
    return _URC_NO_REASON;
  }
  if (state->count == state->max)
    return _URC_END_OF_STACK;
  state->frames[state->count++] = (void *)_Unwind_GetIP(context);
  return _URC_NO_REASON;
}

void rota__os_backtrace_prepare(void) {
  void *frame;
  rota__os_backtrace(&frame, 1);
}

int rota__os_backtrace(void **frames, int frames_max) {
  struct unwinding state = {.frames = frames, .max = frames_max};
  _Unwind_Backtrace(on_frame, &state);
  return state.count;
}

int rota__os_backtrace_of(int thread_id, void **frames, int frames_max, uint64_t timeout_ns, long *call) {
  (void)thread_id;
  (void)frames;
  (void)frames_max;
  (void)timeout_ns;
  *call = -1;
  return -ENOTSUP;
}
