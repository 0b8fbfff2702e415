/* IPC: bytes in frames, some of which carry a socket for the process on the other side.
 *
 * A frame is a head of 20 bytes, what the other process needs to open the socket (WSADuplicateSocket), and the bytes. A
 * frame goes out in one write, so that frames of several writers do not mix. */
#include "loop/net/windows/pipe.h"

#include <string.h>

#include "loop/base/alloc.h"
#include "loop/os/windows/convert.h"

enum { FRAME_MARK = 0x61746f72 };

enum frame_kind { FRAME_BYTES, FRAME_CONNECTION, FRAME_LISTENER };

struct frame_head {
  uint32_t mark;
  uint32_t kind;
  uint32_t info_length;
  uint32_t payload_length;
  int32_t delayed_error; /* of a socket: its address is in use, which its new owner learns when it listens */
};

int rota__pipe_channel_open(uv_pipe_t *pipe) {
  if (pipe->channel == NULL)
    pipe->channel = rota__calloc(1, sizeof(*pipe->channel));
  return pipe->channel == NULL ? UV_ENOMEM : 0;
}

void rota__pipe_channel_close(uv_pipe_t *pipe) {
  if (pipe->channel == NULL)
    return;
  while (pipe->channel->passed != NULL) {
    struct rota_passed *passed = pipe->channel->passed;
    pipe->channel->passed = passed->next;
    if (passed->socket != INVALID_SOCKET)
      closesocket(passed->socket);
    rota__free(passed);
  }
  rota__free(pipe->channel);
  pipe->channel = NULL;
}

/* ---- out ---- */

static int describe_socket(uv_pipe_t *pipe, const uv_stream_t *passed, WSAPROTOCOL_INFOW *info) {
  const uv_tcp_t *tcp = (const uv_tcp_t *)passed;
  if (passed->type != UV_TCP || tcp->socket == INVALID_SOCKET)
    return passed->type != UV_TCP ? UV_ENOTSUP : UV_EBADF;
  return WSADuplicateSocketW(tcp->socket, pipe->channel->peer, info) == 0 ? 0 : rota__os_translate(WSAGetLastError());
}

int64_t rota__pipe_frame_make(uv_pipe_t *pipe, uv_write_t *req, const uv_buf_t *bufs, unsigned int nbufs) {
  struct frame_head head = {.mark = FRAME_MARK, .payload_length = req->length};
  WSAPROTOCOL_INFOW info;
  if (req->send_handle != NULL) {
    int err = describe_socket(pipe, req->send_handle, &info);
    if (err < 0)
      return err;
    bool is_connection = req->send_handle->flags & (ROTA_STREAM_READABLE | ROTA_STREAM_WRITABLE);
    head.kind = is_connection ? FRAME_CONNECTION : FRAME_LISTENER;
    head.info_length = sizeof(info);
    head.delayed_error = req->send_handle->io.delayed_error;
    req->send_handle->io.state |= ROTA_STATE_PASSED;
  }
  size_t at = sizeof(head) + head.info_length;
  char *frame = rota__malloc(at + req->length);
  if (frame == NULL)
    return UV_ENOMEM;
  memcpy(frame, &head, sizeof(head));
  if (head.info_length > 0)
    memcpy(frame + sizeof(head), &info, sizeof(info));
  for (unsigned int i = 0; i < nbufs; i++) {
    memcpy(frame + at, bufs[i].base, bufs[i].len);
    at += bufs[i].len;
  }
  req->copy = frame;
  return (int64_t)at;
}

/* ---- in ---- */

