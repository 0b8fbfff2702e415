/* Whole files in one step: opening, reading and closing happen on a thread of the pool, with one callback into
 * JavaScript.
 *
 * The first read in an iteration of the loop is submitted to the pool at once, because it may then be done when the
 * loop polls next. The others are submitted in batches, just before the loop waits: a thread then reads many files for
 * one wake-up, and the main thread gets many results for one. JavaScript fetches them one by one, and drains ticks and
 * promise jobs between them as C does after each callback: their order is that of separate callbacks.
 *
 * A batch is one piece of memory: the list of files, and room for small files, which are copied from there into memory
 * of the engine. It is reused. Files of one directory in a row are opened from that directory, whose path is resolved
 * once: everything in a batch was requested before any of it is done, so this is correct.
 *
 * A file that may block (a pipe, a terminal) must not delay the others: it becomes a batch of its own. */
#include "runtime/bind/fs/fs.h"
#include "runtime/permission/permission.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <rota.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  BATCH_MAX = 64,
  JOBS_ROOM = 12 * 1024,
  PATH_ROOM = 4096, /* the system's limit, the terminating zero included */
  DATA_ROOM = 64 * 1024,
  AT_ONCE = 32,            /* files that are read before their bytes are stored */
  SMALL_ROOM = 16384 + 64, /* for each of these; not a power of two, because of cache conflicts */
  SPARE_MAX = 32,
  TOO_LARGE = 0x7FFFFFFF
};

struct job {
  struct job *next;
  int id;
  int flags;
  bool as_text;
  bool is_owner;  /* of its data */
  int patient_fd; /* open, if it may block; else -1 */
  int64_t result; /* how many bytes, or an error */
  enum js_read_failure failed_at;
  unsigned char *data;
  size_t size;
  char path[];
};

struct batch {
  uv_work_t work;
  struct batch *next; /* while it is spare */
  struct job *first, **last;
  int count, count_max;
  size_t jobs_used, data_used;
  _Alignas(struct job) unsigned char jobs[JOBS_ROOM];
  unsigned char data[DATA_ROOM];
};

static _Thread_local struct batch *filling;
static _Thread_local bool first_gone; /* of this iteration */
static _Thread_local struct batch *spare;
static _Thread_local int spare_count;
static _Thread_local uv_prepare_t *flusher;
static _Thread_local struct job *delivered; /* the file whose bytes `takeFile` returns */
static _Thread_local struct job *upcoming;  /* what `nextFile` gives */
static _Thread_local struct job *kept;      /* the same, of a file that was read at once; freed by the next call */

static int last_error(void) {
  return -errno;
}

static struct batch *batch_new(void) {
  struct batch *batch = spare;
  if (batch != NULL) {
    spare = batch->next;
    spare_count--;
  } else if ((batch = malloc(sizeof *batch)) == NULL) {
    return NULL;
  }
  batch->first = NULL;
  batch->last = &batch->first;
  batch->count = 0;
  /* If a schedule reorders jobs, each file is a job. */
  batch->count_max = rota_steering() & ROTA_STEER_SCHEDULE ? 1 : BATCH_MAX;
  batch->jobs_used = batch->data_used = 0;
  return batch;
}

static void batch_free(struct batch *batch) {
  if (spare_count == SPARE_MAX) {
    free(batch);
    return;
  }
  batch->next = spare;
  spare = batch;
  spare_count++;
}

static struct job *batch_add(struct batch *batch, const char *path, size_t size) {
  struct job *job = (struct job *)(batch->jobs + batch->jobs_used);
  batch->jobs_used += (sizeof *job + size + _Alignof(struct job) - 1) & ~(_Alignof(struct job) - 1);
  *job = (struct job){.patient_fd = -1};
  memcpy(job->path, path, size);
  *batch->last = job;
  batch->last = &job->next;
  batch->count++;
  return job;
}

static bool batch_has_room(const struct batch *batch) {
  return batch->count < batch->count_max && JOBS_ROOM - batch->jobs_used >= sizeof(struct job) + PATH_ROOM;
}

