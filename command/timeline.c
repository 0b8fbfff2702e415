/* rota timeline -- program: runs the program traced, as a child, and makes a page of each trace when it has ended.
 *
 * The program has what it would have without us: each descriptor, the channel of a parent that forked it, its terminal.
 * This process keeps none of them but the three standard ones: who waits for the end of a pipe shall not wait for us.
 * It waits, passes signals on, and ends as the program has ended, whatever became of the page. If it is killed, the
 * program gets SIGTERM: what is stopped is stopped. The pages are made by command/tools/timeline.js. */
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

/* Signals that are passed on. */
static const int passed[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

/* ---- where the traces are until the pages are made ---- */

static bool make_directory(char path[PATH_MAX], const char *parent, int length) {
  return snprintf(path, PATH_MAX, "%.*s/rota-timeline-XXXXXX", length, parent) < PATH_MAX && mkdtemp(path) != NULL;
}

/* If there is no place for temporary files, it is beside the page. */
static bool make_scratch(char path[PATH_MAX], const char *page) {
  const char *temporary = getenv("TMPDIR"), *slash = strrchr(page, '/');
  temporary = temporary != NULL && *temporary != 0 ? temporary : "/tmp";
  if (make_directory(path, temporary, (int)strlen(temporary)))
    return true;
  int err = errno;
  bool made = slash == NULL ? make_directory(path, ".", 1) : make_directory(path, page, (int)(slash - page));
  fprintf(stderr, "rota timeline: %s: %s; %s\n", temporary, strerror(err),
          made ? "the trace is beside the page" : "the program runs without a trace, and there will be no page");
  return made;
}

/* ---- the program ---- */

static void run_traced(const struct command *command, struct command_values *values, char **arguments, pid_t parent) {
  char traces[PATH_MAX], name[16];
  snprintf(traces, sizeof traces, "%s/trace", values->of[COMMAND_OPTION_OUTPUT]);
  snprintf(name, sizeof name, "%ld", (long)parent);
  values->of[COMMAND_OPTION_OUTPUT] = traces;
  setenv(rota__settings[ROTA_SETTING_TRACE_PARENT].variable, name, 1);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent)
    raise(SIGTERM);
  _exit(command_start(command, values, arguments));
}

/* Signals are blocked. What a terminal sends reaches the child without us. Returns the status of waitpid. */
static int wait_for(pid_t child) {
  sigset_t awaited;
  siginfo_t info;
  int status = 0;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGCHLD);
  for (size_t i = 0; i < sizeof passed / sizeof passed[0]; i++)
    sigaddset(&awaited, passed[i]);
  while (waitpid(child, &status, WNOHANG) == 0) {
    int signum = sigwaitinfo(&awaited, &info);
    if (signum > 0 && signum != SIGCHLD && info.si_code != SI_KERNEL)
      kill(child, signum);
  }
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
static void make_pages(const char *scratch, const char *page, int status, const sigset_t *mask) {
  char traces[PATH_MAX + 16], ended[32];
  snprintf(traces, sizeof traces, "--finish=%s", scratch);
  snprintf(ended, sizeof ended, "--ended=%s%d", WIFSIGNALED(status) ? "signal " : "",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  pid_t child = fork();
  if (child == 0) {
    sigprocmask(SIG_SETMASK, mask, NULL);
    forget_channel();
    execl("/proc/self/exe", "rota", "timeline", traces, ended, "-o", page, (char *)NULL);
    _exit(COMMAND_NOT_STARTED);
  }
  if (child > 0)
    status = wait_for(child);
  if (child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    fprintf(stderr, "rota timeline: no page was made; the trace is kept: rota timeline %s/trace -o page.html\n",
            scratch);
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

int command_timeline(const struct command *command, int argc, char **argv) {
  struct command_values values;
  char scratch[PATH_MAX];
  sigset_t former;
  int end = command_options_end(argc, argv, command);
  if (!command_options_read(command, argc, argv, end, &values))
    return COMMAND_BAD_USAGE;
  char **arguments = argv + end + 1; /* behind -- */
  if (arguments[0] == NULL)
    return command_lacks_program(command->name);
  if (!command_may_run_tool(command->name))
    return COMMAND_NOT_REACHED;
  const char *page = values.of[COMMAND_OPTION_OUTPUT];
  if (!make_scratch(scratch, page)) {
    values.of[COMMAND_OPTION_OUTPUT] = NULL;
    return command_start(command, &values, arguments);
  }
  values.of[COMMAND_OPTION_OUTPUT] = scratch;
  pid_t own = getpid();
  void (*children)(int) = signal(SIGCHLD, SIG_DFL);
  block_signals(&former);
  pid_t child = fork();
  if (child == 0) {
    signal(SIGCHLD, children);
    sigprocmask(SIG_SETMASK, &former, NULL);
    run_traced(command, &values, arguments, own);
  }
  if (child < 0) {
    fprintf(stderr, "rota timeline: %s\n", strerror(errno));
    rmdir(scratch);
    return COMMAND_NOT_STARTED;
  }
  command_close_all_but(-1, -1);
  int status = wait_for(child);
  if (rmdir(scratch) != 0) /* else nothing has written a trace */
    make_pages(scratch, page, status, &former);
  return end_as(status);
}
