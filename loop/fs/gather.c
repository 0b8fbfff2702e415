/* Files that are read together (rota_fs_read_file).
 *
 * The first file of an iteration goes to the pool at once, because it may then be done when the loop polls next. The
 * others are gathered, and go to the pool just before the loop polls: a thread then reads many files for one wake-up,
 * with few system calls, and the loop gets many results for one. Each file has a callback of its own, in the order of
 * the requests.
 *
 * Files of one directory in a row are opened from that directory, whose path is resolved once. Everything in a batch
 * was requested before any of it is done, so this is correct.
 *
 * A file that may block (a pipe, a terminal) must not delay the others: it continues as a job of its own.
 *
 * If a tool decides when jobs run, every file is a job, so that their order can be decided. */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/list.h"
#include "loop/core/internal.h"
#include "loop/core/observe.h"
#include "loop/core/pool/pool.h"
#include "loop/core/req.h"
#include "loop/fs/request.h"
#include "loop/fs/whole_file.h"
#include "loop/os/file.h"
#include "loop/os/thread.h"

enum {
  BATCH_MAX = 64,
  AT_ONCE = 32,            /* files that are read before their bytes are stored */
  SMALL_ROOM = 16384 + 64, /* for each of these; not a power of two, because of cache conflicts */
  DIRECTORY_MAX = 4096,
  PATHS_ROOM = 8 * 1024,
};

/* The bytes of small files that were read at once. */
struct block {
  struct block *next;
  char bytes[];
};

/* It is freed when it was told and all of its requests were cleaned up: their paths and their bytes are here. One
 * allocation for many files: malloc is slow when 64 blocks of a size come and go together. */
struct batch {
  uv_fs_t job; /* its path says what is read, for traces */
  unsigned int count;
  unsigned int told;         /* how many of them were called back */
  _Atomic unsigned int uses; /* requests that are not cleaned up, and the job */
  struct block *blocks;
  size_t paths_used;
  struct rota_gathered_slot slots[BATCH_MAX]; /* not taken by a thread */
  uv_fs_t *taken[BATCH_MAX];                  /* null: cancelled */
  char about[256];
  char paths[PATHS_ROOM];
};

struct gatherer {
  struct rota_attachment attachment;
  struct batch *filling;
  struct batch *telling; /* its callbacks are being made */
  uint64_t sent_in;      /* the iteration in which a file went to the pool at once, counted from 1 */
};

static const char key;

/* ---- on a thread of the pool ---- */

static _Thread_local char *rooms;
static pthread_key_t rooms_key;
static pthread_once_t rooms_once = PTHREAD_ONCE_INIT;
static bool rooms_key_made;

static void make_key(void) {
  rooms_key_made = pthread_key_create(&rooms_key, rota__free) == 0;
  rota__os_stay_loaded(); /* threads of the program may call it when they end */
}

static char *rooms_of_thread(void) {
  pthread_once(&rooms_once, make_key);
  if (rooms != NULL || !rooms_key_made)
    return rooms;
  rooms = rota__malloc((size_t)AT_ONCE * SMALL_ROOM);
  if (rooms != NULL && pthread_setspecific(rooms_key, rooms) != 0) {
    rota__free(rooms);
    rooms = NULL;
  }
  return rooms;
}

/* The directory of the last file, open if this file is in it, too. */
struct directory {
  const char *path;
  size_t length; /* of the directory's path, with the slash at its end; 0: none */
  int fd;
};

static size_t directory_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL && slash[1] != '\0' ? (size_t)(slash - path) + 1 : 0;
}

static void directory_close(struct directory *directory) {
  if (directory->fd >= 0)
    rota__os_close(directory->fd);
  directory->fd = -1;
}

static bool directory_has(const struct directory *directory, const char *path) {
  size_t length = directory_length(path);
  return length > 0 && length == directory->length && memcmp(path, directory->path, length) == 0;
}

static void directory_enter(struct directory *directory, const char *path) {
  size_t length = directory_length(path);
  if (!directory_has(directory, path)) {
    directory_close(directory);
    *directory = (struct directory){path, length, -1};
  } else if (directory->fd < 0 && length < DIRECTORY_MAX && ROTA_O_PATH != 0) {
    char name[DIRECTORY_MAX];
    memcpy(name, path, length);
    name[length] = '\0';
    directory->fd = rota__os_open(name, ROTA_O_PATH | O_DIRECTORY, 0);
    if (directory->fd < 0)
      directory->length = 0; /* then each file by its whole path */
  }
}

struct group {
  struct batch *batch;
  uv_fs_t *reqs[AT_ONCE];
  rota_small_file_t files[AT_ONCE];
  unsigned int count;
};

static bool is_whole(const rota_small_file_t *file) {
  return file->fd < 0 && file->result > 0;
}

