/* File requests: each calls back once with what it has done, and a file has what was written to it.
 *
 * One request at a time for each file: then it is known what must be in it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulator.h"

enum { FILES = 6, SIZE_MAX_KNOWN = 1 << 16, LENGTH_MAX = 6000 };

enum operation { OPEN, CLOSE, READ, WRITE, STAT, TRUNCATE, SYNC, RENAME, UNLINK, COPY, LIST, OPERATIONS };

static const char *const operations[] = {"open",  "close",  "read",   "write",    "stat",   "ftruncate",
                                         "fsync", "rename", "unlink", "copyfile", "scandir"};

static struct file {
  int number;
  uv_fs_t *req; /* null: nothing is under way */
  enum operation operation;
  bool is_cancelled, in_trouble, exists, is_open;
  int fd;
  char *known; /* what is in it */
  size_t size;
  /* of the operation under way */
  char *bytes;
  size_t length, offset;
  uv_buf_t bufs[3];
  unsigned int buf_count;
} files[FILES];

static void path_of(const struct file *file, const char *suffix, char path[64]) {
  snprintf(path, 64, "/files/%d%s", file->number, suffix);
}

static bool is_fault(ssize_t result) {
  return result == UV_EIO || result == UV_ENOSPC || result == UV_ENOMEM || result == UV_EMFILE;
}

/* ---- what a result must be ---- */

static void check_read(struct file *file, ssize_t n) {
  size_t most = file->offset < file->size ? file->size - file->offset : 0;
  sim_check((size_t)n <= most && (size_t)n <= file->length, "file %d: read %zd bytes at %zu of %zu", file->number, n,
            file->offset, file->size);
  sim_check(n > 0 || most == 0 || file->length == 0, "file %d: an end at %zu of %zu", file->number, file->offset,
            file->size);
  sim_check(n == 0 || memcmp(file->bytes, file->known + file->offset, (size_t)n) == 0,
            "file %d: read other bytes than were written", file->number);
}

static void note_write(struct file *file, ssize_t n) {
  sim_check((size_t)n <= file->length && (n > 0 || file->length == 0), "file %d: wrote %zd of %zu bytes", file->number,
            n, file->length);
  size_t end = file->offset + (size_t)n;
  if (file->offset > file->size)
    memset(file->known + file->size, 0, file->offset - file->size);
  memcpy(file->known + file->offset, file->bytes, (size_t)n);
  if (end > file->size)
    file->size = end;
}

static void note_truncate(struct file *file) {
  if (file->offset > file->size)
    memset(file->known + file->size, 0, file->offset - file->size);
  file->size = file->offset;
}

static void check_list(const struct file *file, uv_fs_t *req, ssize_t n) {
  uv_dirent_t entry;
  bool found = false;
  char name[16];
  ssize_t count = 0;
  snprintf(name, sizeof name, "%d", file->number);
  for (; uv_fs_scandir_next(req, &entry) != UV_EOF; count++)
    found |= strcmp(entry.name, name) == 0;
  sim_check(count == n, "scandir: %zd entries, and %zd are told", n, count);
  sim_check(found == file->exists, "file %d: scandir %s", file->number, found ? "finds it" : "does not find it");
}

/* Reads the copy, which must be the file as it was. */
static void check_copy(const struct file *file) {
  char path[64];
  uv_fs_t req;
  path_of(file, ".copy", path);
  int fd = uv_fs_open(NULL, &req, path, O_RDONLY, 0, NULL);
  uv_fs_req_cleanup(&req);
  if (fd < 0 && is_fault(fd) && !sim.calm)
    return;
  sim_check(fd >= 0, "file %d: there is no copy: %d", file->number, fd);
  char *bytes = malloc(SIZE_MAX_KNOWN + 1);
  if (bytes == NULL)
    abort();
  size_t length = 0;
  for (int n = 1; n > 0; length += n > 0 ? (size_t)n : 0) {
    uv_buf_t buf = uv_buf_init(bytes + length, (unsigned int)(SIZE_MAX_KNOWN + 1 - length));
    do {
      n = uv_fs_read(NULL, &req, fd, &buf, 1, -1, NULL);
      uv_fs_req_cleanup(&req);
    } while (n == UV_EIO);
    sim_check(n >= 0, "file %d: its copy cannot be read: %d", file->number, n);
  }
  sim_check(length == file->size && memcmp(bytes, file->known, length) == 0,
            "file %d: its copy has %zu bytes, or others, and it has %zu", file->number, length, file->size);
  free(bytes);
  uv_fs_close(NULL, &req, fd, NULL);
  uv_fs_req_cleanup(&req);
}

