/* Datagrams out.
 *
 * A send is tried at once, and queued if the socket is full; its callback comes later in both cases. The queue goes out
 * in order, many datagrams in one system call. If the system refuses a datagram, only this one fails, and the next is
 * tried. Invariant: send_queue_count and send_queue_size count every request whose callback has not begun, sent or not.
 */
#include <limits.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/limit.h"
#include "loop/core/req.h"
#include "loop/net/address.h"
#include "loop/net/udp.h"
#include "loop/os/socket.h"

static size_t size_of(const uv_buf_t bufs[], unsigned int nbufs) {
  size_t size = 0;
  for (unsigned int i = 0; i < nbufs; i++)
    size += bufs[i].len;
  return size;
}

static void fill_header(struct msghdr *header, const uv_buf_t bufs[], unsigned int nbufs, const struct sockaddr *addr) {
  memset(header, 0, sizeof(*header));
  header->msg_name = (void *)(uintptr_t)addr;
  header->msg_namelen = addr == NULL ? 0 : rota__address_length(addr);
  header->msg_iov = (struct iovec *)(uintptr_t)bufs;
  header->msg_iovlen = nbufs;
}

static bool means_later(int err) {
  return err == UV_EAGAIN || err == UV_ENOBUFS;
}

/* An address must be given exactly if the handle has no peer. */
static int check(const uv_udp_t *handle, const uv_buf_t *bufs, unsigned int nbufs, const struct sockaddr *addr) {
  bool connected = handle->flags & ROTA_UDP_CONNECTED;
  if (nbufs == 0 || nbufs > INT_MAX || rota__io_is_too_large(bufs, nbufs))
    return UV_EINVAL;
  if (addr != NULL && connected)
    return UV_EISCONN;
  if (addr == NULL && !connected)
    return UV_EDESTADDRREQ;
  if (addr != NULL && rota__address_length(addr) == 0)
    return UV_EINVAL;
  return 0;
}

static void completed(uv_udp_t *handle, uv_udp_send_t *req, ssize_t status) {
  req->status = status;
  rota__list_remove(&req->link);
  rota__list_append(&handle->send_completed_queue, &req->link);
}

/* Sends until the queue is empty or the socket is full. */
static void flush(uv_udp_t *handle) {
  struct rota_os_message messages[ROTA_UDP_BATCH];
  while (!rota__list_empty(&handle->send_queue)) {
    struct rota_link *link = rota__list_first(&handle->send_queue);
    unsigned int count = 0;
    int sent;
    for (; link != &handle->send_queue && count < ROTA_UDP_BATCH; link = link->next, count++) {
      uv_udp_send_t *req = rota__container_of(link, uv_udp_send_t, link);
      const struct sockaddr *addr = (const struct sockaddr *)&req->address;
      fill_header(&messages[count].header, req->bufs, req->nbufs, addr->sa_family == AF_UNSPEC ? NULL : addr);
    }
    sent = rota__os_sendmmsg(handle->watcher.fd, messages, count);
    if (sent < 0 && means_later(sent))
      return;
    if (sent < 0)
      completed(handle, rota__container_of(rota__list_first(&handle->send_queue), uv_udp_send_t, link), sent);
    for (int i = 0; i < sent; i++)
      completed(handle, rota__container_of(rota__list_first(&handle->send_queue), uv_udp_send_t, link),
                messages[i].length);
  }
}

static void forget(uv_udp_t *handle, uv_udp_send_t *req) {
  rota__list_remove(&req->link);
  rota__req_end(handle->loop);
  handle->send_queue_size -= size_of(req->bufs, req->nbufs);
  handle->send_queue_count--;
  if (req->bufs != req->small_bufs)
    rota__free(req->bufs);
  req->bufs = NULL;
}

