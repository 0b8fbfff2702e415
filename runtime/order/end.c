/* The end of the process.
 *
 * Jobs of the pool are finished first, queued ones included, as in Node: fs.write() before process.exit() writes. No
 * JavaScript runs meanwhile. The engine is not destroyed, since that would only cost time. */
#include "runtime/order/end.h"

#include <stdio.h>
#include <unistd.h>
#include <uv.h>

#include "runtime/bind/worker/worker.h"
#include "runtime/observe/trace.h"
#include "runtime/order/env.h"

void js_end_process(int code) {
  fflush(NULL);
  if (js_env_here != NULL)
    js_workers_stop(js_env_here);
  uv_library_shutdown();
  js_trace_end(code);
  uv_tty_reset_mode(); /* a program may leave a terminal raw */
  _exit(code);
}
