/* Small files through a ring: each is a chain of an open, a read, and a second read, which finds the end. The files get
 * no descriptors, only slots of the ring, and are closed by emptying all slots at once. Files in the page cache are
 * read when the submitting system call returns.
 *
 * The wait is limited: a file that is not read after some time is a pipe, a terminal, or on a slow disk. It is
 * cancelled, and the caller gets the open file.
 *
 * A read that is cancelled half-way reports the bytes that it has, but the kernel has not moved the file's position
 * (seen on tmpfs, where the end of a file is looked for by a thread): the next read gives the first bytes again. So the
 * two reads belong together only if the position of the open file says so. */
#include "loop/fs/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>

#include "loop/base/alloc.h"
#include "loop/os/file.h"
#include "loop/os/linux/poll.h"
#include "loop/os/thread.h"
#include "loop/poller/poller.h"

enum {
  AT_ONCE = 32,
  STEPS = 3,
  ENTRIES = 128,
  PATIENCE_NS = 2 * 1000 * 1000,
  MOST_PATIENCE_NS = 500 * 1000 * 1000,
  OP_GIVE_DESCRIPTOR = 54, /* IORING_OP_FIXED_FD_INSTALL of Linux 6.8; Debian 12's headers lack it */
  RESTING_CALLS = 256
};

enum step { OPEN, READ, READ_END };

struct reader {
  struct rota_ring ring;
  unsigned int resting; /* calls to make without the ring, because it was not faster */
  unsigned int in_flight;
  int results[AT_ONCE][STEPS];
  char extra[AT_ONCE];
};

static _Thread_local struct reader *own;
static _Thread_local bool has_failed;
static pthread_key_t end_key;
static pthread_once_t end_once = PTHREAD_ONCE_INIT;

static void on_thread_end(void *reader) {
  own = NULL;
  rota__os_ring_close(&((struct reader *)reader)->ring);
  rota__free(reader);
}

static void make_key(void) {
  if (pthread_key_create(&end_key, on_thread_end) != 0)
    abort();
  rota__os_stay_loaded(); /* threads of the program will call it when they end */
}

static struct reader *reader_open(void) {
  struct reader *reader = rota__calloc(1, sizeof(*reader));
  if (reader == NULL)
    return NULL;
  uint32_t flags = IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN;
  if (rota__os_ring_open(&reader->ring, ENTRIES, 2 * ENTRIES, flags) < 0) {
    rota__free(reader);
    return NULL;
  }
  pthread_once(&end_once, make_key);
  if (!rota__os_ring_knows(&reader->ring, OP_GIVE_DESCRIPTOR) ||
      !rota__os_ring_knows(&reader->ring, IORING_OP_ASYNC_CANCEL) ||
      rota__os_ring_add_slots(&reader->ring, AT_ONCE) < 0 || pthread_setspecific(end_key, reader) != 0) {
    rota__os_ring_close(&reader->ring);
    rota__free(reader);
    return NULL;
  }
  return reader;
}

static struct reader *reader_of_thread(void) {
  if (own == NULL && !has_failed) {
    own = rota__poller_allows_rings() ? reader_open() : NULL;
    has_failed = own == NULL;
  }
  return own;
}

static struct io_uring_sqe *add(struct reader *reader, unsigned int file, enum step step, uint8_t operation) {
  struct io_uring_sqe *sqe = rota__os_ring_next_sqe(&reader->ring);
  sqe->opcode = operation;
  sqe->fd = (int)file;
  sqe->user_data = file * STEPS + step;
  sqe->flags = step == OPEN ? IOSQE_IO_LINK : IOSQE_FIXED_FILE;
  if (step == READ) /* a short read would end a link of the other kind */
    sqe->flags |= IOSQE_IO_HARDLINK;
  reader->results[file][step] = UV_ECANCELED;
  return sqe;
}

static void add_read(struct reader *reader, unsigned int file, enum step step, char *room, size_t size) {
  struct io_uring_sqe *sqe = add(reader, file, step, IORING_OP_READ);
  sqe->addr = (uint64_t)(uintptr_t)room;
  sqe->len = size < INT32_MAX ? (uint32_t)size : INT32_MAX;
  sqe->off = (uint64_t)-1; /* on from where it is */
}

static void add_file(struct reader *reader, unsigned int i, const rota_small_file_t *file) {
  struct io_uring_sqe *sqe = add(reader, i, OPEN, IORING_OP_OPENAT);
  sqe->fd = file->directory;
  sqe->addr = (uint64_t)(uintptr_t)file->path;
  sqe->open_flags = (uint32_t)(file->flags | O_NONBLOCK);
  sqe->len = 0666;
  sqe->file_index = i + 1;
  add_read(reader, i, READ, file->room, file->size - 1); /* there must be room for one more byte */
  add_read(reader, i, READ_END, &reader->extra[i], 1);
}

static void collect(struct reader *reader) {
  struct rota_ring *ring = &reader->ring;
  uint32_t head = *ring->cq_head;
  uint32_t tail = __atomic_load_n(ring->cq_tail, __ATOMIC_ACQUIRE);
  for (; head != tail; head++) {
    const struct io_uring_cqe *cqe = &ring->cqes[head & ring->cq_mask];
    if (cqe->user_data < AT_ONCE * STEPS)
      reader->results[cqe->user_data / STEPS][cqe->user_data % STEPS] = cqe->res;
    reader->in_flight--;
  }
  __atomic_store_n(ring->cq_head, head, __ATOMIC_RELEASE);
}

