#include "observe/trace/trace.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loop/base/text.h"
#include "loop/base/units.h"
#include "loop/core/pool/work.h"
#include "loop/os/clock.h"
#include "loop/os/file.h"
#include "loop/os/memory.h"
#include "loop/os/own_file.h"
#include "loop/os/process.h"
#include "loop/os/signal.h"
#include "loop/os/thread.h"
#include "observe/name/describe.h"
#include "observe/trace/census.h"
#include "observe/trace/event_queue.h"
#include "observe/trace/tracer.h"
#include "observe/trace/writer.h"
#include "rota.h"

enum {
  LOOP_EVENTS = 65536,
  GROWN_EVENTS = 1 << 20,
  THREAD_EVENTS = 8192,
  EVENTS_MAX = 1 << 24,
  FLUSH_MS = 25,
  FLUSH_MS_MAX = 100,
  FLUSHED_MS_MAX = 1000,
  STILL_RUNNING_NS = 20 * NS_PER_MS,
  BYTES_PER_MB = 1 << 20,
  BUSY_EVENTS = 4096, /* after so many, the next look comes at once */
};

static struct {
  pthread_mutex_t lock;
  struct rota_writer *writer; /* null: no trace */
  pthread_t thread;
  uv_sem_t wake; /* made once and never destroyed: threads may queue it at any time */
  bool wake_made;
  _Atomic bool ending;
  _Atomic bool runs; /* the thread, for a signal handler */
  _Atomic int thread_id;
  _Atomic bool hurries; /* a signal is about to end the process */
  _Atomic bool has_hurried;
  uint64_t flush_ns;
  _Atomic uint64_t dropped;
  struct rota_os_file_identity identity; /* identifies the file: the program may close our descriptor */
  char pattern[4096];                    /* the name that was asked for; empty: a descriptor was given */
  rota_trace_options_t options;
  bool resume;           /* in a child: start again at the first loop */
  bool with_forks;       /* children go on in files of their own, whatever the name */
  _Atomic int parent_id; /* the process that makes a page of it; 0: none */
} trace = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- the writing thread ---- */

static void note_call(struct rota_writer *writer, struct rota_tracer_now *now, uint64_t now_ns, uint64_t least_ns) {
  uint64_t since_ns = atomic_load_explicit(&now->since_ns, memory_order_acquire);
  if (since_ns == 0 || now_ns < since_ns + least_ns)
    return;
  const void *function = atomic_load_explicit(&now->function, memory_order_relaxed);
  uint32_t name = atomic_load_explicit(&now->name, memory_order_relaxed);
  struct rota_event call = {.at_ns = since_ns, .duration_ns = now_ns - since_ns, .kind = ROTA_EVENT_CALL};
  call.call.function = function;
  call.call.name = name;
  call.phase = atomic_load_explicit(&now->phase, memory_order_relaxed);
  int thread_id = atomic_load_explicit(&now->thread_id, memory_order_relaxed);
  if (atomic_load_explicit(&now->since_ns, memory_order_acquire) == since_ns)
    rota__writer_still_running(writer, thread_id, &call);
}

static void note_wait(struct rota_writer *writer, struct rota_tracer_now *now, uint64_t now_ns) {
  uint64_t since_ns = atomic_load_explicit(&now->waits_since_ns, memory_order_relaxed);
  if (since_ns != 0 && since_ns < now_ns)
    rota__writer_still_waiting(writer, atomic_load_explicit(&now->thread_id, memory_order_relaxed), since_ns, now_ns);
}

/* If the process dies, the unfinished file should show in which callback, and how long the loops waited. */
void rota__trace_note_calls(struct rota_writer *writer, uint64_t least_ns) {
  uint64_t now_ns = rota__os_clock_ns();
  struct rota_link *tracers = rota__tracer_lock();
  for (struct rota_link *link = tracers->next; link != tracers; link = link->next) {
    struct rota_tracer_now *now = &rota__container_of(link, struct rota_tracer, link)->now;
    note_call(writer, now, now_ns, least_ns);
    if (least_ns == 0)
      note_wait(writer, now, now_ns);
  }
  rota__tracer_unlock();
}

