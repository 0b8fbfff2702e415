/* The echo server on libev, to compare with. */
#include <ev.h>

#include "plain.h"

static char input[65536];

static void on_readable(struct ev_loop *loop, ev_io *io, int events) {
  (void)events;
  ssize_t n = read(io->fd, input, sizeof(input));
  if (n < 0)
    return;
  if (n > 0) {
    bench_must(write(io->fd, input, (size_t)n) == n, "write");
    return;
  }
  ev_io_stop(loop, io);
  close(io->fd);
  free(io);
}

static void on_connection(struct ev_loop *loop, ev_io *listener, int events) {
  (void)events;
  for (int fd; (fd = bench_accept(listener->fd)) >= 0;) {
    ev_io *io = malloc(sizeof(*io));
    bench_must(io != NULL, "malloc");
    ev_io_init(io, on_readable, fd, EV_READ);
    ev_io_start(loop, io);
  }
}

int main(void) {
  struct ev_loop *loop = ev_default_loop(EVBACKEND_EPOLL);
  bench_must(loop != NULL, "ev_default_loop");
  ev_io listener;
  ev_io_init(&listener, on_connection, bench_listen(SOCK_NONBLOCK), EV_READ);
  ev_io_start(loop, &listener);
  ev_run(loop, 0);
  return 0;
}
