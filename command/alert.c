/* rota watch --exec, --post: a process of its own that calls a command or a URL for each block.
 *
 * The service's library sends each block as a packet to a local socket, and never waits (observe/watch/tell.c). This
 * process receives them, and starts a child for each call: at most two at a time, each for at most ten seconds; what
 * comes meanwhile waits, up to a number. So nothing of this can stop or delay the service, whose process it is no child
 * of; and it ends after the service, when the last calls are done. It was forked before anything was changed for the
 * program: commands have the user's own environment. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command/internal.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434 /* the same on every processor; headers before Linux 5.3 lack it */
#endif

enum {
  CALLS = 2,
  WAITING = 16,
  RECORD_MAX = 60000, /* fits into a pipe */
  CALL_SECONDS = 10,
  WORDS = 64,
  BUSY_MS = 50,
  IDLE_MS = 1000
};

struct call {
  pid_t child; /* 0: free */
  time_t ends; /* when it is ended */
  bool posts;
};

struct waiting {
  char *record;
  bool posts; /* or runs the command */
};

static struct {
  pid_t program;
  int process; /* a descriptor that tells its end; -1: there is none */
  int socket;
  char directory[PATH_MAX], path[sizeof(((struct sockaddr_un *)NULL)->sun_path)];
  char *text, *words[WORDS + 1]; /* the command and its words; none: words[0] is null */
  bool has_url;
  struct command_url url;
  struct call calls[CALLS];
  struct waiting waiting[WAITING];
  unsigned int first, count;
  unsigned long left_out;
  bool has_failed;
} alerts;

/* ---- what it is to call ---- */

/* Words are separated by blanks, and nothing else means anything: there is no shell. */
static bool read_command(const char *text) {
  char *rest = alerts.text = strdup(text), *word;
  size_t count = 0;
  struct stat status;
  if (rest == NULL)
    return false;
  if (stat(text, &status) == 0 && S_ISREG(status.st_mode)) { /* a file whose name has blanks */
    alerts.words[count++] = rest;
  } else {
    while ((word = strsep(&rest, " \t\n")) != NULL)
      if (*word != 0 && count < WORDS)
        alerts.words[count++] = word;
  }
  char path[PATH_MAX];
  if (count > 0 && program_find(alerts.words[0], path))
    return true;
  fprintf(stderr, "rota watch: --exec=%s: there is no such program; words are separated by blanks, without a shell\n",
          text);
  return false;
}

/* ---- calls ---- */

static time_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

/* In the child: the record is all of its standard input. */
static void run_command(const char *record) {
  int ends[2];
  size_t length = strlen(record);
  if (pipe(ends) != 0 || write(ends[1], record, length) != (ssize_t)length || dup2(ends[0], STDIN_FILENO) < 0)
    _exit(COMMAND_NOT_STARTED);
  close(ends[0]);
  close(ends[1]);
  dup2(STDERR_FILENO, STDOUT_FILENO); /* standard output is the program's */
  signal(SIGPIPE, SIG_DFL);
  execvp(alerts.words[0], alerts.words);
  fprintf(stderr, "rota watch: --exec=%s: %s\n", alerts.words[0], strerror(errno));
  _exit(COMMAND_NOT_STARTED);
}

static void post(const char *record) {
  const char *why = command_url_post(&alerts.url, record, strlen(record));
  if (why != NULL && !alerts.has_failed)
    fprintf(stderr, "rota watch: --post=http://%s:%s: %s\n", alerts.url.host, alerts.url.port, why);
  _exit(why != NULL);
}

static void start_call(struct call *call, const struct waiting *next) {
  pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    if (next->posts)
      post(next->record);
    run_command(next->record);
  }
  if (child > 0)
    *call = (struct call){.child = child, .ends = now() + CALL_SECONDS, .posts = next->posts};
}

static void start_calls(void) {
  for (int i = 0; i < CALLS && alerts.count > 0; i++) {
    if (alerts.calls[i].child != 0)
      continue;
    struct waiting *next = &alerts.waiting[alerts.first];
    alerts.first = (alerts.first + 1) % WAITING;
    alerts.count--;
    start_call(&alerts.calls[i], next);
    free(next->record);
  }
}

/* Returns how many go on. */
static unsigned int end_calls(void) {
  unsigned int running = 0;
  for (int i = 0; i < CALLS; i++) {
    struct call *call = &alerts.calls[i];
    int status;
    if (call->child == 0)
      continue;
    if (now() >= call->ends)
      kill(-call->child, SIGKILL);
    pid_t ended = waitpid(call->child, &status, WNOHANG);
    if (ended == 0) {
      running++;
      continue;
    }
    bool timed_out = ended > 0 && WIFSIGNALED(status) && now() >= call->ends;
    if (timed_out)
      fprintf(stderr, "rota watch: a call of --exec or --post was ended after %d s\n", CALL_SECONDS);
    if (call->posts)
      alerts.has_failed = ended < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    call->child = 0;
  }
  return running;
}

