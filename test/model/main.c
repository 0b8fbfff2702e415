/* model [-w NAMES] [-t SECONDS] -s SEED [-n COUNT]   the programs of these seeds
 * model [-w NAMES] [-t SECONDS] -e PROGRAM           this program
 * model -p SEED                                      prints the program of a seed
 *
 * -f interrupted or -f again: in each round one of the system calls fails in this way (LD_PRELOAD=inject.so, of
 * test/fault).
 *
 * Prints the log of each program after a line "== SEED", and a last line "-- STATUS". Each runs in a process and a
 * directory of its own; its log is printed when it ends or when its time is over. Inside of Node (addon.c) the same is
 * done by Node's own libuv. */
#include "../fault/fault.h"
#include "model.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned int seconds = 30;

static void write_all(const struct text *text) {
  for (size_t done = 0; done < text->length;) {
    ssize_t n = write(STDOUT_FILENO, text->bytes + done, text->length - done);
    if (n < 0 && errno != EINTR)
      _exit(4);
    done += n < 0 ? 0 : (size_t)n;
  }
}

/* None of this is safe in a signal handler, but the process hangs in any case. */
static void on_alarm(int signal) {
  struct text text = {0};
  (void)signal;
  text_add(&text, "%sHANGS in ", text_of(&world.log));
  world_print_unsettled(&text);
  write_all(&text);
  _exit(3);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
  (void)status, (void)type, (void)place;
  return remove(path);
}

static void run_in_child(const struct program *program, int status_fd) {
  uv_loop_t loop;
  signal(SIGALRM, on_alarm);
  signal(SIGPIPE, SIG_IGN);
  alarm(seconds);
  setpgid(0, 0);
  if (uv_loop_init(&loop) != 0)
    _exit(5);
  world.loop = &loop;
  program_run(program);
  if (world.fault_arm != NULL)
    world.fault_arm(0, 0);
  write_all(&world.log);
  model_exit(write(status_fd, "", 1) == 1 ? 0 : 7);
}

/* A child that continues the program reports its end through the pipe. */
static int status_of(pid_t pid, int status_fd) {
  int status = -1;
  char byte;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    continue;
  if (!WIFEXITED(status))
    return 128 + WTERMSIG(status);
  if (WEXITSTATUS(status) != EXIT_GOES_ON)
    return WEXITSTATUS(status);
  return read(status_fd, &byte, 1) == 1 ? 0 : 128;
}

static int run(const struct program *program) {
  char directory[] = "/tmp/model-XXXXXX";
  int fds[2];
  if (mkdtemp(directory) == NULL || pipe2(fds, O_CLOEXEC) != 0)
    return -1;
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    if (chdir(directory) != 0)
      _exit(6);
    close(fds[0]);
    run_in_child(program, fds[1]);
  }
  close(fds[1]);
  int status = status_of(pid, fds[0]);
  close(fds[0]);
  kill(-pid, SIGKILL);
  nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
  return status;
}

/* The numbers are those of enum fault_kind. */
static bool prepare_faults(const char *kind) {
  void *arm = FAULT_FUNCTION(fault_arm);
  memcpy(&world.fault_arm, &arm, sizeof(arm));
  world.fault_kind = strcmp(kind, "interrupted") == 0 ? 2 : 3;
  return arm != NULL;
}

static void print_program(uint64_t seed) {
  struct program program;
  struct text text = {0};
  program_generate(&program, seed);
  program_print(&program, &text);
  printf("%s\n", text_of(&text));
  free(text.bytes);
}

int model_main(int argc, char **argv) {
  struct program program;
  const char *text = NULL;
  uint64_t seed = 1, count = 1;
  int option, status;
  while ((option = getopt(argc, argv, "w:t:s:n:e:p:f:")) != -1) {
    if (option == 'w')
      program_without(optarg);
    else if (option == 't')
      seconds = (unsigned int)atoi(optarg);
    else if (option == 's')
      seed = strtoull(optarg, NULL, 10);
    else if (option == 'n')
      count = strtoull(optarg, NULL, 10);
    else if (option == 'e')
      text = optarg;
    else if (option == 'f' && prepare_faults(optarg))
      continue;
    else if (option == 'p')
      return print_program(strtoull(optarg, NULL, 10)), 0;
    else
      return 2;
  }
  content_prepare();
  if (text != NULL && !program_parse(&program, text)) {
    fprintf(stderr, "not a program\n");
    return 2;
  }
  for (uint64_t i = 0; i < count; i++, seed++) {
    if (text == NULL)
      program_generate(&program, seed);
    world.seed = seed;
    printf("== %llu\n", (unsigned long long)seed);
    fflush(stdout);
    status = run(&program);
    printf("-- %d\n", status);
    fflush(stdout);
  }
  return 0;
}
