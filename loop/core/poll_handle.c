/* uv_poll_t: watches a descriptor that the program owns. */
#include "loop/core/handle.h"
#include "loop/core/internal.h"
#include "loop/core/watcher.h"
#include "loop/os/file.h"

static unsigned int to_poll_events(int events) {
  return (events & UV_READABLE ? POLLIN : 0u) | (events & UV_WRITABLE ? POLLOUT : 0u) |
         (events & UV_DISCONNECT ? ROTA_WATCH_PEER_SHUT : 0u) | (events & UV_PRIORITIZED ? POLLPRI : 0u);
}

static int from_poll_events(unsigned int events) {
  return (events & POLLIN ? UV_READABLE : 0) | (events & POLLOUT ? UV_WRITABLE : 0) |
         (events & ROTA_WATCH_PEER_SHUT ? UV_DISCONNECT : 0) | (events & POLLPRI ? UV_PRIORITIZED : 0);
}

static void on_event(uv_loop_t *loop, struct rota_watcher *watcher, unsigned int events) {
  uv_poll_t *handle = rota__container_of(watcher, uv_poll_t, watcher);
  int status = 0;
  int what = from_poll_events(events);
  /* An error with nothing to read: the watch ends, else it would report again and again. The owner learns the error
   * when it uses the descriptor. */
  if ((events & POLLERR) && !(events & POLLPRI)) {
    uv_poll_stop(handle);
    status = UV_EBADF;
    what = 0;
  }
  rota__handle_call_begin(loop, handle, (rota_function)handle->poll_cb);
  handle->poll_cb(handle, status, what);
  rota__call_end(loop);
}

static void poll_close(uv_handle_t *base) {
  uv_poll_t *handle = (uv_poll_t *)base;
  rota__watcher_close(handle->loop, &handle->watcher);
  rota__handle_stop(base);
  rota__handle_closed(base);
}

static int poll_fd(const uv_handle_t *handle) {
  return ((const uv_poll_t *)handle)->watcher.fd;
}

static const struct rota_handle_class poll_class = {.type = UV_POLL, .close = poll_close, .fd = poll_fd};

int uv_poll_init(uv_loop_t *loop, uv_poll_t *handle, int fd) {
  if (rota__fd_is_watched(loop, fd))
    return UV_EEXIST;
  int err = rota__fd_can_be_watched(loop, fd);
  if (err < 0)
    return err;
  /* Some devices (terminals that another user opened) cannot be made non-blocking; polling them works anyway. */
  err = rota__os_set_nonblocking(fd, true);
  if (err < 0 && err != UV_ENOTTY)
    return err;
  rota__handle_init(loop, (uv_handle_t *)handle, &poll_class);
  rota__watcher_init(&handle->watcher, on_event, fd);
  handle->poll_cb = NULL;
  return 0;
}

int uv_poll_init_socket(uv_loop_t *loop, uv_poll_t *handle, uv_os_sock_t socket) {
  return uv_poll_init(loop, handle, socket);
}

int uv_poll_stop(uv_poll_t *handle) {
  rota__check(!rota__handle_is_closing((uv_handle_t *)handle));
  /* The owner may close the descriptor as soon as this returns. */
  rota__watcher_close(handle->loop, &handle->watcher);
  rota__handle_stop((uv_handle_t *)handle);
  return 0;
}

int uv_poll_start(uv_poll_t *handle, int events, uv_poll_cb cb) {
  rota__check((events & ~(UV_READABLE | UV_WRITABLE | UV_DISCONNECT | UV_PRIORITIZED)) == 0);
  rota__check(!rota__handle_is_closing((uv_handle_t *)handle));
  uv_loop_t *loop = handle->loop;
  int fd = handle->watcher.fd;
  if (rota__fd_is_watched(loop, fd) && rota__loop(loop)->watchers[fd] != &handle->watcher)
    return UV_EEXIST;
  if (events == 0)
    return uv_poll_stop(handle);
  unsigned int wanted = to_poll_events(events);
  int err = rota__watcher_start(loop, &handle->watcher, wanted);
  if (err < 0)
    return err;
  rota__watcher_stop(loop, &handle->watcher, handle->watcher.events & ~wanted);
  handle->poll_cb = cb;
  rota__handle_start((uv_handle_t *)handle);
  return 0;
}
