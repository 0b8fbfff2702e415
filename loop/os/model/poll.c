/* epoll, and the descriptors that wake a loop.
 *
 * Of what is ready a wait reports some, in any order: the rest could as well have come a moment later. */
#include "loop/os/linux/poll.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "loop/base/units.h"
#include "loop/os/file.h"
#include "loop/os/model/model.h"

/* ---- epoll ---- */

enum { WATCHED = 512 };

struct watched {
  struct rota_model_open *open;
  int fd;
  uint32_t events;
  uint64_t data;
};

struct epoll {
  struct rota_model_object base;
  struct watched watched[WATCHED];
  int count;
};

static struct epoll *epoll_of(struct rota_model_object *object) {
  return rota__container_of(object, struct epoll, base);
}

/* An open file that nobody else has any more is watched no more. */
static void forget_closed(struct epoll *self) {
  for (int i = 0; i < self->count;) {
    if (self->watched[i].open->refs > 1) {
      i++;
      continue;
    }
    rota__model_drop_open(self->watched[i].open);
    self->watched[i] = self->watched[--self->count];
  }
}

static uint32_t ready_of(const struct watched *watched) {
  struct rota_model_object *object = watched->open->object;
  return object->kind->ready(object) & (watched->events | EPOLLERR | EPOLLHUP);
}

static unsigned int epoll_ready(struct rota_model_object *object) {
  struct epoll *self = epoll_of(object);
  forget_closed(self);
  for (int i = 0; i < self->count; i++)
    if (ready_of(&self->watched[i]) != 0)
      return POLLIN;
  return 0;
}

static void epoll_release(struct rota_model_object *object) {
  struct epoll *self = epoll_of(object);
  while (self->count > 0)
    rota__model_drop_open(self->watched[--self->count].open);
  free(self);
}

static const struct rota_model_kind epoll_kind = {.name = "epoll", .ready = epoll_ready, .release = epoll_release};

int rota__os_epoll_create(void) {
  rota__model_call("epoll_create", 0);
  struct epoll *self = rota__model_object(&epoll_kind, sizeof *self);
  return rota__model_install(&self->base, 0);
}

static struct watched *find(struct epoll *self, int fd, const struct rota_model_open *open) {
  for (int i = 0; i < self->count; i++)
    if (self->watched[i].fd == fd && self->watched[i].open == open)
      return &self->watched[i];
  return NULL;
}

static int add(struct epoll *self, struct watched wanted) {
  if (wanted.open->object->kind->ready == NULL)
    return -EPERM;
  if (self->count == WATCHED)
    return -ENOSPC;
  rota__model_keep(wanted.open);
  self->watched[self->count++] = wanted;
  return 0;
}

int rota__os_epoll_control(int epoll_fd, int operation, int fd, uint32_t events, uint64_t data) {
  struct epoll *self = rota__model_object_of(epoll_fd, &epoll_kind);
  struct rota_model_open *open = rota__model_open_of(fd);
  rota__model_call(operation == EPOLL_CTL_ADD   ? "epoll_ctl add"
                   : operation == EPOLL_CTL_MOD ? "epoll_ctl mod"
                                                : "epoll_ctl del",
                   fd);
  if (self == NULL || open == NULL)
    return -EBADF;
  forget_closed(self);
  struct watched *watched = find(self, fd, open);
  if (operation == EPOLL_CTL_ADD && watched == NULL)
    return add(self, (struct watched){open, fd, events, data});
  if (operation == EPOLL_CTL_ADD)
    return -EEXIST;
  if (watched == NULL)
    return -ENOENT;
  if (operation == EPOLL_CTL_MOD) {
    watched->events = events;
    watched->data = data;
    return 0;
  }
  rota__model_drop_open(watched->open);
  *watched = self->watched[--self->count];
  return 0;
}

static bool any_is_ready(void *what) {
  return epoll_ready(what) != 0;
}

