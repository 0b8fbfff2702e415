/* rota timeline -- program and rota diagnose -- program: runs the program traced, as a child, and makes a page of each
 * trace when it has ended, or a verdict.
 *
 * The program has what it would have without us: each descriptor, the channel of a parent that forked it, its terminal.
 * This process keeps none of them but the three standard ones: who waits for the end of a pipe shall not wait for us.
 * It waits, passes signals on, and ends as the program has ended, whatever became of the page. If it is killed, the
 * program gets SIGTERM: what is stopped is stopped. Pages are made by command/tools/timeline.js, verdicts by
 * command/tools/diagnose.js. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/internal.h"

enum { SCHEDULED_SIZE = 48 };

/* Signals that are passed on. */
static const int passed[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

/* ---- where the traces are until the pages are made ---- */

static bool make_directory(char path[PATH_MAX], const char *parent, int length) {
  return snprintf(path, PATH_MAX, "%.*s/rota-timeline-XXXXXX", length, parent) < PATH_MAX && mkdtemp(path) != NULL;
}

/* If there is no place for temporary files, it is beside the page, or here. */
static bool make_scratch(char path[PATH_MAX], const struct command_values *values) {
  const char *page = values->of[COMMAND_OPTION_OUTPUT];
  const char *temporary = getenv("TMPDIR"), *slash = page == NULL ? NULL : strrchr(page, '/');
  temporary = temporary != NULL && *temporary != 0 ? temporary : "/tmp";
  if (make_directory(path, temporary, (int)strlen(temporary)))
    return true;
  int err = errno;
  bool made = slash == NULL ? make_directory(path, ".", 1) : make_directory(path, page, (int)(slash - page));
  fprintf(stderr, "rota %s: %s: %s; the %s\n", values->name, temporary, strerror(err),
          !made          ? "program runs without a trace, of which nothing can be told"
          : page != NULL ? "trace is beside the page"
                         : "trace is in the current directory");
  return made;
}

/* ---- the program ---- */

static void run_traced(const struct command *command, struct command_values *values, char **arguments, pid_t parent) {
  char traces[PATH_MAX], name[16];
  snprintf(traces, sizeof traces, "%s/trace", values->of[COMMAND_OPTION_OUTPUT]);
  if (command->takes_census)
    setenv(rota__settings[ROTA_SETTING_TRACE_CENSUS].variable, "1", 1);
  snprintf(name, sizeof name, "%ld", (long)parent);
  values->of[COMMAND_OPTION_OUTPUT] = traces;
  setenv(rota__settings[ROTA_SETTING_TRACE_PARENT].variable, name, 1);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent)
    raise(SIGTERM);
  _exit(command_start(command, values, arguments));
}

/* How long the first thread of a process that has ended, and has not been waited for, ran, and how long it could have
 * run and had no processor, in nanoseconds: "123 456". Empty: the kernel does not tell. */
static void read_scheduled(pid_t child, char scheduled[SCHEDULED_SIZE]) {
  char path[64];
  unsigned long long ran, waited;
  snprintf(path, sizeof path, "/proc/%ld/schedstat", (long)child);
  FILE *file = fopen(path, "re");
  scheduled[0] = 0;
  if (file == NULL)
    return;
  if (fscanf(file, "%llu %llu", &ran, &waited) == 2)
    snprintf(scheduled, SCHEDULED_SIZE, "%llu %llu", ran, waited);
  fclose(file);
}

static bool has_ended(pid_t child) {
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

/* Signals are blocked. What a terminal sends reaches the child without us. Returns the status of waitpid. */
static int wait_for(pid_t child, char scheduled[SCHEDULED_SIZE]) {
  sigset_t awaited;
  siginfo_t info;
  int status = 0;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGCHLD);
  for (size_t i = 0; i < sizeof passed / sizeof passed[0]; i++)
    sigaddset(&awaited, passed[i]);
  while (!has_ended(child)) {
    int signum = sigwaitinfo(&awaited, &info);
    if (signum > 0 && signum != SIGCHLD && info.si_code != SI_KERNEL)
      kill(child, signum);
  }
  read_scheduled(child, scheduled);
  waitpid(child, &status, 0);
  return status;
}

static void block_signals(sigset_t *former) {
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGCHLD);
  for (size_t i = 0; i < sizeof passed / sizeof passed[0]; i++)
    sigaddset(&blocked, passed[i]);
  sigprocmask(SIG_BLOCK, &blocked, former);
}

/* ---- the pages ---- */

