/* In which phase a callback comes, on Windows: what is known at once (a failure, a write that the system took whole, a
 * shutdown) in the pending phase, before idle and prepare; begun in a poll callback, still before check. What the
 * system reports later comes in the poll phase. The expectations are what libuv 1.52's DLL did under wine.
 *
 * A line for each part; the exit status is the number of parts that failed. */
#include "part.h"

enum where { PENDING, POLL, RETURNED };

static uv_loop_t loop;
static uv_idle_t idle;
static uv_prepare_t prepare;
static uv_check_t checker;
static uv_async_t async;
static uv_tcp_t listener, client, peer, other;
static uv_pipe_t pipe_listener, pipe_client, pipe_peer, pipe_other;
static uv_connect_t connect_req;
static uv_write_t write_req;
static uv_shutdown_t shutdown_req;
static struct sockaddr_in address;
static char pipe_name[64];
static char record[1024];
static int accepted, connected, is_done, is_begun;
static int (*begin)(void);

/* The loop is idle until the answer comes: of many iterations, the last ones are kept. */
static void say(const char *text) {
  size_t length = strlen(record);
  if (length + strlen(text) >= sizeof(record))
    memmove(record, record + length / 2, length - length / 2 + 1);
  strcat(record, text);
}

static void told(int status) {
  say(status == 0 ? "<ok>" : "<");
  if (status != 0) {
    say(uv_err_name(status));
    say(">");
  }
  is_done = 1;
}

static void on_connect(uv_connect_t *req, int status) {
  (void)req;
  told(status);
}

static void on_write(uv_write_t *req, int status) {
  (void)req;
  told(status);
}

static void on_shutdown(uv_shutdown_t *req, int status) {
  (void)req;
  told(status);
}

static void alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
  static char bytes[1024];
  (void)handle;
  (void)size;
  *buf = uv_buf_init(bytes, sizeof(bytes));
}

static void on_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)buf;
  uv_read_stop(stream);
  told(nread < 0 ? (int)nread : 0);
}

/* ---- what is begun ---- */

static int connect_to(const char *host, int port) {
  struct sockaddr_in to;
  uv_ip4_addr(host, port, &to);
  uv_tcp_init(&loop, &other);
  return uv_tcp_connect(&connect_req, &other, (const struct sockaddr *)&to, on_connect);
}

static int connect_refused(void) {
  return connect_to("127.0.0.1", 1);
}

static int connect_nowhere(void) {
  return connect_to("255.255.255.255", 80);
}

static int connect_from_a_used_address(void) {
  uv_tcp_init(&loop, &other);
  int err = uv_tcp_bind(&other, (const struct sockaddr *)&address, 0);
  return err < 0 ? err : uv_tcp_connect(&connect_req, &other, (const struct sockaddr *)&address, on_connect);
}

static int connect_pipe(const char *name) {
  uv_pipe_init(&loop, &pipe_other, 0);
  uv_pipe_connect(&connect_req, &pipe_other, name, on_connect);
  return 0;
}

static int connect_missing_pipe(void) {
  return connect_pipe("\\\\.\\pipe\\rota-nobody-has-this");
}

static int connect_no_pipe(void) {
  return connect_pipe("nonsense:|");
}

static int write_to(void *stream) {
  uv_buf_t buf = uv_buf_init("x", 1);
  return uv_write(&write_req, stream, &buf, 1, on_write);
}

static int write_tcp(void) {
  return write_to(&client);
}

static int write_pipe(void) {
  return write_to(&pipe_client);
}

static int shut_tcp(void) {
  return uv_shutdown(&shutdown_req, (uv_stream_t *)&client, on_shutdown);
}

static int shut_pipe(void) {
  return uv_shutdown(&shutdown_req, (uv_stream_t *)&pipe_client, on_shutdown);
}

static int shut_tcp_and_close(void) {
  int err = shut_tcp();
  uv_close((uv_handle_t *)&client, NULL);
  return err;
}