static void note_success(struct file *file, uv_fs_t *req, ssize_t result) {
  switch (file->operation) {
  case OPEN:
    file->fd = (int)result;
    file->is_open = file->exists = true;
    break;
  case CLOSE:
    file->is_open = false;
    break;
  case READ:
    check_read(file, result);
    break;
  case WRITE:
    note_write(file, result);
    break;
  case STAT:
    sim_check(req->statbuf.st_size == file->size, "file %d: a size of %llu, not of %zu", file->number,
              (unsigned long long)req->statbuf.st_size, file->size);
    break;
  case TRUNCATE:
    note_truncate(file);
    break;
  case UNLINK:
    file->exists = false;
    file->size = 0;
    break;
  case COPY:
    check_copy(file);
    break;
  case LIST:
    check_list(file, req, result);
    break;
  default:
    break;
  }
}

/* A file that was removed is another one when it is opened anew. */
static void note_result(struct file *file, uv_fs_t *req) {
  ssize_t result = req->result;
  bool fault = is_fault(result) && file->in_trouble;
  sim_log("file %d: %s: %zd", file->number, operations[file->operation], result);
  if (file->is_cancelled) {
    sim_check(result == UV_ECANCELED, "file %d: a cancelled %s gives %zd", file->number, operations[file->operation],
              result);
    return;
  }
  sim_check(result >= 0 || fault || file->operation == CLOSE, "file %d: %s gives %zd", file->number,
            operations[file->operation], result);
  sim_check(file->operation != CLOSE || result == 0, "file %d: close gives %zd", file->number, result);
  if (result >= 0)
    note_success(file, req, result);
}

static void finish(struct file *file, uv_fs_t *req) {
  note_result(file, req);
  uv_fs_req_cleanup(req);
  memset(req, 0xdb, sizeof *req);
  free(req);
  free(file->bytes);
  file->bytes = NULL;
  file->req = NULL;
}

static void on_file(uv_fs_t *req) {
  struct file *file = req->data;
  sim_called(SIM_POLL);
  sim_check(file->req == req, "file %d: a second callback of %s", file->number, operations[file->operation]);
  sim_requests--;
  finish(file, req);
  sim_steps();
}

/* ---- steps ---- */

static void choose_bytes(struct file *file) {
  file->offset = sim_below(2 * (unsigned int)file->size + 100) % (SIZE_MAX_KNOWN / 2);
  file->length = 1 + sim_below(sim_chance(20) ? LENGTH_MAX : 100);
  file->bytes = malloc(file->length);
  if (file->bytes == NULL)
    abort();
  for (size_t i = 0; i < file->length; i++)
    file->bytes[i] = (char)(file->operation == WRITE ? rota__model_random() : 0xee);
  file->buf_count = 1 + (file->length >= 3 ? sim_below(3) : 0);
  size_t at = 0;
  for (unsigned int i = 0; i < file->buf_count; i++) {
    size_t n = i + 1 == file->buf_count ? file->length - at : file->length / file->buf_count;
    file->bufs[i] = uv_buf_init(file->bytes + at, (unsigned int)n);
    at += n;
  }
}

