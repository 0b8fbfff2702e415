/* Datagrams in.
 *
 * The alloc callback is called just before each read, and the buffer always goes back through the receive callback:
 * with a datagram, with an error, or empty if there are no more datagrams. With recvmmsg the buffer is cut into chunks
 * of the largest datagram's size, and goes back with UV_UDP_MMSG_FREE after the last. One wake-up reads a limited
 * number of datagrams, so that a flood does not starve the loop. */
#include <string.h>

#include "loop/net/udp.h"
#include "loop/os/socket.h"

enum {
  DATAGRAM_MAX = 64 * 1024,
  READS_MAX = 32,
};

static bool is_receiving(const uv_udp_t *handle) {
  return handle->recv_cb != NULL && handle->watcher.fd >= 0;
}

static void tell_reader(uv_udp_t *handle, ssize_t nread, const uv_buf_t *buf, const void *addr, unsigned int flags) {
  uv_udp_recv_cb cb = handle->recv_cb;
  rota__handle_call_begin(handle->loop, handle, (rota_function)cb);
  cb(handle, nread, buf, addr, flags);
  rota__call_end(handle->loop);
}

/* false: the reader gave no buffer, and its callback got UV_ENOBUFS. */
static bool ask(uv_udp_t *handle, uv_buf_t *buf) {
  *buf = uv_buf_init(NULL, 0);
  handle->alloc_cb((uv_handle_t *)handle, DATAGRAM_MAX, buf);
  if (buf->base != NULL && buf->len > 0)
    return true;
  tell_reader(handle, UV_ENOBUFS, buf, NULL, 0);
  return false;
}

/* These return how many datagrams came, or a negative number if the caller should stop. */

static int read_one(uv_udp_t *handle, uv_buf_t *buf) {
  struct sockaddr_storage peer;
  socklen_t peer_length = sizeof(peer);
  bool is_stream = handle->flags & ROTA_UDP_STREAM;
  ssize_t n = rota__os_recv_datagram(handle->watcher.fd, buf->base, buf->len, is_stream, (struct sockaddr *)&peer,
                                     &peer_length);
  if (n < 0) {
    tell_reader(handle, n == UV_EAGAIN ? 0 : n, buf, NULL, 0);
    return (int)n;
  }
  bool partial = (size_t)n > buf->len;
  tell_reader(handle, partial ? (ssize_t)buf->len : n, buf, peer_length == 0 ? NULL : &peer,
              partial ? UV_UDP_PARTIAL : 0);
  return 1;
}

static int read_many(uv_udp_t *handle, uv_buf_t *buf) {
  struct sockaddr_storage peers[ROTA_UDP_BATCH];
  struct iovec chunks[ROTA_UDP_BATCH];
  struct rota_os_message messages[ROTA_UDP_BATCH];
  unsigned int count =
      buf->len / DATAGRAM_MAX < ROTA_UDP_BATCH ? (unsigned int)(buf->len / DATAGRAM_MAX) : ROTA_UDP_BATCH;
  int n;
  if (count == 0) {
    tell_reader(handle, UV_EINVAL, buf, NULL, 0);
    return UV_EINVAL;
  }
  for (unsigned int i = 0; i < count; i++) {
    chunks[i] = (struct iovec){.iov_base = buf->base + (size_t)i * DATAGRAM_MAX, .iov_len = DATAGRAM_MAX};
    messages[i].header =
        (struct msghdr){.msg_name = &peers[i], .msg_namelen = sizeof(peers[i]), .msg_iov = &chunks[i], .msg_iovlen = 1};
  }
  n = rota__os_recvmmsg(handle->watcher.fd, messages, count);
  if (n <= 0) {
    tell_reader(handle, n == UV_EAGAIN ? 0 : n, buf, NULL, 0);
    return n == 0 ? UV_EAGAIN : n;
  }
  for (int i = 0; i < n && is_receiving(handle); i++) {
    const struct msghdr *header = &messages[i].header;
    uv_buf_t chunk = uv_buf_init(chunks[i].iov_base, DATAGRAM_MAX);
    unsigned int flags = UV_UDP_MMSG_CHUNK | (header->msg_flags & MSG_TRUNC ? UV_UDP_PARTIAL : 0);
    tell_reader(handle, messages[i].length, &chunk, header->msg_namelen == 0 ? NULL : &peers[i], flags);
  }
  if (is_receiving(handle))
    tell_reader(handle, 0, buf, NULL, UV_UDP_MMSG_FREE);
  return n;
}