static uint64_t take_all(struct rota_writer *writer) {
  uint64_t taken = 0;
  for (struct rota_event_queue *queue = rota__event_queue_first(); queue != NULL; queue = queue->next)
    taken += rota__writer_take(writer, queue);
  rota__writer_put_unqueued(writer, rota__event_queue_unqueued());
  atomic_store_explicit(&trace.dropped, writer->dropped, memory_order_relaxed);
  return taken;
}

/* Who was to make a page of it was killed. */
static void tell_orphan(void) {
  int parent_id = atomic_load(&trace.parent_id);
  if (parent_id == 0 || (int)uv_os_getppid() == parent_id)
    return;
  fprintf(stderr,
          "rota: rota timeline has ended before its program; the trace is kept: rota timeline %s -o page.html\n",
          trace.pattern);
  atomic_store(&trace.parent_id, 0);
}

static void *thread_main(void *argument) {
  struct rota_writer *writer = argument;
  rota__os_thread_set_name("rota-trace");
  atomic_store(&trace.thread_id, rota__os_thread_number());
  bool ending = false;
  uint64_t taken = 0;
  while (!ending) {
    rota__os_sem_wait_for(&trace.wake, taken > BUSY_EVENTS ? 1 : trace.flush_ns);
    ending = atomic_load(&trace.ending);
    bool hurries = atomic_exchange(&trace.hurries, false);
    taken = take_all(writer);
    rota__census_look();
    rota__trace_note_calls(writer, hurries || ending ? 0 : STILL_RUNNING_NS); /* what runs may be what ends us */
    /* A program that closes all descriptors has closed ours too, and another file may have the number now. */
    if (writer->json.length > 0 && !rota__os_file_is(writer->fd, &trace.identity))
      writer->failed = true;
    if (hurries && writer->is_whole)
      rota__writer_end(writer);
    else
      rota__writer_finish(writer);
    if (hurries) {
      tell_orphan();
      atomic_store(&trace.has_hurried, true);
    }
  }
  rota__writer_end(writer);
  tell_orphan();
  return NULL;
}

void rota__trace_wake(void) {
  rota__os_sem_post(&trace.wake);
}

bool rota__trace_hurry(void) {
  if (!atomic_load(&trace.runs) || rota__os_thread_number() == atomic_load(&trace.thread_id))
    return false;
  atomic_store(&trace.has_hurried, false);
  atomic_store(&trace.hurries, true);
  rota__trace_wake();
  return true;
}

bool rota__trace_has_hurried(void) {
  return atomic_load(&trace.has_hurried);
}

/* ---- starting and stopping ---- */

static bool name_has_process(const char *pattern) {
  return strstr(pattern, "%p") != NULL;
}

/* Child processes inherit the environment: they must not overwrite the file. */
static int open_file(const char *pattern) {
  char path[sizeof(trace.pattern) + 32];
  for (int attempt = 0; attempt < 2; attempt++) {
    int err = rota__trace_path(path, sizeof(path), pattern, 0, attempt > 0);
    if (err < 0)
      return err;
    int fd = rota__os_own_file_open(path);
    if (fd < 0)
      return fd;
    if (rota__os_lock_file(fd) == 0) {
      rota__os_truncate(fd, 0); /* a pipe or a terminal has nothing to cut off */
      return fd;
    }
    rota__os_close(fd);
  }
  return UV_EBUSY;
}

static void stop_at_exit(void) {
  rota_trace_stop();
}

/* The thread blocks all signals: the program's threads handle them. */
static int start_thread(struct rota_writer *writer) {
  sigset_t saved;
  rota__os_signals_block(&saved);
  int err = -pthread_create(&trace.thread, NULL, thread_main, writer);
  rota__os_signals_restore(&saved);
  return err;
}