static int begin(struct file *file, uv_fs_cb cb) {
  char path[64], other[64];
  uv_fs_t *req = file->req;
  path_of(file, "", path);
  path_of(file, file->operation == COPY ? ".copy" : "", other);
  switch (file->operation) {
  case OPEN:
    return uv_fs_open(&sim.loop, req, path, O_RDWR | O_CREAT, 0644, cb);
  case CLOSE:
    return uv_fs_close(&sim.loop, req, file->fd, cb);
  case READ:
    return uv_fs_read(&sim.loop, req, file->fd, file->bufs, file->buf_count, (int64_t)file->offset, cb);
  case WRITE:
    return uv_fs_write(&sim.loop, req, file->fd, file->bufs, file->buf_count, (int64_t)file->offset, cb);
  case STAT:
    return uv_fs_fstat(&sim.loop, req, file->fd, cb);
  case TRUNCATE:
    return uv_fs_ftruncate(&sim.loop, req, file->fd, (int64_t)file->offset, cb);
  case SYNC:
    return sim_chance(50) ? uv_fs_fsync(&sim.loop, req, file->fd, cb) : uv_fs_fdatasync(&sim.loop, req, file->fd, cb);
  case RENAME:
    return uv_fs_rename(&sim.loop, req, path, other, cb);
  case UNLINK:
    return uv_fs_unlink(&sim.loop, req, path, cb);
  case COPY:
    return uv_fs_copyfile(&sim.loop, req, path, other, 0, cb);
  default:
    return uv_fs_scandir(&sim.loop, req, "/files", 0, cb);
  }
}

static bool is_possible(const struct file *file, enum operation operation) {
  switch (operation) {
  case OPEN:
    return !file->is_open;
  case LIST:
    return true;
  case RENAME:
  case COPY:
    return file->exists;
  case UNLINK: /* an open file keeps its bytes; this one is forgotten */
    return file->exists && !file->is_open;
  default:
    return file->is_open;
  }
}

static void start(struct file *file, enum operation operation, bool waits) {
  file->operation = operation;
  file->is_cancelled = false;
  file->in_trouble = !sim.calm;
  file->req = malloc(sizeof *file->req);
  if (file->req == NULL)
    abort();
  memset(file->req, 0xa5, sizeof *file->req);
  file->req->data = file;
  choose_bytes(file);
  sim_log("file %d: begin %s%s at %zu, %zu bytes", file->number, operations[operation], waits ? " and wait" : "",
          file->offset, file->length);
  uv_fs_t *req = file->req;
  sim_requests += !waits;
  int err = begin(file, waits ? NULL : on_file);
  if (waits) {
    sim_check(err == (int)req->result, "file %d: %s returns %d, and the result is %zd", file->number,
              operations[operation], err, req->result);
    finish(file, req);
    return;
  }
  if (err == 0)
    return;
  sim_check(err == UV_ENOMEM && !sim.calm, "file %d: %s: %d", file->number, operations[operation], err);
  sim_requests--;
  uv_fs_req_cleanup(req);
  free(req);
  free(file->bytes);
  file->bytes = NULL;
  file->req = NULL;
}

static void file_step(void) {
  struct file *file = &files[sim_below(FILES)];
  if (file->req != NULL) {
    if (!sim_chance(20) || file->is_cancelled)
      return;
    int err = uv_cancel((uv_req_t *)file->req);
    sim_log("file %d: cancel %s: %d", file->number, operations[file->operation], err);
    sim_check(err == 0 || err == UV_EBUSY, "uv_cancel: %d", err);
    file->is_cancelled = err == 0;
    return;
  }
  enum operation operation = (enum operation)sim_below(OPERATIONS);
  if (!file->is_open && sim_chance(60))
    operation = OPEN;
  if (is_possible(file, operation))
    start(file, operation, sim_chance(15));
}

static void files_start(void) {
  uv_fs_t req;
  int err = uv_fs_mkdir(NULL, &req, "/files", 0755, NULL);
  sim_check(err == 0, "uv_fs_mkdir: %d", err);
  uv_fs_req_cleanup(&req);
  for (int i = 0; i < FILES; i++) {
    files[i] = (struct file){.number = i, .known = calloc(1, SIZE_MAX_KNOWN)};
    if (files[i].known == NULL)
      abort();
  }
}

static bool files_done(void) {
  for (int i = 0; i < FILES; i++)
    if (files[i].req != NULL)
      return false;
  return true;
}

static void files_close(void) {
  for (int i = 0; i < FILES; i++)
    if (files[i].is_open)
      start(&files[i], CLOSE, sim_chance(50));
}

static bool files_alive(void) {
  return !files_done();
}

const struct sim_part sim_files = {.name = "files",
                                   .start = files_start,
                                   .step = file_step,
                                   .is_done = files_done,
                                   .close = files_close,
                                   .is_alive = files_alive};
