/* Pairs of streams (uv_pipe, uv_socketpair, the pipe to a child), the sizes of sockets' buffers, and the room that a
 * datagram has while it waits. */
#include "loop/net/windows/pipe.h"

#include <fcntl.h>
#include <stdio.h>

#include "loop/base/alloc.h"
#include "loop/net/udp.h"
#include "loop/os/windows/convert.h"

/* A pipe with a name that nobody else has. Access is PIPE_ACCESS_*, of the server's end. */
static int make_pair(DWORD access, bool server_waits, bool client_waits, HANDLE *server, HANDLE *client) {
  static volatile LONG last;
  WCHAR name[64];
  DWORD client_access = (access & PIPE_ACCESS_INBOUND ? GENERIC_WRITE : FILE_WRITE_ATTRIBUTES) |
                        (access & PIPE_ACCESS_OUTBOUND ? GENERIC_READ : FILE_READ_ATTRIBUTES);
  do {
    _snwprintf(name, sizeof(name) / sizeof(name[0]), L"\\\\?\\pipe\\rota\\%lu-%ld", GetCurrentProcessId(),
               InterlockedIncrement(&last));
    *server =
        CreateNamedPipeW(name, access | FILE_FLAG_FIRST_PIPE_INSTANCE | (server_waits ? 0 : FILE_FLAG_OVERLAPPED),
                         PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT, 1, ROTA_PIPE_QUOTA, ROTA_PIPE_QUOTA, 0, NULL);
  } while (*server == INVALID_HANDLE_VALUE &&
           (GetLastError() == ERROR_PIPE_BUSY || GetLastError() == ERROR_ACCESS_DENIED));
  if (*server == INVALID_HANDLE_VALUE)
    return rota__os_last_error();
  *client = CreateFileW(name, client_access, 0, NULL, OPEN_EXISTING, client_waits ? 0 : FILE_FLAG_OVERLAPPED, NULL);
  if (*client != INVALID_HANDLE_VALUE)
    return 0;
  int err = rota__os_last_error();
  CloseHandle(*server);
  return err;
}

int uv_pipe(uv_file fds[2], int read_flags, int write_flags) {
  HANDLE reader, writer;
  int err = make_pair(PIPE_ACCESS_INBOUND, !(read_flags & UV_NONBLOCK_PIPE), !(write_flags & UV_NONBLOCK_PIPE), &reader,
                      &writer);
  if (err < 0)
    return err;
  int ends[2] = {rota__os_handle_give(reader, _O_RDONLY), rota__os_handle_give(writer, 0)};
  if (ends[0] < 0 || ends[1] < 0) {
    for (int i = 0; i < 2; i++)
      if (ends[i] >= 0)
        _close(ends[i]);
    return ends[0] < 0 ? ends[0] : ends[1];
  }
  fds[0] = ends[0];
  fds[1] = ends[1];
  return 0;
}

