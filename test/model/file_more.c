/* Files that several requests use at once: reads at a file's own position share it; the two sides of a FIFO wait for
 * each other when they are opened. */
#include "model.h"
#include "steps.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READS = 8, BLOCK = 4096 };

/* ---- reads that share a position ---- */

struct reads {
  struct object base;
  int fd, left;
  uint64_t key;
  bool seen[READS];
  uv_fs_t reqs[READS];
  char room[READS][BLOCK];
};

static bool reads_settled(const struct object *object) {
  return ((const struct reads *)object)->left == 0;
}

static const struct kind reads_kind = {.name = "reads", .settled = reads_settled};

static void on_block(uv_fs_t *req) {
  struct reads *reads = req->data;
  const char *room = reads->room[req - reads->reqs];
  callback_enter(&reads->base);
  int block = 0;
  while (block < READS &&
         (reads->seen[block] || memcmp(room, content_at(reads->key, (uint64_t)block * BLOCK), BLOCK) != 0))
    block++;
  if (req->result != BLOCK || block == READS)
    object_bad(&reads->base, "a block twice, or none: %d", (int)req->result);
  else
    reads->seen[block] = true;
  uv_fs_req_cleanup(req);
  if (--reads->left == 0) {
    close(reads->fd);
    object_gone(&reads->base);
  }
  callback_leave();
}

/* The file is made again, and dropped from the page cache if possible: then reads take time. */
void step_file_reads(const struct step *step) {
  struct reads *reads = object_new(sizeof(*reads), &reads_kind, 0);
  char name[] = "reads-XXXXXX";
  reads->base.own_close = true;
  reads->key = (uint64_t)step->a;
  reads->left = READS;
  reads->fd = mkostemp(name, O_CLOEXEC);
  if (reads->fd < 0 || write(reads->fd, content_at(reads->key, 0), READS * BLOCK) != READS * BLOCK)
    abort();
  fdatasync(reads->fd);
  posix_fadvise(reads->fd, 0, 0, POSIX_FADV_DONTNEED);
  lseek(reads->fd, 0, SEEK_SET);
  for (int i = 0; i < READS; i++) {
    uv_buf_t buf = uv_buf_init(reads->room[i], BLOCK);
    reads->reqs[i].data = reads;
    if (uv_fs_read(world.loop, &reads->reqs[i], reads->fd, &buf, 1, -1, on_block) != 0)
      object_bad(&reads->base, "read");
  }
}

/* ---- a FIFO ---- */

struct fifo {
  struct object base;
  int left;
  int fds[2];
  uv_fs_t reqs[2];
  char byte;
};

static bool fifo_settled(const struct object *object) {
  return ((const struct fifo *)object)->left == 0;
}

static const struct kind fifo_kind = {.name = "fifo", .settled = fifo_settled};

static void on_fifo_read(uv_fs_t *req) {
  struct fifo *fifo = req->data;
  callback_enter(&fifo->base);
  object_note(&fifo->base, "read %d %c", (int)req->result, fifo->byte);
  uv_fs_req_cleanup(req);
  close(fifo->fds[0]);
  close(fifo->fds[1]);
  fifo->left = 0;
  object_gone(&fifo->base);
  callback_leave();
}

static void on_fifo_open(uv_fs_t *req) {
  struct fifo *fifo = req->data;
  callback_enter(&fifo->base);
  fifo->fds[req - fifo->reqs] = (int)req->result;
  if (req->result < 0)
    object_bad(&fifo->base, "open %s", error_name((int)req->result));
  uv_fs_req_cleanup(req);
  if (--fifo->left > 1) {
    callback_leave();
    return;
  }
  uv_buf_t buf = uv_buf_init("z", 1);
  uv_fs_write(world.loop, &fifo->reqs[1], fifo->fds[1], &buf, 1, 0, NULL);
  object_note(&fifo->base, "write at 0: %s", error_name((int)fifo->reqs[1].result));
  uv_fs_req_cleanup(&fifo->reqs[1]);
  uv_fs_write(world.loop, &fifo->reqs[1], fifo->fds[1], &buf, 1, -1, NULL);
  uv_fs_req_cleanup(&fifo->reqs[1]);
  buf = uv_buf_init(&fifo->byte, 1);
  uv_fs_read(world.loop, &fifo->reqs[0], fifo->fds[0], &buf, 1, -1, on_fifo_read);
  callback_leave();
}

void step_fifo(const struct step *step) {
  char name[32] = "fifo-";
  struct fifo *fifo = object_new(sizeof(*fifo), &fifo_kind, 0);
  struct text text = {0};
  text_add(&text, "fifo-%d", fifo->base.id);
  memcpy(name, text.bytes, text.length + 1);
  free(text.bytes);
  fifo->base.own_close = true;
  fifo->left = 3;
  if (mkfifo(name, 0600) != 0)
    abort();
  for (int i = 0; i < 2; i++) {
    int which = (step->a + i) % 2;
    fifo->reqs[which].data = fifo;
    uv_fs_open(world.loop, &fifo->reqs[which], name, which ? O_WRONLY : O_RDONLY, 0, on_fifo_open);
  }
}
