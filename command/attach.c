/* rota attach: asks a running process for statistics, for what keeps it alive, for what blocks it, or for a trace. One
 * that runs on librota answers itself: observe/attach/attach.h has the other side, and the packets. Into a Node that
 * nothing prepared an agent is loaded, which speaks the same packets: command/live has the way, inject/agent the agent.
 */
#include "command/internal.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/live/live.h"
#include "command/live/serve.h"
#include "command/live/trace.h"
#include "loop/os/own_file.h"

enum {
  FAILED = COMMAND_NOT_REACHED,
  PACKET_MAX = 65536,
  SILENCE_MS = 3000,
  LOOK_MS = 200,
  MS_PER_SECOND = 1000,
  TIME_MAX_S = 3600,
  THRESHOLD_MAX_MS = 600000
};

static const char usage[] = "Usage: rota attach PID [stats | why | stack | watch | trace | timeline]\n"
                            "                   [--time=s] [--threshold=ms] [-o file] [--signal]\n"
                            "       rota attach PID --metrics[=address]\n"
                            "       rota detach PID\n"
                            "\n"
                            "  stats     what its loops do in the next seconds (the usual), with what blocks\n"
                            "            them; since its start if it was started with ROTA_STATS=1\n"
                            "  why       what keeps its loops alive\n"
                            "  stack     which JavaScript runs at this moment, in a loop without end, too\n"
                            "  watch     tells what blocks its loop for longer than --threshold=ms (50),\n"
                            "            until Ctrl-C\n"
                            "  trace     writes what its loops do into a file that Perfetto and\n"
                            "            `rota timeline` open (-o trace.json)\n"
                            "  timeline  the same as a page (-o timeline.html)\n"
                            "  --time=s  how many seconds it is observed (5). Ctrl-C ends it earlier\n"
                            "  -o file   where the trace or the page is written\n"
                            "  --metrics[=127.0.0.1:9464]  serves its figures to Prometheus, until Ctrl-C\n"
                            "  --signal  SIGUSR1 may be sent though rota cannot see who handles it\n"
                            "\n"
                            "The process must be yours. Any Node from 18 on needs no preparation: rota comes\n"
                            "in through its inspector, which is open for a moment (doc/PRODUCTION.md tells\n"
                            "what is seen so). A process that was started with rota --attach, with\n"
                            "rota run --attach -- program, or on librota with ROTA_ATTACH=1 in its\n"
                            "environment answers by itself, but for stack and watch.\n"
                            "rota detach ends what others have attached.\n"
                            "\n"
                            "Examples:\n"
                            "  rota attach 1234                               figures of the next seconds\n"
                            "  rota attach --stack 1234                       what it runs at this moment\n"
                            "  rota attach 1234 timeline --time=2 -o page.html  a page of the next 2 seconds\n";

struct request;

/* What a process can be asked for. */
struct question {
  const char *name;
  int (*ask)(const struct request *request);
  bool is_at_once;    /* it is answered without waiting for --time */
  bool is_live;       /* only the agent answers it */
  bool is_endless;    /* it is answered until Ctrl-C */
  const char *output; /* the default of -o */
};

struct request {
  pid_t process;
  const struct question *question;
  const char *output;
  int time_ms;
  int threshold_ms; /* 0: the usual */
  bool may_signal;
  struct rota_endpoint endpoint; /* of metrics */
};

static int fail(const struct request *request, const char *text) {
  fprintf(stderr, "rota attach: process %d: %s\n", (int)request->process, text);
  return FAILED;
}

/* ---- the arguments ---- */

static bool read_time(struct request *request, const char *text) {
  char *end;
  double seconds = strtod(text, &end);
  if (!isdigit((unsigned char)*text) || *end != 0 || !(seconds > 0 && seconds <= TIME_MAX_S))
    return false;
  request->time_ms = (int)(seconds * MS_PER_SECOND);
  return request->time_ms > 0;
}

static int ask_for_text(const struct request *request);
static int ask_for_trace(const struct request *request);
static int ask_for_page(const struct request *request);
static int ask_for_metrics(const struct request *request);

