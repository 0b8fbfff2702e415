/* Connections in.
 *
 * Each wake-up accepts one connection: the next one is accepted at the next wake-up, and other handles have their turn
 * in between. The connection waits in accepted_fd until uv_accept gives it to a handle; until then the listener is not
 * watched. Without a free descriptor, or without memory, a connection can be neither accepted nor refused, and the
 * listener would stay ready for ever. So it is not watched for a short time: clients wait in the kernel's queue, and
 * are served when there are descriptors again. */
#include "loop/net/posix/stream.h"

#include "loop/base/alloc.h"
#include "loop/core/internal.h"
#include "loop/os/file.h"
#include "loop/os/socket.h"

enum {
  STARVED_RETRY_MS = 50,
};

/* One timer for each loop wakes all of its listeners that found no descriptor. It is made by the first uv_listen,
 * because there may be no memory when it is needed. */
struct starved {
  struct rota_attachment attachment;
  uv_timer_t timer;
};

static const char starved_key;

static void starved_retry(uv_timer_t *timer) {
  uv_loop_t *loop = timer->loop;
  for (struct rota_link *link = loop->handle_queue.next; link != &loop->handle_queue; link = link->next) {
    uv_handle_t *handle = rota__container_of(link, uv_handle_t, handle_queue);
    if ((handle->type != UV_TCP && handle->type != UV_NAMED_PIPE) || !(handle->flags & ROTA_STREAM_STARVED))
      continue;
    handle->flags &= ~(unsigned int)ROTA_STREAM_STARVED;
    if (!rota__handle_is_closing(handle))
      rota__watcher_start(loop, &((uv_stream_t *)handle)->io.watcher, POLLIN);
  }
}

static void starved_release(uv_loop_t *loop, struct rota_attachment *attachment) {
  struct starved *starved = rota__container_of(attachment, struct starved, attachment);
  (void)loop;
  uv_timer_stop(&starved->timer);
  rota__list_remove(&starved->timer.handle_queue);
  rota__free(starved);
}

static int starved_prepare(uv_loop_t *loop) {
  if (rota__loop_attachment(loop, &starved_key) != NULL)
    return 0;
  struct starved *starved = rota__calloc(1, sizeof *starved);
  if (starved == NULL)
    return UV_ENOMEM;
  uv_timer_init(loop, &starved->timer);
  uv_unref((uv_handle_t *)&starved->timer);
  starved->timer.flags |= ROTA_HANDLE_INTERNAL;
  starved->attachment.key = &starved_key;
  starved->attachment.release = starved_release;
  rota__loop_attach(loop, &starved->attachment);
  return 0;
}

static void starved_wait(uv_stream_t *stream) {
  struct rota_attachment *attachment = rota__loop_attachment(stream->loop, &starved_key);
  struct starved *starved = rota__container_of(attachment, struct starved, attachment);
  rota__watcher_stop(stream->loop, &stream->io.watcher, POLLIN);
  stream->flags |= ROTA_STREAM_STARVED;
  if (!rota__handle_is_active((uv_handle_t *)&starved->timer))
    uv_timer_start(&starved->timer, starved_retry, STARVED_RETRY_MS, 0);
}

static void offer(uv_stream_t *stream, int fd) {
  uv_loop_t *loop = stream->loop;
  stream->io.accepted_fd = fd < 0 ? -1 : fd;
  if (stream->io.connection_cb != NULL) {
    rota__handle_call_begin(loop, stream, (rota_function)stream->io.connection_cb);
    stream->io.connection_cb(stream, fd < 0 ? fd : 0);
    rota__call_end(loop);
  }
  if (stream->io.accepted_fd != -1)
    rota__watcher_stop(loop, &stream->io.watcher, POLLIN); /* until it is taken */
}

