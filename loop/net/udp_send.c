/* Datagrams out.
 *
 * A send is tried at once, from the caller's own buffers; its callback comes later in any case. If the socket is full,
 * the address and the list of buffers are copied, and the request waits. The queue goes out in order, many datagrams in
 * one system call. If the system refuses a datagram, only this one fails, and the next is tried. Invariant:
 * send_queue_count and send_queue_size count every request whose callback has not begun, sent or not. */
#include <limits.h>
#include <string.h>

#include "loop/base/limit.h"
#include "loop/core/req.h"
#include "loop/net/udp.h"
#include "loop/os/socket.h"

static size_t size_of(const uv_buf_t bufs[], unsigned int nbufs) {
  size_t size = 0;
  for (unsigned int i = 0; i < nbufs; i++)
    size += bufs[i].len;
  return size;
}

static uv_udp_send_t *first_of(struct rota_link *queue) {
  return rota__container_of(rota__list_first(queue), uv_udp_send_t, queued.link);
}

static void fill_header(struct msghdr *header, const uv_buf_t bufs[], unsigned int nbufs, const struct sockaddr *addr) {
  memset(header, 0, sizeof(*header));
  header->msg_name = (void *)(uintptr_t)addr;
  header->msg_namelen = addr == NULL ? 0 : rota__os_address_length(addr);
  header->msg_iov = (struct iovec *)(uintptr_t)bufs;
  header->msg_iovlen = nbufs;
}

static bool means_later(ssize_t result) {
  return result == UV_EAGAIN || result == UV_ENOBUFS;
}

/* UV_EAGAIN: the socket is full. */
static ssize_t send_now(uv_udp_t *handle, const uv_buf_t bufs[], unsigned int nbufs, const struct sockaddr *addr) {
  struct msghdr header;
  fill_header(&header, bufs, nbufs, addr);
  ssize_t n = rota__os_sendmsg(handle->watcher.fd, &header);
  return means_later(n) ? UV_EAGAIN : n;
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
  if (addr != NULL && rota__os_address_length(addr) == 0)
    return UV_EINVAL;
  return 0;
}

static void completed(uv_udp_t *handle, uv_udp_send_t *req, ssize_t status) {
  req->queued.status = status;
  rota__list_remove(&req->queued.link);
  rota__list_append(&handle->send_completed_queue, &req->queued.link);
}

/* Sends until the queue is empty or the socket is full. */
static void flush(uv_udp_t *handle) {
  struct rota_os_message messages[ROTA_UDP_BATCH];
  while (!rota__list_empty(&handle->send_queue)) {
    struct rota_link *link = rota__list_first(&handle->send_queue);
    unsigned int count = 0;
    for (; link != &handle->send_queue && count < ROTA_UDP_BATCH; link = link->next, count++) {
      const struct rota_datagram *kept = rota__container_of(link, uv_udp_send_t, queued.link)->queued.datagram;
      const struct sockaddr *addr = (const struct sockaddr *)&kept->address;
      fill_header(&messages[count].header, kept->bufs, kept->nbufs, addr->sa_family == AF_UNSPEC ? NULL : addr);
    }
    int sent = rota__os_sendmmsg(handle->watcher.fd, messages, count);
    if (means_later(sent))
      return;
    if (sent < 0)
      completed(handle, first_of(&handle->send_queue), sent);
    for (int i = 0; i < sent; i++)
      completed(handle, first_of(&handle->send_queue), messages[i].length);
  }
}

