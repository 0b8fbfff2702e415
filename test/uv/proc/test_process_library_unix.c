/* Programs that a library starts which has handlers for forks: they run in the child. uvloop's `preexec_fn` is one. */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test_process.h"

static int (*spawn)(uv_loop_t *loop, uv_process_t *process, const uv_process_options_t *options);

/* The library is beside this program. */
static void load_spawner(void) {
  Dl_info uv;
  char path[4096];
  size_t size = sizeof(path);
  if (dladdr((void *)uv_version, &uv) == 0 || strstr(uv.dli_fname, ".so") == NULL)
    SKIP("the library is part of the program");
  CHECK_EQ(uv_exepath(path, &size), 0);
  char *name = strrchr(path, '/') + 1;
  snprintf(name, sizeof(path) - (size_t)(name - path), "spawner.so");
  void *library = dlopen(path, RTLD_NOW);
  if (library == NULL)
    printf("%s\n", dlerror());
  CHECK(library != NULL);
  int (*handle)(void);
  *(void **)&handle = dlsym(library, "spawner_handles_forks");
  *(void **)&spawn = dlsym(library, "spawner_spawn");
  CHECK_EQ(handle(), 0);
}

static void prepare(const char *script) {
  arguments[0] = "sh";
  arguments[1] = "-c";
  arguments[2] = (char *)script;
  options.file = "/bin/sh";
  options.args = arguments;
  options.stdio = stdio;
  options.exit_cb = on_exit_close;
}

static void expect_what_handlers_do(void) {
  uv_pipe_t out;
  if (spawn == NULL)
    load_spawner();
  prepare("pwd; echo $SPAWNER");
  prepare_pipe(1, &out, UV_WRITABLE_PIPE);
  CHECK_EQ(spawn(uv_default_loop(), &process, &options), 0);
  CHECK_EQ(uv_read_start((uv_stream_t *)&out, on_alloc, on_read), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(exit_calls, 1);
  CHECK_STR(output, "/\nwas here\n");
  test_close_default_loop();
}

TEST(process_of_a_library_with_fork_handlers) {
  expect_what_handlers_do();
}

static void no_signal(uv_signal_t *watcher, int signum) {
  (void)watcher;
  CHECK_EQ(signum, 0);
}

TEST(process_of_a_library_with_fork_handlers_and_a_signal_that_is_watched) {
  static uv_signal_t watcher;
  load_spawner();
  CHECK_EQ(uv_signal_init(uv_default_loop(), &watcher), 0);
  CHECK_EQ(uv_signal_start(&watcher, no_signal, SIGUSR1), 0);
  uv_unref((uv_handle_t *)&watcher);
  expect_what_handlers_do();
}

/* The library's handler, which calls uv_loop_fork, runs before that of the trace, which has a lock of its own to give
 * up. */
TEST(process_of_a_library_with_fork_handlers_in_a_traced_program) {
  CHECK_EQ(setenv("ROTA_TRACE", "trace.json", 1), 0);
  expect_what_handlers_do();
}

TEST(process_of_a_library_with_fork_handlers_that_cannot_be_started) {
  load_spawner();
  prepare("exit 0");
  options.file = "/nonexistent/program";
  CHECK_EQ(spawn(uv_default_loop(), &process, &options), UV_ENOENT);
  uv_close((uv_handle_t *)&process, NULL);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(exit_calls, 0);
  CHECK_EQ(waitpid(-1, NULL, WNOHANG), -1); /* it has left nothing */
  test_close_default_loop();
}