/* Variables of a Node that another one has forked: their descriptor is the program's. */
static void forget_channel(void) {
  unsetenv("NODE_CHANNEL_FD");
  unsetenv("NODE_CHANNEL_SERIALIZATION_MODE");
  unsetenv("NODE_UNIQUE_ID");
}

/* It says itself what it cannot do; if it was not able to say anything, we do. */
static void make_pages(const char *scratch, const struct command_values *values, int status, const char *scheduled,
                       const sigset_t *mask) {
  char traces[PATH_MAX + 16], ended[32], ran[SCHEDULED_SIZE + 16], format[32];
  const char *page = values->of[COMMAND_OPTION_OUTPUT], *form = values->of[COMMAND_OPTION_VERDICT];
  char *arguments[12] = {"rota", (char *)values->name, traces, ended, ran};
  int count = 5;
  snprintf(traces, sizeof traces, "--finish=%s", scratch);
  snprintf(ended, sizeof ended, "--ended=%s%d", WIFSIGNALED(status) ? "signal " : "",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  snprintf(ran, sizeof ran, "--scheduled=%s", scheduled);
  if (page != NULL) {
    arguments[count++] = "-o";
    arguments[count++] = (char *)page;
  }
  if (form != NULL) {
    snprintf(format, sizeof format, "--format=%s", form);
    arguments[count++] = format;
  }
  if (values->of[COMMAND_OPTION_OPEN] != NULL)
    arguments[count++] = "--open";
  pid_t child = fork();
  if (child == 0) {
    sigprocmask(SIG_SETMASK, mask, NULL);
    forget_channel();
    execv("/proc/self/exe", arguments);
    _exit(COMMAND_NOT_STARTED);
  }
  char unused[SCHEDULED_SIZE];
  if (child > 0)
    status = wait_for(child, unused);
  if (child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    fprintf(stderr, "rota %s: nothing was made of the trace, which is kept: rota timeline %s/trace -o page.html\n",
            values->name, scratch);
}

/* As the program has ended, by a signal or with its code. */
static int end_as(int status) {
  if (!WIFSIGNALED(status))
    return WEXITSTATUS(status);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, WTERMSIG(status));
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); /* it would be ours */
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  sigprocmask(SIG_UNBLOCK, &one, NULL);
  return 128 + WTERMSIG(status);
}

/* The program is started; returns how it has ended, as waitpid does. Negative: it was not started. */
static int run_and_wait(const struct command *command, struct command_values *values, char **arguments,
                        char scheduled[SCHEDULED_SIZE], sigset_t *former) {
  pid_t own = getpid();
  void (*children)(int) = signal(SIGCHLD, SIG_DFL);
  block_signals(former);
  pid_t child = fork();
  if (child == 0) {
    signal(SIGCHLD, children);
    sigprocmask(SIG_SETMASK, former, NULL);
    run_traced(command, values, arguments, own);
  }
  if (child < 0) {
    fprintf(stderr, "rota %s: %s\n", values->name, strerror(errno));
    return -1;
  }
  command_close_all_but(-1, -1);
  return wait_for(child, scheduled);
}

int command_timeline(const struct command *command, int argc, char **argv) {
  struct command_values values, traced;
  char scratch[PATH_MAX], scheduled[SCHEDULED_SIZE];
  sigset_t former;
  int end = command_options_end(argc, argv, command);
  if (!command_options_read(command, argc, argv, end, &values))
    return COMMAND_BAD_USAGE;
  char **arguments = argv + end + 1; /* behind -- */
  if (arguments[0] == NULL)
    return command_lacks_program(command->name);
  if (!command_may_run_tool(command->name))
    return COMMAND_NOT_REACHED;
  traced = values;
  traced.of[COMMAND_OPTION_OUTPUT] = NULL;
  if (!make_scratch(scratch, &values))
    return command_start(command, &traced, arguments);
  traced.of[COMMAND_OPTION_OUTPUT] = scratch;
  int status = run_and_wait(command, &traced, arguments, scheduled, &former);
  bool is_empty = rmdir(scratch) == 0; /* nothing has written a trace */
  if (status < 0)
    return COMMAND_NOT_STARTED;
  if (!is_empty)
    make_pages(scratch, &values, status, scheduled, &former);
  else if (command->takes_census && !(WIFEXITED(status) && WEXITSTATUS(status) == COMMAND_NOT_REACHED))
    fprintf(stderr, "rota %s: the program has run no event loop: there is nothing to tell\n", values.name);
  return end_as(status);
}