static bool is_power_of_two(uint32_t n) {
  return n != 0 && (n & (n - 1)) == 0;
}

static int read_options(const rota_trace_options_t *options) {
  rota_trace_options_t read = {0};
  if (options != NULL)
    read = *options;
  bool may_grow = read.loop_events == 0;
  if (may_grow)
    read.loop_events = LOOP_EVENTS;
  if (read.thread_events == 0)
    read.thread_events = THREAD_EVENTS;
  if (read.flush_ms == 0)
    read.flush_ms = FLUSH_MS;
  if (!is_power_of_two(read.loop_events) || !is_power_of_two(read.thread_events) || read.loop_events > EVENTS_MAX ||
      read.thread_events > EVENTS_MAX || read.flush_ms > FLUSH_MS_MAX)
    return UV_EINVAL;
  trace.options = options != NULL ? *options : (rota_trace_options_t){0};
  trace.flush_ns = (uint64_t)read.flush_ms * NS_PER_MS;
  rota__event_queue_set_capacity(read.loop_events, read.thread_events, may_grow ? GROWN_EVENTS : read.loop_events);
  return 0;
}

/* With the lock held. Takes over the descriptor, also after an error. `is_own`: nobody else writes there. */
static int start(int fd, bool is_own, bool is_compact, uint64_t limit) {
  static bool at_exit;
  void *memory = NULL;
  int high = rota__os_dup_high(fd);
  if (high >= 0) { /* a high number: programs close and count the low ones */
    rota__os_close(fd);
    fd = high;
  }
  int err = rota__os_map(&memory, sizeof(struct rota_writer));
  if (err < 0)
    goto fail;
  struct rota_writer *writer = memory;
  writer->fd = fd;
  writer->is_whole = is_own && rota__os_is_stored(fd) > 0;
  writer->start_ns = rota__os_clock_ns();
  writer->process_id = rota__os_process_id();
  err = trace.wake_made ? 0 : rota__os_sem_init(&trace.wake, 0);
  if (err < 0)
    goto fail;
  trace.wake_made = true;
  err = limit > 0 && !writer->is_whole ? UV_EINVAL : is_compact ? rota__writer_be_compact(writer, limit) : 0;
  if (err < 0)
    goto fail;
  atomic_store(&trace.ending, false);
  rota__os_file_identify(fd, &trace.identity);
  rota__event_queue_is_emptied(true);
  rota__event_queue_skip_all();
  atomic_store(&trace.dropped, 0);
  rota__writer_begin(writer);
  err = start_thread(writer);
  if (err < 0) {
    rota__event_queue_is_emptied(false);
    goto fail;
  }
  trace.writer = writer;
  atomic_store(&trace.runs, true);
  if (!at_exit)
    at_exit = rota__os_at_exit(stop_at_exit) == 0;
  rota__observe_more(ROTA_OBSERVE_TRACE);
  return 0;

fail:
  if (memory != NULL)
    rota__writer_free_compact(memory);
  if (memory != NULL)
    rota__os_unmap(memory, sizeof(struct rota_writer));
  rota__os_close(fd);
  return err;
}

/* To the file at `path`; without a path, to a copy of the descriptor. */
static int start_to(const char *path, int fd, const rota_trace_options_t *options) {
  rota__observe_prepare();
  pthread_mutex_lock(&trace.lock);
  bool is_compact = path != NULL && rota__compact_is_name(path);
  uint64_t limit = options != NULL ? (uint64_t)options->limit_mb * BYTES_PER_MB : 0;
  int err = trace.writer != NULL ? UV_EALREADY : read_options(options);
  if (err == 0 && limit > 0 && (!is_compact || options->limit_mb < ROTA_COMPACT_LIMIT_MIN_MB))
    err = UV_EINVAL;
  if (err == 0)
    err = path != NULL ? open_file(path) : rota__os_dup_cloexec(fd);
  if (err >= 0) {
    rota__text_copy(trace.pattern, sizeof(trace.pattern), path != NULL ? path : "");
    err = start(err, path != NULL, is_compact, limit);
  }
  if (err == 0 && options != NULL && options->on_signals != 0) {
    rota__service_write_trace();
    rota__black_box_end_trace();
  }
  pthread_mutex_unlock(&trace.lock);
  return err;
}

