/* TCP of Windows, between its files. */
#ifndef ROTA_NET_WINDOWS_TCP_H
#define ROTA_NET_WINDOWS_TCP_H

#include "loop/net/windows/stream.h"

int rota__tcp_have_socket(uv_tcp_t *tcp, int family);
int rota__tcp_listen(uv_stream_t *stream, int backlog, uv_connection_cb cb);
int rota__tcp_accept(uv_stream_t *server, uv_stream_t *client);
void rota__tcp_accepts_release(uv_tcp_t *tcp);

#endif
