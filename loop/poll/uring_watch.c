/* Watching through the ring.
 *
 * A poll request fires once; it is submitted again, with whatever else there is to submit, in the wait that follows the
 * event, unless nobody wants it then. That makes it level triggered, and costs no call of its own.
 * Who wants to read may ask for the bytes themselves (ROTA_POLL_RECEIVE): then a request that delivers until it is
 * cancelled takes the place of the poll request, once the first bytes have come: to begin one costs more than to poll,
 * and many connections are made that never say a word.
 * Invariant: a descriptor whose requests are not what is wanted is in the list of stale ones. */
#include <poll.h>
#include <string.h>

#include "loop/base/check.h"
#include "loop/base/table.h"
#include "loop/poll/uring.h"
#include "uv.h"

_Static_assert(sizeof(struct watch) == 16, "a watch has grown");

static const struct {
  uint32_t event;
  uint8_t bit;
} event_bits[] = {
    {POLLIN, WATCH_IN},       {POLLOUT, WATCH_OUT},         {POLLPRI, WATCH_PRI},
    {POLLRDHUP, WATCH_RDHUP}, {ROTA_POLL_EDGE, WATCH_EDGE}, {ROTA_POLL_RECEIVE, WATCH_RECEIVE},
};

static uint8_t to_bits(uint32_t events) {
  uint8_t bits = 0;
  for (size_t i = 0; i < sizeof(event_bits) / sizeof(*event_bits); i++)
    bits |= events & event_bits[i].event ? event_bits[i].bit : 0;
  return bits;
}

/* Of those that a poll request knows. */
static uint32_t to_poll_events(uint8_t bits) {
  uint32_t events = 0;
  for (size_t i = 0; i < 4; i++)
    events |= bits & event_bits[i].bit ? event_bits[i].event : 0;
  return events;
}

void rota__uring_list_add(struct fd_list *list, int fd) {
  if (list->count == list->capacity) {
    int *fds = rota__table_grow(list->fds, &list->capacity, list->count, sizeof(*fds));
    if (fds == NULL) {
      list->incomplete = true;
      return;
    }
    list->fds = fds;
  }
  list->fds[list->count++] = fd;
}

/* The events that a delivering request stands for; 0 if there is none. */
static uint8_t delivered_events(const struct watch *watch) {
  return watch->wanted & WATCH_RECEIVE && watch->heard && !watch->plain ? WATCH_IN : 0;
}

static uint8_t polled_events(const struct watch *watch) {
  return watch->wanted & (uint8_t) ~(WATCH_RECEIVE | delivered_events(watch));
}

static bool holds_something(const struct watch *watch) {
  return watch->first_buffer != 0 || watch->ended;
}

static bool is_in_line(const struct watch *watch) {
  /* To poll for too much is harmless: it is filtered when it fires. To receive too much is not. */
  return (polled_events(watch) & ~watch->armed) == 0 &&
         (watch->stage == STAGE_UNDER_WAY) == (delivered_events(watch) != 0 && !watch->ended);
}

int rota__uring_watch(struct rota_poller *poller, int fd, unsigned int events, uint32_t generation) {
  struct uring_poller *self = rota__uring_of(poller);
  if ((size_t)fd >= self->capacity) {
    struct watch *watches = rota__table_grow(self->watches, &self->capacity, (size_t)fd, sizeof(*watches));
    if (watches == NULL)
      return UV_ENOMEM;
    self->watches = watches;
  }
  struct watch *watch = &self->watches[fd];
  if (events & ROTA_POLL_RECEIVE && !rota__uring_can_receive(self))
    watch->plain = true;
  watch->generation = generation;
  if (events & ROTA_POLL_LISTEN || watch->listened)
    return rota__uring_listen(self, fd, watch, events & ROTA_POLL_LISTEN);
  watch->wanted = to_bits(events);
  if (!is_in_line(watch))
    rota__uring_mark_stale(self, fd);
  if (holds_something(watch) && watch->wanted & WATCH_IN)
    rota__uring_mark_unread(self, fd);
  return 0;
}

static bool arm_poll(struct uring_poller *self, int fd, struct watch *watch) {
  uint8_t events = polled_events(watch);
  if ((events & ~watch->armed) == 0)
    return true;
  struct io_uring_sqe *sqe = rota__uring_next_sqe(self);
  if (sqe == NULL)
    return false;
  if (watch->armed != 0) {
    sqe->opcode = IORING_OP_POLL_REMOVE;
    sqe->fd = -1;
    sqe->len = IORING_POLL_UPDATE_EVENTS;
    sqe->addr = rota__uring_data(fd, watch->sequence, TAG_POLL);
    /* If it has fired by now, the update finds nothing, and the event that is on its way leads to a new request. */
    sqe->user_data = TAG_IGNORED;
  } else {
    sqe->opcode = IORING_OP_POLL_ADD;
    sqe->fd = fd;
    sqe->len = events & WATCH_EDGE ? IORING_POLL_ADD_MULTI : 0;
    sqe->user_data = rota__uring_data(fd, watch->sequence, TAG_POLL);
  }
  sqe->poll32_events = to_poll_events(events);
  watch->armed = events;
  return true;
}

static bool cancel(struct uring_poller *self, uint8_t opcode, uint64_t data) {
  struct io_uring_sqe *sqe = rota__uring_next_sqe(self);
  if (sqe == NULL)
    return false;
  sqe->opcode = opcode;
  sqe->fd = -1;
  sqe->addr = data;
  sqe->user_data = TAG_IGNORED;
  return true;
}

