/* Children. The model knows three programs, in any directory: `cat` writes what it reads and ends with its input,
 * `exit` ends with the status of its argument, and `sleep` waits for a signal. */
#include "loop/os/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "loop/base/units.h"
#include "loop/os/file.h"
#include "loop/os/model/model.h"

enum { OWN_NUMBER = 1000, CHILD_FDS = 16, CHUNK = 512 };

enum program { CAT, EXIT, SLEEP, UNKNOWN };

struct child {
  struct rota_model_object base;
  pid_t pid;
  enum program program;
  struct rota_model_open *opens[CHILD_FDS];
  uint64_t due_ns;
  int code;
  bool has_ended, is_reaped;
  int status;
  char bytes[CHUNK];
  size_t begin, length;
};

/* The descriptor of a child. */
struct watch {
  struct rota_model_object base;
  struct child *child;
};

static struct {
  struct child *children[64];
  int count;
  pid_t last;
} processes;

void rota__model_processes_start(void) {
  memset(&processes, 0, sizeof processes);
  processes.last = OWN_NUMBER;
}

/* ---- a child's life ---- */

static void end(struct child *self, int status) {
  if (self->has_ended)
    return;
  rota__model_log("  child %d ends: %#x", (int)self->pid, (unsigned int)status);
  self->has_ended = true;
  self->status = status;
  for (int i = 0; i < CHILD_FDS; i++) {
    if (self->opens[i] != NULL)
      rota__model_drop_open(self->opens[i]);
    self->opens[i] = NULL;
  }
  rota__model_raise(SIGCHLD, 0);
}

static bool is_ready(const struct rota_model_open *open, unsigned int events) {
  return open == NULL || open->object->kind->ready == NULL || (open->object->kind->ready(open->object) & events) != 0;
}

static ssize_t move(ssize_t (*by)(struct rota_model_open *, const struct iovec *, int, int64_t),
                    struct rota_model_open *open, char *bytes, size_t length) {
  struct iovec vector = {.iov_base = bytes, .iov_len = length};
  return open == NULL || by == NULL ? -EBADF : by(open, &vector, 1, -1);
}

/* False: it waits. */
static bool copy_some(struct child *self) {
  struct rota_model_open *in = self->opens[0], *out = self->opens[1];
  if (self->length == 0) {
    if (!is_ready(in, POLLIN | POLLHUP | POLLERR))
      return false;
    ssize_t n = move(in == NULL ? NULL : in->object->kind->read, in, self->bytes, sizeof self->bytes);
    if (n == -EAGAIN)
      return false;
    if (n <= 0)
      end(self, n == 0 ? 0 : 1 << 8);
    self->begin = 0;
    self->length = n > 0 ? (size_t)n : 0;
    return n > 0;
  }
  if (!is_ready(out, POLLOUT | POLLERR | POLLHUP))
    return false;
  ssize_t n = move(out == NULL ? NULL : out->object->kind->write, out, self->bytes + self->begin, self->length);
  if (n == -EAGAIN)
    return false;
  if (n < 0)
    end(self, SIGPIPE);
  self->begin += n > 0 ? (size_t)n : 0;
  self->length -= n > 0 ? (size_t)n : 0;
  return n > 0;
}

static void child_advance(struct rota_model_object *object) {
  struct child *self = rota__container_of(object, struct child, base);
  if (self->has_ended || self->due_ns > rota__model_now_ns())
    return;
  if (self->program == EXIT)
    end(self, (self->code & 0xff) << 8);
  if (self->program == CAT)
    while (copy_some(self))
      continue;
}

static uint64_t child_next_ns(struct rota_model_object *object) {
  const struct child *self = rota__container_of(object, struct child, base);
  return self->has_ended ? UINT64_MAX : self->due_ns;
}

static void child_release(struct rota_model_object *object) {
  struct child *self = rota__container_of(object, struct child, base);
  for (int i = 0; i < CHILD_FDS; i++)
    if (self->opens[i] != NULL)
      rota__model_drop_open(self->opens[i]);
  free(self);
}

static const struct rota_model_kind child_kind = {
    .name = "child", .next_ns = child_next_ns, .advance = child_advance, .release = child_release};

static unsigned int watch_ready(struct rota_model_object *object) {
  return rota__container_of(object, struct watch, base)->child->has_ended ? POLLIN : 0;
}

static void watch_release(struct rota_model_object *object) {
  struct watch *self = rota__container_of(object, struct watch, base);
  rota__model_drop(&self->child->base);
  free(self);
}

static const struct rota_model_kind watch_kind = {.name = "pidfd", .ready = watch_ready, .release = watch_release};

/* ---- making one ---- */