int rota_trace_start(const char *path, const rota_trace_options_t *options) {
  if (path == NULL || path[0] == '\0' || strlen(path) >= sizeof(trace.pattern))
    return UV_EINVAL;
  return start_to(path, -1, options);
}

int rota_trace_start_fd(int fd, const rota_trace_options_t *options) {
  return start_to(NULL, fd, options);
}

int rota_trace_stop(void) {
  pthread_mutex_lock(&trace.lock);
  struct rota_writer *writer = trace.writer;
  if (writer == NULL) {
    pthread_mutex_unlock(&trace.lock);
    return UV_EINVAL;
  }
  if (rota__event_queue_kept_ns() == 0) /* else a black box goes on */
    rota__observe_less(ROTA_OBSERVE_TRACE);
  atomic_store(&trace.runs, false);
  atomic_store(&trace.ending, true);
  rota__trace_wake();
  pthread_join(trace.thread, NULL);
  rota__event_queue_is_emptied(false);
  if (rota__os_file_is(writer->fd, &trace.identity))
    rota__os_close(writer->fd);
  rota__writer_free_compact(writer);
  rota__os_unmap(writer, sizeof(*writer));
  trace.writer = NULL;
  pthread_mutex_unlock(&trace.lock);
  return 0;
}

void rota_trace_flush(void) {
  bool hurries = rota__trace_hurry();
  for (int ms = 0; hurries && ms < FLUSHED_MS_MAX && !rota__trace_has_hurried(); ms++)
    rota__os_sleep_ns(NS_PER_MS);
}

bool rota__trace_is_written(void) {
  pthread_mutex_lock(&trace.lock);
  bool written = trace.writer != NULL;
  pthread_mutex_unlock(&trace.lock);
  return written;
}

uint64_t rota_trace_dropped(void) {
  return atomic_load_explicit(&trace.dropped, memory_order_relaxed);
}

/* ---- forks ---- */

void rota__trace_before_fork(void) {
  pthread_mutex_lock(&trace.lock);
}

void rota__trace_after_fork_in_parent(void) {
  pthread_mutex_unlock(&trace.lock);
}

void rota__trace_after_fork_in_child(void) {
  atomic_store(&trace.parent_id, 0);
  atomic_store(&trace.runs, false);
  if (trace.writer != NULL) {
    if (rota__event_queue_kept_ns() == 0)
      rota__observe_less(ROTA_OBSERVE_TRACE);
    rota__event_queue_is_emptied(false);
    rota__writer_free_compact(trace.writer);
    rota__os_close(trace.writer->fd); /* our copy; the parent's is its own */
    rota__os_unmap(trace.writer, sizeof(*trace.writer));
    trace.writer = NULL;
    trace.resume = trace.pattern[0] != '\0' && (trace.with_forks || name_has_process(trace.pattern));
  }
  rota__event_queue_forked();
  pthread_mutex_unlock(&trace.lock);
}

void rota__trace_with_forks(void) {
  pthread_mutex_lock(&trace.lock);
  trace.with_forks = true;
  pthread_mutex_unlock(&trace.lock);
}

void rota__trace_is_for(int parent_id) {
  atomic_store(&trace.parent_id, parent_id);
}

void rota__trace_resume(void) {
  char path[sizeof(trace.pattern) + 4];
  rota_trace_options_t options;
  pthread_mutex_lock(&trace.lock);
  bool resume = trace.resume;
  trace.resume = false;
  snprintf(path, sizeof(path), name_has_process(trace.pattern) ? "%s" : "%s.%%p", trace.pattern);
  options = trace.options;
  pthread_mutex_unlock(&trace.lock);
  if (resume)
    (void)rota_trace_start(path, &options); /* without a file, there is no trace of the child */
}

