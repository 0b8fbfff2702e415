/* How Linux tells what is ready and what is done: epoll and io_uring. As everywhere in loop/os: a result >= 0, or a
 * negated errno. */
#ifndef ROTA_OS_LINUX_POLL_H
#define ROTA_OS_LINUX_POLL_H

#include <linux/io_uring.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>

/* ---- epoll ---- */

int rota__os_epoll_create(void);
int rota__os_epoll_control(int epoll_fd, int operation, int fd, uint32_t events, uint64_t data);
/* Not repeated when interrupted: the caller has a deadline to look at. `blocked` may be null. */
int rota__os_epoll_wait(int epoll_fd, struct epoll_event *events, int events_max, int timeout_ms,
                        const sigset_t *blocked);
/* 0 if the descriptor can be polled; -EPERM for a regular file, -EBADF ... */
int rota__os_epoll_accepts(int fd);

/* ---- io_uring: its three system calls, and the memory that a ring shares with the kernel ---- */

/* A ring. The submission queue is filled at `tail` and handed over by rota__os_ring_enter; the kernel's indices are
 * only ever read and written atomically. */
struct rota_ring {
  int fd;
  uint32_t features;
  uint32_t *sq_head, *sq_tail, *sq_flags;
  uint32_t *cq_head, *cq_tail;
  uint32_t sq_mask, cq_mask, sq_entries, cq_entries;
  uint32_t tail; /* of the entries that were filled in and not submitted yet */
  struct io_uring_sqe *sqes;
  struct io_uring_cqe *cqes;
  void *memory;
  size_t memory_size;
  size_t sqes_size;
};

/* 0 if this process may make rings, as far as that is known without making one; else the error. */
int rota__os_ring_allowed(void);

int rota__os_ring_open(struct rota_ring *ring, uint32_t entries, uint32_t cq_entries, uint32_t flags);
void rota__os_ring_close(struct rota_ring *ring);

/* A cleared entry, or null when the queue is full. */
struct io_uring_sqe *rota__os_ring_next_sqe(struct rota_ring *ring);

static inline uint32_t rota__os_ring_unsubmitted(const struct rota_ring *ring) {
  return ring->tail - __atomic_load_n(ring->sq_head, __ATOMIC_ACQUIRE);
}

/* The entries filled in so far may be handed over by another thread, too. */
static inline void rota__os_ring_publish(struct rota_ring *ring) {
  __atomic_store_n(ring->sq_tail, ring->tail, __ATOMIC_RELEASE);
}

/* How many of these the kernel does not have. From any thread. */
static inline uint32_t rota__os_ring_published(const struct rota_ring *ring) {
  uint32_t head = __atomic_load_n(ring->sq_head, __ATOMIC_ACQUIRE);
  return __atomic_load_n(ring->sq_tail, __ATOMIC_ACQUIRE) - head;
}

static inline uint32_t rota__os_ring_completed(const struct rota_ring *ring) {
  return __atomic_load_n(ring->cq_tail, __ATOMIC_ACQUIRE) - *ring->cq_head;
}

/* Whether the kernel has completions that reach the completion queue only by a system call. */
static inline bool rota__os_ring_has_work(const struct rota_ring *ring) {
  return (__atomic_load_n(ring->sq_flags, __ATOMIC_RELAXED) & (IORING_SQ_TASKRUN | IORING_SQ_CQ_OVERFLOW)) != 0;
}

/* Submits the entries, and waits until there are `wait_for` completions, for at most timeout_ns (-1: no limit).
 * Collects completions even when wait_for is 0. Not repeated when interrupted. -ETIME: the time is over. */
int rota__os_ring_enter(struct rota_ring *ring, uint32_t wait_for, int64_t timeout_ns, const sigset_t *blocked);

/* Hands over what is published. From any thread, also while another one enters the ring. */
int rota__os_ring_submit_published(struct rota_ring *ring);

/* Whether the kernel knows the operation. */
bool rota__os_ring_knows(struct rota_ring *ring, uint8_t operation);

/* Places for files that have no descriptor, empty at first, and emptied again: those from the first on. */
int rota__os_ring_add_slots(struct rota_ring *ring, uint32_t count);
int rota__os_ring_empty_slots(struct rota_ring *ring, uint32_t count);

/* Removes the entries that were filled in and not submitted. */
static inline void rota__os_ring_withdraw(struct rota_ring *ring) {
  ring->tail = __atomic_load_n(ring->sq_head, __ATOMIC_ACQUIRE);
  rota__os_ring_publish(ring);
}

#endif
