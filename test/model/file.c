/* Files: a chain of operations on some names, one after the other, each with its result in the log. Which they are is
 * decided by the step's numbers; some are done without a callback. Several chains run at the same time. */
#include "model.h"
#include "steps.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NAMES = 3, ROOM = 20000 };

struct chain {
  struct object base;
  uint64_t state;
  int left;
  int fd;
  bool done;
  uv_fs_t req;
  char names[NAMES][32];
  char room[ROOM];
};

static bool settled(const struct object *object) {
  return ((const struct chain *)object)->done;
}

static const struct kind kind = {.name = "files", .settled = settled};

static uint64_t next(struct chain *chain, uint64_t limit) {
  chain->state = mix(chain->state);
  return (chain->state >> 16) % limit;
}

static unsigned int sum_of(const char *bytes, ssize_t n) {
  unsigned int sum = 0;
  for (ssize_t i = 0; i < n; i++)
    sum = sum * 31 + (unsigned char)bytes[i];
  return sum;
}

static void note_entries(struct chain *chain) {
  uv_dirent_t entry;
  unsigned int sum = 0;
  while (uv_fs_scandir_next(&chain->req, &entry) == 0)
    sum += sum_of(entry.name, (ssize_t)strlen(entry.name)) + (unsigned int)entry.type;
  object_note(&chain->base, "sum %u", sum);
}

/* The results of the operation besides its return value. */
static void note_result(struct chain *chain) {
  ssize_t result = uv_fs_get_result(&chain->req);
  uv_fs_type type = uv_fs_get_type(&chain->req);
  bool is_open = type == UV_FS_OPEN && result >= 0;
  object_note(&chain->base, "%d:%s", (int)type, is_open ? "fd" : result < 0 ? error_name((int)result) : "");
  if (type == UV_FS_COPYFILE && result == UV_EISDIR)
    chain->left = 0; /* the state in which libuv leaves the destination is not compared */
  if (result < 0)
    return;
  if (type == UV_FS_OPEN)
    chain->fd = (int)result;
  else if (type == UV_FS_CLOSE)
    chain->fd = -1;
  else
    object_note(&chain->base, "%d", (int)result);
  if (type == UV_FS_READ)
    object_note(&chain->base, "sum %u", sum_of(chain->room, result));
  if (type == UV_FS_SCANDIR)
    note_entries(chain);
  if (type == UV_FS_READLINK)
    object_note(&chain->base, "%s", (const char *)uv_fs_get_ptr(&chain->req));
  if (type == UV_FS_STAT || type == UV_FS_LSTAT || type == UV_FS_FSTAT) {
    const uv_stat_t *stat = uv_fs_get_statbuf(&chain->req);
    bool is_directory = S_ISDIR(stat->st_mode);
    object_note(&chain->base, "mode %o size %d", (unsigned int)stat->st_mode, is_directory ? 0 : (int)stat->st_size);
  }
}

static void go_on(struct chain *chain);

static void on_fs(uv_fs_t *req) {
  struct chain *chain = req->data;
  callback_enter(&chain->base);
  note_result(chain);
  uv_fs_req_cleanup(req);
  go_on(chain);
  callback_leave();
}

static int open_file(struct chain *chain, uv_fs_cb cb) {
  static const int flags[] = {
      O_RDWR | O_CREAT,          O_RDWR | O_CREAT | O_TRUNC, O_RDONLY, O_RDWR | O_CREAT | O_APPEND,
      O_RDWR | O_CREAT | O_EXCL, O_RDONLY | O_DIRECTORY};
  int how = flags[next(chain, 6)]; /* one after the other: compilers choose the order of arguments */
  return uv_fs_open(world.loop, &chain->req, chain->names[next(chain, NAMES)], how, 0640, cb);
}

static int64_t offset_of(struct chain *chain) {
  return next(chain, 2) ? -1 : (int64_t)next(chain, 9000);
}

