/* A program in C that links the whole of the system's libuv statically, and exports it. It does a little of everything,
 * and prints which library does it. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

static void check(int ok, const char *what) {
  if (ok)
    return;
  printf("FAILED: %s\n", what);
  exit(1);
}

static int closed, worked, ticked;

static void on_close(uv_handle_t *handle) {
  (void)handle;
  closed++;
}

static void on_timer(uv_timer_t *timer) {
  ticked++;
  uv_close((uv_handle_t *)timer, on_close);
}

static void work(uv_work_t *request) {
  (void)request;
  worked++;
}

static void after_work(uv_work_t *request, int status) {
  (void)request;
  check(status == 0, "work");
}

static void use_loop(uv_loop_t *loop) {
  uv_timer_t timer;
  uv_work_t request;
  closed = worked = ticked = 0;
  check(uv_timer_init(loop, &timer) == 0 && uv_timer_start(&timer, on_timer, 1, 0) == 0, "timer");
  check(uv_queue_work(loop, &request, work, after_work) == 0, "queue");
  check(uv_run(loop, UV_RUN_DEFAULT) == 0, "run");
  check(closed == 1 && worked == 1 && ticked == 1, "callbacks");
}

/* Before anything of uv is used. */
static void fork_first(void) {
  int status;
  pid_t child = fork();
  if (child == 0) {
    use_loop(uv_default_loop());
    _exit(7);
  }
  check(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7, "the child");
}

/* Names that are looked up at run time are the same functions. */
static void look_up(void) {
  uv_loop_t *(*loop)(void);
  void *found = dlsym(RTLD_DEFAULT, "uv_default_loop");
  check(found != NULL, "dlsym");
  memcpy(&loop, &found, sizeof loop);
  check(loop() == uv_default_loop(), "one default loop");
}

/* What setenv writes, the other copy reads, and the other way round. */
static void use_environment(void) {
  char value[16];
  size_t size = sizeof value;
  check(uv_os_setenv("GRAFT_TEST", "one") == 0 && strcmp(getenv("GRAFT_TEST"), "one") == 0, "uv_os_setenv");
  setenv("GRAFT_TEST", "two", 1);
  check(uv_os_getenv("GRAFT_TEST", value, &size) == 0 && strcmp(value, "two") == 0, "uv_os_getenv");
  uv_env_item_t *items;
  int count;
  check(uv_os_environ(&items, &count) == 0 && count > 0, "uv_os_environ");
  uv_os_free_environ(items, count);
}

int main(void) {
  fork_first();
  use_loop(uv_default_loop());
  look_up();
  use_environment();
  check(uv_loop_close(uv_default_loop()) == 0, "close");
  printf("libuv %s, %s\n", uv_version_string(), dlsym(RTLD_DEFAULT, "rota_version") != NULL ? "rota" : "its own");
  return 0;
}