static bool grow(struct job *job, size_t room) {
  unsigned char *more = realloc(job->is_owner ? job->data : NULL, room);
  if (more == NULL)
    return false;
  job->data = more;
  job->is_owner = true;
  return true;
}

/* Copies the bytes out of memory that is reused afterwards. */
static void keep(struct job *job) {
  const unsigned char *data = job->data;
  if (job->result <= 0 || job->is_owner)
    return;
  if (grow(job, (size_t)job->result))
    memcpy(job->data, data, (size_t)job->result);
  else
    job->result = UV_ENOMEM;
}

/* -> bytes, 0 at the end, or a negative error */
static ssize_t read_some(int fd, unsigned char *room, size_t size) {
  ssize_t n;
  do
    n = read(fd, room, size);
  while (n < 0 && errno == EINTR);
  return n < 0 ? last_error() : n;
}

/* The rest of a file of which there is `have` in the job's data. */
static int64_t read_on(struct job *job, int fd, size_t have, size_t expected) {
  const unsigned char *begun = job->data;
  size_t room = expected + 1 > have * 2 ? expected + 1 : have * 2;
  bool was_owner = job->is_owner;
  if (room < DATA_ROOM)
    room = DATA_ROOM;
  if (!grow(job, room))
    return UV_ENOMEM;
  if (!was_owner)
    memcpy(job->data, begun, have);
  for (;;) {
    ssize_t n = read_some(fd, job->data + have, room - have);
    if (n < 0)
      return n;
    have += (size_t)n;
    if (n == 0)
      return (int64_t)have;
    if (have == room && !grow(job, room *= 2))
      return UV_ENOMEM;
  }
}

/* A file that has more than its beginning, or might have. If it is no regular file, it is continued later, with its
 * beginning. */
static void read_rest(struct job *job, int fd, size_t have) {
  struct stat stat;
  bool is_file = fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode);
  if (!is_file) {
    keep(job);
    job->patient_fd = fd;
    return;
  }
  if (stat.st_size > TOO_LARGE) {
    job->failed_at = JS_READ_FAILURE_TOO_LARGE;
    job->size = (size_t)stat.st_size;
    job->result = UV_EFBIG;
  } else {
    job->result = read_on(job, fd, have, (size_t)stat.st_size);
  }
  close(fd);
}

/* A pipe's first writer is awaited, as a plain open would do. */
static void read_patiently(struct job *job) {
  int fd = job->patient_fd;
  struct pollfd wait = {.fd = fd, .events = POLLIN};
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  while (poll(&wait, 1, -1) < 0 && errno == EINTR)
    ;
  job->patient_fd = -1;
  job->result = read_on(job, fd, job->result > 0 ? (size_t)job->result : 0, 0);
  close(fd);
}

static void take_answer(struct job *job, const rota_small_file_t *file) {
  job->result = file->result;
  job->failed_at = file->is_open_error ? JS_READ_FAILURE_OPEN : JS_READ_FAILURE_READ;
  job->data = (unsigned char *)file->room;
  if (file->fd >= 0)
    read_rest(job, file->fd, (size_t)file->result);
}

/* The length of the directory part of a path, with the slash at its end; 0: there is none. */
static size_t directory_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL && slash[1] != 0 ? (size_t)(slash - path) + 1 : 0;
}

/* The directory of the previous file, if this one, and maybe the next, is in it, too; else -1. */
struct place {
  const char *path;
  size_t length;
  int fd;
};

static void place_leave(struct place *place) {
  if (place->fd >= 0)
    close(place->fd);
  place->fd = -1;
}

static bool place_has(const struct place *place, const char *path) {
  size_t length = directory_length(path);
  return length > 0 && length == place->length && memcmp(path, place->path, length) == 0;
}

static void place_enter(struct place *place, const char *path) {
  size_t length = directory_length(path);
  if (!place_has(place, path)) {
    place_leave(place);
    *place = (struct place){path, length, -1};
  } else if (place->fd < 0) {
    char name[PATH_ROOM];
    memcpy(name, path, length);
    name[length] = 0;
    place->fd = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (place->fd < 0)
      place->length = 0; /* then each by its whole path */
  }
}

