/* Makes the nth allocation, or the nth system call, of each scenario fail, for n = 1, 2, ... until it passes without.
 *
 *   faults memory [scenario]...
 *   LD_PRELOAD=inject.so faults no-room|interrupted|again [scenario]...
 *
 * After any failure the scenario ends (no hang), its loop can be closed, and nothing is left allocated or open;
 * operations that are only interrupted or delayed succeed. Every attempt is a process of its own. */
#include "fault.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ATTEMPTS_MAX = 600, SECONDS_MAX = 60 };

/* How an attempt ended: its exit status. */
enum { ATTEMPT_PASSED = 0, ATTEMPT_FAILED = 1, ATTEMPT_UNTOUCHED = 3 };

static int first_error;
static atomic_int blocks, allocations;
static int failing_allocation;
static fault_arm_function arm;
static fault_count_function injected_count;
static fault_name_function injected_name;

static int allocation_fails(void) {
  return atomic_fetch_add(&allocations, 1) + 1 == failing_allocation;
}

static void *counted_malloc(size_t size) {
  void *block = allocation_fails() ? NULL : malloc(size);
  if (block != NULL)
    atomic_fetch_add(&blocks, 1);
  return block;
}

static void *counted_calloc(size_t count, size_t size) {
  void *block = allocation_fails() ? NULL : calloc(count, size);
  if (block != NULL)
    atomic_fetch_add(&blocks, 1);
  return block;
}

static void *counted_realloc(void *old, size_t size) {
  void *block = allocation_fails() ? NULL : realloc(old, size);
  if (block != NULL && old == NULL)
    atomic_fetch_add(&blocks, 1);
  return block;
}

static void counted_free(void *block) {
  if (block != NULL)
    atomic_fetch_sub(&blocks, 1);
  free(block);
}

static void close_handle(uv_handle_t *handle, void *unused) {
  (void)unused;
  if (!uv_is_closing(handle))
    uv_close(handle, NULL);
}

void trouble(uv_loop_t *loop, int error) {
  if (first_error == 0)
    first_error = error;
  uv_walk(loop, close_handle, NULL);
}

static int count_descriptors(void) {
  DIR *directory = opendir("/proc/self/fd");
  int count = 0;
  if (directory == NULL)
    return -1;
  while (readdir(directory) != NULL)
    count++;
  closedir(directory);
  return count;
}