static const struct question questions[] = {
    {.name = "stats", .ask = ask_for_text},
    {.name = "why", .ask = ask_for_text, .is_at_once = true},
    {.name = "stack", .ask = ask_for_text, .is_at_once = true, .is_live = true},
    {.name = "watch", .ask = ask_for_text, .is_live = true, .is_endless = true},
    {.name = "trace", .ask = ask_for_trace, .output = "trace.json"},
    {.name = "timeline", .ask = ask_for_page, .output = "timeline.html"},
};
static const struct question metrics = {.name = "figures", .ask = ask_for_metrics, .is_live = true};

static bool read_question(struct request *request, const char *word) {
  for (size_t i = 0; i < sizeof questions / sizeof questions[0] && request->question == NULL; i++)
    if (strcmp(word, questions[i].name) == 0)
      request->question = &questions[i];
  return request->question != NULL && strcmp(word, request->question->name) == 0;
}

static bool read_word(struct request *request, const char *word) {
  char *end;
  if (request->process == 0) {
    long process = strtol(word, &end, 10);
    request->process = *end == 0 && process > 0 && process < INT_MAX ? (pid_t)process : 0;
    return request->process > 0;
  }
  return read_question(request, word);
}

static bool read_threshold(struct request *request, const char *text) {
  char *end;
  long ms = strtol(text, &end, 10);
  request->threshold_ms = isdigit((unsigned char)*text) && *end == 0 && ms > 0 && ms <= THRESHOLD_MAX_MS ? (int)ms : 0;
  return request->threshold_ms > 0;
}

static bool read_metrics(struct request *request, const char *text) {
  bool has_value = text[0] == '=' && text[1] != 0;
  if (request->question != NULL || (text[0] != 0 && !has_value))
    return false;
  request->question = &metrics;
  return rota__setting_read_endpoint(has_value ? text + 1 : "1", &request->endpoint) && !request->endpoint.pushes;
}

/* Null: they are right. Else the first that is not. */
static const char *read_arguments(struct request *request, int argc, char **argv) {
  for (int i = 2; i < argc; i++) {
    if (strncmp(argv[i], "--time=", 7) == 0) {
      if (!read_time(request, argv[i] + 7))
        return argv[i];
    } else if (strncmp(argv[i], "--threshold=", 12) == 0) {
      if (!read_threshold(request, argv[i] + 12))
        return argv[i];
    } else if (strncmp(argv[i], "--metrics", 9) == 0) {
      if (!read_metrics(request, argv[i] + 9))
        return argv[i];
    } else if (strcmp(argv[i], "--signal") == 0) {
      request->may_signal = true;
    } else if (strcmp(argv[i], "--stack") == 0) {
      if (!read_question(request, "stack"))
        return argv[i];
    } else if (strcmp(argv[i], "-o") == 0) {
      if (argv[i + 1] == NULL || argv[i + 1][0] == 0)
        return argv[i];
      request->output = argv[++i];
    } else if (argv[i][0] == '-' || !read_word(request, argv[i])) {
      return argv[i];
    }
  }
  return NULL;
}

/* ---- why there is no answer ---- */

static bool file_is_ours(const char *path) {
  struct program_elf elf = {0};
  struct stat status;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  size_t size = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? (size_t)status.st_size : 0;
  void *bytes = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  close(fd);
  if (bytes == MAP_FAILED)
    return false;
  program_elf_read(&elf, bytes, size);
  munmap(bytes, size);
  /* rota itself shows what addons need, and no more. */
  return elf.is_ours || (elf.exports_whole_loop && strcmp(strrchr(path, '/'), "/rota") == 0);
}

/* Whether a file that it has in memory is librota: 1, 0, or -1 if the system does not tell. */
static int runs_on_librota(pid_t process) {
  char name[40], line[PATH_MAX + 200], before[PATH_MAX] = "";
  snprintf(name, sizeof name, "/proc/%d/maps", (int)process);
  FILE *maps = fopen(name, "re");
  if (maps == NULL)
    return -1;
  bool found = false;
  while (!found && fgets(line, sizeof line, maps) != NULL) {
    char *path = strchr(line, '/');
    if (path == NULL || strstr(line, " r--p ") == NULL)
      continue;
    path[strcspn(path, "\n")] = 0;
    if (strcmp(path, before) == 0)
      continue;
    snprintf(before, sizeof before, "%s", path);
    found = file_is_ours(path);
  }
  fclose(maps);
  return found;
}