static void listen_ready(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events) {
  uv_stream_t *stream = rota__stream_of_watcher(watcher);
  (void)events;
  (void)loop;
  int fd = rota__os_accept(watcher->fd);
  if (fd == UV_EAGAIN || fd == UV_ECONNABORTED)
    return; /* another process accepted it, or the client gave up */
  if (fd == UV_EMFILE || fd == UV_ENFILE || fd == UV_ENOBUFS || fd == UV_ENOMEM) {
    starved_wait(stream);
    return;
  }
  offer(stream, fd);
}

int rota__stream_listen_start(uv_stream_t *stream, uv_connection_cb cb) {
  int err = starved_prepare(stream->loop);
  if (err == 0)
    err = rota__watcher_start(stream->loop, &stream->io.watcher, POLLIN);
  if (err < 0)
    return err;
  stream->io.connection_cb = cb;
  stream->io.watcher.cb = listen_ready;
  stream->flags |= ROTA_STREAM_LISTENING | ROTA_STREAM_BOUND;
  rota__handle_start((uv_handle_t *)stream);
  return 0;
}

/* The descriptors behind the first one, which is accepted_fd. */
struct passed {
  unsigned int count;
  unsigned int capacity;
  int fds[];
};

int rota__stream_passed_add(uv_stream_t *stream, const int *fds, size_t count) {
  size_t i = 0;
  if (count > 0 && stream->io.accepted_fd == -1)
    stream->io.accepted_fd = fds[i++];
  if (i == count)
    return 0;
  struct passed *passed = stream->io.queued_fds;
  unsigned int present = passed == NULL ? 0 : passed->count;
  unsigned int needed = present + (unsigned int)(count - i);
  if (passed == NULL || needed > passed->capacity) {
    unsigned int capacity = needed + needed / 2 + 4;
    passed = rota__realloc(passed, sizeof *passed + capacity * sizeof passed->fds[0]);
    if (passed == NULL) {
      for (; i < count; i++)
        rota__os_close(fds[i]);
      return UV_ENOMEM;
    }
    passed->count = present;
    passed->capacity = capacity;
    stream->io.queued_fds = passed;
  }
  for (; i < count; i++)
    passed->fds[passed->count++] = fds[i];
  return 0;
}

unsigned int rota__stream_passed_count(const uv_stream_t *stream) {
  const struct passed *passed = stream->io.queued_fds;
  return (stream->io.accepted_fd != -1) + (passed == NULL ? 0 : passed->count);
}

/* accepted_fd has a new owner: the next descriptor takes its place. */
static void passed_shift(uv_stream_t *stream) {
  struct passed *passed = stream->io.queued_fds;
  stream->io.accepted_fd = -1;
  if (passed == NULL)
    return;
  stream->io.accepted_fd = passed->fds[0];
  passed->count--;
  for (unsigned int i = 0; i < passed->count; i++)
    passed->fds[i] = passed->fds[i + 1];
  if (passed->count == 0) {
    rota__free(passed);
    stream->io.queued_fds = NULL;
  }
}

void rota__stream_passed_close(uv_stream_t *stream) {
  while (stream->io.accepted_fd != -1) {
    rota__os_close(stream->io.accepted_fd);
    passed_shift(stream);
  }
}

int uv_accept(uv_stream_t *server, uv_stream_t *client) {
  int fd = server->io.accepted_fd;
  int err;
  if (fd == -1)
    return UV_EAGAIN;
  if (!(server->flags & ROTA_STREAM_LISTENING))
    rota__os_set_nonblocking(fd, true); /* the descriptor came over a pipe, from an unknown sender */
  switch (client->type) {
  case UV_TCP:
  case UV_NAMED_PIPE:
    err = rota__stream_open(client, fd, ROTA_STREAM_READABLE | ROTA_STREAM_WRITABLE);
    if (err == 0)
      client->flags |= ROTA_STREAM_BOUND;
    break;
  case UV_UDP:
    err = uv_udp_open((uv_udp_t *)client, fd);
    break;
  default:
    return UV_EINVAL;
  }
  if (err < 0)
    rota__os_close(fd);
  passed_shift(server);
  if (server->flags & ROTA_STREAM_LISTENING)
    rota__watcher_start(server->loop, &server->io.watcher, POLLIN);
  return err;
}
