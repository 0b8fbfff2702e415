#include "command/live/live.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command/program.h"
#include "rota.h"

enum {
  OPEN_MS = 5000,      /* for the inspector to listen */
  ANSWER_MS = 5000,    /* for JavaScript to be entered */
  CONNECT_MS = 2000,   /* for the agent's connection, once it says that it is there */
  PATIENCE_MS = 30000, /* for others of rota, which may want the same port */
  TELL_MS = 2000,      /* the user is told what is waited for */
  TURN_MS = 20000,     /* for another process that has taken the port meanwhile */
  LOOK_MS = 2,
  LOOK_LATER_MS = 50,
  SOON_MS = 500,
  TRIES = 3,
  LATE_MS = 3600 * 1000, /* for a thread to come back from native code, after the user was told */
  SURELY_MS = 10000,
  QUIET_MS = 500,  /* the inspector was not seen open for so long: it is closed */
  AGAIN_MS = 1500, /* without an inspector, the signal is sent again: another rota may have closed it */
  NS_PER_MS = 1000000,
  LISTENERS = 8,
  BEFORE_MAX = 1024,
  EXPRESSION_SIZE = 3 * PATH_MAX
};

static const char agent_file[] = "/rota-agent.node";

/* The state of one way in. Everything here is undone by leave(), whatever has happened. */
struct way {
  struct live_target target;
  pid_t command;         /* who asked for it */
  int lock;              /* on the agent's file: one way in at a time */
  char agent[PATH_MAX];  /* as the process sees it */
  char folder[PATH_MAX]; /* made by us, for the socket; as we see it. Empty: there is none */
  char socket[PATH_MAX]; /* as the process sees it */
  int listener;          /* the socket that the agent connects to */
  int folder_fd;
  bool is_signalled; /* by us */
  bool is_late;      /* its thread has not answered yet */
  bool is_open;      /* we have opened the inspector, and it was not closed yet */
  struct live_inspector inspector;
  struct live_listener port;
  size_t before_count; /* who listened anywhere before the signal */
  uint64_t before[BEFORE_MAX];
  char *fault;
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct way *way, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(way->fault, LIVE_FAULT_SIZE, format, arguments);
  va_end(arguments);
  return false;
}

static void pause_ms(int ms) {
  const struct timespec pause = {.tv_nsec = (long)ms * NS_PER_MS};
  nanosleep(&pause, NULL);
}

/* ---- the agent's file, and one at a time ---- */

/* The lock is on a file that cannot be written by others. Whoever holds it for long does not stop us: what it avoids is
 * only that two processes want the same port. */
static bool find_agent(struct way *way, pid_t process) {
  struct program_elf elf = {0};
  struct program_paths paths;
  char path[PATH_MAX + 64];
  snprintf(path, sizeof path, "/proc/%d/exe", (int)process);
  /* No Node on musl was there whose inspector could be asked: doc/NODE.md. */
  if (program_elf_read_file(&elf, path) && elf.is_musl)
    return refuse(way, "it uses the C library musl, where this was never seen to work; start it with rota run --attach "
                       "-- node script.js");
  if (!program_find_libraries(&paths, false))
    return refuse(way, "what is built for glibc is not beside rota: `make` builds it");
  snprintf(path, sizeof path, "%s%s", paths.library, agent_file);
  way->lock = open(path, O_RDONLY | O_CLOEXEC);
  char *whole = way->lock >= 0 ? realpath(path, NULL) : NULL;
  if (whole == NULL)
    return refuse(way, "%s is not there: `make` builds it", path);
  snprintf(way->agent, sizeof way->agent, "%s", whole);
  free(whole);
  for (int waited = 0; waited < PATIENCE_MS && flock(way->lock, LOCK_EX | LOCK_NB) != 0; waited += LOOK_MS) {
    if (waited == TELL_MS)
      fprintf(stderr, "rota attach: process %d: another rota is on its way into a process; this one waits for it\n",
              (int)process);
    pause_ms(LOOK_MS);
  }
  return true;
}

/* ---- the socket ---- */

/* In a folder that only the user of the process can enter. Another mount namespace has a /tmp of its own, which may be
 * read-only. */