int rota__pipe_to_child(uv_stream_t *stream, unsigned int flags, HANDLE *child) {
  uv_pipe_t *pipe = (uv_pipe_t *)stream;
  HANDLE server, client;
  DWORD access = 0;
  unsigned int directions = 0;
  if (stream->type != UV_NAMED_PIPE)
    return UV_EINVAL;
  /* The child's view: it reads what we write. Frames go both ways. */
  if ((flags & UV_READABLE_PIPE) || pipe->ipc) {
    access |= PIPE_ACCESS_OUTBOUND;
    directions |= ROTA_STREAM_WRITABLE;
  }
  if ((flags & UV_WRITABLE_PIPE) || pipe->ipc) {
    access |= PIPE_ACCESS_INBOUND;
    directions |= ROTA_STREAM_READABLE;
  }
  if (access == 0)
    return UV_EINVAL;
  int err = make_pair(access, false, !(flags & UV_NONBLOCK_PIPE) && !pipe->ipc, &server, &client);
  if (err < 0)
    return err;
  err = rota__pipe_take(pipe, server, directions);
  if (err < 0) {
    CloseHandle(server);
    CloseHandle(client);
    return err;
  }
  SetHandleInformation(client, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
  *child = client;
  return 0;
}

/* ---- pairs of sockets ---- */

static int failed(SOCKET a, SOCKET b, SOCKET c) {
  int err = rota__os_translate(WSAGetLastError());
  if (a != INVALID_SOCKET)
    closesocket(a);
  if (b != INVALID_SOCKET)
    closesocket(b);
  if (c != INVALID_SOCKET)
    closesocket(c);
  return err;
}

/* The system has no pairs: two sockets are connected over the loopback interface, and nobody else can be between. */
int uv_socketpair(int type, int protocol, uv_os_sock_t fds[2], int flags0, int flags1) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}, peer, own;
  int length = sizeof(address);
  DWORD overlapped = WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT;
  SOCKET listener = INVALID_SOCKET, one, two = INVALID_SOCKET;
  u_long on = 1;
  WSADATA data;
  if (WSAStartup(MAKEWORD(2, 2), &data) != 0)
    return UV_ENETDOWN;
  if (type != SOCK_STREAM)
    return UV_ENOTSUP;
  listener = WSASocketW(AF_INET, type, protocol, NULL, 0, overlapped);
  one = WSASocketW(AF_INET, type, protocol, NULL, 0, overlapped);
  if (listener == INVALID_SOCKET || one == INVALID_SOCKET ||
      bind(listener, (struct sockaddr *)&address, sizeof(address)) != 0 || listen(listener, 1) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &length) != 0 ||
      connect(one, (struct sockaddr *)&address, sizeof(address)) != 0)
    return failed(listener, one, two);
  length = sizeof(own);
  if (getsockname(one, (struct sockaddr *)&own, &length) != 0)
    return failed(listener, one, two);
  do {
    if (two != INVALID_SOCKET)
      closesocket(two);
    length = sizeof(peer);
    two = accept(listener, (struct sockaddr *)&peer, &length);
    if (two == INVALID_SOCKET)
      return failed(listener, one, two);
  } while (peer.sin_port != own.sin_port);
  closesocket(listener);
  SetHandleInformation((HANDLE)two, HANDLE_FLAG_INHERIT, 0);
  if ((flags0 & UV_NONBLOCK_PIPE) && ioctlsocket(one, FIONBIO, &on) != 0)
    return failed(one, two, INVALID_SOCKET);
  if ((flags1 & UV_NONBLOCK_PIPE) && ioctlsocket(two, FIONBIO, &on) != 0)
    return failed(one, two, INVALID_SOCKET);
  fds[0] = one;
  fds[1] = two;
  return 0;
}

/* ---- buffers of sockets ---- */

static int buffer_size(uv_handle_t *handle, int option, int *value) {
  int length = sizeof(*value);
  if (handle == NULL || value == NULL)
    return UV_EINVAL;
  if (handle->type != UV_TCP && handle->type != UV_UDP)
    return UV_ENOTSUP;
  SOCKET socket = (SOCKET)(intptr_t)handle->u.rota.kind->fd(handle);
  if (socket == INVALID_SOCKET)
    return UV_EBADF;
  int result = *value == 0 ? getsockopt(socket, SOL_SOCKET, option, (char *)value, &length)
                           : setsockopt(socket, SOL_SOCKET, option, (const char *)value, sizeof(*value));
  return result == 0 ? 0 : rota__os_translate(WSAGetLastError());
}

int uv_send_buffer_size(uv_handle_t *handle, int *value) {
  return buffer_size(handle, SO_SNDBUF, value);
}

int uv_recv_buffer_size(uv_handle_t *handle, int *value) {
  return buffer_size(handle, SO_RCVBUF, value);
}

/* ---- datagrams that wait ---- */

struct rota_datagram *rota__udp_room(uv_udp_send_t *req, unsigned int nbufs) {
  (void)req;
  struct rota_datagram *datagram = rota__malloc(sizeof(*datagram) + nbufs * sizeof(uv_buf_t));
  if (datagram != NULL)
    datagram->bufs = (uv_buf_t *)(datagram + 1);
  return datagram;
}

void rota__udp_forget(uv_udp_send_t *req) {
  rota__free(req->queued.datagram);
  req->queued.datagram = NULL;
}