static int keep_socket(struct rota_pipe_channel *channel, const struct frame_head *head) {
  WSAPROTOCOL_INFOW info;
  struct rota_passed *passed = rota__calloc(1, sizeof(*passed)), **end = &channel->passed;
  if (passed == NULL)
    return UV_ENOMEM;
  memcpy(&info, channel->head + sizeof(*head), sizeof(info));
  passed->is_listener = head->kind == FRAME_LISTENER;
  passed->is_ipv6 = info.iAddressFamily == AF_INET6;
  passed->delayed_error = head->delayed_error;
  passed->socket = WSASocketW(FROM_PROTOCOL_INFO, FROM_PROTOCOL_INFO, FROM_PROTOCOL_INFO, &info, 0,
                              WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
  if (passed->socket == INVALID_SOCKET) {
    int err = rota__os_translate(WSAGetLastError());
    rota__free(passed);
    return err;
  }
  while (*end != NULL)
    end = &(*end)->next;
  *end = passed;
  return 0;
}

/* Reads on until `length` bytes of the head are there. UV_EAGAIN: not yet. */
static ssize_t fill_head(uv_pipe_t *pipe, unsigned int length) {
  struct rota_pipe_channel *channel = pipe->channel;
  while (channel->head_length < length) {
    ssize_t n = rota__pipe_available(pipe);
    if (n > (ssize_t)(length - channel->head_length))
      n = (ssize_t)(length - channel->head_length);
    if (n > 0)
      n = rota__pipe_read_now(pipe, channel->head + channel->head_length, (DWORD)n);
    if (n < 0)
      return n;
    channel->head_length += (unsigned int)n;
  }
  return 0;
}

/* A head, and what belongs to it. */
static ssize_t begin_frame(uv_pipe_t *pipe) {
  struct rota_pipe_channel *channel = pipe->channel;
  struct frame_head head;
  ssize_t err = fill_head(pipe, sizeof(head));
  if (err < 0)
    return err;
  memcpy(&head, channel->head, sizeof(head));
  bool is_known = head.mark == FRAME_MARK && head.kind <= FRAME_LISTENER &&
                  head.info_length == (head.kind == FRAME_BYTES ? 0 : sizeof(WSAPROTOCOL_INFOW));
  if (!is_known)
    return UV_ECONNABORTED; /* the other side writes no frames */
  err = fill_head(pipe, (unsigned int)sizeof(head) + head.info_length);
  if (err < 0)
    return err;
  channel->head_length = 0;
  channel->payload_left = head.payload_length;
  return head.kind == FRAME_BYTES ? 0 : keep_socket(channel, &head);
}

ssize_t rota__pipe_frame_receive(uv_pipe_t *pipe, const uv_buf_t *buf) {
  struct rota_pipe_channel *channel = pipe->channel;
  while (channel->payload_left == 0) {
    ssize_t err = begin_frame(pipe);
    if (err < 0)
      return err;
  }
  ssize_t n = rota__pipe_available(pipe);
  if (n < 0)
    return n;
  if (n > (ssize_t)channel->payload_left)
    n = (ssize_t)channel->payload_left;
  if (n > (ssize_t)buf->len)
    n = (ssize_t)buf->len;
  n = rota__pipe_read_now(pipe, buf->base, (DWORD)n);
  if (n > 0)
    channel->payload_left -= (uint32_t)n;
  return n;
}

int rota__pipe_accept_passed(uv_pipe_t *pipe, uv_stream_t *client) {
  struct rota_passed *passed = pipe->channel == NULL ? NULL : pipe->channel->passed;
  if (passed == NULL)
    return UV_EAGAIN;
  if (client->type != UV_TCP)
    return UV_EINVAL;
  int err = rota__tcp_take((uv_tcp_t *)client, passed->socket, false);
  if (err < 0)
    return err;
  client->flags |= ROTA_STREAM_BOUND | (passed->is_ipv6 ? ROTA_STREAM_IPV6 : 0u);
  client->io.delayed_error = passed->delayed_error;
  if (!passed->is_listener)
    client->flags |= ROTA_STREAM_READABLE | ROTA_STREAM_WRITABLE;
  pipe->channel->passed = passed->next;
  rota__free(passed);
  return 0;
}

int uv_pipe_pending_count(uv_pipe_t *pipe) {
  int count = 0;
  if (!pipe->ipc || pipe->channel == NULL)
    return 0;
  for (const struct rota_passed *passed = pipe->channel->passed; passed != NULL; passed = passed->next)
    count++;
  return count;
}

uv_handle_type uv_pipe_pending_type(uv_pipe_t *pipe) {
  return uv_pipe_pending_count(pipe) > 0 ? UV_TCP : UV_UNKNOWN_HANDLE;
}

void rota__pipe_set_peer(uv_stream_t *stream, DWORD process) {
  uv_pipe_t *pipe = (uv_pipe_t *)stream;
  if (stream->type == UV_NAMED_PIPE && pipe->channel != NULL)
    pipe->channel->peer = process;
}