static int explain_silence(const struct request *request) {
  char name[40], line[512];
  snprintf(name, sizeof name, "/proc/%d/stat", (int)request->process);
  FILE *file = fopen(name, "re");
  const char *bracket = file != NULL && fgets(line, sizeof line, file) != NULL ? strrchr(line, ')') : NULL;
  char state = bracket != NULL && bracket[1] == ' ' ? bracket[2] : 0;
  if (file != NULL)
    fclose(file);
  if (state == 'T' || state == 't')
    return fail(request, "it is stopped, by a signal or a debugger (SIGCONT continues it)");
  return fail(request, state == 0 ? "it has ended" : "it does not answer");
}

/* Null: it is there, and ours. */
static const char *find_fault(pid_t process) {
  char name[40];
  struct stat status;
  snprintf(name, sizeof name, "/proc/%d", (int)process);
  if (stat(name, &status) != 0)
    return "there is no such process; pgrep -a node lists those of Node";
  return geteuid() != 0 && status.st_uid != geteuid() ? "it belongs to another user; attach as that user" : NULL;
}

/* It has no socket: either it runs on librota, or it is a program that nothing prepared. The connection; -1: the
 * user knows why there is none. */
static int go_in(const struct request *request) {
  const struct live_wish wish = {.process = request->process, .may_signal = request->may_signal};
  char fault[LIVE_FAULT_SIZE];
  switch (runs_on_librota(request->process)) {
  case 1:
    fail(request, "it runs on librota, but was not started for attaching: start it with rota --attach script.js, "
                  "rota run --attach -- program, or ROTA_ATTACH=1 in its environment");
    return -1;
  case 0:
    break;
  default:
    fail(request, "it cannot be attached to, and the system does not show which libraries it has loaded");
    return -1;
  }
  int fd = live_attach(&wish, fault);
  if (fd < 0)
    fail(request, fault);
  return fd;
}

/* ---- the socket ---- */

static bool send_request(int fd, const struct request *request, int file) {
  char text[64];
  bool is_trace = file >= 0;
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
  } control = {0};
  int number = request->question->is_endless ? request->threshold_ms : request->time_ms;
  const char *word = request->question->output != NULL ? "trace" : request->question->name;
  struct iovec part = {text, (size_t)snprintf(text, sizeof text, "%s %d", word, number)};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (is_trace) {
    message.msg_control = control.room;
    message.msg_controllen = sizeof control.room;
    control.head.cmsg_level = SOL_SOCKET;
    control.head.cmsg_type = SCM_RIGHTS;
    control.head.cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(&control.head), &file, sizeof(int));
  }
  return sendmsg(fd, &message, MSG_NOSIGNAL) > 0;
}

/* Set by Ctrl-C: the process is told to end by the end of what we send. */
static volatile sig_atomic_t is_interrupted;

static void on_interrupt(int signum) {
  (void)signum;
  is_interrupted = 1;
}

/* 1: there is a packet, or the end; 0: none within the time (negative: there is no limit). Ctrl-C may come at any
 * moment, also before: it is looked for again and again. */
static int wait_for_packet(int fd, int time_ms) {
  static bool is_end_sent;
  struct pollfd entry = {.fd = fd, .events = POLLIN};
  for (int waited_ms = 0; time_ms < 0 || waited_ms < time_ms; waited_ms += LOOK_MS) {
    int n = poll(&entry, 1, LOOK_MS);
    if (n > 0 && !is_interrupted)
      return n;
    if (is_interrupted && !is_end_sent) {
      is_end_sent = true;
      shutdown(fd, SHUT_WR);
      time_ms = SILENCE_MS;
      waited_ms = 0;
    }
    if (n > 0)
      return n;
    if (n < 0 && errno != EINTR)
      return n;
  }
  return 0;
}

