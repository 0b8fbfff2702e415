/* A whole file written in one step: opening, writing and closing happen on a thread of the pool, with one callback into
 * JavaScript, which keeps the bytes until then. */
#include "runtime/bind/fs/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <rota.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct job {
  uv_work_t work;
  int id;
  int flags;
  unsigned mode;
  const unsigned char *bytes;
  size_t length;
  int error;                   /* negative, or 0 */
  int open_fault, write_fault; /* the error that a schedule demands: rota_schedule_fault */
  enum js_write_failure failed_at;
  char path[];
};

static bool fail(struct job *job, enum js_write_failure where) {
  if (job->error == 0) {
    job->error = -errno;
    job->failed_at = where;
  }
  return false;
}

static bool write_all(struct job *job, int fd) {
  if (job->write_fault < 0) {
    job->error = job->write_fault;
    job->failed_at = JS_WRITE_FAILURE_WRITE;
    return false;
  }
  for (size_t at = 0; at < job->length;) {
    ssize_t n = write(fd, job->bytes + at, job->length - at);
    if (n >= 0)
      at += (size_t)n;
    else if (errno != EINTR)
      return fail(job, JS_WRITE_FAILURE_WRITE);
  }
  return true;
}

static void run(uv_work_t *work) {
  struct job *job = (struct job *)work;
  int fd;
  rota_job_about("writeFile", job->path);
  if (job->open_fault < 0) {
    job->error = job->open_fault;
    job->failed_at = JS_WRITE_FAILURE_OPEN;
    return;
  }
  do
    fd = open(job->path, job->flags | O_CLOEXEC, job->mode);
  while (fd < 0 && errno == EINTR);
  if (fd < 0) {
    fail(job, JS_WRITE_FAILURE_OPEN);
    return;
  }
  write_all(job, fd);
  if (close(fd) < 0 && errno != EINTR)
    fail(job, JS_WRITE_FAILURE_CLOSE);
}

static void on_done(uv_work_t *work, int status) {
  struct job *job = (struct job *)work;
  JSContextRef context = js_fs.env->context;
  JSValueRef arguments[] = {js_number(context, job->id), js_number(context, status < 0 ? status : job->error),
                            js_number(context, job->failed_at)};
  free(job);
  js_enter(js_fs.env, js_fs.calls[JS_FS_CALL_COMPLETE], NULL, 3, arguments);
}

/* writeFile(id, path, flags, mode, bytes): complete(id, 0 or error, what failed) follows */
static JSValueRef write_file(JSContextRef context, struct js_frame *frame) {
  char room[1024];
  int err, flags = (int)js_to_integer(context, js_arg(context, frame, 2));
  char *path = js_fs_path_to_open(context, js_arg(context, frame, 1), flags, room, sizeof room, &err);
  if (path == NULL)
    return err != 0 ? js_number(context, err) : NULL;
  size_t size = strlen(path) + 1;
  struct job *job = calloc(1, sizeof *job + size);
  err = job == NULL ? UV_ENOMEM : 0;
  if (err == 0) {
    unsigned char *bytes = NULL;
    memcpy(job->path, path, size);
    job->id = (int)js_to_integer(context, js_arg(context, frame, 0));
    job->flags = flags;
    job->mode = (unsigned)js_to_integer(context, js_arg(context, frame, 3));
    if (!js_pin_bytes(context, js_arg(context, frame, 4), &bytes, &job->length))
      err = UV_EINVAL;
    job->bytes = bytes;
    job->open_fault = rota_schedule_fault(js_fs.env->loop, flags & O_CREAT ? "create" : "open", path);
    job->write_fault = rota_schedule_fault(js_fs.env->loop, "write", path);
  }
  if (err == 0)
    err = rota_queue_work(js_fs.env->loop, &job->work, ROTA_JOB_FILE, run, on_done);
  if (path != room)
    free(path);
  if (err == 0)
    return js_undefined(context);
  free(job);
  return js_number(context, err);
}

const struct js_method js_fs_write_file_methods[] = {
    {"writeFile", write_file, 5},
    {NULL, NULL, 0},
};
