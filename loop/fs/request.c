/* The life of a file request: init, start, finish, clean up.
 *
 * Invariant: work.run is null while a request is in the poller, and not null while it is in the pool: uv_cancel checks
 * that. A request owns its strings and its array of buffers exactly if it has a callback (or its operation says so): a
 * synchronous one ends before the caller could free them. */
#include "loop/fs/request.h"

#include <fcntl.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/check.h"
#include "loop/base/list.h"
#include "loop/core/internal.h"
#include "loop/core/pool/pool.h"
#include "loop/core/pool/work.h"
#include "loop/core/req.h"
#include "loop/os/file.h"

int rota__fs_init(uv_loop_t *loop, uv_fs_t *req, uv_fs_type type, const char *path, const char *new_path, uv_fs_cb cb) {
  if (req == NULL)
    return UV_EINVAL;
  rota__check(cb == NULL || loop != NULL);

  req->type = UV_FS;
  req->fs_type = type;
  req->loop = loop;
  req->cb = cb;
  req->result = 0;
  req->ptr = NULL;
  req->path = NULL;
  req->new_path = NULL;
  req->bufs = NULL;
  req->nbufs = 0;
  req->work.run = NULL;
  if (path == NULL)
    return 0;

  if (cb == NULL && !rota__fs_operation(type)->own_path) {
    req->path = path;
    req->new_path = new_path;
    return 0;
  }

  size_t size = strlen(path) + 1;
  size_t new_size = new_path == NULL ? 0 : strlen(new_path) + 1;
  char *copy = rota__malloc(size + new_size);
  if (copy == NULL)
    return UV_ENOMEM;
  req->path = memcpy(copy, path, size);
  if (new_path != NULL)
    req->new_path = memcpy(copy + size, new_path, new_size);
  return 0;
}

void rota__fs_finish(uv_fs_t *req) {
  uv_loop_t *loop = req->loop;
  rota__req_end(loop);
  rota__req_call_begin(loop, req, (rota_function)req->cb);
  req->cb(req);
  rota__call_end(loop);
}

static void carry_out(uv_fs_t *req) {
  req->result = rota__fs_operation(req->fs_type)->run(req);
  if (req->result < 0)
    rota__fs_keep_error(req);
}

static void run_in_pool(struct rota_work *work) {
  carry_out(rota__container_of(work, uv_fs_t, work));
}

static void done_in_pool(struct rota_work *work, int status) {
  uv_fs_t *req = rota__container_of(work, uv_fs_t, work);
  if (status < 0)
    req->result = status;
  rota__fs_finish(req);
}

static void start_in_pool(uv_fs_t *req) {
  rota__work_submit(req->loop, (uv_req_t *)req, &req->work, ROTA_WORK_FILE, run_in_pool, done_in_pool);
}

/* Whether the poller did not do the operation, and a thread can. The operation has had no effect yet. */
static bool is_for_pool(const uv_fs_t *req, int32_t result) {
  switch (result) {
  case UV_ECANCELED:
    return req->rota.state !=
           ROTA_WORK_CANCELLED; /* the program did not cancel it: the thread that had begun it has ended */
  case UV_ENOSYS:               /* the poller could not begin */
    return true;
  case UV_EINVAL: /* some files and kernels support the operation, but not through a ring */
  case UV_ENOTSUP:
  case UV_EPERM:  /* perhaps from a policy */
  case UV_ENOMEM: /* perhaps from the poller itself */
  case UV_EINTR:
    return req->fs_type != UV_FS_CLOSE; /* an operation that was begun has ended, with or without success */
  case UV_ENXIO:                        /* the poller does not wait for the reader of a FIFO */
    return req->fs_type == UV_FS_OPEN;
  default:
    return false;
  }
}

/* The poller does not wait for a writer either. */
static bool waits_for_writer(uv_fs_t *req, int32_t result) {
  if (result < 0 || (req->flags & (O_ACCMODE | O_NONBLOCK | ROTA_O_PATH | O_DIRECTORY)) != O_RDONLY ||
      rota__os_is_seekable(result) || !rota__os_is_fifo(result))
    return false;
  req->file = result;
  return true;
}

static void done_in_poller(struct rota_op *op, int32_t result, uint32_t flags) {
  uv_fs_t *req = rota__container_of(op, uv_fs_t, rota.by.op);
  (void)flags;
  if (is_for_pool(req, result) || (req->fs_type == UV_FS_OPEN && waits_for_writer(req, result))) {
    req->result = 0;
    start_in_pool(req);
    return;
  }
  req->result = result;
  if (req->fs_type == UV_FS_CLOSE && result == UV_EINTR)
    req->result = 0; /* the descriptor is closed anyway */
  rota__fs_finish(req);
}

