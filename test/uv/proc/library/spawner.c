/* A library that starts programs and has a handler for forks, as uvloop: test_process_library.c loads it. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "uv.h"

int spawner_handles_forks(void);
int spawner_spawn(uv_loop_t *loop, uv_process_t *process, const uv_process_options_t *options);

static uv_loop_t *forked_loop;

static void in_child(void) {
  if (uv_loop_fork(forked_loop) != 0)
    _exit(126);
  (void)!chdir("/");
  setenv("SPAWNER", "was here", 1);
}

int spawner_handles_forks(void) {
  return pthread_atfork(NULL, NULL, in_child);
}

/* The result goes through memory, or the compiler would jump to uv_spawn, and the program would be what calls it. */
int spawner_spawn(uv_loop_t *loop, uv_process_t *process, const uv_process_options_t *options) {
  forked_loop = loop;
  volatile int err = uv_spawn(loop, process, options);
  return err;
}