/* In an order of its own. */
static int collect(struct epoll *self, struct epoll_event *events, int events_max) {
  bool withholds = rota__model_chance(rota__model_options()->withheld);
  int order[WATCHED], count = 0;
  for (int i = 0; i < self->count; i++) {
    int at = (int)rota__model_below((uint64_t)i + 1);
    order[i] = order[at];
    order[at] = i;
  }
  for (int i = 0; i < self->count && count < events_max; i++) {
    const struct watched *watched = &self->watched[order[i]];
    uint32_t ready = ready_of(watched);
    if (ready == 0 || (withholds && rota__model_below(2)))
      continue;
    rota__model_log("      ready: %d, %#x", watched->fd, ready);
    events[count].events = ready;
    events[count++].data.u64 = watched->data;
  }
  return count;
}

static uint64_t deadline(int timeout_ms) {
  if (timeout_ms < 0)
    return UINT64_MAX;
  /* A wait may be late, and is never early. */
  uint64_t late_ns = timeout_ms > 0 && rota__model_below(4) == 0 ? rota__model_below(3 * NS_PER_MS) : 0;
  return rota__model_now_ns() + (uint64_t)timeout_ms * NS_PER_MS + late_ns;
}

int rota__os_epoll_wait(int epoll_fd, struct epoll_event *events, int events_max, int timeout_ms,
                        const sigset_t *blocked) {
  struct epoll *self = rota__model_object_of(epoll_fd, &epoll_kind);
  bool interrupted = false;
  uint64_t *mask = rota__model_mask(), saved = *mask;
  rota__model_call("epoll_wait", timeout_ms);
  if (self == NULL)
    return -EBADF;
  if (rota__model_chance(rota__model_options()->interrupted))
    return -EINTR;
  if (blocked != NULL)
    memcpy(mask, blocked, sizeof *mask);
  uint64_t until_ns = deadline(timeout_ms);
  int count;
  do {
    if (timeout_ms != 0 || rota__model_below(2))
      rota__model_wait(any_is_ready, &self->base, until_ns, &interrupted);
    rota__model_advance();
    forget_closed(self);
    count = interrupted ? 0 : collect(self, events, events_max);
  } while (count == 0 && !interrupted && rota__model_now_ns() < until_ns);
  *mask = saved;
  if (interrupted)
    rota__model_handle_signals();
  return interrupted ? -EINTR : count;
}

int rota__os_epoll_accepts(int fd) {
  struct rota_model_open *open = rota__model_open_of(fd);
  rota__model_call("epoll accepts", fd);
  return open == NULL ? -EBADF : open->object->kind->ready == NULL ? -EPERM : 0;
}

/* ---- wake-up descriptors: a counter ---- */

struct counter {
  struct rota_model_object base;
  uint64_t value;
};

static unsigned int counter_ready(struct rota_model_object *object) {
  return POLLOUT | (rota__container_of(object, struct counter, base)->value > 0 ? POLLIN : 0);
}

static void counter_release(struct rota_model_object *object) {
  free(rota__container_of(object, struct counter, base));
}

static const struct rota_model_kind counter_kind = {
    .name = "eventfd", .ready = counter_ready, .release = counter_release};

int rota__os_wakeup_open(struct rota_os_wakeup *wakeup) {
  rota__model_call("eventfd", 0);
  struct counter *counter = rota__model_object(&counter_kind, sizeof *counter);
  wakeup->other = -1;
  wakeup->fd = rota__model_install(&counter->base, 0);
  int err = wakeup->fd < 0 ? wakeup->fd : 0;
  if (err < 0)
    wakeup->fd = -1;
  return err;
}

static struct counter *counter_of(const struct rota_os_wakeup *wakeup) {
  return rota__model_object_of(wakeup->fd, &counter_kind);
}

/* Signal handlers call this: no other signal is handled here. */
void rota__os_wakeup_signal(const struct rota_os_wakeup *wakeup) {
  struct counter *counter = counter_of(wakeup);
  rota__model_log("    wake %d", wakeup->fd);
  if (counter != NULL)
    counter->value++;
}

void rota__os_wakeup_clear(const struct rota_os_wakeup *wakeup) {
  struct counter *counter = counter_of(wakeup);
  rota__model_call("clear", wakeup->fd);
  if (counter != NULL)
    counter->value = 0;
}

void rota__os_wakeup_close(struct rota_os_wakeup *wakeup) {
  if (wakeup->fd >= 0)
    rota__os_close(wakeup->fd);
  wakeup->fd = -1;
}
