/* Connections in.
 *
 * Some operations wait for connections at the same time, each with the socket that its connection will get. One whose
 * connection nobody has taken yet (uv_accept) does not wait for another: a program that takes none is not flooded. A
 * program whose processes share a listener asks for one (uv_tcp_simultaneous_accepts): each takes connections ahead.
 *
 * Invariant: a place is under way, or in the list `accepted`, or empty because its operation has failed. */
#include "loop/net/windows/stream.h"

#include "loop/base/alloc.h"
#include "loop/os/windows/convert.h"

enum { PLACES = 32, ADDRESS_SIZE = sizeof(struct sockaddr_storage) + 16 };

struct rota_tcp_accept {
  struct rota_io io;
  uv_tcp_t *tcp;
  SOCKET socket;
  struct rota_tcp_accept *next;
  char addresses[2 * ADDRESS_SIZE];
};

static void on_connection(struct rota_op *op, int32_t result, uint32_t bytes);

static void drop(struct rota_tcp_accept *place) {
  if (place->socket != INVALID_SOCKET)
    closesocket(place->socket);
  place->socket = INVALID_SOCKET;
}

static void wait_for_connection(struct rota_tcp_accept *place) {
  uv_stream_t *stream = (uv_stream_t *)place->tcp;
  DWORD bytes, error = 0;
  OVERLAPPED *overlapped = rota__stream_begin(stream, &place->io, on_connection);
  place->socket = WSASocketW(stream->flags & ROTA_STREAM_IPV6 ? AF_INET6 : AF_INET, SOCK_STREAM, IPPROTO_TCP, NULL, 0,
                             WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
  if (place->socket == INVALID_SOCKET ||
      !AcceptEx(place->tcp->socket, place->socket, place->addresses, 0, ADDRESS_SIZE, ADDRESS_SIZE, &bytes, overlapped))
    error = (DWORD)WSAGetLastError();
  rota__stream_begun(stream, &place->io, error);
}

static void report(uv_tcp_t *tcp, int status) {
  uv_loop_t *loop = tcp->loop;
  rota__handle_call_begin(loop, tcp, (rota_function)tcp->io.connection_cb);
  tcp->io.connection_cb((uv_stream_t *)tcp, status);
  rota__call_end(loop);
}

static void on_connection(struct rota_op *op, int32_t result, uint32_t bytes) {
  struct rota_tcp_accept *place = rota__container_of(rota__io_of(op), struct rota_tcp_accept, io);
  uv_tcp_t *tcp = place->tcp;
  (void)bytes;
  if (rota__handle_is_closing((uv_handle_t *)tcp)) {
    drop(place);
  } else if (result < 0) {
    drop(place);
    if (result == UV_ECONNRESET || result == UV_ECONNABORTED)
      wait_for_connection(place); /* its maker has gone before we saw it */
    else
      report(tcp, result);
  } else {
    struct rota_tcp_accept **end = &tcp->accepted;
    (void)setsockopt(place->socket, SOL_SOCKET, SO_UPDATE_ACCEPT_CONTEXT, (const char *)&tcp->socket,
                     sizeof(tcp->socket));
    while (*end != NULL)
      end = &(*end)->next;
    place->next = NULL;
    *end = place;
    report(tcp, 0);
  }
  rota__stream_end((uv_stream_t *)tcp);
}

int rota__tcp_listen(uv_tcp_t *tcp, int backlog, uv_connection_cb cb) {
  uv_stream_t *stream = (uv_stream_t *)tcp;
  if (stream->flags & ROTA_STREAM_LISTENING) {
    stream->io.connection_cb = cb;
    return 0;
  }
  if (stream->flags & ROTA_STREAM_READING)
    return UV_EISCONN;
  if (stream->io.delayed_error != 0)
    return stream->io.delayed_error;
  if (!(stream->flags & ROTA_STREAM_BOUND)) {
    struct sockaddr_in any = {.sin_family = AF_INET};
    int err = uv_tcp_bind(tcp, (const struct sockaddr *)&any, 0);
    if (err == 0)
      err = stream->io.delayed_error;
    if (err < 0)
      return err;
  }
  if (listen(tcp->socket, backlog) != 0)
    return rota__os_translate(WSAGetLastError());
  int count = stream->io.state & ROTA_STATE_ONE_ACCEPT ? 1 : PLACES;
  struct rota_tcp_accept *places = rota__calloc((size_t)count, sizeof(*places));
  if (places == NULL)
    return UV_ENOMEM;
  tcp->accepts = places;
  stream->io.connection_cb = cb;
  stream->flags |= ROTA_STREAM_LISTENING;
  rota__handle_start((uv_handle_t *)stream);
  for (int i = 0; i < count; i++) {
    places[i].tcp = tcp;
    wait_for_connection(&places[i]);
  }
  return 0;
}

int rota__tcp_accept(uv_tcp_t *tcp, uv_stream_t *client) {
  struct rota_tcp_accept *place = tcp->accepted;
  if (client->type != UV_TCP)
    return UV_EINVAL;
  if (place == NULL)
    return UV_EAGAIN;
  int err = rota__tcp_take((uv_tcp_t *)client, place->socket, false);
  if (err < 0)
    return err;
  client->flags |= ROTA_STREAM_BOUND | ROTA_STREAM_READABLE | ROTA_STREAM_WRITABLE | (tcp->flags & ROTA_STREAM_IPV6);
  tcp->accepted = place->next;
  place->socket = INVALID_SOCKET;
  if (!rota__handle_is_closing((uv_handle_t *)tcp))
    wait_for_connection(place);
  return 0;
}

/* Called when the listener is closed, and again when no operation is under way. */
void rota__tcp_accepts_release(uv_tcp_t *tcp) {
  for (struct rota_tcp_accept *place = tcp->accepted; place != NULL; place = place->next)
    drop(place);
  tcp->accepted = NULL;
  if (tcp->io.operations > 0)
    return;
  rota__free(tcp->accepts);
  tcp->accepts = NULL;
}
