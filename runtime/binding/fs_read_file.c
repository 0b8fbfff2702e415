/* Whole files in one step: opening, reading and closing happen on a thread of the pool, and JavaScript hears of it
 * once.
 *
 * Reads asked for in one turn of the loop are handed to the pool in batches, just before the loop waits: a thread then
 * works off many files for one wake-up, and the main thread gets many results for one. Each result still enters
 * JavaScript through the door by itself, so that the order of ticks and promise jobs is that of separate callbacks. */
#include "fs.h"

#include <errno.h>
#include <fcntl.h>
#include <rota.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BATCH_MAX = 64, SCRATCH_SIZE = 64 * 1024, TOO_LARGE = 0x7FFFFFFF };

enum failed_at { FAILED_OPEN, FAILED_READ, FAILED_TOO_LARGE };

struct job {
  struct job *next;
  int id;
  int flags;
  bool as_text;
  int64_t result; /* how many bytes, or an error */
  enum failed_at failed_at;
  unsigned char *data;
  size_t size;
  char path[];
};

struct batch {
  uv_work_t work;
  struct job *first, **last;
  int count;
};

static _Thread_local struct batch *filling;
static _Thread_local uv_prepare_t *flusher;
static _Thread_local struct job *delivered; /* whose bytes `takeFile` may ask for */
static _Thread_local struct job *kept;      /* the same, of a file that was read at once; freed by who asks next */

static int last_error(void) {
  return -errno;
}

static bool grow(struct job *job, size_t room) {
  unsigned char *more = realloc(job->data, room);
  if (more == NULL)
    return false;
  job->data = more;
  return true;
}

/* What did not fit into the scratch memory: now the size matters. */
static int64_t read_rest(struct job *job, int fd, const unsigned char *scratch, size_t have) {
  struct stat stat;
  size_t room = SCRATCH_SIZE * 2;
  if (fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode)) {
    if (stat.st_size > TOO_LARGE) {
      job->failed_at = FAILED_TOO_LARGE;
      job->size = (size_t)stat.st_size;
      return UV_EFBIG;
    }
    if ((size_t)stat.st_size + 1 > room)
      room = (size_t)stat.st_size + 1;
  }
  if (!grow(job, room))
    return UV_ENOMEM;
  memcpy(job->data, scratch, have);
  for (;;) {
    ssize_t n = read(fd, job->data + have, room - have);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return last_error();
    have += (size_t)n;
    if (n == 0)
      return (int64_t)have;
    if (have == room && !grow(job, room *= 2))
      return UV_ENOMEM;
  }
}

static void read_one(struct job *job, unsigned char *scratch) {
  int fd;
  do
    fd = open(job->path, job->flags | O_CLOEXEC, 0666);
  while (fd < 0 && errno == EINTR);
  if (fd < 0) {
    job->result = last_error();
    job->failed_at = FAILED_OPEN;
    return;
  }
  size_t have = 0;
  bool asked = false, at_end = false;
  job->failed_at = FAILED_READ;
  for (;;) {
    ssize_t n = at_end ? 0 : read(fd, scratch + have, SCRATCH_SIZE - have);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      job->result = last_error();
      break;
    }
    have += (size_t)n;
    if (n == 0) {
      job->data = have > 0 ? malloc(have) : NULL;
      job->result = have > 0 && job->data == NULL ? UV_ENOMEM : (int64_t)have;
      if (job->data != NULL)
        memcpy(job->data, scratch, have);
      break;
    }
    if (have == SCRATCH_SIZE) {
      job->result = read_rest(job, fd, scratch, have);
      break;
    }
    /* Asking where the end is costs less than reading there. What has no end, or claims another, is read on. */
    if (!asked) {
      asked = true;
      off_t end = lseek(fd, 0, SEEK_END);
      at_end = end == (off_t)have;
      if (end >= 0 && !at_end && lseek(fd, (off_t)have, SEEK_SET) < 0) {
        job->result = last_error();
        break;
      }
    }
  }
  close(fd);
}

static void run(uv_work_t *work) {
  static _Thread_local unsigned char *scratch;
  struct batch *batch = (struct batch *)work;
  if (scratch == NULL)
    scratch = malloc(SCRATCH_SIZE);
  for (struct job *job = batch->first; job != NULL; job = job->next)
    if (scratch != NULL)
      read_one(job, scratch);
    else
      job->result = UV_ENOMEM;
}

static double what_failed(const struct job *job) {
  return job->failed_at == FAILED_TOO_LARGE ? (double)job->size : job->failed_at;
}

static void deliver(struct job *job) {
  JSContextRef context = rota_fs.env->context;
  JSValueRef arguments[] = {rota_number(context, job->id), rota_number(context, (double)job->result), NULL};
  if (job->result < 0)
    arguments[2] = rota_number(context, what_failed(job));
  else if (job->as_text)
    arguments[2] = rota_string_utf8(context, job->data, (size_t)job->result);
  delivered = job;
  rota_door_call(rota_fs.env, rota_fs.complete, NULL, arguments[2] != NULL ? 3 : 2, arguments);
  delivered = NULL;
}