/* An entry of the error queue: the fate of a datagram sent earlier. UV_EAGAIN: there is none, and the reader was not
 * told. */
static int read_error(uv_udp_t *handle, uv_buf_t *buf) {
  struct sockaddr_storage peer;
  struct msghdr header = {
      .msg_name = &peer, .msg_namelen = sizeof(peer), .msg_iov = (struct iovec *)buf, .msg_iovlen = 1};
  int error;
  ssize_t n = rota__os_recv_error(handle->watcher.fd, &header, &error);
  if (n == UV_EAGAIN)
    return UV_EAGAIN;
  if (n < 0)
    tell_reader(handle, n, buf, NULL, 0);
  else if (error == 0)
    tell_reader(handle, 0, buf, NULL, 0);
  else
    tell_reader(handle, error, buf, header.msg_namelen == 0 ? NULL : &peer, UV_UDP_LINUX_RECVERR);
  return n < 0 ? (int)n : 1;
}

/* Nobody receives, but unread errors would wake the loop again and again. */
static void discard_errors(uv_udp_t *handle) {
  struct msghdr header = {.msg_name = NULL};
  int error;
  for (int left = READS_MAX; left > 0; left--)
    if (rota__os_recv_error(handle->watcher.fd, &header, &error) < 0)
      return;
}

/* The queue of errors comes first. Where it is empty, the same buffer is for the next datagram: an error that is not in
 * the queue (ECONNREFUSED of a socket that did not ask for the queue) comes from the next system call. */
void rota__udp_recv_ready(uv_udp_t *handle, bool has_errors) {
  if (has_errors && !is_receiving(handle))
    discard_errors(handle);
  for (int left = READS_MAX; left > 0 && is_receiving(handle);) {
    uv_buf_t buf;
    if (!ask(handle, &buf))
      return;
    if (!is_receiving(handle))
      return; /* the alloc callback stopped or closed it */
    int n = has_errors ? read_error(handle, &buf) : UV_EAGAIN;
    if (n == UV_EAGAIN) {
      has_errors = false;
      n = uv_udp_using_recvmmsg(handle) ? read_many(handle, &buf) : read_one(handle, &buf);
    }
    if (n < 0)
      return;
    left -= n;
  }
}

int uv_udp_recv_start(uv_udp_t *handle, uv_alloc_cb alloc_cb, uv_udp_recv_cb recv_cb) {
  int err;
  if (alloc_cb == NULL || recv_cb == NULL || rota__handle_is_closing((uv_handle_t *)handle))
    return UV_EINVAL;
  if (rota__watcher_wants(&handle->watcher, POLLIN))
    return UV_EALREADY;
  err = rota__udp_bind_any(handle, AF_INET, 0);
  if (err == 0)
    err = rota__watcher_start(handle->loop, &handle->watcher, POLLIN);
  if (err < 0)
    return err;
  handle->alloc_cb = alloc_cb;
  handle->recv_cb = recv_cb;
  rota__handle_start((uv_handle_t *)handle);
  return 0;
}

int uv_udp_recv_stop(uv_udp_t *handle) {
  if (!is_receiving(handle))
    return 0;
  rota__watcher_stop(handle->loop, &handle->watcher, POLLIN);
  rota__udp_rest(handle);
  handle->alloc_cb = NULL;
  handle->recv_cb = NULL;
  return 0;
}

int uv_udp_using_recvmmsg(const uv_udp_t *handle) {
  return (handle->flags & ROTA_UDP_RECVMMSG) != 0;
}