/* Submits the entries. Those that the kernel does not take count as cancelled. */
static void submit(struct reader *reader) {
  struct rota_ring *ring = &reader->ring;
  uint32_t before = __atomic_load_n(ring->sq_head, __ATOMIC_ACQUIRE);
  int n;
  do
    n = rota__os_ring_enter(ring, 0, 0, NULL);
  while (n == UV_EINTR || (n > 0 && rota__os_ring_unsubmitted(ring) > 0));
  rota__os_ring_withdraw(ring);
  reader->in_flight += ring->tail - before;
  collect(reader);
}

static void cancel_all(struct reader *reader) {
  struct io_uring_sqe *sqe = rota__os_ring_next_sqe(&reader->ring);
  sqe->opcode = IORING_OP_ASYNC_CANCEL;
  sqe->cancel_flags = IORING_ASYNC_CANCEL_ANY | IORING_ASYNC_CANCEL_ALL;
  sqe->user_data = AT_ONCE * STEPS;
  submit(reader);
}

/* Waits until no operation is active: buffers and paths belong to the caller. Cancelling may take several tries: if the
 * first read of a pipe is cancelled, the second one begins, and a read from a disk cannot be cancelled. */
static void wait_for_all(struct reader *reader) {
  int64_t patience_ns = PATIENCE_NS;
  while (reader->in_flight > 0) {
    int err = rota__os_ring_enter(&reader->ring, 1, patience_ns, NULL);
    collect(reader);
    if (err == -ETIME && reader->in_flight > 0) {
      cancel_all(reader);
      patience_ns = patience_ns < MOST_PATIENCE_NS ? patience_ns * 2 : patience_ns;
    }
  }
}

static int give_descriptor(struct reader *reader, unsigned int i) {
  struct io_uring_sqe *sqe = rota__os_ring_next_sqe(&reader->ring);
  sqe->opcode = OP_GIVE_DESCRIPTOR;
  sqe->flags = IOSQE_FIXED_FILE;
  sqe->fd = (int)i;
  sqe->user_data = i * STEPS + OPEN;
  reader->results[i][OPEN] = UV_ECANCELED;
  submit(reader);
  wait_for_all(reader);
  return reader->results[i][OPEN];
}

/* The ring did not do it, or the ring, a policy or the kernel refused it: a plain system call may still do it. */
static bool is_for_call(int result) {
  return result == UV_ECANCELED || result == UV_EAGAIN || result == UV_EINTR || result == UV_EINVAL ||
         result == UV_ENOSYS || result == UV_ENOTSUP || result == UV_EPERM || result == UV_ENOMEM;
}

/* The ring cannot turn the slot into a descriptor. The file is read again, unless bytes would be lost: those of a pipe.
 */
static void read_without_ring(rota_small_file_t *file, int err, bool taken) {
  if (is_for_call(err)) {
    rota__fs_read_small_file(file);
    if (!taken || file->fd < 0 || rota__os_is_seekable(file->fd))
      return;
    rota__os_close(file->fd);
  }
  file->result = err;
  file->is_open_error = 1;
  file->fd = -1;
}

/* Also true of a file that has no position: a pipe. */
static bool is_position(int fd, int64_t expected) {
  int64_t position = rota__os_seek(fd, 0, SEEK_CUR);
  return position < 0 || position == expected;
}

static void finish(struct reader *reader, unsigned int i, rota_small_file_t *file) {
  int opened = reader->results[i][OPEN], count = reader->results[i][READ], after = reader->results[i][READ_END];
  bool is_stopped = count == UV_ECANCELED || count == UV_EAGAIN || count == UV_EINTR;
  if (is_for_call(opened) || (opened >= 0 && is_for_call(count) && !is_stopped)) {
    rota__fs_read_small_file(file);
    return;
  }
  file->fd = -1;
  file->is_open_error = opened < 0;
  file->result = opened < 0 ? opened : count;
  if (opened < 0 || (count < 0 && !is_stopped) || (count > 0 && after == 0))
    return;
  if (count < 0)
    file->result = 0;
  if (after == 1)
    file->room[file->result++] = reader->extra[i];
  file->fd = give_descriptor(reader, i);
  if (file->fd < 0)
    read_without_ring(file, file->fd, count > 0 || after == 1);
  else if (!is_position(file->fd, file->result) && rota__os_seek(file->fd, 0, SEEK_SET) == 0)
    rota__fs_read_open_file(file, file->fd);
}

unsigned int rota__fs_read_small_files(rota_small_file_t *files, unsigned int count) {
  struct reader *reader = reader_of_thread();
  if (reader == NULL)
    return 0;
  if (reader->resting > 0) {
    reader->resting--;
    return 0;
  }
  unsigned int used = count < AT_ONCE ? count : AT_ONCE;
  for (unsigned int first = 0; first < count; first += AT_ONCE) {
    unsigned int some = count - first < AT_ONCE ? count - first : AT_ONCE;
    for (unsigned int i = 0; i < some; i++)
      add_file(reader, i, &files[first + i]);
    submit(reader);
    if (reader->in_flight > some) /* the kernel used threads for most of them, which costs more than system calls */
      reader->resting = RESTING_CALLS;
    wait_for_all(reader);
    for (unsigned int i = 0; i < some; i++)
      finish(reader, i, &files[first + i]);
  }
  rota__os_ring_empty_slots(&reader->ring, used);
  return count;
}
