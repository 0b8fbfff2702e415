/* Where a thread is. */
#include "loop/os/backtrace.h"

#include "uv.h"

void rota__os_backtrace_prepare(void) {
  void *frames[1];
  (void)rota__os_backtrace(frames, 1);
}

int rota__os_backtrace(void **frames, int frames_max) {
  return CaptureStackBackTrace(1, (DWORD)frames_max, frames, NULL);
}

/* The stack of another thread can be walked only with the tables of its functions, which are not read here. */
int rota__os_backtrace_of(int thread_id, void **frames, int frames_max, uint64_t timeout_ns, long *call) {
  (void)thread_id;
  (void)frames;
  (void)frames_max;
  (void)timeout_ns;
  *call = -1;
  return UV_ENOTSUP;
}