static int connect_missing_pipe_and_close(void) {
  int err = connect_missing_pipe();
  uv_close((uv_handle_t *)&pipe_other, NULL);
  return err;
}

static int read_tcp(void) {
  return uv_read_start((uv_stream_t *)&client, alloc, on_read);
}

static int read_pipe(void) {
  return uv_read_start((uv_stream_t *)&pipe_client, alloc, on_read);
}

static int write_big_shut_and_close(void) {
  static char big[1 << 20];
  uv_buf_t buf = uv_buf_init(big, sizeof(big));
  int err = uv_write(&write_req, (uv_stream_t *)&pipe_client, &buf, 1, on_write);
  if (err == 0)
    err = shut_pipe();
  uv_close((uv_handle_t *)&pipe_client, NULL);
  return err;
}

/* ---- the loop around it ---- */

static void begin_now(void) {
  is_begun = 1;
  say("*");
  int err = begin();
  if (err == 0)
    return;
  say("returned ");
  say(uv_err_name(err));
  is_done = 1;
}

static void on_idle(uv_idle_t *handle) {
  (void)handle;
  say("I");
}

static void on_prepare(uv_prepare_t *handle) {
  (void)handle;
  say("P");
}

static void on_check(uv_check_t *handle) {
  (void)handle;
  say("C");
  if (is_done)
    uv_stop(&loop);
}

static void on_async(uv_async_t *handle) {
  (void)handle;
  say("A");
  if (!is_begun)
    begin_now();
}

static void on_connection(uv_stream_t *server, int status) {
  if (status == 0 && accepted < 2) {
    if (server == (uv_stream_t *)&listener)
      uv_accept(server, (uv_stream_t *)&peer);
    else
      uv_accept(server, (uv_stream_t *)&pipe_peer);
    accepted++;
  }
}

static void on_ready(uv_connect_t *req, int status) {
  (void)req;
  connected += status == 0;
}

static void connect_all(void) {
  static uv_connect_t reqs[2];
  static int count;
  int length = sizeof(address);
  snprintf(pipe_name, sizeof(pipe_name), "\\\\.\\pipe\\rota-order-%d-%d", (int)uv_os_getpid(), ++count);
  uv_ip4_addr("127.0.0.1", 0, &address);
  uv_tcp_init(&loop, &listener);
  uv_tcp_init(&loop, &client);
  uv_tcp_init(&loop, &peer);
  uv_pipe_init(&loop, &pipe_listener, 0);
  uv_pipe_init(&loop, &pipe_client, 0);
  uv_pipe_init(&loop, &pipe_peer, 0);
  uv_tcp_bind(&listener, (const struct sockaddr *)&address, 0);
  uv_listen((uv_stream_t *)&listener, 8, on_connection);
  uv_tcp_getsockname(&listener, (struct sockaddr *)&address, &length);
  uv_pipe_bind(&pipe_listener, pipe_name);
  uv_listen((uv_stream_t *)&pipe_listener, 8, on_connection);
  uv_tcp_connect(&reqs[0], &client, (const struct sockaddr *)&address, on_ready);
  uv_pipe_connect(&reqs[1], &pipe_client, pipe_name, on_ready);
  accepted = connected = 0;
  for (int i = 0; i < 1000 && accepted + connected < 4; i++)
    uv_run(&loop, UV_RUN_ONCE);
}

static void close_one(uv_handle_t *handle, void *unused) {
  (void)unused;
  if (!uv_is_closing(handle))
    uv_close(handle, NULL);
}

/* Before the operation: the other side is closed, or has written. */
static void on_nothing(uv_write_t *req, int status) {
  (void)req;
  (void)status;
}

enum before { NOTHING, GONE, WRITTEN };

