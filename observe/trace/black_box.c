#include "observe/trace/trace.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/base/text.h"
#include "loop/base/units.h"
#include "loop/os/clock.h"
#include "loop/os/file.h"
#include "loop/os/memory.h"
#include "loop/os/own_file.h"
#include "loop/os/process.h"
#include "loop/os/signal.h"
#include "loop/os/thread.h"
#include "observe/trace/event_queue.h"
#include "observe/trace/tracer.h"
#include "observe/trace/writer.h"
#include "rota.h"

enum { FILES_MAX = 16, PAUSES = 1500, SECONDS_MAX = 3600, PATH_SIZE = 4096 };

static const char default_name[] = "rota-black-box-%p-%n.json";

static struct {
  pthread_mutex_t lock;
  char pattern[PATH_SIZE];
  unsigned int files; /* written so far */
  bool is_prepared;
  _Atomic int process_id;
  _Atomic bool ends_trace; /* a crash does not cut off a trace that is written */
  _Atomic int crash;       /* the signal; 0: none */
  _Atomic bool is_written; /* after a crash */
} box = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool rota__black_box_is_on(void) {
  return rota__event_queue_kept_ns() != 0;
}

/* ---- writing ---- */

static void write_events(struct rota_writer *writer, uint64_t since_ns) {
  rota__writer_begin(writer);
  for (struct rota_event_queue *queue = rota__event_queue_first(); queue != NULL; queue = queue->next)
    rota__writer_copy(writer, queue, since_ns);
  rota__trace_note_calls(writer, 0);
  rota__writer_end(writer);
}

/* Nothing is older than the process; trace.h tells by this time whose file it is. Two looks at the clocks differ a
 * little. */
static uint64_t process_begun_ns(void) {
  uint64_t begun_ns = rota__os_process_begun_ns();
  return begun_ns > UINT64_MAX - NS_PER_MS ? begun_ns : begun_ns + NS_PER_MS;
}

static int write_file(const char *path, uint64_t *events) {
  void *memory;
  int fd = rota__os_own_file_open(path);
  if (fd < 0)
    return fd;
  rota__os_truncate(fd, 0); /* a pipe has nothing to cut off */
  int err = rota__os_map(&memory, sizeof(struct rota_writer));
  if (err == 0) {
    struct rota_writer *writer = memory;
    uint64_t now_ns = rota__os_clock_ns(), kept_ns = rota__event_queue_kept_ns();
    writer->fd = fd;
    writer->process_id = rota__os_process_id();
    writer->start_ns = now_ns > kept_ns ? now_ns - kept_ns : 0;
    uint64_t begun_ns = process_begun_ns();
    if (writer->start_ns < begun_ns && begun_ns < now_ns)
      writer->start_ns = begun_ns;
    write_events(writer, writer->start_ns);
    err = writer->failed ? UV_EIO : 0;
    *events = writer->events;
    rota__os_unmap(memory, sizeof(struct rota_writer));
  }
  rota__os_close(fd);
  return err;
}

static int name_next(char path[PATH_SIZE + 32]) {
  if (box.files >= FILES_MAX)
    return UV_ENOSPC;
  int err = rota__trace_path(path, PATH_SIZE + 32, box.pattern, box.files + 1, false);
  if (err == 0 && strstr(box.pattern, "%n") == NULL && box.files > 0)
    snprintf(path + strlen(path), PATH_SIZE + 32 - strlen(path), ".%u", box.files + 1);
  box.files++;
  return err;
}

/* With the lock. A process that has become another program (execve) keeps what it has written as the one before. */
static int write_next(const char *reason) {
  char path[PATH_SIZE + 32];
  uint64_t events = 0;
  int err;
  do
    err = name_next(path);
  while (err == 0 && rota__trace_was_written(path));
  if (err < 0)
    return err;
  err = write_file(path, &events);
  if (err < 0)
    fprintf(stderr, "rota: black box: %s: %s\n", path, rota__trace_fault(err));
  else
    fprintf(stderr, "rota: black box: %s: %llu events, up to %llu s old, are in %s\n", reason,
            (unsigned long long)events, (unsigned long long)(rota__event_queue_kept_ns() / NS_PER_SECOND), path);
  return err;
}

