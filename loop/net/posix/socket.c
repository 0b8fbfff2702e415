/* Sockets of all kinds: pairs, the sizes of their buffers, and the room that a datagram has while it waits. */
#include "loop/os/socket.h"
#include "loop/base/alloc.h"
#include "loop/core/handle.h"
#include "loop/net/udp.h"
#include "loop/os/file.h"

/* ---- pairs ---- */

/* Sets each end as its flags ask for, or closes both. */
static int finish_pair(int fds[2], const int flags[2]) {
  for (int i = 0; i < 2; i++) {
    if (!(flags[i] & UV_NONBLOCK_PIPE))
      continue;
    int err = rota__os_set_nonblocking(fds[i], true);
    if (err < 0) {
      rota__os_close(fds[0]);
      rota__os_close(fds[1]);
      return err;
    }
  }
  return 0;
}

/* fds stays as it is after an error. */
static int give_pair(int err, int pair[2], int flags0, int flags1, int fds[2]) {
  const int flags[2] = {flags0, flags1};
  if (err == 0)
    err = finish_pair(pair, flags);
  if (err < 0)
    return err;
  fds[0] = pair[0];
  fds[1] = pair[1];
  return 0;
}

int uv_pipe(uv_file fds[2], int read_flags, int write_flags) {
  int pair[2];
  int err = rota__os_pipe(pair, 0);
  return give_pair(err, pair, read_flags, write_flags, fds);
}

int uv_socketpair(int type, int protocol, uv_os_sock_t fds[2], int flags0, int flags1) {
  int pair[2];
  int err = rota__os_socketpair(type, protocol, pair);
  return give_pair(err, pair, flags0, flags1, fds);
}

/* ---- sizes of buffers ---- */

/* Asks for the size when *value is 0, else sets it. */
static int buffer_size(uv_handle_t *handle, int option, int *value) {
  if (handle == NULL || value == NULL)
    return UV_EINVAL;
  if (handle->type != UV_TCP && handle->type != UV_NAMED_PIPE && handle->type != UV_UDP)
    return UV_ENOTSUP;
  int fd = handle->u.rota.kind->fd(handle);
  if (fd == -1)
    return UV_EBADF;
  if (*value == 0)
    return rota__os_get_option(fd, SOL_SOCKET, option, value);
  return rota__os_set_option(fd, SOL_SOCKET, option, *value);
}

int uv_send_buffer_size(uv_handle_t *handle, int *value) {
  return buffer_size(handle, SO_SNDBUF, value);
}

int uv_recv_buffer_size(uv_handle_t *handle, int *value) {
  return buffer_size(handle, SO_RCVBUF, value);
}

/* ---- datagrams that wait ---- */

struct rota_datagram *rota__udp_room(uv_udp_send_t *req, unsigned int nbufs) {
  bool is_small = nbufs <= sizeof(req->small_bufs) / sizeof(req->small_bufs[0]);
  req->datagram.bufs = is_small ? req->small_bufs : rota__malloc(nbufs * sizeof(uv_buf_t));
  return req->datagram.bufs == NULL ? NULL : &req->datagram;
}

void rota__udp_forget(uv_udp_send_t *req) {
  if (req->queued.datagram != NULL && req->datagram.bufs != req->small_bufs)
    rota__free(req->datagram.bufs);
  req->queued.datagram = NULL;
}