static bool make_folder(struct way *way) {
  static const char *const places[] = {"/tmp", "/dev/shm", "/var/tmp", "/run"};
  char root[64] = "";
  int err = 0;
  if (!live_shares_namespace(way->target.process, "mnt"))
    snprintf(root, sizeof root, "/proc/%d/root", (int)way->target.process);
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    snprintf(way->folder, sizeof way->folder, "%s%s/rota-attach-XXXXXX", root, places[i]);
    if (mkdtemp(way->folder) != NULL)
      break;
    err = err == 0 ? errno : err;
    way->folder[0] = 0;
  }
  if (way->folder[0] == 0)
    return refuse(way, "no folder for a socket can be made in its /tmp, /dev/shm, /var/tmp or /run: %s", strerror(err));
  snprintf(way->socket, sizeof way->socket, "%s/agent", way->folder + strlen(root));
  way->folder_fd = open(way->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (way->folder_fd < 0)
    return refuse(way, "%s: %s", way->folder, strerror(errno));
  return true;
}

/* A name of a socket is short: it is bound by the folder's descriptor, and then given to the user of the process. */
static bool listen_there(struct way *way) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/agent", way->folder_fd);
  way->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (way->listener < 0 || bind(way->listener, (const struct sockaddr *)&address, sizeof address) != 0 ||
      listen(way->listener, 1) != 0)
    return refuse(way, "a socket in %s: %s", way->folder, strerror(errno));
  if (geteuid() == way->target.user)
    return true;
  if (fchownat(way->folder_fd, "agent", way->target.user, (gid_t)-1, AT_SYMLINK_NOFOLLOW) != 0 ||
      chown(way->folder, way->target.user, (gid_t)-1) != 0)
    return refuse(way, "%s: %s", way->folder, strerror(errno));
  return true;
}

/* A user who may not read our folder, and a container that does not have it, get the agent beside the socket. */
static bool copy_agent(struct way *way) {
  char bytes[65536];
  int to = openat(way->folder_fd, agent_file + 1, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0555);
  bool is_whole = to >= 0;
  ssize_t n = 0;
  off_t at = 0;
  while (is_whole && (n = pread(way->lock, bytes, sizeof bytes, at)) > 0) {
    is_whole = write(to, bytes, (size_t)n) == n;
    at += n;
  }
  if (to >= 0 && close(to) != 0)
    is_whole = false;
  if (!is_whole || n < 0)
    return refuse(way, "the agent cannot be written into %s: %s", way->folder, strerror(errno));
  snprintf(way->agent, sizeof way->agent, "%.*s%s", (int)(strrchr(way->socket, '/') - way->socket), way->socket,
           agent_file);
  return true;
}

static bool prepare(struct way *way) {
  if (!make_folder(way) || !listen_there(way))
    return false;
  bool is_seen = live_shares_namespace(way->target.process, "mnt") && geteuid() == way->target.user;
  return is_seen || copy_agent(way);
}

/* ---- the inspector ---- */

static bool enter_network(struct way *way) {
  char path[64];
  if (live_shares_namespace(way->target.process, "net"))
    return true;
  snprintf(path, sizeof path, "/proc/%d/ns/net", (int)way->target.process);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  bool entered = fd >= 0 && setns(fd, CLONE_NEWNET) == 0;
  if (fd >= 0)
    close(fd);
  return entered ||
         refuse(way, "it is in another network namespace (a container), which rota may not enter: run rota in "
                     "that container, or as root with the capability SYS_ADMIN");
}

/* Who listens there must be the process itself, before anything is written to it. */
static bool find_port(struct way *way) {
  struct live_listener listeners[LISTENERS];
  size_t count = live_listeners(way->target.process, way->target.port, listeners, LISTENERS);
  for (size_t i = 0; i < count; i++)
    if (live_owns_socket(way->target.process, listeners[i].inode)) {
      way->port = listeners[i];
      return true;
    }
  return false;
}

static void note_listeners(struct way *way) {
  struct live_listener *listeners = malloc(BEFORE_MAX * sizeof *listeners);
  way->before_count = listeners != NULL ? live_listeners(way->target.process, 0, listeners, BEFORE_MAX) : BEFORE_MAX;
  for (size_t i = 0; listeners != NULL && i < way->before_count; i++)
    way->before[i] = listeners[i].inode;
  free(listeners);
}

