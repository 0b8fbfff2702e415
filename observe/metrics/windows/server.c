/* Metrics are not served, and not pushed, on Windows: the server waits with poll(2), and finds its like by local
 * sockets of Linux. So rota_metrics_start with an address is refused with UV_ENOTSUP, before there is a thread or a
 * descriptor. A program may write them itself (rota_metrics_write). */
#include "observe/metrics/server.h"

#include "observe/metrics/push.h"
#include "uv.h"

int rota__metrics_raise(int fd) {
  return fd;
}

void rota__metrics_server_init(struct rota_metrics_server *server) {
  server->wake[0] = server->wake[1] = -1;
}

int rota__metrics_open_pipe(struct rota_metrics_server *server) {
  (void)server;
  return UV_ENOTSUP;
}

void rota__metrics_server_close(struct rota_metrics_server *server) {
  (void)server;
}

void rota__metrics_serve(struct rota_metrics_server *server) {
  (void)server;
}

int rota__metrics_join(struct rota_metrics_server *server) {
  (void)server;
  return UV_ENOTSUP;
}

int rota__push_start(void) {
  return UV_ENOTSUP;
}

void rota__push_stop(void) {
}

void rota__push_after_fork_in_child(void) {
}

void rota__push_resume(void) {
}