static void prepare_peer(enum before before) {
  static uv_write_t reqs[2];
  uv_buf_t buf = uv_buf_init("x", 1);
  if (before == GONE) {
    uv_tcp_close_reset(&peer, NULL);
    uv_close((uv_handle_t *)&pipe_peer, NULL);
  } else if (before == WRITTEN) {
    uv_write(&reqs[0], (uv_stream_t *)&peer, &buf, 1, on_nothing);
    uv_write(&reqs[1], (uv_stream_t *)&pipe_peer, &buf, 1, on_nothing);
  }
  for (int i = 0; i < 20 && before != NOTHING; i++) {
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_sleep(5);
  }
}

static void run(const char *part, int (*operation)(void), enum before before, int in_poll, enum where where,
                const char *outcome) {
  char expected[128], line[256];
  uv_loop_init(&loop);
  connect_all();
  prepare_peer(before);
  begin = operation;
  is_begun = is_done = 0;
  record[0] = '\0';
  uv_idle_init(&loop, &idle);
  uv_prepare_init(&loop, &prepare);
  uv_check_init(&loop, &checker);
  uv_async_init(&loop, &async, on_async);
  uv_idle_start(&idle, on_idle);
  uv_prepare_start(&prepare, on_prepare);
  uv_check_start(&checker, on_check);
  if (in_poll)
    uv_async_send(&async);
  else
    begin_now();
  uv_run(&loop, UV_RUN_DEFAULT);
  if (where == PENDING)
    snprintf(expected, sizeof(expected), in_poll ? "A*<%s>C" : "*<%s>IPC", outcome);
  else if (where == POLL)
    snprintf(expected, sizeof(expected), "P<%s>", outcome);
  else
    snprintf(expected, sizeof(expected), "*returned %s", outcome);
  snprintf(line, sizeof(line), "%s, from %s", part, in_poll ? "the poll phase" : "outside");
  check(line, strstr(record, expected) != NULL);
  if (strstr(record, expected) == NULL)
    printf("  expected %s, was %s\n", expected, record);
  uv_walk(&loop, close_one, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
  if (uv_loop_close(&loop) != 0)
    check("the loop is closed", 0);
}

static void run_both(const char *part, int (*operation)(void), enum before before, enum where where,
                     const char *outcome) {
  run(part, operation, before, 0, where, outcome);
  run(part, operation, before, 1, where, outcome);
}

int main(void) {
  run_both("a refused connection", connect_refused, NOTHING, POLL, "ECONNREFUSED");
  run_both("an address that cannot be", connect_nowhere, NOTHING, RETURNED, "ENETUNREACH");
  run_both("an own address in use", connect_from_a_used_address, NOTHING, PENDING, "EADDRINUSE");
  run_both("a pipe that is missing", connect_missing_pipe, NOTHING, PENDING, "ENOENT");
  run_both("a name that is no pipe's", connect_no_pipe, NOTHING, PENDING, "ENOENT");
  run_both("a pipe that is missing, and closed", connect_missing_pipe_and_close, NOTHING, PENDING, "ECANCELED");
  run_both("a write", write_tcp, NOTHING, PENDING, "ok");
  run_both("a write on a pipe", write_pipe, NOTHING, PENDING, "ok");
  run_both("a shutdown", shut_tcp, NOTHING, PENDING, "ok");
  run_both("a shutdown, and closed", shut_tcp_and_close, NOTHING, PENDING, "ECANCELED");
  run_both("a shutdown of a pipe", shut_pipe, NOTHING, POLL, "ok");
  run_both("a write to a reset connection", write_tcp, GONE, PENDING, "ECONNRESET");
  run_both("a write to a closed pipe", write_pipe, GONE, RETURNED, "EPIPE");
  run_both("the end of a closed pipe", read_pipe, GONE, PENDING, "EOF");
  run_both("bytes that are there", read_tcp, WRITTEN, PENDING, "ok");
  run_both("bytes that are there, on a pipe", read_pipe, WRITTEN, PENDING, "ok");
  run_both("a write and a shutdown of a closed pipe", write_big_shut_and_close, NOTHING, POLL, "ECANCELED><ECANCELED");
  return failures;
}