/* Small ones are in the batch, one after the other. */
static void put_away(struct batch *batch, struct job *job) {
  size_t size = job->result > 0 ? (size_t)job->result : 0;
  if (job->is_owner || size == 0)
    return;
  if (size > DATA_ROOM - batch->data_used) {
    keep(job);
    return;
  }
  job->data = memcpy(batch->data + batch->data_used, job->data, size);
  batch->data_used += size;
}

struct group {
  struct job *jobs[AT_ONCE];
  rota_small_file_t files[AT_ONCE];
  unsigned count;
};

static void group_read(struct group *group, struct batch *batch) {
  rota_read_small_files(group->files, group->count);
  for (unsigned i = 0; i < group->count; i++) {
    take_answer(group->jobs[i], &group->files[i]);
    put_away(batch, group->jobs[i]);
  }
  group->count = 0;
}

/* For the trace. */
static void tell_of_job(const struct batch *batch) {
  char about[256];
  if (batch->first == NULL || !(rota_observing() & ROTA_OBSERVE_TRACE))
    return;
  if (batch->first->next == NULL)
    snprintf(about, sizeof about, "%s", batch->first->path);
  else
    snprintf(about, sizeof about, "%d files: %.180s, ...", batch->count, batch->first->path);
  rota_job_about("readFile", about);
}

static void run(uv_work_t *work) {
  static _Thread_local char *rooms;
  struct batch *batch = (struct batch *)work;
  struct place place = {NULL, 0, -1};
  struct group group = {.count = 0};
  tell_of_job(batch);
  if (rooms == NULL)
    rooms = malloc(AT_ONCE * SMALL_ROOM);
  for (struct job *job = batch->first; job != NULL; job = job->next) {
    if (job->patient_fd >= 0)
      read_patiently(job);
    else if (rooms == NULL)
      job->result = UV_ENOMEM;
    else if (job->result == 0) { /* else it failed before it started */
      if (place.fd >= 0 && !place_has(&place, job->path))
        group_read(&group, batch); /* while its directory is open */
      place_enter(&place, job->path);
      group.jobs[group.count] = job;
      group.files[group.count] = (rota_small_file_t){.path = place.fd >= 0 ? job->path + place.length : job->path,
                                                     .directory = place.fd >= 0 ? place.fd : AT_FDCWD,
                                                     .flags = job->flags,
                                                     .room = rooms + (size_t)group.count * SMALL_ROOM,
                                                     .size = SMALL_ROOM};
      if (++group.count == AT_ONCE)
        group_read(&group, batch);
    }
  }
  group_read(&group, batch);
  place_leave(&place);
}

static double what_failed(const struct job *job) {
  return job->failed_at == JS_READ_FAILURE_TOO_LARGE ? (double)job->size : job->failed_at;
}

static void release(struct job *job) {
  if (job != NULL && job->is_owner)
    free(job->data);
  if (job != NULL)
    job->is_owner = false;
}

/* Its text or its error; undefined if its bytes have to be taken. */
static JSValueRef value_of(JSContextRef context, const struct job *job) {
  if (job->result < 0)
    return js_number(context, what_failed(job));
  return job->as_text ? js_string_utf8(context, job->data, (size_t)job->result) : js_undefined(context);
}

/* nextFile() -> the value of the next one; the first words of `stats` are its id, its result, and whether there are
 * more */
static JSValueRef next_file(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  struct job *job = upcoming;
  release(delivered);
  delivered = job;
  upcoming = job->next;
  js_fs.stats[0] = job->id;
  js_fs.stats[1] = (double)job->result;
  js_fs.stats[2] = upcoming != NULL;
  return value_of(context, job);
}

static void deliver(struct job *job) {
  JSContextRef context = js_fs.env->context;
  JSValueRef arguments[] = {js_number(context, job->id), js_number(context, (double)job->result),
                            value_of(context, job)};
  delivered = job;
  js_enter(js_fs.env, js_fs.calls[JS_FS_CALL_COMPLETE], NULL, 3, arguments);
}

static void on_done(uv_work_t *work, int status);