static int run_scenario(const struct scenario *scenario) {
  uv_loop_t loop;
  int finished, err = uv_loop_init(&loop);
  if (err < 0)
    return err;
  err = scenario->start(&loop);
  if (err < 0)
    trouble(&loop, err);
  uv_run(&loop, UV_RUN_DEFAULT);
  uv_walk(&loop, close_handle, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
  err = uv_loop_close(&loop);
  if (err < 0) {
    fprintf(stderr, "uv_loop_close: %s\n", uv_strerror(err));
    exit(ATTEMPT_FAILED);
  }
  finished = scenario->finished();
  if (first_error == 0 && !finished) {
    fprintf(stderr, "no error, but not all was done\n");
    exit(ATTEMPT_FAILED);
  }
  return first_error;
}

/* In the child. */
static int attempt(const struct scenario *scenario, enum fault_kind kind, int n) {
  int descriptors = count_descriptors();
  int result, touched;
  alarm(SECONDS_MAX);
  uv_replace_allocator(counted_malloc, counted_realloc, counted_calloc, counted_free);
  if (kind == FAULT_NONE)
    failing_allocation = n;
  else
    arm(kind, n);
  result = run_scenario(scenario);
  uv_library_shutdown();
  if (kind != FAULT_NONE) {
    touched = injected_count() >= n;
    arm(FAULT_NONE, 0);
  } else {
    touched = atomic_load(&allocations) >= n;
  }
  if (result < 0 && (!touched || kind == FAULT_INTERRUPTED || kind == FAULT_AGAIN)) {
    fprintf(stderr, "the result is an error: %s\n", uv_strerror(result));
    return ATTEMPT_FAILED;
  }
  if (atomic_load(&blocks) != 0) {
    fprintf(stderr, "%d blocks of memory are left\n", atomic_load(&blocks));
    return ATTEMPT_FAILED;
  }
  if (count_descriptors() != descriptors) {
    fprintf(stderr, "%d descriptors were open, %d are now\n", descriptors, count_descriptors());
    return ATTEMPT_FAILED;
  }
  return touched ? ATTEMPT_PASSED : ATTEMPT_UNTOUCHED;
}

static int run_attempt(const struct scenario *scenario, enum fault_kind kind, int n) {
  int status;
  pid_t pid;
  fflush(NULL);
  pid = fork();
  if (pid == 0) {
    status = attempt(scenario, kind, n);
    if (status == ATTEMPT_FAILED && kind != FAULT_NONE)
      fprintf(stderr, "the call that failed: %s\n", injected_name());
    fflush(NULL);
    _exit(status);
  }
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      return ATTEMPT_FAILED;
  if (WIFEXITED(status))
    return WEXITSTATUS(status);
  fprintf(stderr, "%s\n", WTERMSIG(status) == SIGALRM ? "it hangs" : strsignal(WTERMSIG(status)));
  return ATTEMPT_FAILED;
}

static int run_all_attempts(const struct scenario *scenario, enum fault_kind kind, const char *kind_name) {
  int n, failed = 0, status = ATTEMPT_PASSED;
  for (n = 1; n <= ATTEMPTS_MAX && status != ATTEMPT_UNTOUCHED && failed < 10; n++) {
    status = run_attempt(scenario, kind, n);
    if (status != ATTEMPT_PASSED && status != ATTEMPT_UNTOUCHED) {
      fprintf(stderr, "  FAILED: %s, %s, number %d (the lines above)\n", scenario->name, kind_name, n);
      failed++;
    }
  }
  if (failed == 0 && status != ATTEMPT_UNTOUCHED) {
    fprintf(stderr, "  FAILED: %s, %s: still not without a fault after %d\n", scenario->name, kind_name, ATTEMPTS_MAX);
    failed++;
  }
  printf("%-12s %-20s %d faults\n", kind_name, scenario->name, n - 2);
  return failed;
}

static void *or_end(void *function) {
  if (function == NULL) {
    fprintf(stderr, "LD_PRELOAD=inject.so is needed for this kind of fault\n");
    exit(2);
  }
  return function;
}

int main(int argc, char **argv) {
  static const char *const names[] = {"memory", "no-room", "interrupted", "again"};
  int kind, i, passed = 0, failed = 0;
  const struct scenario *scenario;
  signal(SIGPIPE, SIG_IGN); /* as every program that writes into pipes does */
  for (kind = 0; kind < 4; kind++)
    if (argc > 1 && strcmp(argv[1], names[kind]) == 0)
      break;
  if (kind == 4) {
    fprintf(stderr, "usage: faults memory|no-room|interrupted|again [scenario]...\n");
    return 2;
  }
  if (kind != FAULT_NONE) {
    arm = (fault_arm_function)or_end(FAULT_FUNCTION(fault_arm));
    injected_count = (fault_count_function)or_end(FAULT_FUNCTION(fault_count));
    injected_name = (fault_name_function)or_end(FAULT_FUNCTION(fault_name));
  }
  for (scenario = scenarios; scenario->name != NULL; scenario++) {
    int wanted = argc == 2;
    for (i = 2; i < argc; i++)
      wanted |= strcmp(argv[i], scenario->name) == 0;
    if (!wanted)
      continue;
    if (run_all_attempts(scenario, (enum fault_kind)kind, names[kind]) == 0)
      passed++;
    else
      failed++;
  }
  printf("%d passed, %d failed, 0 skipped\n", passed, failed);
  return failed != 0;
}
