/* The echo server on libevent, to compare with. */
#include <event2/event.h>

#include "plain.h"

static struct event_base *base;
static char input[65536];

static void on_readable(evutil_socket_t fd, short events, void *argument) {
  (void)events;
  struct event **event = argument;
  ssize_t n = read(fd, input, sizeof(input));
  if (n < 0)
    return;
  if (n > 0) {
    bench_must(write(fd, input, (size_t)n) == n, "write");
    return;
  }
  event_free(*event);
  close(fd);
  free(event);
}

static void on_connection(evutil_socket_t listener, short events, void *unused) {
  (void)events;
  (void)unused;
  for (int fd; (fd = bench_accept(listener)) >= 0;) {
    struct event **event = malloc(sizeof(*event));
    bench_must(event != NULL, "malloc");
    *event = event_new(base, fd, EV_READ | EV_PERSIST, on_readable, event);
    bench_must(*event != NULL && event_add(*event, NULL) == 0, "event_add");
  }
}

int main(void) {
  base = event_base_new();
  bench_must(base != NULL, "event_base_new");
  struct event *listener = event_new(base, bench_listen(SOCK_NONBLOCK), EV_READ | EV_PERSIST, on_connection, NULL);
  bench_must(listener != NULL && event_add(listener, NULL) == 0, "event_add");
  event_base_dispatch(base);
  return 0;
}