/* A file that may block: it continues in a batch of its own. */
static bool go_on_alone(const struct job *job) {
  struct batch *batch = batch_new();
  if (batch == NULL)
    return false;
  struct job *copy = batch_add(batch, job->path, strlen(job->path) + 1);
  *copy = (struct job){.id = job->id,
                       .flags = job->flags,
                       .as_text = job->as_text,
                       .is_owner = job->is_owner,
                       .result = job->result,
                       .failed_at = job->failed_at,
                       .data = job->data,
                       .patient_fd = job->patient_fd};
  if (rota_queue_work(js_fs.env->loop, &batch->work, ROTA_JOB_FILE, run, on_done) == 0)
    return true;
  batch_free(batch);
  return false;
}

/* An error that a schedule demands; the bytes that were read are dropped then. */
static void perhaps_fail(struct job *job) {
  int open_fault = rota_schedule_fault(js_fs.env->loop, "open", job->path);
  int read_fault = rota_schedule_fault(js_fs.env->loop, "read", job->path);
  if (open_fault == 0 && read_fault == 0)
    return;
  job->result = open_fault < 0 ? open_fault : read_fault;
  job->failed_at = open_fault < 0 ? JS_READ_FAILURE_OPEN : JS_READ_FAILURE_READ;
}

static void part_with_patient(struct batch *batch, int status) {
  for (struct job **at = &batch->first; *at != NULL;) {
    struct job *job = *at;
    if (status == 0 && job->patient_fd >= 0 && go_on_alone(job)) {
      *at = job->next;
      continue;
    }
    if (job->patient_fd >= 0) {
      close(job->patient_fd);
      job->result = UV_ENOMEM;
    }
    if (status < 0)
      job->result = status;
    else
      perhaps_fail(job);
    at = &job->next;
  }
}

/* A callback that throws ends the call; the others get another one. Observers must see each callback separately. */
static void on_done(uv_work_t *work, int status) {
  struct batch *batch = (struct batch *)work;
  struct js_env *env = js_fs.env;
  part_with_patient(batch, status);
  for (struct job *job = batch->first; job != NULL && !env->stopping;) {
    upcoming = job;
    if (!env->observed && job->next != NULL)
      js_enter(env, js_fs.calls[JS_FS_CALL_FILES], NULL, 0, NULL);
    if (upcoming == job) {
      deliver(job);
      upcoming = job->next;
    }
    job = upcoming;
    release(delivered);
    delivered = NULL;
  }
  for (struct job *job = batch->first; job != NULL; job = job->next)
    release(job);
  batch_free(batch);
}

static void flush(void) {
  struct batch *batch = filling;
  filling = NULL;
  first_gone = false;
  uv_prepare_stop(flusher);
  if (batch != NULL)
    rota_queue_work(js_fs.env->loop, &batch->work, ROTA_JOB_FILE, run, on_done);
}

static void on_prepare(uv_prepare_t *handle) {
  if (js_fs.env->observed)
    rota_name_call(handle->loop, ROTA_NAME_NONE);
  flush();
}

static struct batch *batch_filling(void) {
  if (filling != NULL)
    return filling;
  if (flusher == NULL) {
    if ((flusher = malloc(sizeof *flusher)) == NULL)
      return NULL;
    uv_prepare_init(js_fs.env->loop, flusher);
  }
  filling = batch_new();
  if (filling != NULL && !first_gone)
    uv_prepare_start(flusher, on_prepare);
  return filling;
}

static void send_first(void) {
  rota_queue_work(js_fs.env->loop, &filling->work, ROTA_JOB_FILE, run, on_done);
  filling = NULL;
  first_gone = true;
}

/* readFile(id, path, flags, as text): complete(id, length or error, text or what failed) follows */
static JSValueRef read_file(JSContextRef context, struct js_frame *frame) {
  char room[1024];
  int err, flags = (int)js_to_integer(context, js_arg(context, frame, 2));
  char *path = js_fs_path_to_open(context, js_arg(context, frame, 1), flags, room, sizeof room, &err);
  if (path == NULL)
    return err != 0 ? js_number(context, err) : NULL;
  size_t size = strlen(path) + 1;
  struct batch *batch = batch_filling();
  if (batch != NULL) {
    struct job *job = size <= PATH_ROOM ? batch_add(batch, path, size) : batch_add(batch, "", 1);
    job->result = size <= PATH_ROOM ? 0 : UV_ENAMETOOLONG; /* as the system would say */
    job->id = (int)js_to_integer(context, js_arg(context, frame, 0));
    job->flags = flags;
    job->as_text = js_to_boolean(context, js_arg(context, frame, 3));
    if (!first_gone)
      send_first();
    else if (!batch_has_room(batch))
      flush();
  }
  if (path != room)
    free(path);
  if (batch == NULL)
    return js_number(context, UV_ENOMEM);
  return js_undefined(context);
}

