/* How many connections does a listener accept in a second?
 * accept [batch] [seconds] [close]
 *
 * Making a connection is more work than accepting one, and on one machine the maker would be what is measured. So a
 * process without the library makes a batch of connections, which wait in the listener's queue; then the loop runs
 * until it has accepted each of them and watches it for input. Only that time counts or, on request, also the closing,
 * which is mostly work of the kernel. */
#include <arpa/inet.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "uv.h"

static int batch, closed;
static bool closing_counts;
static uv_tcp_t *connections, *next_connection;

/* ---- the maker ---- */

static void make_connections(int control) {
  struct sockaddr_in address;
  char byte = 0;
  bench_must(read(control, &address, sizeof(address)) == sizeof(address), "read");
  int *fds = bench_array((size_t)batch, sizeof(*fds));
  while (read(control, &byte, 1) == 1) {
    for (int i = 0; i < batch; i++) {
      fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      bench_must(fds[i] >= 0 && connect(fds[i], (struct sockaddr *)&address, sizeof(address)) == 0, "connect");
    }
    bench_must(write(control, &byte, 1) == 1, "write");
    bench_must(read(control, &byte, 1) == 1, "read");
    /* Closed by a reset: a port in TIME_WAIT would be missing later. */
    struct linger reset = {1, 0};
    for (int i = 0; i < batch; i++) {
      setsockopt(fds[i], SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
      close(fds[i]);
    }
  }
}

/* ---- the listener ---- */

static void on_close(uv_handle_t *handle) {
  if (++closed == batch)
    uv_stop(handle->loop);
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  static char input[1024];
  (void)handle;
  (void)suggested;
  *buf = uv_buf_init(input, sizeof(input));
}

static void on_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)stream;
  (void)nread;
  (void)buf;
  abort(); /* nobody sends */
}

static void on_connection(uv_stream_t *listener, int status) {
  bench_must(status == 0, "listen");
  uv_tcp_t *connection = next_connection++;
  uv_tcp_init(listener->loop, connection);
  bench_must(uv_accept(listener, (uv_stream_t *)connection) == 0, "uv_accept");
  bench_must(uv_read_start((uv_stream_t *)connection, on_alloc, on_read) == 0, "uv_read_start");
  if (next_connection == connections + batch)
    uv_stop(listener->loop);
}

struct spent {
  uint64_t elapsed_ns, used_ns;
};

static struct spent spent_since(struct spent start) {
  uint64_t used_ns = bench_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  return (struct spent){bench_now_ns() - start.elapsed_ns, used_ns - start.used_ns};
}

static struct spent accept_batch(uv_loop_t *loop, int control) {
  char byte = 0;
  next_connection = connections;
  closed = 0;
  bench_must(write(control, &byte, 1) == 1 && read(control, &byte, 1) == 1, "the maker of connections");
  struct spent start = spent_since((struct spent){0, 0});
  uv_run(loop, UV_RUN_DEFAULT);
  uv_run(loop, UV_RUN_NOWAIT); /* the last of them are watched from here on */
  struct spent spent = spent_since(start);
  for (int i = 0; i < batch; i++)
    uv_close((uv_handle_t *)&connections[i], on_close);
  uv_run(loop, UV_RUN_DEFAULT);
  if (closing_counts)
    spent = spent_since(start);
  bench_must(write(control, &byte, 1) == 1, "the maker of connections");
  return spent;
}

int main(int argc, char **argv) {
  batch = (int)bench_number(argc, argv, 1, 1000);
  uint64_t duration_ns = bench_seconds_ns(argc, argv, 2);
  closing_counts = argc > 3;
  bench_raise_descriptors((uint64_t)batch + 100);
  int control[2];
  bench_must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control) == 0, "socketpair");
  pid_t maker = fork();
  bench_must(maker >= 0, "fork");
  if (maker == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(control[1]);
    make_connections(control[0]);
    _exit(0);
  }
  connections = bench_array((size_t)batch, sizeof(*connections));
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t listener;
  struct sockaddr_in address;
  int length = sizeof(address);
  uv_tcp_init(loop, &listener);
  uv_ip4_addr("127.0.0.1", 0, &address);
  bench_must(uv_tcp_bind(&listener, (struct sockaddr *)&address, 0) == 0, "uv_tcp_bind");
  bench_must(uv_listen((uv_stream_t *)&listener, 4096, on_connection) == 0, "uv_listen");
  uv_tcp_getsockname(&listener, (struct sockaddr *)&address, &length);
  bench_must(write(control[1], &address, sizeof(address)) == sizeof(address), "write");
  accept_batch(loop, control[1]);
  struct spent all = {0, 0};
  uint64_t accepted = 0;
  for (uint64_t end_ns = bench_now_ns() + duration_ns; bench_now_ns() < end_ns; accepted += (uint64_t)batch) {
    struct spent spent = accept_batch(loop, control[1]);
    all.elapsed_ns += spent.elapsed_ns;
    all.used_ns += spent.used_ns;
  }
  kill(maker, SIGKILL);
  waitpid(maker, NULL, 0);
  bench_report_rate_and_cost((double)accepted, all.elapsed_ns, (double)all.used_ns / 1e3, "connections/s");
  return 0;
}