int rota_black_box_write(const char *reason) {
  if (!rota__black_box_is_on() || rota__trace_is_written())
    return UV_EINVAL;
  pthread_mutex_lock(&box.lock); /* another thread may be writing a file, which is to be whole before we exit */
  int err = reason == NULL ? 0 : write_next(reason);
  pthread_mutex_unlock(&box.lock);
  return err;
}

void rota__black_box_hold(void) {
  pthread_mutex_lock(&box.lock);
}

void rota__black_box_write_held(const char *reason) {
  if (rota__black_box_is_on() && !rota__trace_is_written())
    (void)write_next(reason);
  pthread_mutex_unlock(&box.lock);
}

/* ---- crashes ---- */

/* In the signal handler. A child that shares our memory until it has started its program is not us. */
static void on_crash(int signum) {
  if (rota__os_process_id() != atomic_load(&box.process_id))
    return;
  bool is_traced = rota__trace_hurry();
  for (int i = 0; is_traced && i < PAUSES && !rota__trace_has_hurried(); i++)
    rota__os_crash_pause();
  if (is_traced || !rota__black_box_is_on())
    return;
  atomic_store(&box.crash, signum);
  if (!rota__service_wake())
    return; /* there is no such thread, or this is it */
  for (int i = 0; i < PAUSES && !atomic_load(&box.is_written); i++)
    rota__os_crash_pause();
}

void rota__black_box_guard(void) {
  if (rota__black_box_is_on() || atomic_load(&box.ends_trace))
    rota__os_crash_handle(on_crash);
}

void rota__black_box_end_trace(void) {
  atomic_store(&box.process_id, rota__os_process_id());
  atomic_store(&box.ends_trace, true);
  rota__os_crash_handle(on_crash);
}

void rota__black_box_look(void) {
  int signum = atomic_load(&box.crash);
  if (signum == 0 || atomic_load(&box.is_written))
    return;
  (void)rota_black_box_write(rota__os_crash_name(signum));
  atomic_store(&box.is_written, true);
}

/* ---- the end ---- */

static void on_exit_status(int status, void *unused) {
  char reason[40];
  (void)unused;
  snprintf(reason, sizeof(reason), "exit with status %d", status);
  if (rota__os_process_id() == atomic_load(&box.process_id))
    (void)rota_black_box_write(status != 0 ? reason : NULL);
}

/* ---- switching it on ---- */

/* A program may change its directory later. */
static int set_pattern(const char *name) {
  char *here = NULL;
  int err = rota__os_path_is_absolute(name) ? 0 : rota__os_working_directory(&here);
  if (err < 0)
    return err;
  int length =
      snprintf(box.pattern, sizeof(box.pattern), "%s%s%s", here == NULL ? "" : here, here == NULL ? "" : "/", name);
  free(here);
  return length >= (int)sizeof(box.pattern) ? UV_ENAMETOOLONG : 0;
}

static int prepare(void) {
  if (box.is_prepared)
    return 0;
  int err = rota__service_start();
  if (err < 0)
    return err;
  rota__os_crash_handle(on_crash);
  rota__service_write_black_box();
  box.is_prepared = true;
  err = rota__os_on_exit(on_exit_status);
  return err == UV_ENOTSUP ? 0 : err;
}

int rota_black_box_start(unsigned int seconds, const char *path) {
  if (seconds == 0 || seconds > SECONDS_MAX || (path != NULL && path[0] == '\0'))
    return UV_EINVAL;
  rota__observe_prepare();
  pthread_mutex_lock(&box.lock);
  int err = set_pattern(path != NULL ? path : default_name);
  atomic_store(&box.process_id, rota__os_process_id());
  pthread_mutex_unlock(&box.lock);
  if (err < 0)
    return err;
  rota__event_queue_keep((uint64_t)seconds * NS_PER_SECOND);
  rota__observe_more(ROTA_OBSERVE_TRACE);
  return prepare();
}

/* ---- forks ---- */

void rota__black_box_before_fork(void) {
  pthread_mutex_lock(&box.lock);
}

void rota__black_box_after_fork_in_parent(void) {
  pthread_mutex_unlock(&box.lock);
}

void rota__black_box_after_fork_in_child(void) {
  atomic_store(&box.process_id, rota__os_process_id());
  box.files = 0;
  pthread_mutex_unlock(&box.lock);
}