static void on_done(uv_work_t *work, int status) {
  struct batch *batch = (struct batch *)work;
  for (struct job *job = batch->first, *next; job != NULL; job = next) {
    next = job->next;
    if (status < 0)
      job->result = status;
    deliver(job);
    free(job->data);
    free(job);
  }
  free(batch);
}

static void flush(uv_prepare_t *handle) {
  struct batch *batch = filling;
  filling = NULL;
  uv_prepare_stop(handle);
  if (rota_fs.env->observed)
    rota_name_call(rota_fs.env->loop, ROTA_NAME_NONE);
  if (batch != NULL)
    rota_queue_work(rota_fs.env->loop, &batch->work, ROTA_JOB_FILE, run, on_done);
}

/* readFile(id, path, flags, as text): complete(id, length or error, text or what failed) follows */
static JSValueRef read_file(JSContextRef context, struct rota_frame *frame) {
  char room[1024];
  char *path = rota_copy_path(context, rota_arg(context, frame, 1), room, sizeof room);
  if (path == NULL)
    return rota_number(context, UV_EINVAL);
  size_t size = strlen(path) + 1;
  struct job *job = malloc(sizeof *job + size);
  if (job != NULL && filling == NULL && (filling = malloc(sizeof *filling)) != NULL) {
    filling->first = NULL;
    filling->last = &filling->first;
    filling->count = 0;
    if (flusher == NULL && (flusher = malloc(sizeof *flusher)) != NULL)
      uv_prepare_init(rota_fs.env->loop, flusher);
    if (flusher != NULL)
      uv_prepare_start(flusher, flush);
  }
  if (job == NULL || filling == NULL || flusher == NULL) {
    free(job);
    return rota_number(context, UV_ENOMEM);
  }
  job->next = NULL;
  job->id = (int)rota_to_integer(context, rota_arg(context, frame, 0));
  job->flags = (int)rota_to_integer(context, rota_arg(context, frame, 2));
  job->as_text = rota_to_boolean(context, rota_arg(context, frame, 3));
  job->data = NULL;
  job->result = 0;
  memcpy(job->path, path, size);
  if (path != room)
    free(path);
  *filling->last = job;
  filling->last = &job->next;
  if (++filling->count == BATCH_MAX)
    flush(flusher);
  return rota_undefined(context);
}

static void forget_kept(void) {
  free(kept != NULL ? kept->data : NULL);
  free(kept);
  kept = NULL;
}

/* readFileNow(path, flags, as text) -> the text, or a count whose bytes `takeFile` gives, or an error of which it tells
 * what failed */
static JSValueRef read_file_now(JSContextRef context, struct rota_frame *frame) {
  char room[1024];
  unsigned char scratch[SCRATCH_SIZE];
  forget_kept();
  char *path = rota_copy_path(context, rota_arg(context, frame, 0), room, sizeof room);
  if (path == NULL)
    return rota_number(context, UV_EINVAL);
  size_t size = strlen(path) + 1;
  struct job *job = kept = calloc(1, sizeof *job + size);
  if (job != NULL) {
    memcpy(job->path, path, size);
    job->flags = (int)rota_to_integer(context, rota_arg(context, frame, 1));
    read_one(job, scratch);
  }
  if (path != room)
    free(path);
  if (job == NULL)
    return rota_number(context, UV_ENOMEM);
  if (job->result < 0 || !rota_to_boolean(context, rota_arg(context, frame, 2)))
    return rota_number(context, (double)job->result);
  JSValueRef text = rota_string_utf8(context, job->data, (size_t)job->result);
  forget_kept();
  return text;
}

/* takeFile(bytes): what was just delivered, copied; without an argument, as an array buffer of its own */
static JSValueRef take_file(JSContextRef context, struct rota_frame *frame) {
  struct job *job = kept != NULL ? kept : delivered;
  JSValueRef result = rota_undefined(context);
  unsigned char *bytes;
  size_t length;
  if (job == NULL)
    return result;
  if (job->result < 0) {
    result = rota_number(context, what_failed(job));
  } else if (rota_argc(frame) == 0) {
    void *data = job->data;
    job->data = NULL;
    result = rota_buffer_adopt(context, data, (size_t)job->result);
  } else if (rota_borrow_bytes(context, frame->arguments[0], &bytes, &length) && length <= (size_t)job->result) {
    memcpy(bytes, job->data, length);
  }
  forget_kept();
  return result;
}

const struct rota_method rota_fs_read_file_methods[] = {
    {"readFile", read_file, 4},
    {"readFileNow", read_file_now, 3},
    {"takeFile", take_file, 1},
    {NULL, NULL, 0},
};
