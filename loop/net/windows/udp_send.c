/* Datagrams out, on Windows: as loop/net/udp_send.c, but a request has no room for buffers and an address. They are
 * copied only if the socket is full.
 *
 * Invariant: send_queue_count and send_queue_size count every request whose callback has not begun, sent or not. */
#include <limits.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/limit.h"
#include "loop/core/req.h"
#include "loop/net/address.h"
#include "loop/net/udp.h"
#include "loop/os/socket.h"

struct waiting {
  struct sockaddr_storage address;
  bool has_address;
  unsigned int nbufs;
  uv_buf_t bufs[];
};

static size_t size_of(const uv_buf_t bufs[], unsigned int nbufs) {
  size_t size = 0;
  for (unsigned int i = 0; i < nbufs; i++)
    size += bufs[i].len;
  return size;
}

static uv_udp_send_t *first_of(struct rota_link *queue) {
  return rota__container_of(rota__list_first(queue), uv_udp_send_t, queued.link);
}

static ssize_t send_now(uv_udp_t *handle, const uv_buf_t bufs[], unsigned int nbufs, const struct sockaddr *addr) {
  struct msghdr header = {.msg_iov = (struct iovec *)(uintptr_t)bufs, .msg_iovlen = nbufs};
  if (addr != NULL) {
    header.msg_name = (void *)(uintptr_t)addr;
    header.msg_namelen = rota__address_length(addr);
  }
  ssize_t n = rota__os_sendmsg(handle->watcher.fd, &header);
  return n == UV_ENOBUFS ? UV_EAGAIN : n;
}

/* An address must be given exactly if the handle has no peer. */
static int check(uv_udp_t *handle, const uv_buf_t *bufs, unsigned int nbufs, const struct sockaddr *addr) {
  bool connected = handle->flags & ROTA_UDP_CONNECTED;
  if (nbufs == 0 || nbufs > INT_MAX || rota__io_is_too_large(bufs, nbufs))
    return UV_EINVAL;
  if (addr != NULL && connected)
    return UV_EISCONN;
  if (addr == NULL && !connected)
    return UV_EDESTADDRREQ;
  if (addr != NULL && (addr->sa_family == AF_UNIX || rota__address_length(addr) == 0))
    return UV_EINVAL;
  return addr == NULL ? 0 : rota__udp_bind_any(handle, addr->sa_family, 0);
}

static void completed(uv_udp_t *handle, uv_udp_send_t *req, ssize_t status) {
  req->queued.status = status;
  rota__list_remove(&req->queued.link);
  rota__list_append(&handle->send_completed_queue, &req->queued.link);
}

static void flush(uv_udp_t *handle) {
  while (!rota__list_empty(&handle->send_queue)) {
    uv_udp_send_t *req = first_of(&handle->send_queue);
    const struct waiting *waiting = req->queued.copy;
    const struct sockaddr *addr = waiting->has_address ? (const struct sockaddr *)&waiting->address : NULL;
    ssize_t n = send_now(handle, waiting->bufs, waiting->nbufs, addr);
    if (n == UV_EAGAIN)
      return;
    completed(handle, req, n);
  }
}

static void report(uv_udp_t *handle) {
  handle->flags |= ROTA_UDP_PROCESSING;
  while (!rota__list_empty(&handle->send_completed_queue)) {
    uv_udp_send_t *req = first_of(&handle->send_completed_queue);
    int64_t status = req->queued.status;
    rota__list_remove(&req->queued.link);
    rota__req_end(handle->loop);
    handle->send_queue_size -= req->queued.size;
    handle->send_queue_count--;
    rota__free(req->queued.copy);
    req->queued.copy = NULL;
    if (req->cb == NULL)
      continue;
    rota__req_call_begin(handle->loop, req, (rota_function)req->cb);
    req->cb(req, status < 0 ? (int)status : 0);
    rota__call_end(handle->loop);
  }
  handle->flags &= ~(unsigned int)ROTA_UDP_PROCESSING;
  if (rota__list_empty(&handle->send_queue)) {
    rota__watcher_stop(handle->loop, &handle->watcher, POLLOUT);
    rota__udp_rest(handle);
  }
}