/* Names of functions are the program's: a terminal is not to obey them. */
static void disarm(char *text) {
  for (; *text != 0; text++)
    if ((unsigned char)*text == 0xc2 && (unsigned char)text[1] >= 0x80 && (unsigned char)text[1] < 0xa0)
      text[0] = text[1] = '?';
    else if (((unsigned char)*text < ' ' && *text != '\n' && *text != '\t') || *text == 0x7f)
      *text = '?';
}

/* The exit code. Of a trace that an agent sends `trace` makes the file; else null. */
static int print_answer(int fd, const struct request *request, struct live_trace *trace) {
  static char packet[PACKET_MAX + 1];
  int limit_ms = (request->question->is_at_once ? 0 : request->time_ms) + 2 * SILENCE_MS;
  limit_ms = request->question->is_endless ? -1 : limit_ms;
  for (;;) {
    if (wait_for_packet(fd, limit_ms) <= 0)
      return explain_silence(request);
    ssize_t length = recv(fd, packet, PACKET_MAX, 0);
    if (length <= 0)
      return fail(request, "it has ended");
    packet[length] = 0;
    if (packet[0] == '.')
      return 0;
    if (packet[0] != 'e' && packet[0] != 'n')
      disarm(packet + 1);
    if (packet[0] == '-')
      return fail(request, packet + 1);
    if (trace != NULL && (packet[0] == 'e' || packet[0] == 'n')) {
      if (!live_trace_take(trace, packet, (size_t)length))
        return fail(request, "what it sends is no trace");
      continue;
    }
    fwrite(packet + 1, 1, (size_t)length - 1, packet[0] == '!' ? stderr : stdout);
    fflush(stdout);
  }
}

/* The agent's trace is written here, not by the process. */
static int receive_trace(int fd, const struct request *request, int file) {
  int copy = fcntl(file, F_DUPFD_CLOEXEC, 0), code = FAILED;
  FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
  struct live_trace *trace = out != NULL ? live_trace_begin(out, request->process) : NULL;
  if (trace == NULL) {
    fail(request, "there is no memory for a trace");
  } else {
    code = print_answer(fd, request, trace);
    bool has_events = live_trace_end(trace, code == 0);
    if (fflush(out) != 0 || ferror(out))
      code = fail(request, "its trace cannot be written: there is no room");
    else if (code != 0 && !has_events)
      (void)!ftruncate(file, 0);
  }
  if (out != NULL)
    fclose(out);
  else if (copy >= 0)
    close(copy);
  return code;
}

/* What runs on librota serves its own, with more in them. */
static int ask_for_metrics(const struct request *request) {
  char fault[LIVE_FAULT_SIZE], address[128];
  const char *wrong = find_fault(request->process);
  struct sigaction action = {.sa_handler = on_interrupt};
  if (wrong != NULL)
    return fail(request, wrong);
  int listener = live_serve_open(&request->endpoint, fault), librota = live_connect(request->process);
  if (listener < 0)
    return fail(request, fault);
  sigaction(SIGINT, &action, NULL);
  if (librota >= 0)
    fail(request, "it runs on librota: rota run --metrics -- program serves its metrics from its start");
  int agent = librota >= 0 ? -1 : go_in(request), code = FAILED;
  if (agent >= 0) {
    live_serve_describe(listener, address, sizeof address);
    fprintf(stderr, "rota attach: process %d: %s, until Ctrl-C\n", (int)request->process, address);
    code = live_serve(listener, agent, &is_interrupted) ? 0 : fail(request, "it has ended, or was detached");
    close(agent);
  }
  if (librota >= 0)
    close(librota);
  close(listener);
  return code;
}

static int talk(const struct request *request, int file) {
  const char *fault = find_fault(request->process);
  if (fault != NULL)
    return fail(request, fault);
  int fd = live_connect(request->process), code;
  bool is_librota = fd >= 0;
  fd = is_librota ? fd : go_in(request);
  if (fd < 0)
    return FAILED;
  if (is_librota && request->question->is_live)
    code = fail(request, "it runs on librota, where `why` tells what blocks a loop at this moment, and rota watch -- "
                         "program, from its start, what blocks it from time to time");
  else if (!send_request(fd, request, is_librota ? file : -1))
    code = explain_silence(request);
  else if (!is_librota && file >= 0)
    code = receive_trace(fd, request, file);
  else
    code = print_answer(fd, request, NULL);
  close(fd);
  return code;
}