static bool was_before(const struct way *way, uint64_t inode) {
  for (size_t i = 0; i < way->before_count; i++)
    if (way->before[i] == inode)
      return true;
  return false;
}

static unsigned int port_of(const struct live_listener *listener) {
  return ntohs(listener->address.ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)&listener->address)->sin6_port
                                                       : ((const struct sockaddr_in *)&listener->address)->sin_port);
}

/* The port may be another one than its options said: process.debugPort changes it, and process.title overwrites the
 * command line. Then it is one on which the process did not listen before the signal. */
static bool find_other_port(struct way *way) {
  bool found = false;
  struct live_listener *listeners = malloc(BEFORE_MAX * sizeof *listeners);
  size_t count = listeners != NULL && way->before_count < BEFORE_MAX
                     ? live_listeners(way->target.process, 0, listeners, BEFORE_MAX)
                     : 0;
  for (size_t i = 0; i < count && !found; i++) {
    if (was_before(way, listeners[i].inode) || !live_owns_socket(way->target.process, listeners[i].inode))
      continue;
    way->inspector.until_ns = live_now_ns() + (uint64_t)SOON_MS * NS_PER_MS;
    found = live_inspector_open(&way->inspector, &listeners[i]);
    if (found) /* else it is a port of the program's own, which it has just opened */
      way->target.port = port_of(&listeners[i]);
  }
  free(listeners);
  return found;
}

/* A thread in native code takes the signal when it comes back to JavaScript, and who waits for it leaves first. */
static bool explain_no_answer(struct way *way) {
  char what[256];
  live_describe_thread(way->target.process, what, sizeof what);
  way->is_late = true;
  if (!way->is_open)
    return refuse(way, "its main thread does not come back to JavaScript: %s", what);
  if (way->inspector.until_ns == 0)
    return refuse(way,
                  "its inspector did not open within %d s. Either its main thread is in native code (%s) and opens it "
                  "later, for a moment: process %d of rota waits for that, and closes it; or Node could not listen on "
                  "port %u, which its standard error tells",
                  OPEN_MS / 1000, what, (int)getpid(), way->target.port);
  return refuse(way,
                "its main thread does not come back to JavaScript: %s. Its inspector is open until it does: process %d "
                "of rota waits "
                "for that, and closes it",
                what, (int)getpid());
}

/* Another process that has opened the port; 0: nobody has, or it is not ours to know. */
static pid_t find_holder(const struct way *way) {
  struct live_listener listeners[LISTENERS];
  size_t count = live_listeners(way->target.process, way->target.port, listeners, LISTENERS);
  pid_t holder = count > 0 ? live_find_owner(listeners[0].inode) : 0;
  return holder == way->target.process ? 0 : holder;
}

/* Another process on its way to the same port, which no lock has kept from it. False: it is not done in time. */
static bool await_turn(struct way *way) {
  uint64_t until_ns = live_now_ns() + (uint64_t)TURN_MS * NS_PER_MS;
  pid_t holder = find_holder(way);
  while (holder != 0 && live_now_ns() < until_ns) {
    pause_ms(LOOK_LATER_MS);
    holder = find_holder(way);
  }
  return holder == 0 || refuse(way,
                               "port %u, which Node would open, is held by process %d: end its inspector, or start "
                               "this one with another --inspect-port",
                               way->target.port, (int)holder);
}

static bool await_port(struct way *way) {
  uint64_t soon = live_now_ns() + (uint64_t)SOON_MS * NS_PER_MS, until = soon + (uint64_t)OPEN_MS * NS_PER_MS;
  uint64_t again = soon + (uint64_t)AGAIN_MS * NS_PER_MS;
  while (!find_port(way)) {
    struct live_status status;
    if (live_now_ns() > soon && find_other_port(way))
      return true;
    if (!live_status_read(way->target.process, &status) || status.state == 'Z')
      return refuse(way, "it has ended");
    if (live_now_ns() > until)
      return explain_no_answer(way);
    if (live_now_ns() > again && !way->target.was_open) {
      if (!await_turn(way) || kill(way->target.process, SIGUSR1) != 0) /* again: Node tries but once */
        return way->fault[0] != 0 ? false : refuse(way, "it has ended");
      again = UINT64_MAX;
      until = live_now_ns() + (uint64_t)OPEN_MS * NS_PER_MS;
    }
    pause_ms(live_now_ns() < soon ? LOOK_MS : LOOK_LATER_MS);
  }
  return true;
}