/* ---- events that are not a loop's ---- */

/* What the job that runs on this thread has said about itself (rota_job_about). */
static _Thread_local struct {
  uint32_t name;
  char about[ROTA_EVENT_TEXT_MAX + 1];
} description;

void rota_job_about(const char *name, const char *about) {
  if (!rota__observes(ROTA_OBSERVE_TRACE))
    return;
  size_t length = about == NULL ? 0 : strlen(about);
  description.name = name == NULL ? 0 : rota__name_intern(name, NULL, 0);
  rota__text_copy(
      description.about, sizeof(description.about),
      about == NULL ? "" : about + (length < sizeof(description.about) ? 0 : length - sizeof(description.about) + 1));
}

static _Atomic(rota_job_hook) job_hook;

void rota_set_job_hook(rota_job_hook hook) {
  atomic_store(&job_hook, hook);
}

static const void *function_of(const uv_work_t *req) {
  rota_job_hook hook = atomic_load_explicit(&job_hook, memory_order_relaxed);
  const void *function = hook == NULL ? NULL : hook(req);
  return function != NULL ? function : (const void *)(uintptr_t)req->work_cb;
}

void rota__trace_job(const struct rota_job *job) {
  char room[ROTA_EVENT_TEXT_MAX + 1];
  struct rota_event_queue *queue = rota__event_queue_of_thread(false);
  const void *function = job->req->type == UV_WORK ? function_of((const uv_work_t *)job->req) : NULL;
  const char *about =
      description.about[0] != '\0' ? description.about : rota__describe_subject(job->req, room, sizeof(room));
  uint32_t name = description.name;
  if (about != NULL && queue != NULL)
    rota__event_queue_text(queue, job->begin_ns, about);
  description.about[0] = '\0';
  description.name = 0;
  struct rota_event *place = rota__event_queue_reserve(queue);
  if (place == NULL)
    return;
  *place = (struct rota_event){.at_ns = job->begin_ns,
                               .duration_ns = job->end_ns - job->begin_ns,
                               .kind = ROTA_EVENT_JOB,
                               .type = (uint8_t)job->kind};
  place->job.queued_ns = job->begin_ns > job->queued_ns ? job->begin_ns - job->queued_ns : 0;
  place->job.operation = job->req->type == UV_FS ? (int32_t)((const uv_fs_t *)job->req)->fs_type : -1;
  place->job.name = name;
  place->job.cause = job->req->rota.cause;
  if (job->req->type == UV_WORK)
    place->job.function = function;
  rota__event_queue_publish(queue);
}

uint32_t rota_name(const char *function, const char *file, int line) {
  return rota__name_intern(function, file, line);
}

static void record(enum rota_event_kind kind, uint32_t name, uint64_t value, uint64_t at_ns, uint64_t duration_ns) {
  struct rota_event_queue *queue = rota__event_queue_of_thread(false);
  struct rota_event *place = rota__event_queue_reserve(queue);
  if (place == NULL)
    return;
  *place = (struct rota_event){.at_ns = at_ns, .duration_ns = duration_ns, .kind = (uint8_t)kind};
  place->mark.value = value;
  place->mark.name = name;
  rota__event_queue_publish(queue);
}

void rota_trace_mark(uint32_t name, uint64_t value) {
  if (rota__observes(ROTA_OBSERVE_TRACE))
    record(ROTA_EVENT_MARK, name, value, rota__os_quick_clock_ns(), 0);
}

void rota_trace_span(uint32_t name, uint64_t begin_ns, uint64_t end_ns) {
  if (rota__observes(ROTA_OBSERVE_TRACE))
    record(ROTA_EVENT_SPAN, name, 0, begin_ns, end_ns > begin_ns ? end_ns - begin_ns : 0);
}