static int transfer(struct chain *chain, bool is_write, uv_fs_cb cb) {
  uv_buf_t bufs[3];
  size_t size = next(chain, 4) ? (size_t)next(chain, 600) : (size_t)next(chain, ROOM);
  unsigned int count = 1 + (unsigned int)next(chain, 3);
  char *from = is_write ? (char *)content_at(next(chain, 1000), 0) : chain->room;
  for (unsigned int i = 0; i < count; i++) {
    size_t begin = size * i / count, end = size * (i + 1) / count;
    bufs[i] = uv_buf_init(from + begin, (unsigned int)(end - begin));
  }
  int64_t offset = offset_of(chain);
  return is_write ? uv_fs_write(world.loop, &chain->req, chain->fd, bufs, count, offset, cb)
                  : uv_fs_read(world.loop, &chain->req, chain->fd, bufs, count, offset, cb);
}

static int on_open_file(struct chain *chain, uv_fs_cb cb) {
  switch (next(chain, 12)) {
  case 0 ... 3:
    return transfer(chain, true, cb);
  case 4 ... 7:
    return transfer(chain, false, cb);
  case 8:
    return uv_fs_fstat(world.loop, &chain->req, chain->fd, cb);
  case 9:
    return uv_fs_ftruncate(world.loop, &chain->req, chain->fd, (int64_t)next(chain, 5000), cb);
  case 10:
    return next(chain, 2) ? uv_fs_fdatasync(world.loop, &chain->req, chain->fd, cb)
                          : uv_fs_fsync(world.loop, &chain->req, chain->fd, cb);
  default:
    return uv_fs_close(world.loop, &chain->req, chain->fd, cb);
  }
}

static int on_names(struct chain *chain, uv_fs_cb cb) {
  const char *one = chain->names[next(chain, NAMES)], *other = chain->names[next(chain, NAMES)];
  uv_loop_t *loop = world.loop;
  uv_fs_t *req = &chain->req;
  switch (next(chain, 16)) {
  case 0:
    return uv_fs_stat(loop, req, one, cb);
  case 1:
    return uv_fs_lstat(loop, req, one, cb);
  case 2:
    return uv_fs_rename(loop, req, one, other, cb);
  case 3:
    return uv_fs_unlink(loop, req, one, cb);
  case 4:
    return uv_fs_mkdir(loop, req, one, 0755, cb);
  case 5:
    return uv_fs_rmdir(loop, req, one, cb);
  case 6:
    return uv_fs_symlink(loop, req, one, other, 0, cb);
  case 7:
    return uv_fs_readlink(loop, req, one, cb);
  case 8:
    return uv_fs_link(loop, req, one, other, cb);
  case 9:
    return uv_fs_copyfile(loop, req, one, other, next(chain, 2) ? UV_FS_COPYFILE_EXCL : 0, cb);
  case 10:
    return uv_fs_access(loop, req, one, R_OK, cb);
  case 11:
    return uv_fs_chmod(loop, req, one, next(chain, 2) ? 0600 : 0644, cb);
  case 12:
    return uv_fs_scandir(loop, req, next(chain, 2) ? one : chain->names[0], 0, cb);
  default:
    return open_file(chain, cb);
  }
}

/* At most one file is open; it is closed in the end. */
static void go_on(struct chain *chain) {
  while (!chain->done) {
    uv_fs_cb cb = next(chain, 4) ? on_fs : NULL;
    bool is_last = chain->left-- <= 0;
    if (is_last && chain->fd < 0) {
      chain->done = true;
      object_gone(&chain->base);
      return;
    }
    chain->req.data = chain;
    int err = is_last         ? uv_fs_close(world.loop, &chain->req, chain->fd, cb)
              : chain->fd < 0 ? on_names(chain, cb)
                              : on_open_file(chain, cb);
    if (cb != NULL && err == 0)
      return;
    note_result(chain);
    uv_fs_req_cleanup(&chain->req);
  }
}

void step_files(const struct step *step) {
  struct chain *chain = object_new(sizeof(*chain), &kind, 0);
  chain->base.own_close = true;
  chain->state = mix((uint64_t)step->a * 1000 + (uint64_t)step->b);
  chain->left = 1 + step->c % 20;
  chain->fd = -1;
  for (int i = 0; i < NAMES; i++) {
    struct text name = {0};
    text_add(&name, "f%d-%d", chain->base.id, i);
    memcpy(chain->names[i], name.bytes, name.length + 1);
    free(name.bytes);
  }
  go_on(chain);
}