static bool open_inspector(struct way *way) {
  if (!way->target.was_open && kill(way->target.process, SIGUSR1) != 0)
    return refuse(way, "it cannot be signalled: %s", strerror(errno));
  way->is_open = !way->target.was_open;
  way->is_signalled |= way->is_open;
  if (!await_port(way))
    return false;
  way->inspector.until_ns = live_now_ns() + (uint64_t)ANSWER_MS * NS_PER_MS;
  return way->inspector.fd >= 0 || live_inspector_open(&way->inspector, &way->port) ||
         refuse(way, "what listens on its port %u is no inspector, or does not answer", way->target.port);
}

/* ---- the expression ---- */

/* What is called in the process. Its program may have removed or replaced what is used here: nothing of that may keep
 * `shut` from closing the inspector. It looks again when the loop has come round: Node takes the signal in three ways,
 * by an interrupt, a task and a wake-up of the loop, and the last would open it again. Only the last that came in looks
 * again, and what it throws does not reach the program. */
#define LOAD                                                                                                           \
  "const load = (id) => {"                                                                                             \
  "  try { const found = process.getBuiltinModule(id); if (found) return found; } catch {}"                            \
  "  try { return require(id); } catch {}"                                                                             \
  "  return process.mainModule.require(id);"                                                                           \
  "};"
#define SHUT                                                                                                           \
  "const shut = () => {"                                                                                               \
  "  const inspector = load('inspector');"                                                                             \
  "  try {"                                                                                                            \
  "    const self = load('process'), mark = Symbol.for('rota.inspector'), mine = {}, { setImmediate } = "              \
  "load('timers');"                                                                                                    \
  "    Object.defineProperty(self, mark, { __proto__: null, value: mine, configurable: true });"                       \
  "    setImmediate(() => setImmediate(() => {"                                                                        \
  "      try {"                                                                                                        \
  "        if (self[mark] !== mine) return;"                                                                           \
  "        delete self[mark];"                                                                                         \
  "        if (inspector.url() !== undefined) inspector.close();"                                                      \
  "      } catch {}"                                                                                                   \
  "    }));"                                                                                                           \
  "  } catch {}"                                                                                                       \
  "  inspector.close();"                                                                                               \
  "};"

/* The agent is kept at a symbol of `process`, so that the next attach finds it. Where nobody waits for the answer any
 * more, the inspector is closed at once. The first `%s` is what to do, in JavaScript. */
static const char expression[] =
    "((agent, socket, version, ours) => {" LOAD SHUT
    "  const isGone = () => { try { return !load('fs').existsSync(socket); } catch { return true; } };"
    "  let result;"
    "  try {"
    "    const self = load('process'), key = Symbol.for('rota.agent');"
    "    let found = self[key];"
    "    if (found?.version !== version) {"
    "      const module = { exports: {} };"
    "      try {"
    "        self.dlopen(module, agent);"
    "      } catch (error) {"
    "        throw new Error(`this Node cannot load rota-agent.node: ${error?.message}`);"
    "      }"
    "      found = module.exports;"
    "      try {"
    "        Object.defineProperty(self, key, { __proto__: null, value: found, configurable: true });"
    "      } catch {}" /* it is frozen: the next loads it again */
    "    }"
    "    result = `${%s}`;"
    "  } catch (error) {"
    "    try { result = `-${error?.message}`; } catch { result = '-its program has replaced what rota needs'; }"
    "  }"
    "  if (ours && (result[0] !== '-' || isGone())) shut();"
    "  return result;"
    "})(%s, %s, '" ROTA_VERSION_STRING "', %s)\n//# sourceURL=rota-attach";

static const char closing[] = "(() => {" LOAD SHUT "  shut();"
                              "})()\n//# sourceURL=rota-attach";