static void forget_kept(void) {
  if (kept != NULL && kept->is_owner)
    free(kept->data);
  free(kept);
  kept = NULL;
}

/* The purpose of reading a whole file: permissions depend on it. */

static bool is_refused(JSContextRef context, const char *path, int flags, enum js_read_purpose purpose) {
  if (purpose == JS_READ_PURPOSE_AUTHORITIES && js_permission_is_trusted(path))
    return false;
  return purpose == JS_READ_PURPOSE_KEY_STORE ? js_refused(context, JS_SCOPE_STORE, NULL)
                                              : js_fs_refuses_open(context, path, flags);
}

/* readFileNow(path, flags, as text[, purpose]) -> the text, or a count whose bytes `takeFile` gives, or an error of
 * which it tells what failed */
static JSValueRef read_file_now(JSContextRef context, struct js_frame *frame) {
  char room[1024];
  char scratch[DATA_ROOM];
  forget_kept();
  char *path = js_copy_path(context, js_arg(context, frame, 0), room, sizeof room);
  if (path == NULL)
    return js_number(context, UV_EINVAL);
  int flags = (int)js_to_integer(context, js_arg(context, frame, 1));
  if (is_refused(context, path, flags, (enum js_read_purpose)js_to_integer(context, js_arg(context, frame, 3)))) {
    if (path != room)
      free(path);
    return NULL;
  }
  struct job *job = kept = calloc(1, sizeof *job);
  if (job != NULL) {
    job->flags = flags;
    rota_small_file_t file = {
        .path = path, .directory = AT_FDCWD, .flags = job->flags, .room = scratch, .size = sizeof scratch};
    job->patient_fd = -1;
    rota_read_small_files(&file, 1);
    take_answer(job, &file);
    if (job->patient_fd >= 0)
      read_patiently(job);
  }
  if (path != room)
    free(path);
  if (job == NULL)
    return js_number(context, UV_ENOMEM);
  if (job->result >= 0 && js_to_boolean(context, js_arg(context, frame, 2))) {
    JSValueRef text = js_string_utf8(context, job->data, (size_t)job->result);
    forget_kept();
    return text;
  }
  keep(job);
  return js_number(context, (double)job->result);
}

/* takeFile(bytes): copies the bytes of the file that was just delivered; without an argument, into a new array
 * buffer */
static JSValueRef take_file(JSContextRef context, struct js_frame *frame) {
  struct job *job = kept != NULL ? kept : delivered;
  JSValueRef result = js_undefined(context);
  unsigned char *bytes;
  size_t length;
  if (job == NULL)
    return result;
  if (job->result < 0) {
    result = js_number(context, what_failed(job));
  } else if (js_argc(frame) == 0) {
    keep(job);
    if (job->is_owner)
      result = js_buffer_adopt(context, job->data, (size_t)job->result);
    job->is_owner = false;
  } else if (js_borrow_bytes(context, frame->arguments[0], &bytes, &length) && length <= (size_t)job->result) {
    memcpy(bytes, job->data, length);
  }
  forget_kept();
  return result;
}

/* The loop has closed the handle. */
void js_fs_read_file_forget(void) {
  forget_kept();
  for (struct batch *next; spare != NULL; spare = next) {
    next = spare->next;
    free(spare);
  }
  free(filling);
  free(flusher);
  filling = NULL;
  flusher = NULL;
  spare_count = 0;
}

const struct js_method js_fs_read_file_methods[] = {
    {"readFile", read_file, 4},
    {"readFileNow", read_file_now, 4},
    {"nextFile", next_file, 0},
    {"takeFile", take_file, 1},
    {NULL, NULL, 0},
};