static void report(uv_udp_t *handle) {
  handle->flags |= ROTA_UDP_PROCESSING;
  while (!rota__list_empty(&handle->send_completed_queue)) {
    uv_udp_send_t *req = rota__container_of(rota__list_first(&handle->send_completed_queue), uv_udp_send_t, link);
    forget(handle, req);
    if (req->cb == NULL)
      continue;
    rota__req_call_begin(handle->loop, req, (rota_function)req->cb);
    req->cb(req, req->status < 0 ? (int)req->status : 0);
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
    completed(handle, rota__container_of(rota__list_first(&handle->send_queue), uv_udp_send_t, link), err);
  report(handle);
}

int uv_udp_send(uv_udp_send_t *req, uv_udp_t *handle, const uv_buf_t bufs[], unsigned int nbufs,
                const struct sockaddr *addr, uv_udp_send_cb send_cb) {
  bool first = handle->send_queue_count == 0;
  int err = check(handle, bufs, nbufs, addr);
  if (err == 0 && addr != NULL)
    err = rota__udp_bind_any(handle, addr->sa_family, 0);
  if (err < 0)
    return err;
  req->bufs = req->small_bufs;
  if (nbufs > sizeof(req->small_bufs) / sizeof(req->small_bufs[0])) {
    req->bufs = rota__malloc(nbufs * sizeof(bufs[0]));
    if (req->bufs == NULL)
      return UV_ENOMEM;
  }
  memcpy(req->bufs, bufs, nbufs * sizeof(bufs[0]));
  req->nbufs = nbufs;
  req->handle = handle;
  req->cb = send_cb;
  req->status = 0;
  if (addr == NULL)
    req->address.ss_family = AF_UNSPEC;
  else
    memcpy(&req->address, addr, rota__address_length(addr));
  rota__req_begin(handle->loop, (uv_req_t *)req, UV_UDP_SEND);
  handle->send_queue_size += size_of(bufs, nbufs);
  handle->send_queue_count++;
  rota__list_append(&handle->send_queue, &req->link);

  /* A send inside a callback is left to the loop: else a callback that always sends again would block it. */
  if (first && !(handle->flags & ROTA_UDP_PROCESSING))
    flush(handle);
  if (!rota__list_empty(&handle->send_queue)) {
    err = rota__watcher_start(handle->loop, &handle->watcher, POLLOUT);
    if (err < 0) {
      forget(handle, req);
      return err;
    }
  } else {
    rota__watcher_feed(handle->loop, &handle->watcher);
  }
  rota__handle_start((uv_handle_t *)handle);
  return 0;
}

int uv_udp_try_send(uv_udp_t *handle, const uv_buf_t bufs[], unsigned int nbufs, const struct sockaddr *addr) {
  struct msghdr header;
  ssize_t n;
  int err = check(handle, bufs, nbufs, addr);
  if (err < 0)
    return err;
  if (handle->send_queue_count > 0)
    return UV_EAGAIN;
  if (addr != NULL) {
    err = rota__udp_bind_any(handle, addr->sa_family, 0);
    if (err < 0)
      return err;
  }
  fill_header(&header, bufs, nbufs, addr);
  n = rota__os_sendmsg(handle->watcher.fd, &header);
  return n < 0 && means_later((int)n) ? UV_EAGAIN : (int)n;
}

int uv_udp_try_send2(uv_udp_t *handle, unsigned int count, uv_buf_t *bufs[/*count*/], unsigned int nbufs[/*count*/],
                     struct sockaddr *addrs[/*count*/], unsigned int flags) {
  struct rota_os_message messages[ROTA_UDP_BATCH];
  unsigned int done = 0;
  if (flags != 0 || count < 1 || count > INT_MAX)
    return UV_EINVAL;
  if (handle->send_queue_count > 0)
    return UV_EAGAIN;
  while (done < count) {
    unsigned int batch = 0;
    int sent;
    for (; batch < ROTA_UDP_BATCH && done + batch < count; batch++) {
      unsigned int i = done + batch;
      const struct sockaddr *addr = addrs == NULL ? NULL : addrs[i];
      int err = check(handle, bufs[i], nbufs[i], addr);
      if (err < 0 && i == 0)
        return err;
      if (err < 0) {
        count = i; /* the datagrams before it can still be sent */
        break;
      }
      fill_header(&messages[batch].header, bufs[i], nbufs[i], addr);
    }
    if (batch == 0)
      break;
    sent = rota__os_sendmmsg(handle->watcher.fd, messages, batch);
    if (sent < 0 && done == 0)
      return means_later(sent) ? UV_EAGAIN : sent;
    if (sent <= 0)
      break;
    done += (unsigned int)sent;
  }
  return (int)done;
}

size_t uv_udp_get_send_queue_size(const uv_udp_t *handle) {
  return handle->send_queue_size;
}

size_t uv_udp_get_send_queue_count(const uv_udp_t *handle) {
  return handle->send_queue_count;
}
