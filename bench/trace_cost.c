/* What does a trace cost an echo server? Two loops in one process do the same: connections whose two ends send each
 * other a message of 64 bytes, to and fro. One loop was made before the trace was started, and is not observed; the
 * other was made after. They take turns, so that other load on the machine affects both.
 * trace_cost [connections] [seconds] [what: trace, stats, both or metrics] Prints how much more processor time a
 * message takes, of the loop's thread. On stderr: the figures behind it. */
#include <unistd.h>

#include "bench.h"
#include "rota.h"

enum { MESSAGE_BYTES = 64, TURNS = 40 };

struct end {
  uv_tcp_t tcp;
  uv_write_t write;
  struct side *side;
};

struct side {
  uv_loop_t loop;
  struct end *ends;
  uint64_t messages;
  uint64_t limit;
  uint64_t cpu_ns;
  uint64_t wall_ns;
};

static char message[MESSAGE_BYTES];
static size_t connections;

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  static char input[65536];
  (void)handle;
  (void)suggested;
  *buf = uv_buf_init(input, sizeof(input));
}

static void on_write(uv_write_t *req, int status) {
  (void)req;
  bench_must(status == 0, "write");
}

static void send_message(struct end *end) {
  uv_buf_t buf = uv_buf_init(message, sizeof(message));
  bench_must(uv_write(&end->write, (uv_stream_t *)&end->tcp, &buf, 1, on_write) == 0, "uv_write");
}

static void on_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  struct end *end = (struct end *)stream;
  (void)buf;
  bench_must(nread == MESSAGE_BYTES, "read");
  if (++end->side->messages >= end->side->limit)
    uv_stop(&end->side->loop);
  send_message(end);
}

/* Two ends of a TCP connection. */
static void connect_pair(int fds[2]) {
  static int listener = -1;
  static struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t length = sizeof(address);
  int one = 1;
  if (listener < 0) {
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bench_must(bind(listener, (struct sockaddr *)&address, sizeof(address)) == 0 && listen(listener, 16) == 0,
               "listen");
    getsockname(listener, (struct sockaddr *)&address, &length);
  }
  fds[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  bench_must(connect(fds[0], (struct sockaddr *)&address, sizeof(address)) == 0, "connect");
  fds[1] = accept(listener, NULL, NULL);
  bench_must(fds[1] >= 0, "accept");
  for (int i = 0; i < 2; i++)
    setsockopt(fds[i], IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
}

static void side_init(struct side *side) {
  bench_must(uv_loop_init(&side->loop) == 0, "uv_loop_init");
  side->ends = bench_array(connections * 2, sizeof(*side->ends));
  for (size_t i = 0; i < connections; i++) {
    int sockets[2];
    connect_pair(sockets);
    for (int j = 0; j < 2; j++) {
      struct end *end = &side->ends[i * 2 + (size_t)j];
      end->side = side;
      bench_must(uv_tcp_init(&side->loop, &end->tcp) == 0, "uv_tcp_init");
      bench_must(uv_tcp_open(&end->tcp, sockets[j]) == 0, "uv_tcp_open");
      bench_must(uv_read_start((uv_stream_t *)&end->tcp, on_alloc, on_read) == 0, "uv_read_start");
    }
    send_message(&side->ends[i * 2]);
  }
}

static void take_turn(struct side *side, uint64_t messages) {
  uint64_t cpu_ns = bench_clock_ns(CLOCK_THREAD_CPUTIME_ID), wall_ns = bench_now_ns();
  side->limit = side->messages + messages;
  uv_run(&side->loop, UV_RUN_DEFAULT);
  side->cpu_ns += bench_clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
  side->wall_ns += bench_now_ns() - wall_ns;
}

static void say(const char *what, const struct side *side) {
  fprintf(stderr, "%-10s %7.1f ns of the loop's thread for a message, %7.1f ns on the wall\n", what,
          (double)side->cpu_ns / (double)side->messages, (double)side->wall_ns / (double)side->messages);
}

int main(int argc, char **argv) {
  static struct side plain, observed;
  connections = (size_t)bench_number(argc, argv, 1, 64);
  const char *what = argc > 3 ? argv[3] : "trace";
  bool with_metrics = strcmp(what, "metrics") == 0;
  bool with_trace = strcmp(what, "stats") != 0 && !with_metrics,
       with_stats = strcmp(what, "trace") != 0 && !with_metrics;
  bench_must(bench_raise_descriptors(connections * 4 + 100) >= connections * 4 + 100, "RLIMIT_NOFILE");
  const char *place = getenv("TMPDIR");
  char path[100];
  snprintf(path, sizeof(path), "%.70s/rota-bench-XXXXXX", place != NULL ? place : "/tmp");
  side_init(&plain);
  if (with_trace) {
    int fd = mkstemp(path);
    bench_must(fd >= 0 && close(fd) == 0 && rota_trace_start(path, NULL) == 0, "rota_trace_start");
  }
  if (with_metrics)
    bench_must(rota_metrics_start("127.0.0.1:0") == 0, "rota_metrics_start");
  if (with_stats)
    bench_must(rota_stats_start() == 0, "rota_stats_start");
  side_init(&observed);

  take_turn(&plain, 10000);
  uint64_t turn_ns = (uint64_t)((double)bench_seconds_ns(argc, argv, 2) / (2.0 * TURNS));
  uint64_t messages = plain.messages * turn_ns / plain.wall_ns + 1;
  plain.messages = plain.cpu_ns = plain.wall_ns = 0;
  for (int i = 0; i < TURNS; i++) {
    take_turn(i % 2 == 0 ? &plain : &observed, messages);
    take_turn(i % 2 == 0 ? &observed : &plain, messages);
  }
  say("plain", &plain);
  say(what, &observed);
  uint64_t thread_ns = bench_clock_ns(CLOCK_THREAD_CPUTIME_ID);
  fprintf(stderr, "other threads: %.1f ns for an observed message; %llu events dropped\n",
          (double)(bench_clock_ns(CLOCK_PROCESS_CPUTIME_ID) - thread_ns) / (double)observed.messages,
          (unsigned long long)rota_trace_dropped());
  bench_report(((double)observed.cpu_ns / (double)observed.messages) / ((double)plain.cpu_ns / (double)plain.messages) *
                       100 -
                   100,
               "% more time");
  if (with_trace)
    unlink(path);
  fflush(NULL);
  _exit(0);
}