/* ---- receiving ---- */

static void put(const char *record, bool posts) {
  char *copy = alerts.count < WAITING ? strdup(record) : NULL;
  if (copy != NULL)
    alerts.waiting[(alerts.first + alerts.count++) % WAITING] = (struct waiting){.record = copy, .posts = posts};
  else
    alerts.left_out++;
}

static void receive(void) {
  static char record[RECORD_MAX + 1];
  ssize_t n;
  while ((n = recv(alerts.socket, record, RECORD_MAX, MSG_DONTWAIT)) > 0) {
    record[n] = 0;
    if (alerts.words[0] != NULL)
      put(record, false);
    if (alerts.has_url)
      put(record, true);
  }
}

static bool is_gone(void) {
  struct pollfd one = {.fd = alerts.process, .events = POLLIN};
  if (alerts.process >= 0)
    return poll(&one, 1, 0) == 1;
  return kill(alerts.program, 0) != 0 && errno == ESRCH;
}

static void tell_left_out(void) {
  if (alerts.left_out > 0)
    fprintf(stderr, "rota watch: %lu calls of --exec or --post were left out: they take too long\n", alerts.left_out);
  alerts.left_out = 0;
}

static void serve(void) {
  bool ended = false;
  unsigned int running = 0;
  while (!ended || running > 0 || alerts.count > 0) {
    struct pollfd both[2] = {{.fd = alerts.socket, .events = POLLIN},
                             {.fd = ended ? -1 : alerts.process, .events = POLLIN}};
    poll(both, 2, running > 0 ? BUSY_MS : alerts.process < 0 ? IDLE_MS : -1);
    ended = ended || is_gone();
    receive(); /* what it has sent before it ended, too */
    running = end_calls();
    start_calls();
    if (alerts.count == 0)
      tell_left_out();
    for (int i = 0; i < CALLS; i++)
      running += alerts.calls[i].child != 0;
  }
}

/* ---- the process ---- */

static bool make_socket(void) {
  const char *temporary = getenv("TMPDIR");
  const char *places[] = {temporary != NULL && *temporary != 0 ? temporary : "/tmp", "/tmp", "/dev/shm", "/run"};
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    size_t room = sizeof alerts.path - sizeof "/rota-watch-XXXXXX/blocks";
    if (strlen(places[i]) > room)
      continue;
    snprintf(alerts.directory, sizeof alerts.directory, "%s/rota-watch-XXXXXX", places[i]);
    if (mkdtemp(alerts.directory) == NULL)
      continue;
    snprintf(alerts.path, sizeof alerts.path, "%.*s/blocks", (int)sizeof alerts.path - 8, alerts.directory);
    memcpy(address.sun_path, alerts.path, sizeof alerts.path);
    alerts.socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (alerts.socket >= 0 && bind(alerts.socket, (const struct sockaddr *)&address, sizeof address) == 0)
      return true;
    int err = errno;
    rmdir(alerts.directory);
    errno = err;
  }
  fprintf(stderr,
          "rota watch: --exec and --post need a socket in a directory that can be written, such as TMPDIR: %s\n",
          strerror(errno));
  return false;
}

/* It keeps nothing of the program's but standard error: who waits for the end of a pipe does not wait for this. */
static void become_helper(void) {
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  setsid();
  for (int signum = 1; signum < NSIG; signum++)
    signal(signum, signum == SIGINT || signum == SIGTERM || signum == SIGHUP || signum == SIGPIPE ? SIG_IGN : SIG_DFL);
  if (nowhere >= 0) {
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
  }
  command_close_all_but(alerts.socket, alerts.process);
  serve();
  unlink(alerts.path);
  rmdir(alerts.directory);
  _exit(0);
}

bool command_alerts_start(const struct command_values *values) {
  const char *command = values->of[COMMAND_OPTION_EXEC], *url = values->of[COMMAND_OPTION_POST];
  if (command == NULL && url == NULL)
    return true;
  alerts.has_url = url != NULL;
  if ((command != NULL && !read_command(command)) ||
      (url != NULL && !command_url_read(url, values->of[COMMAND_OPTION_POST_HOST], &alerts.url)) || !make_socket())
    return false;
  alerts.program = getpid();
  alerts.process = (int)syscall(SYS_pidfd_open, alerts.program, 0);
  pid_t between = fork();
  if (between == 0) {
    if (fork() == 0)
      become_helper();
    _exit(0);
  }
  if (between > 0)
    while (waitpid(between, NULL, 0) < 0 && errno == EINTR)
      continue;
  close(alerts.socket);
  if (alerts.process >= 0)
    close(alerts.process);
  setenv(rota__settings[ROTA_SETTING_WATCHDOG_TO].variable, alerts.path, 1);
  return between > 0;
}
