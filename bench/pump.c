/* How fast does a stream run when one side sends as much as it can, and the other only reads?
 * pump [tcp|pipe] [seconds]: two processes, both on the library under test. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "uv.h"

enum { CHUNK = 65536, UNDER_WAY = 2 };

static bool over_pipe;
static union {
  uv_tcp_t tcp;
  uv_pipe_t pipe;
  uv_stream_t stream;
} listener, connection;
static char chunk[CHUNK];
static uint64_t received, start_ns, end_ns, duration_ns;

/* Where the two meet: a port, or a path. */
struct meeting {
  struct sockaddr_in address;
  char path[64];
};

static void init_stream(uv_loop_t *loop, uv_stream_t *stream) {
  bench_must((over_pipe ? uv_pipe_init(loop, (uv_pipe_t *)stream, 0) : uv_tcp_init(loop, (uv_tcp_t *)stream)) == 0,
             "uv_*_init");
}

/* ---- the sender ---- */

static void on_write(uv_write_t *req, int status);

static void send_chunk(uv_write_t *req) {
  uv_buf_t buf = uv_buf_init(chunk, CHUNK);
  bench_must(uv_write(req, &connection.stream, &buf, 1, on_write) == 0, "uv_write");
}

static void on_write(uv_write_t *req, int status) {
  if (status == 0)
    send_chunk(req);
  else
    exit(0); /* the receiver has measured enough */
}

static void on_connect(uv_connect_t *req, int status) {
  static uv_write_t reqs[UNDER_WAY];
  (void)req;
  bench_must(status == 0, "connect");
  for (int i = 0; i < UNDER_WAY; i++)
    send_chunk(&reqs[i]);
}

static void run_sender(const struct meeting *meeting) {
  uv_loop_t *loop = uv_default_loop();
  uv_connect_t req;
  init_stream(loop, &connection.stream);
  if (over_pipe)
    uv_pipe_connect(&req, &connection.pipe, meeting->path, on_connect);
  else
    uv_tcp_connect(&req, &connection.tcp, (const struct sockaddr *)&meeting->address, on_connect);
  uv_run(loop, UV_RUN_DEFAULT);
}

/* ---- the receiver ---- */

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  (void)handle;
  (void)suggested;
  *buf = uv_buf_init(chunk, CHUNK);
}

static void on_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)buf;
  bench_must(nread >= 0, "read");
  uint64_t now_ns = bench_now_ns();
  received += (uint64_t)nread;
  if (start_ns == 0 && now_ns >= end_ns - duration_ns) {
    start_ns = now_ns; /* the start is not counted */
    received = 0;
  }
  if (now_ns >= end_ns) {
    bench_report_rate((double)received / 1048576, now_ns - start_ns, "MiB/s");
    uv_read_stop(stream);
    uv_stop(stream->loop);
  }
}

static void on_connection(uv_stream_t *from, int status) {
  bench_must(status == 0, "listen");
  init_stream(from->loop, &connection.stream);
  bench_must(uv_accept(from, &connection.stream) == 0, "uv_accept");
  end_ns = bench_now_ns() + duration_ns * 9 / 8;
  bench_must(uv_read_start(&connection.stream, on_alloc, on_read) == 0, "uv_read_start");
}

static void listen_at(uv_loop_t *loop, struct meeting *meeting) {
  init_stream(loop, &listener.stream);
  if (over_pipe) {
    snprintf(meeting->path, sizeof(meeting->path), "/tmp/rota-bench-%d", (int)getpid());
    unlink(meeting->path);
    bench_must(uv_pipe_bind(&listener.pipe, meeting->path) == 0, "uv_pipe_bind");
  } else {
    int length = sizeof(meeting->address);
    uv_ip4_addr("127.0.0.1", 0, &meeting->address);
    bench_must(uv_tcp_bind(&listener.tcp, (struct sockaddr *)&meeting->address, 0) == 0, "uv_tcp_bind");
    uv_tcp_getsockname(&listener.tcp, (struct sockaddr *)&meeting->address, &length);
  }
  bench_must(uv_listen(&listener.stream, 1, on_connection) == 0, "uv_listen");
}

int main(int argc, char **argv) {
  over_pipe = argc > 1 && strcmp(argv[1], "pipe") == 0;
  duration_ns = bench_seconds_ns(argc, argv, 2);
  signal(SIGPIPE, SIG_IGN);
  /* The processes are split before there is any loop: neither has to drop the other's. */
  struct meeting meeting = {0};
  int where[2];
  bench_must(pipe(where) == 0, "pipe");
  pid_t sender = fork();
  bench_must(sender >= 0, "fork");
  if (sender == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    bench_must(read(where[0], &meeting, sizeof(meeting)) == sizeof(meeting), "read");
    run_sender(&meeting);
    _exit(0);
  }
  uv_loop_t *loop = uv_default_loop();
  listen_at(loop, &meeting);
  bench_must(write(where[1], &meeting, sizeof(meeting)) == sizeof(meeting), "write");
  uv_run(loop, UV_RUN_DEFAULT);
  kill(sender, SIGKILL);
  waitpid(sender, NULL, 0);
  if (over_pipe)
    unlink(meeting.path);
  return 0;
}