static void report(uv_udp_t *handle) {
  handle->flags |= ROTA_UDP_PROCESSING;
  while (!rota__list_empty(&handle->send_completed_queue)) {
    uv_udp_send_t *req = first_of(&handle->send_completed_queue);
    ssize_t status = req->queued.status;
    rota__list_remove(&req->queued.link);
    rota__req_end(handle->loop);
    handle->send_queue_size -= (size_t)req->rota.by.bytes;
    handle->send_queue_count--;
    rota__udp_forget(req);
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
  struct rota_datagram *kept = rota__udp_room(req, nbufs);
  if (kept == NULL)
    return UV_ENOMEM;
  if (addr == NULL)
    kept->address.ss_family = AF_UNSPEC;
  else
    memcpy(&kept->address, addr, (size_t)rota__os_address_length(addr));
  kept->nbufs = nbufs;
  memcpy(kept->bufs, bufs, nbufs * sizeof(bufs[0]));
  req->queued.datagram = kept;
  return 0;
}

int uv_udp_send(uv_udp_send_t *req, uv_udp_t *handle, const uv_buf_t bufs[], unsigned int nbufs,
                const struct sockaddr *addr, uv_udp_send_cb send_cb) {
  int err = check(handle, bufs, nbufs, addr);
  if (err == 0 && addr != NULL)
    err = rota__udp_bind_any(handle, addr->sa_family, 0);
  if (err < 0)
    return err;
  /* A send inside a callback is left to the loop: else a callback that always sends again would block it. */
  bool now = handle->send_queue_count == 0 && !(handle->flags & ROTA_UDP_PROCESSING);
  ssize_t n = now ? send_now(handle, bufs, nbufs, addr) : UV_EAGAIN;
  req->queued.datagram = NULL;
  if (n == UV_EAGAIN) {
    err = keep(req, bufs, nbufs, addr);
    if (err == 0)
      err = rota__watcher_start(handle->loop, &handle->watcher, POLLOUT);
    if (err < 0) {
      rota__udp_forget(req);
      return err;
    }
  }
  rota__list_init(&req->queued.link);
  req->handle = handle;
  req->cb = send_cb;
  rota__req_begin(handle->loop, (uv_req_t *)req, UV_UDP_SEND);
  req->rota.by.bytes = size_of(bufs, nbufs);
  handle->send_queue_size += (size_t)req->rota.by.bytes;
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
  int err = check(handle, bufs, nbufs, addr);
  if (err < 0)
    return err;
  if (handle->send_queue_count > 0)
    return UV_EAGAIN;
  if (addr != NULL)
    err = rota__udp_bind_any(handle, addr->sa_family, 0);
  return err < 0 ? err : (int)send_now(handle, bufs, nbufs, addr);
}

/* As many as fit into one call, from number `done` on. Returns how many there are; 0: *err says what is wrong with the
 * first. */
static unsigned int fill_batch(const uv_udp_t *handle, struct rota_os_message messages[ROTA_UDP_BATCH],
                               uv_buf_t *bufs[], const unsigned int nbufs[], struct sockaddr *addrs[],
                               unsigned int done, unsigned int count, int *err) {
  unsigned int batch = 0;
  for (; batch < ROTA_UDP_BATCH && done + batch < count; batch++) {
    unsigned int i = done + batch;
    const struct sockaddr *addr = addrs == NULL ? NULL : addrs[i];
    *err = check(handle, bufs[i], nbufs[i], addr);
    if (*err < 0)
      break; /* the datagrams before it can still be sent */
    fill_header(&messages[batch].header, bufs[i], nbufs[i], addr);
  }
  return batch;
}

int uv_udp_try_send2(uv_udp_t *handle, unsigned int count, uv_buf_t *bufs[/*count*/], unsigned int nbufs[/*count*/],
                     struct sockaddr *addrs[/*count*/], unsigned int flags) {
  struct rota_os_message messages[ROTA_UDP_BATCH];
  unsigned int done = 0;
  if (flags != 0 || count < 1 || count > INT_MAX)
    return UV_EINVAL;
  if (handle->send_queue_count > 0)
    return UV_EAGAIN;
  if (handle->watcher.fd < 0 && addrs != NULL && addrs[0] != NULL) {
    int err = check(handle, bufs[0], nbufs[0], addrs[0]);
    if (err == 0)
      err = rota__udp_bind_any(handle, addrs[0]->sa_family, 0);
    if (err < 0)
      return err;
  }
  while (done < count) {
    int err = 0;
    unsigned int batch = fill_batch(handle, messages, bufs, nbufs, addrs, done, count, &err);
    int sent = batch == 0 ? err : rota__os_sendmmsg(handle->watcher.fd, messages, batch);
    if (sent < 0 && done == 0)
      return means_later(sent) ? UV_EAGAIN : sent;
    if (sent <= 0)
      break;
    done += (unsigned int)sent;
    if (err < 0 && (unsigned int)sent == batch)
      break;
  }
  return (int)done;
}

size_t uv_udp_get_send_queue_size(const uv_udp_t *handle) {
  return handle->send_queue_size;
}

size_t uv_udp_get_send_queue_count(const uv_udp_t *handle) {
  return handle->send_queue_count;
}