/* Room for all files that were read whole; null: none was, or there is no memory. */
static char *block_for(struct group *group) {
  size_t total = 0;
  for (unsigned int i = 0; i < group->count; i++)
    total += is_whole(&group->files[i]) ? (size_t)group->files[i].result : 0;
  struct block *block = total > 0 ? rota__malloc(sizeof(*block) + total) : NULL;
  if (block == NULL)
    return NULL;
  block->next = group->batch->blocks;
  group->batch->blocks = block;
  return block->bytes;
}

static void group_read(struct group *group) {
  rota_read_small_files(group->files, group->count);
  char *place = block_for(group);
  for (unsigned int i = 0; i < group->count; i++) {
    const rota_small_file_t *file = &group->files[i];
    group->reqs[i]->result = rota__fs_read_rest(group->reqs[i], file, is_whole(file) ? place : NULL);
    place += place != NULL && is_whole(file) ? file->result : 0;
  }
  group->count = 0;
}

static void group_add(struct group *group, uv_fs_t *req, const struct directory *directory) {
  bool is_inside = directory->fd >= 0;
  unsigned int i = group->count++;
  group->reqs[i] = req;
  group->files[i] = (rota_small_file_t){.path = is_inside ? req->path + directory->length : req->path,
                                        .directory = is_inside ? directory->fd : AT_FDCWD,
                                        .flags = req->flags,
                                        .room = rooms + (size_t)i * SMALL_ROOM,
                                        .size = SMALL_ROOM};
  if (group->count == AT_ONCE)
    group_read(group);
}

static struct batch *batch_of(struct rota_work *work) {
  return rota__container_of(rota__container_of(work, uv_fs_t, work), struct batch, job);
}

static void run(struct rota_work *work) {
  struct batch *batch = batch_of(work);
  struct directory directory = {NULL, 0, -1};
  struct group group;
  group.batch = batch;
  group.count = 0;
  bool has_rooms = rooms_of_thread() != NULL;
  for (unsigned int i = 0; i < batch->count; i++) {
    uv_fs_t *req = batch->taken[i] = atomic_exchange(&batch->slots[i].req, NULL);
    if (req == NULL)
      continue;
    if (!has_rooms) {
      req->result = rota__fs_failed(req, UV_FS_READ, UV_ENOMEM);
      continue;
    }
    if (directory.fd >= 0 && !directory_has(&directory, req->path))
      group_read(&group); /* while the directory is open */
    directory_enter(&directory, req->path);
    group_add(&group, req, &directory);
  }
  group_read(&group);
  directory_close(&directory);
}

static void run_blocking(struct rota_work *work) {
  uv_fs_t *req = rota__container_of(work, uv_fs_t, work);
  req->result = rota__fs_read_blocking(req);
}

/* ---- on the loop's thread ---- */

static void done_blocking(struct rota_work *work, int status) {
  uv_fs_t *req = rota__container_of(work, uv_fs_t, work);
  if (status < 0) { /* cancelled */
    rota__os_close(req->file);
    req->file = -1;
    req->result = status;
  }
  rota__fs_finish(req);
}

static void done_cancelled(struct rota_op *op, int32_t result, uint32_t flags) {
  uv_fs_t *req = rota__container_of(op, uv_fs_t, rota.by.op);
  (void)result;
  (void)flags;
  req->result = UV_ECANCELED;
  rota__fs_finish(req);
}

/* The next file of a batch that has its result; null: there is none. */
static uv_fs_t *next_of(struct batch *batch) {
  while (batch->told < batch->count) {
    uv_fs_t *req = batch->taken[batch->told++];
    if (req == NULL)
      continue;
    req->rota.queued = batch->job.rota.queued;
    if (req->file < 0)
      return req;
    rota__work_submit(req->loop, (uv_req_t *)req, &req->work, ROTA_WORK_FILE, run_blocking, done_blocking);
  }
  return NULL;
}

/* No thread has taken them: the job was not run. */
static void take_rest(struct batch *batch, int64_t result) {
  for (unsigned int i = 0; i < batch->count; i++) {
    uv_fs_t *req = atomic_exchange(&batch->slots[i].req, NULL);
    if (req == NULL)
      continue;
    req->result = result;
    batch->taken[i] = req;
  }
}

static struct gatherer *gatherer_of(const uv_loop_t *loop) {
  struct rota_attachment *attachment = rota__loop_attachment(loop, &key);
  return attachment == NULL ? NULL : rota__container_of(attachment, struct gatherer, attachment);
}

static void batch_release(struct batch *batch) {
  if (atomic_fetch_sub_explicit(&batch->uses, 1, memory_order_acq_rel) != 1)
    return;
  for (struct block *block = batch->blocks, *next; block != NULL; block = next) {
    next = block->next;
    rota__free(block);
  }
  rota__free(batch);
}

void rota__fs_gathered_release(uv_fs_t *req) {
  struct batch *batch = ((const struct rota_gathered_slot *)(uintptr_t)req->new_path)->job;
  req->path = NULL;
  batch_release(batch);
}