void rota__udp_send_ready(uv_udp_t *handle) {
  flush(handle);
  report(handle);
}

void rota__udp_send_cancel(uv_udp_t *handle, int err) {
  while (!rota__list_empty(&handle->send_queue))
    completed(handle, first_of(&handle->send_queue), err);
  report(handle);
}

static int keep(uv_udp_send_t *req, const uv_buf_t bufs[], unsigned int nbufs, const struct sockaddr *addr) {
  struct waiting *waiting = rota__malloc(sizeof(*waiting) + nbufs * sizeof(bufs[0]));
  if (waiting == NULL)
    return UV_ENOMEM;
  waiting->has_address = addr != NULL;
  if (addr != NULL)
    memcpy(&waiting->address, addr, (size_t)rota__address_length(addr));
  waiting->nbufs = nbufs;
  memcpy(waiting->bufs, bufs, nbufs * sizeof(bufs[0]));
  req->queued.copy = waiting;
  return 0;
}

int uv_udp_send(uv_udp_send_t *req, uv_udp_t *handle, const uv_buf_t bufs[], unsigned int nbufs,
                const struct sockaddr *addr, uv_udp_send_cb send_cb) {
  int err = check(handle, bufs, nbufs, addr);
  if (err < 0)
    return err;
  /* A send inside a callback is left to the loop: else a callback that always sends again would block it. */
  bool now = handle->send_queue_count == 0 && !(handle->flags & ROTA_UDP_PROCESSING);
  ssize_t n = now ? send_now(handle, bufs, nbufs, addr) : UV_EAGAIN;
  req->queued.copy = NULL;
  if (n == UV_EAGAIN) {
    err = keep(req, bufs, nbufs, addr);
    if (err == 0)
      err = rota__watcher_start(handle->loop, &handle->watcher, POLLOUT);
    if (err < 0) {
      rota__free(req->queued.copy);
      return err;
    }
  }
  rota__list_init(&req->queued.link);
  req->handle = handle;
  req->cb = send_cb;
  req->queued.size = size_of(bufs, nbufs);
  rota__req_begin(handle->loop, (uv_req_t *)req, UV_UDP_SEND);
  handle->send_queue_size += req->queued.size;
  handle->send_queue_count++;
  if (n == UV_EAGAIN) {
    rota__list_append(&handle->send_queue, &req->queued.link);
  } else {
    completed(handle, req, n);
    rota__watcher_feed(handle->loop, &handle->watcher);
  }
  rota__handle_start((uv_handle_t *)handle);
  return 0;
}

int uv_udp_try_send(uv_udp_t *handle, const uv_buf_t bufs[], unsigned int nbufs, const struct sockaddr *addr) {
  if (handle->send_queue_count > 0)
    return UV_EAGAIN;
  int err = check(handle, bufs, nbufs, addr);
  return err < 0 ? err : (int)send_now(handle, bufs, nbufs, addr);
}

int uv_udp_try_send2(uv_udp_t *handle, unsigned int count, uv_buf_t *bufs[/*count*/], unsigned int nbufs[/*count*/],
                     struct sockaddr *addrs[/*count*/], unsigned int flags) {
  if (flags != 0 || count > INT_MAX)
    return UV_EINVAL;
  if (handle->send_queue_count > 0)
    return UV_EAGAIN;
  for (unsigned int i = 0; i < count; i++) {
    int err = uv_udp_try_send(handle, bufs[i], nbufs[i], addrs == NULL ? NULL : addrs[i]);
    if (err < 0)
      return i > 0 ? (int)i : err;
  }
  return (int)count;
}

size_t uv_udp_get_send_queue_size(const uv_udp_t *handle) {
  return handle->send_queue_size;
}

size_t uv_udp_get_send_queue_count(const uv_udp_t *handle) {
  return handle->send_queue_count;
}