static enum program program_of(const char *path) {
  const char *name = strrchr(path, '/');
  name = name == NULL ? path : name + 1;
  return strcmp(name, "cat") == 0     ? CAT
         : strcmp(name, "exit") == 0  ? EXIT
         : strcmp(name, "sleep") == 0 ? SLEEP
                                      : UNKNOWN;
}

static enum program find_program(char *const *files) {
  for (; *files != NULL; files++)
    if (program_of(*files) != UNKNOWN)
      return program_of(*files);
  return UNKNOWN;
}

static int number_of(char *const *args) {
  return args == NULL || args[0] == NULL || args[1] == NULL ? 0 : atoi(args[1]);
}

bool rota__os_has_pidfd(void) {
  return rota__model_options()->has_child_descriptors;
}

int rota__os_spawn(const struct rota_os_spawn *spawn, pid_t *pid, int *pidfd) {
  enum program program = find_program(spawn->files);
  rota__model_call("spawn", program);
  *pidfd = -1;
  *pid = 0;
  if (processes.count == (int)(sizeof processes.children / sizeof processes.children[0]) ||
      rota__model_chance(rota__model_options()->no_threads))
    return -EAGAIN;
  *pid = ++processes.last;
  if (program == UNKNOWN)
    return -ENOENT;
  struct child *child = rota__model_object(&child_kind, sizeof *child);
  child->pid = *pid;
  child->program = program;
  child->code = number_of(spawn->args);
  child->due_ns = rota__model_now_ns() + rota__model_below(5 * NS_PER_MS);
  for (int i = 0; i < spawn->fd_count && i < CHILD_FDS; i++) {
    child->opens[i] = rota__model_open_of(spawn->fds[i]);
    if (child->opens[i] != NULL)
      rota__model_keep(child->opens[i]);
  }
  processes.children[processes.count++] = child;
  if (!rota__os_has_pidfd())
    return 0;
  struct watch *watch = rota__model_object(&watch_kind, sizeof *watch);
  watch->child = child;
  child->base.refs++;
  *pidfd = rota__model_install(&watch->base, 0);
  if (*pidfd < 0)
    *pidfd = -1; /* the program runs; the caller waits for SIGCHLD */
  return 0;
}

/* ---- its end ---- */

static int find(pid_t pid) {
  for (int i = 0; i < processes.count; i++)
    if (processes.children[i]->pid == pid)
      return i;
  return -1;
}

static void reap(int index) {
  struct child *child = processes.children[index];
  processes.children[index] = processes.children[--processes.count];
  child->is_reaped = true;
  rota__model_drop(&child->base);
}

int rota__model_processes(void) {
  return processes.count;
}

int rota__model_signal_child(int pid, int signum) {
  int index = find(pid);
  if (index < 0)
    return -ESRCH;
  if (signum != 0)
    end(processes.children[index], signum);
  return 0;
}

int rota__os_pidfd_kill(int pidfd, int signum) {
  struct watch *watch = rota__model_object_of(pidfd, &watch_kind);
  rota__model_call("pidfd_send_signal", pidfd);
  if (watch == NULL)
    return -EBADF;
  if (watch->child->is_reaped)
    return -ESRCH;
  return signum < 0 || signum > 64 ? -EINVAL : rota__model_signal_child(watch->child->pid, signum);
}

int rota__os_child_status(pid_t pid, int *status) {
  int index = find(pid);
  rota__model_call("waitpid", pid);
  if (index < 0)
    return -ECHILD;
  if (!processes.children[index]->has_ended)
    return 0;
  *status = processes.children[index]->status;
  reap(index);
  return 1;
}

bool rota__os_child_has_ended(pid_t pid) {
  int index = find(pid);
  return index < 0 || processes.children[index]->has_ended;
}

void rota__os_child_kill(pid_t pid) {
  int index = find(pid);
  if (index < 0)
    return;
  end(processes.children[index], SIGKILL);
  reap(index);
}

void rota__model_end_child(int pid) {
  rota__os_child_kill(pid);
}

/* ---- this process ---- */

int rota__os_process_id(void) {
  return OWN_NUMBER;
}

ssize_t rota__os_program_path(char *buffer, size_t size) {
  static const char path[] = "/program";
  size_t length = sizeof path - 1 < size ? sizeof path - 1 : size;
  memcpy(buffer, path, length);
  return (ssize_t)length;
}

const char *rota__os_trusted_environment(const char *name) {
  (void)name;
  return NULL;
}

char **rota__os_environment(void) {
  static char *none[] = {NULL};
  return none;
}

int rota__os_working_directory(char **path) {
  *path = strdup("/");
  return *path == NULL ? -ENOMEM : 0;
}

bool rota__os_threads_are_gone(void) {
  return false;
}

void rota__os_cloexec_all(void) {
}