static void done(struct rota_work *work, int status) {
  struct batch *batch = batch_of(work);
  struct gatherer *gatherer = gatherer_of(batch->job.loop);
  struct batch *outer = gatherer->telling;
  rota__req_end(batch->job.loop);
  take_rest(batch, status < 0 ? status : UV_ECANCELED);
  gatherer->telling = batch;
  for (uv_fs_t *req; (req = next_of(batch)) != NULL;)
    rota__fs_finish(req);
  gatherer->telling = outer;
  batch_release(batch);
}

uv_fs_t *rota_fs_read_file_next(uv_loop_t *loop) {
  struct gatherer *gatherer = gatherer_of(loop);
  if (gatherer == NULL || gatherer->telling == NULL || loop->core.observers != NULL)
    return NULL;
  uv_fs_t *req = next_of(gatherer->telling);
  if (req != NULL)
    rota__req_end(loop);
  return req;
}

/* ---- gathering ---- */

/* For a trace: what the job reads. */
static void describe(struct batch *batch) {
  const uv_fs_t *first = NULL;
  for (unsigned int i = 0; i < batch->count && first == NULL; i++)
    first = atomic_load(&batch->slots[i].req);
  if (first == NULL)
    return;
  if (batch->count == 1)
    snprintf(batch->about, sizeof(batch->about), "%s", first->path);
  else
    snprintf(batch->about, sizeof(batch->about), "%u files: %.180s, ...", batch->count, first->path);
  batch->job.path = batch->about;
}

static void submit(uv_loop_t *loop) {
  struct gatherer *gatherer = gatherer_of(loop);
  struct batch *batch = gatherer->filling;
  uv_fs_t *job = &batch->job;
  uint32_t cause = job->rota.cause;
  gatherer->filling = NULL;
  rota__loop(loop)->before_poll = NULL;
  rota__req_begin(loop, (uv_req_t *)job, UV_FS); /* the loop waits for it even if all files are cancelled */
  job->rota.cause = cause;
  job->fs_type = ROTA_FS_READ_FILE;
  job->file = -1;
  job->loop = loop;
  if (rota__unlikely(loop->core.observers != NULL))
    describe(batch);
  rota__work_submit(loop, (uv_req_t *)job, &job->work, ROTA_WORK_FILE, run, done);
}

static void release(uv_loop_t *loop, struct rota_attachment *attachment) {
  (void)loop;
  rota__free(rota__container_of(attachment, struct gatherer, attachment));
}

static struct gatherer *gatherer_made(uv_loop_t *loop) {
  struct gatherer *gatherer = gatherer_of(loop);
  if (gatherer != NULL || (gatherer = rota__calloc(1, sizeof(*gatherer))) == NULL)
    return gatherer;
  gatherer->attachment.key = &key;
  gatherer->attachment.release = release;
  rota__loop_attach(loop, &gatherer->attachment);
  return gatherer;
}

static struct batch *batch_new(void) {
  struct batch *batch = rota__malloc(sizeof(*batch));
  if (batch == NULL)
    return NULL;
  memset(batch, 0, offsetof(struct batch, slots));
  atomic_init(&batch->uses, 1);
  return batch;
}

/* Requests that are added later belong to the next batch if this one has no room for their path. */
static struct batch *batch_with_room(uv_loop_t *loop, struct gatherer *gatherer, size_t path_size) {
  struct batch *batch = gatherer->filling;
  if (batch != NULL && PATHS_ROOM - batch->paths_used < path_size)
    submit(loop);
  if (gatherer->filling == NULL && (gatherer->filling = batch_new()) != NULL) {
    gatherer->filling->job.rota.cause = loop->core.call;
    rota__loop(loop)->before_poll = submit;
  }
  return gatherer->filling;
}

static void batch_add(struct batch *batch, uv_fs_t *req, const char *path, size_t path_size) {
  struct rota_gathered_slot *slot = &batch->slots[batch->count++];
  req->path = memcpy(batch->paths + batch->paths_used, path, path_size);
  batch->paths_used += path_size;
  rota__req_begin(req->loop, (uv_req_t *)req, UV_FS);
  req->rota.state = ROTA_WORK_GATHERED;
  req->rota.by.op.done = done_cancelled;
  req->new_path = (const char *)slot;
  slot->job = batch;
  atomic_init(&slot->req, req);
  atomic_fetch_add_explicit(&batch->uses, 1, memory_order_relaxed);
}

bool rota__fs_gather(uv_fs_t *req, const char *path) {
  uv_loop_t *loop = req->loop;
  struct rota_loop *internal = rota__loop(loop);
  struct gatherer *gatherer = internal->job_way == &rota__pool_way ? gatherer_made(loop) : NULL;
  size_t path_size = strlen(path) + 1;
  if (gatherer == NULL || path_size > PATHS_ROOM)
    return false;
  if (gatherer->sent_in != internal->loop_count + 1) {
    gatherer->sent_in = internal->loop_count + 1;
    return false;
  }
  struct batch *batch = batch_with_room(loop, gatherer, path_size);
  if (batch == NULL)
    return false;
  batch_add(batch, req, path, path_size);
  if (batch->count == BATCH_MAX)
    submit(loop);
  return true;
}