static bool arm_delivery(struct uring_poller *self, int fd, struct watch *watch) {
  bool wanted = delivered_events(watch) != 0 && !watch->ended;
  if (watch->stage == STAGE_CANCELLING || wanted == (watch->stage == STAGE_UNDER_WAY))
    return true; /* what is being cancelled is looked at again when it is over */
  if (!wanted) {
    /* Cancelled before the next look at the socket: the kernel takes up what we hand over before anything else. */
    if (!cancel(self, IORING_OP_ASYNC_CANCEL, rota__uring_data(fd, watch->sequence, TAG_RECEIVE)))
      return false;
    watch->stage = STAGE_CANCELLING;
    return true;
  }
  struct io_uring_sqe *sqe = rota__uring_next_sqe(self);
  if (sqe == NULL)
    return false;
  rota__uring_receive_begin(sqe, fd, watch);
  return true;
}

/* Those that could not be listed are found by looking at all. */
static void complete_list(struct uring_poller *self, struct fd_list *list, bool stale) {
  list->incomplete = false;
  list->count = 0;
  for (size_t fd = 0; fd < self->capacity && !list->incomplete; fd++)
    if (stale ? self->watches[fd].stale : self->watches[fd].unread)
      rota__uring_list_add(list, (int)fd);
}

void rota__uring_arm_stale(struct uring_poller *self) {
  size_t done = 0;
  if (rota__unlikely(self->stale.incomplete))
    complete_list(self, &self->stale, true);
  for (; done < self->stale.count; done++) {
    int fd = self->stale.fds[done];
    struct watch *watch = &self->watches[fd];
    if (!arm_poll(self, fd, watch) || !arm_delivery(self, fd, watch))
      break; /* the queue is full; the rest comes with the next wait */
    watch->stale = false;
  }
  self->stale.count -= done;
  memmove(self->stale.fds, self->stale.fds + done, self->stale.count * sizeof(int));
}

void rota__uring_forget(struct rota_poller *poller, int fd) {
  struct uring_poller *self = rota__uring_of(poller);
  if ((size_t)fd >= self->capacity)
    return;
  struct watch *watch = &self->watches[fd];
  bool polls = watch->armed != 0, delivers = watch->stage == STAGE_UNDER_WAY;
  uint16_t sequence = watch->sequence;
  watch->wanted = 0;
  watch->armed = 0;
  watch->stage = STAGE_NONE;
  watch->plain = false;
  watch->heard = false;
  watch->sequence++;
  rota__uring_receive_forget(self, watch);
  if (watch->listened)
    rota__uring_listen(self, fd, watch, false);
  if (!polls && !delivers)
    return;
  /* A request holds its file open: the peer would not see the end, nor would a port be free again. Hence it goes at
   * once. From another thread, moving takes all requests away, and those that are still wanted come anew. */
  if (rota__uring_own(self) < 0)
    return;
  if (polls)
    cancel(self, IORING_OP_POLL_REMOVE, rota__uring_data(fd, sequence, TAG_POLL));
  if (delivers)
    cancel(self, IORING_OP_ASYNC_CANCEL, rota__uring_data(fd, sequence, TAG_RECEIVE));
  int err;
  do
    err = rota__os_ring_enter(&self->ring, 0, 0, NULL);
  while (err == UV_EINTR);
}

static void report(const struct watch *watch, int fd, uint32_t events, struct rota_ready *out) {
  out->op = NULL;
  out->u.watch.fd = fd;
  out->u.watch.generation = watch->generation;
  out->u.watch.events = events;
}

bool rota__uring_collect_poll(struct uring_poller *self, const struct io_uring_cqe *cqe, struct rota_ready *out) {
  int fd = (int)(cqe->user_data >> 32);
  struct watch *watch = &self->watches[fd];
  if (cqe->user_data != rota__uring_data(fd, watch->sequence, TAG_POLL) || watch->armed == 0)
    return false;
  uint8_t armed = watch->armed, polled = polled_events(watch);
  if (!(cqe->flags & IORING_CQE_F_MORE)) {
    watch->armed = 0;
    watch->heard = watch->heard || (cqe->res > 0 && cqe->res & POLLIN);
    if (!is_in_line(watch))
      rota__uring_mark_stale(self, fd);
  }
  if (polled == 0 || cqe->res == UV_ECANCELED)
    return false;
  report(watch, fd, cqe->res < 0 ? POLLERR | (to_poll_events(armed) & (POLLIN | POLLOUT)) : (uint32_t)cqe->res, out);
  return true;
}

int rota__uring_report_unread(struct uring_poller *self, struct rota_ready *out, int out_max) {
  int n = 0;
  size_t kept = 0;
  if (rota__unlikely(self->unread.incomplete))
    complete_list(self, &self->unread, false);
  for (size_t i = 0; i < self->unread.count; i++) {
    int fd = self->unread.fds[i];
    struct watch *watch = &self->watches[fd];
    if (!(watch->wanted & WATCH_IN) || !holds_something(watch)) {
      watch->unread = false;
      continue;
    }
    /* It stays in the list until it holds nothing more, or nobody asks for it. */
    self->unread.fds[kept++] = fd;
    if (n < out_max)
      report(watch, fd, POLLIN, &out[n++]);
  }
  self->unread.count = kept;
  return n;
}