/* With `closes` the inspector is closed before the answer is sent: only the connection shows that it went well. */
static bool run_expression(struct way *way, const char *action, bool closes, char answer[LIVE_FAULT_SIZE / 2]) {
  char agent[PATH_MAX], socket_name[PATH_MAX], *text = malloc(EXPRESSION_SIZE);
  bool is_run = text != NULL && live_json_quote(way->agent, agent, sizeof agent) &&
                live_json_quote(way->socket, socket_name, sizeof socket_name);
  if (is_run) {
    snprintf(text, EXPRESSION_SIZE, expression, action, agent, socket_name, closes ? "true" : "false");
    is_run = live_inspector_run(&way->inspector, text, answer, LIVE_FAULT_SIZE / 2);
  }
  free(text);
  return is_run;
}

static void close_inspector(struct way *way, uint64_t until_ns) {
  char answer[64];
  if (way->is_open && way->inspector.fd >= 0) {
    way->inspector.until_ns = until_ns;
    live_inspector_run(&way->inspector, closing, answer, sizeof answer);
  }
  live_inspector_close(&way->inspector);
}

/* ---- the connection ---- */

static int take_connection(const struct way *way, int time_ms) {
  struct pollfd entry = {.fd = way->listener, .events = POLLIN};
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (poll(&entry, 1, time_ms) <= 0)
    return -1;
  int fd = accept4(way->listener, NULL, NULL, SOCK_CLOEXEC);
  if (fd < 0)
    return -1;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.pid == way->target.process)
    return fd;
  close(fd);
  return -1;
}

/* One attempt. `is_lost`: the connection broke off before its time, since another way in has closed the inspector. */
static int try_in(struct way *way, const struct live_wish *wish, bool *is_lost) {
  char answer[LIVE_FAULT_SIZE / 2] = "", action[64];
  snprintf(action, sizeof action, "found.attach(socket, %d, %d)", (int)way->command, (int)way->target.process);
  if (!open_inspector(way)) {
    *is_lost = !way->is_late && live_now_ns() < way->inspector.until_ns;
    return -1;
  }
  bool is_answered = wish->detaches ? run_expression(way, "found.detach()", false, answer)
                                    : run_expression(way, action, way->is_open, answer);
  bool is_out_of_time = live_now_ns() >= way->inspector.until_ns;
  if (is_answered && answer[0] == '-') {
    refuse(way, "%s", answer + 1);
    return -1;
  }
  if (is_answered && wish->detaches)
    return -1; /* without a fault */
  int fd = take_connection(way, is_out_of_time || wish->detaches ? 0 : CONNECT_MS);
  if (fd >= 0)
    way->is_open = false;
  else if (is_out_of_time)
    explain_no_answer(way);
  else
    *is_lost = true;
  return fd;
}

static int go_in(struct way *way, const struct live_wish *wish) {
  if (!find_agent(way, wish->process) || !live_check(wish, &way->target, way->fault) || !prepare(way) ||
      !enter_network(way))
    return -1;
  note_listeners(way);
  for (int tries = 0; tries < TRIES; tries++) {
    bool is_lost = false;
    int fd = try_in(way, wish, &is_lost);
    if (!is_lost)
      return fd;
    live_inspector_close(&way->inspector);
    if (!live_check(wish, &way->target, way->fault))
      return -1;
  }
  refuse(way, "the connection to its inspector on port %u breaks off, again and again", way->target.port);
  return -1;
}

/* ---- after the user was told ---- */

static void release_output(void) {
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd <= 2 && nothing >= 0; fd++) /* who reads the command's output sees its end */
    dup2(nothing, fd);
}

/* The inspector must be closed, and stay so: a signal that was taken late opens it again. A thread that was in native
 * code opens it only when it comes back. With the lock: another rota that is on its way in
 * closes it itself. */