static bool start_in_poller(uv_fs_t *req) {
  struct rota_poller *poller = rota__loop_poller(req->loop);
  struct rota_op_args args = {.fd = req->file};
  switch (req->fs_type) {
  case UV_FS_OPEN:
    if (req->flags & (O_CREAT | O_TRUNC | ROTA_O_TMPFILE))
      return false; /* may write to the disk, so the kernel would use a thread: ours is faster */
    if ((req->flags & O_ACCMODE) == O_WRONLY)
      return false; /* may wait for the reader of a FIFO, while a callback waits for the writer */
    args.code = ROTA_OP_OPEN;
    args.fd = AT_FDCWD;
    args.address = req->path;
    args.flags = (uint32_t)req->flags | O_CLOEXEC;
    args.mode = req->mode;
    break;
  case UV_FS_CLOSE:
    /* The poller begins in the next wait. Until then a callback may wait for the other end of a pipe or socket. */
    if (!rota__os_is_seekable(req->file))
      return false;
    args.code = ROTA_OP_CLOSE;
    rota__os_forget(req->file);
    break;
  case UV_FS_READ:
    /* At an offset, the poller reads from a pipe, too, where a thread is told that it cannot. At a file's own position
     * it takes the position when it begins and moves it when it is done, so that two reads get the same bytes; threads
     * are served one after the other by the kernel, whichever descriptors, loops and processes share the position.
     * Where a thread would be told that there is nothing to read now, the poller waits. A read into no room succeeds in
     * the poller without a look at the file, which may be a directory. */
    if (req->bufs[0].len == 0)
      return false;
    if ((req->off < 0) == rota__os_is_seekable(req->file) || (req->off < 0 && rota__os_is_nonblocking(req->file)))
      return false;
    args.code = ROTA_OP_READ;
    args.address = req->bufs;
    args.length = req->nbufs < ROTA_VECTOR_MAX ? req->nbufs : ROTA_VECTOR_MAX;
    args.offset = req->off < 0 ? -1 : req->off;
    break;
  default:
    return false;
  }
  req->rota.by.op.done = done_in_poller;
  if (poller->ops->submit(poller, &req->rota.by.op, &args) < 0)
    return false;
  rota__wake_note_op(req->loop);
  return true;
}

static void start(uv_fs_t *req) {
  req->rota.state = ROTA_WORK_RUNNING;
  bool by_poller = rota__fs_operation(req->fs_type)->by_poller && rota__loop_poller(req->loop)->ops->submit != NULL;
  if (!by_poller || !start_in_poller(req))
    start_in_pool(req);
}

int rota__fs_start(uv_fs_t *req) {
  if (req->cb == NULL) {
    carry_out(req);
    return (int)req->result;
  }
  rota__req_begin(req->loop, (uv_req_t *)req, UV_FS);
  req->rota.by.op.done = done_in_poller;
  start(req);
  if (req->work.run == NULL && rota__unlikely(req->loop->core.observers != NULL))
    rota__observe_request(req->loop, (uv_req_t *)req, true);
  return 0;
}

static void done_internally(struct rota_work *work, int status) {
  uv_fs_t *req = rota__container_of(work, uv_fs_t, work);
  if (status < 0)
    req->result = status;
  rota__req_end(req->loop);
  req->cb(req);
}

void rota__fs_stat_internal(uv_loop_t *loop, uv_fs_t *req, const char *path, uv_fs_cb done) {
  rota__fs_init(loop, req, UV_FS_STAT, NULL, NULL, done);
  req->path = path;
  rota__req_begin(loop, (uv_req_t *)req, UV_FS);
  rota__work_submit(loop, (uv_req_t *)req, &req->work, ROTA_WORK_FILE, run_in_pool, done_internally);
}

void uv_fs_req_cleanup(uv_fs_t *req) {
  if (req == NULL)
    return;
  const struct rota_fs_operation *operation = rota__fs_operation(req->fs_type);

  if (operation->release != NULL && (req->ptr != NULL || operation->always_release))
    operation->release(req);
  req->ptr = NULL;

  if (req->bufs != req->small_bufs)
    rota__free(req->bufs);
  req->bufs = NULL;

  if (req->cb != NULL || operation->own_path)
    rota__free((char *)req->path); /* the second path is in the same block */
  req->path = NULL;
  req->new_path = NULL;
}

uv_fs_type uv_fs_get_type(const uv_fs_t *req) {
  return req->fs_type;
}

ssize_t uv_fs_get_result(const uv_fs_t *req) {
  return req->result;
}

void *uv_fs_get_ptr(const uv_fs_t *req) {
  return req->ptr;
}

const char *uv_fs_get_path(const uv_fs_t *req) {
  return req->path;
}

uv_stat_t *uv_fs_get_statbuf(uv_fs_t *req) {
  return &req->statbuf;
}
