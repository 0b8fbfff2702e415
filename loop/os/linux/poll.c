#include "loop/os/linux/poll.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "loop/os/file.h"

/* ---- epoll ---- */

int rota__os_epoll_create(void) {
  int fd = epoll_create1(EPOLL_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

int rota__os_epoll_control(int epoll_fd, int operation, int fd, uint32_t events, uint64_t data) {
  struct epoll_event event = {.events = events, .data.u64 = data};
  return epoll_ctl(epoll_fd, operation, fd, &event) < 0 ? -errno : 0;
}

int rota__os_epoll_wait(int epoll_fd, struct epoll_event *events, int events_max, int timeout_ms,
                        const sigset_t *blocked) {
  int saved = errno;
  int n = epoll_pwait(epoll_fd, events, events_max, timeout_ms, blocked);
  if (n < 0)
    n = -errno;
  errno = saved;
  return n;
}

int rota__os_epoll_accepts(int fd) {
  int epoll_fd = rota__os_epoll_create();
  if (epoll_fd < 0)
    return epoll_fd;
  int err = rota__os_epoll_control(epoll_fd, EPOLL_CTL_ADD, fd, EPOLLIN, 0);
  rota__os_close(epoll_fd);
  return err;
}

/* ---- io_uring ---- */

enum { NS_PER_SECOND = 1000000000 };

static int ring_setup(uint32_t entries, struct io_uring_params *params) {
  int fd = (int)syscall(SYS_io_uring_setup, entries, params);
  return fd < 0 ? -errno : fd;
}

/* A call that cannot succeed. Its error tells whether this process may make rings at all. */
int rota__os_ring_allowed(void) {
  int err = ring_setup(0, NULL);
  return err == -EFAULT || err == -EINVAL ? 0 : err;
}

int rota__os_ring_open(struct rota_ring *ring, uint32_t entries, uint32_t cq_entries, uint32_t flags) {
  struct io_uring_params params;
  memset(&params, 0, sizeof(params));
  params.flags = flags | IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP;
  params.cq_entries = cq_entries;
  memset(ring, 0, sizeof(*ring));
  ring->fd = ring_setup(entries, &params);
  if (ring->fd < 0)
    return ring->fd;
  int err;
  const uint32_t needed = IORING_FEAT_SINGLE_MMAP | IORING_FEAT_NODROP | IORING_FEAT_EXT_ARG;
  if ((params.features & needed) != needed) {
    err = -ENOSYS;
    goto fail;
  }
  size_t sq_size = params.sq_off.array + params.sq_entries * sizeof(uint32_t);
  size_t cq_size = params.cq_off.cqes + params.cq_entries * sizeof(struct io_uring_cqe);
  ring->memory_size = sq_size > cq_size ? sq_size : cq_size;
  ring->memory =
      mmap(NULL, ring->memory_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring->fd, IORING_OFF_SQ_RING);
  if (ring->memory == MAP_FAILED) {
    err = -errno;
    goto fail;
  }
  ring->sqes_size = params.sq_entries * sizeof(struct io_uring_sqe);
  ring->sqes =
      mmap(NULL, ring->sqes_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring->fd, IORING_OFF_SQES);
  if (ring->sqes == MAP_FAILED) {
    err = -errno;
    munmap(ring->memory, ring->memory_size);
    goto fail;
  }
  char *memory = ring->memory;
  ring->features = params.features;
  ring->sq_head = (uint32_t *)(memory + params.sq_off.head);
  ring->sq_tail = (uint32_t *)(memory + params.sq_off.tail);
  ring->sq_flags = (uint32_t *)(memory + params.sq_off.flags);
  ring->sq_mask = *(uint32_t *)(memory + params.sq_off.ring_mask);
  ring->sq_entries = *(uint32_t *)(memory + params.sq_off.ring_entries);
  ring->cq_head = (uint32_t *)(memory + params.cq_off.head);
  ring->cq_tail = (uint32_t *)(memory + params.cq_off.tail);
  ring->cq_mask = *(uint32_t *)(memory + params.cq_off.ring_mask);
  ring->cq_entries = *(uint32_t *)(memory + params.cq_off.ring_entries);
  ring->cqes = (struct io_uring_cqe *)(memory + params.cq_off.cqes);
  ring->tail = *ring->sq_tail;
  /* Entries are always used in order: the array of indices is written once. */
  uint32_t *array = (uint32_t *)(memory + params.sq_off.array);
  for (uint32_t i = 0; i < ring->sq_entries; i++)
    array[i] = i;
  return 0;

fail:
  close(ring->fd);
  ring->fd = -1;
  return err;
}

void rota__os_ring_close(struct rota_ring *ring) {
  if (ring->fd < 0)
    return;
  munmap(ring->sqes, ring->sqes_size);
  munmap(ring->memory, ring->memory_size);
  close(ring->fd);
  ring->fd = -1;
}

struct io_uring_sqe *rota__os_ring_next_sqe(struct rota_ring *ring) {
  if (rota__os_ring_unsubmitted(ring) == ring->sq_entries)
    return NULL;
  struct io_uring_sqe *sqe = &ring->sqes[ring->tail++ & ring->sq_mask];
  memset(sqe, 0, sizeof(*sqe));
  return sqe;
}

int rota__os_ring_enter(struct rota_ring *ring, uint32_t wait_for, int64_t timeout_ns, const sigset_t *blocked) {
  rota__os_ring_publish(ring);
  uint32_t to_submit = rota__os_ring_unsubmitted(ring);
  struct __kernel_timespec timeout = {.tv_sec = timeout_ns / NS_PER_SECOND, .tv_nsec = timeout_ns % NS_PER_SECOND};
  struct io_uring_getevents_arg argument = {.sigmask = (uint64_t)(uintptr_t)blocked,
                                            .sigmask_sz = _NSIG / 8,
                                            .ts = timeout_ns < 0 ? 0 : (uint64_t)(uintptr_t)&timeout};
  int saved = errno;
  long n = syscall(SYS_io_uring_enter, ring->fd, to_submit, wait_for, IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG,
                   &argument, sizeof(argument));
  if (n < 0)
    n = -errno;
  errno = saved;
  return (int)n;
}

int rota__os_ring_submit_published(struct rota_ring *ring) {
  long n = syscall(SYS_io_uring_enter, ring->fd, rota__os_ring_published(ring), 0, 0, NULL, 0);
  return n < 0 ? -errno : (int)n;
}

bool rota__os_ring_knows(struct rota_ring *ring, uint8_t operation) {
  enum { OPERATIONS = 128 };
  union {
    struct io_uring_probe probe;
    char memory[sizeof(struct io_uring_probe) + OPERATIONS * sizeof(struct io_uring_probe_op)];
  } room;
  memset(&room, 0, sizeof(room));
  if (syscall(SYS_io_uring_register, ring->fd, IORING_REGISTER_PROBE, &room, OPERATIONS) < 0)
    return false;
  return operation < room.probe.ops_len && (room.probe.ops[operation].flags & IO_URING_OP_SUPPORTED) != 0;
}

int rota__os_ring_add_slots(struct rota_ring *ring, uint32_t count) {
  struct io_uring_rsrc_register slots = {.nr = count, .flags = IORING_RSRC_REGISTER_SPARSE};
  return syscall(SYS_io_uring_register, ring->fd, IORING_REGISTER_FILES2, &slots, sizeof(slots)) < 0 ? -errno : 0;
}

int rota__os_ring_empty_slots(struct rota_ring *ring, uint32_t count) {
  int32_t nothing[64];
  memset(nothing, -1, sizeof(nothing));
  struct io_uring_files_update update = {.fds = (uint64_t)(uintptr_t)nothing};
  if (count > sizeof(nothing) / sizeof(*nothing))
    return -EINVAL;
  return syscall(SYS_io_uring_register, ring->fd, IORING_REGISTER_FILES_UPDATE, &update, count) < 0 ? -errno : 0;
}

/* ---- wake-up descriptors ----
 *
 * An eventfd. A signal cannot block: the counter would have to hold 2^64 - 2. */

int rota__os_wakeup_open(struct rota_os_wakeup *wakeup) {
  wakeup->other = -1;
  wakeup->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return wakeup->fd < 0 ? -errno : 0;
}

void rota__os_wakeup_signal(const struct rota_os_wakeup *wakeup) {
  static const uint64_t one = 1;
  (void)rota__os_write(wakeup->fd, &one, sizeof(one));
}

void rota__os_wakeup_clear(const struct rota_os_wakeup *wakeup) {
  uint64_t count;
  (void)rota__os_read(wakeup->fd, &count, sizeof(count));
}

void rota__os_wakeup_close(struct rota_os_wakeup *wakeup) {
  if (wakeup->fd >= 0)
    rota__os_close(wakeup->fd);
  wakeup->fd = -1;
}
