/* simulator [--from=N] [--count=N] [--jobs=N] [--failures=N] [--seconds=N]    runs programs, one for each seed
 * simulator --seed=N [--quiet]                                                runs one, and says each of its steps
 *
 * Each program has a process of its own. The last line says how many have failed; those say why, and their seeds. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "simulator.h"

enum { SECONDS_MAX = 5, JOBS_MAX = 64 };

static struct {
  uint64_t from, count, seed, jobs, failures, seconds;
  bool has_seed, is_quiet;
} arguments = {.from = 1, .count = 1000, .jobs = 1, .failures = 10};

static bool take_number(const char *argument, const char *name, uint64_t *number) {
  size_t length = strlen(name);
  char *end;
  if (strncmp(argument, name, length) != 0)
    return false;
  *number = strtoull(argument + length, &end, 10);
  return *end == '\0' && end != argument + length;
}

static bool take(const char *argument) {
  if (take_number(argument, "--seed=", &arguments.seed)) {
    arguments.has_seed = true;
    return true;
  }
  if (strcmp(argument, "--quiet") == 0) {
    arguments.is_quiet = true;
    return true;
  }
  return take_number(argument, "--from=", &arguments.from) || take_number(argument, "--count=", &arguments.count) ||
         take_number(argument, "--jobs=", &arguments.jobs) ||
         take_number(argument, "--failures=", &arguments.failures) ||
         take_number(argument, "--seconds=", &arguments.seconds);
}

/* Whether the program of this seed has failed. */
static bool fails(uint64_t seed) {
  int status;
  pid_t child = fork();
  if (child < 0) {
    perror("fork");
    exit(2);
  }
  if (child == 0) {
    setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS_MAX, SECONDS_MAX});
    sim_run(seed, false);
    _exit(0);
  }
  while (waitpid(child, &status, 0) < 0)
    continue;
  if (WIFSIGNALED(status)) {
    printf("seed %" PRIu64 ": ended by signal %d%s\n", seed, WTERMSIG(status),
           WTERMSIG(status) == SIGKILL ? ", it takes too long" : "");
    fflush(stdout);
  }
  return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

static bool is_time_over(time_t began) {
  return arguments.seconds > 0 && (uint64_t)(time(NULL) - began) >= arguments.seconds;
}

struct sum {
  uint64_t run, failed;
};

/* Every nth seed. */
static struct sum run_job(uint64_t job) {
  struct sum sum = {0, 0};
  time_t began = time(NULL);
  for (uint64_t i = job; i < arguments.count && sum.failed < arguments.failures && !is_time_over(began);
       i += arguments.jobs) {
    sum.failed += fails(arguments.from + i);
    sum.run++;
  }
  return sum;
}

/* Each job is a process, which tells its sum through a pipe. */
static struct sum run_jobs(void) {
  struct sum sum = {0, 0}, own;
  int pipes[2];
  if (pipe(pipes) < 0) {
    perror("pipe");
    exit(2);
  }
  for (uint64_t job = 0; job < arguments.jobs; job++)
    if (fork() == 0) {
      own = run_job(job);
      _exit(write(pipes[1], &own, sizeof own) != sizeof own);
    }
  close(pipes[1]);
  while (read(pipes[0], &own, sizeof own) == sizeof own) {
    sum.run += own.run;
    sum.failed += own.failed;
  }
  while (wait(NULL) > 0)
    continue;
  return sum;
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (int i = 1; i < argc; i++)
    if (!take(argv[i])) {
      fprintf(stderr, "simulator: %s: not an argument\n", argv[i]);
      return 2;
    }
  if (arguments.has_seed) {
    sim_run(arguments.seed, !arguments.is_quiet);
    printf("seed %" PRIu64 ": passed\n", arguments.seed);
    return 0;
  }
  if (arguments.jobs < 1 || arguments.jobs > JOBS_MAX)
    arguments.jobs = 1;
  struct sum sum = arguments.jobs == 1 ? run_job(0) : run_jobs();
  printf("%" PRIu64 " programs, seeds from %" PRIu64 ": %" PRIu64 " failed\n", sum.run, arguments.from, sum.failed);
  return sum.failed > 0 || sum.run == 0;
}