/* ---- traces ---- */

static int make_page(const char *trace, const char *page) {
  int status = 1;
  signal(SIGCHLD, SIG_DFL); /* live_attach has left it to the system */
  pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "rota", "timeline", trace, "-o", page, (char *)NULL);
    _exit(FAILED);
  }
  return child > 0 && waitpid(child, &status, 0) == child && status == 0 ? 0 : FAILED;
}

static int write_trace(const struct request *request, const char *output) {
  int file = rota__os_own_file_open(output);
  if (file < 0) {
    const char *fault = rota__os_own_file_fault(file);
    fprintf(stderr, "rota attach: %s: %s\n", output, fault != NULL ? fault : strerror(-file));
    return FAILED;
  }
  (void)!ftruncate(file, 0); /* a pipe has nothing to cut off */
  struct sigaction action = {.sa_handler = on_interrupt};
  sigaction(SIGINT, &action, NULL);
  int code = talk(request, file);
  struct stat status;
  /* What was written before the process ended is worth something. */
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0)
    unlink(output);
  else if (code != 0)
    fprintf(stderr, "rota attach: what was traced so far is in %s\n", output);
  close(file);
  return code;
}

/* Ctrl-C ends what takes a while, with what was seen so far. */
static int ask_for_text(const struct request *request) {
  struct sigaction action = {.sa_handler = on_interrupt};
  if (!request->question->is_at_once)
    sigaction(SIGINT, &action, NULL);
  return talk(request, -1);
}

static int ask_for_trace(const struct request *request) {
  return command_may_write("attach", "-o", request->output) ? write_trace(request, request->output) : COMMAND_BAD_USAGE;
}

static int ask_for_page(const struct request *request) {
  char trace[PATH_MAX];
  const char *folder = getenv("TMPDIR");
  snprintf(trace, sizeof trace, "%s/rota-attach-XXXXXX", folder != NULL && folder[0] != 0 ? folder : "/tmp");
  if (!command_may_write("attach", "-o", request->output))
    return COMMAND_BAD_USAGE;
  int file = mkstemp(trace);
  if (file < 0) {
    fprintf(stderr, "rota attach: %s: %s\n", trace, strerror(errno));
    return FAILED;
  }
  close(file);
  int code = write_trace(request, trace);
  if (code == 0)
    code = make_page(trace, request->output);
  unlink(trace);
  if (code == 0)
    fprintf(stderr, "rota attach: %s\n", request->output);
  return code;
}

int command_detach(const struct command *command, int argc, char **argv) {
  struct live_wish wish = {.detaches = true};
  struct request request = {0};
  char fault[LIVE_FAULT_SIZE];
  (void)command;
  if (command_wants_help(argc, argv, argc)) {
    fputs(usage, stdout);
    return 0;
  }
  if (argc != 3 || !read_word(&request, argv[2])) {
    fputs("rota detach: Usage: rota detach PID; rota help attach explains\n", stderr);
    return COMMAND_BAD_USAGE;
  }
  wish.process = request.process;
  if (live_attach(&wish, fault) >= 0)
    return 0;
  fprintf(stderr, "rota detach: process %d: %s\n", (int)request.process, fault);
  return FAILED;
}

int command_attach(const struct command *command, int argc, char **argv) {
  struct request request = {.time_ms = 5 * MS_PER_SECOND};
  (void)command;
  if (command_wants_help(argc, argv, argc)) {
    fputs(usage, stdout);
    return 0;
  }
  const char *wrong = read_arguments(&request, argc, argv);
  if (wrong != NULL)
    fprintf(stderr, "rota attach: bad argument: %s; rota help attach explains\n", wrong);
  else if (request.process == 0)
    fputs("rota attach: missing process id. Usage: rota attach 1234; rota help attach explains\n", stderr);
  if (wrong != NULL || request.process == 0)
    return COMMAND_BAD_USAGE;
  request.question = request.question != NULL ? request.question : &questions[0];
  request.output = request.output != NULL ? request.output : request.question->output;
  return request.question->ask(&request);
}