static void close_surely(struct way *way) {
  struct live_status status;
  uint64_t now_ns = live_now_ns(), until_ns = now_ns + (uint64_t)(way->is_late ? LATE_MS : SURELY_MS) * NS_PER_MS;
  uint64_t quiet_ns = way->is_late ? until_ns : now_ns + (uint64_t)QUIET_MS * NS_PER_MS;
  bool has_lock = !way->is_late || flock(way->lock, LOCK_UN) != 0; /* others need not wait for what is late */
  while (live_now_ns() < until_ns && live_now_ns() < quiet_ns && live_status_read(way->target.process, &status) &&
         status.state != 'Z') {
    bool is_there = way->inspector.fd >= 0 || find_port(way);
    has_lock = has_lock || (is_there && flock(way->lock, LOCK_EX | LOCK_NB) == 0);
    way->inspector.until_ns = until_ns;
    if (is_there && has_lock && (way->inspector.fd >= 0 || live_inspector_open(&way->inspector, &way->port))) {
      way->is_open = true;
      close_inspector(way, until_ns);
      quiet_ns = live_now_ns() + (uint64_t)QUIET_MS * NS_PER_MS;
    } else {
      pause_ms(LOOK_LATER_MS);
    }
  }
  live_inspector_close(&way->inspector);
}

static void leave(struct way *way) {
  if (way->folder_fd >= 0) {
    unlinkat(way->folder_fd, "agent", 0);
    unlinkat(way->folder_fd, agent_file + 1, 0);
    close(way->folder_fd);
  }
  if (way->folder[0] != 0)
    rmdir(way->folder);
  if (way->listener >= 0)
    close(way->listener);
}

/* ---- the process of its own ---- */

static void send_result(int channel, int fd, const char *fault) {
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct iovec part = {(void *)(uintptr_t)fault, strlen(fault) + 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (fd >= 0) {
    message.msg_control = control.room;
    message.msg_controllen = sizeof control.room;
    control.head.cmsg_level = SOL_SOCKET;
    control.head.cmsg_type = SCM_RIGHTS;
    control.head.cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
  }
  sendmsg(channel, &message, MSG_NOSIGNAL);
}

static int receive_result(int channel, char *fault) {
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
  } control = {0};
  struct iovec part = {fault, LIVE_FAULT_SIZE - 1};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
  ssize_t n;
  int fd = -1;
  do {
    n = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
  } while (n < 0 && errno == EINTR);
  fault[n > 0 ? n : 0] = 0;
  if (n > 0 && message.msg_controllen >= CMSG_LEN(sizeof(int)) && control.head.cmsg_type == SCM_RIGHTS)
    memcpy(&fd, CMSG_DATA(&control.head), sizeof fd);
  if (n <= 0)
    snprintf(fault, LIVE_FAULT_SIZE, "the way into it was ended before its time");
  return fd;
}

static void run_in_child(const struct live_wish *wish, pid_t command, int channel) {
  static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
  char fault[LIVE_FAULT_SIZE] = "";
  struct way way = {
      .lock = -1, .listener = -1, .folder_fd = -1, .inspector = {.fd = -1}, .fault = fault, .command = command};
  setsid(); /* a signal to the group of the command does not end it */
  for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++)
    signal(ending[i], SIG_IGN);
  int fd = go_in(&way, wish);
  leave(&way);
  if (!way.is_late)
    close_inspector(&way, live_now_ns() + (uint64_t)CONNECT_MS * NS_PER_MS);
  send_result(channel, fd, fault);
  close(channel);
  if (fd >= 0)
    close(fd);
  release_output();
  if (way.is_signalled)
    close_surely(&way);
}

int live_attach(const struct live_wish *wish, char fault[LIVE_FAULT_SIZE]) {
  int channel[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel) != 0) {
    snprintf(fault, LIVE_FAULT_SIZE, "%s", strerror(errno));
    return -1;
  }
  signal(SIGCHLD, SIG_IGN); /* the child stays for a while, and nobody waits for it */
  pid_t command = getpid(), child = fork();
  if (child == 0) {
    close(channel[0]);
    run_in_child(wish, command, channel[1]);
    _exit(0);
  }
  close(channel[1]);
  int fd = -1;
  if (child < 0)
    snprintf(fault, LIVE_FAULT_SIZE, "%s", strerror(errno));
  else
    fd = receive_result(channel[0], fault);
  close(channel[0]);
  return wish->detaches && fault[0] == 0 ? 0 : fd;
}
