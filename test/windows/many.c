/* Many at once on Windows: 200 connections, a pipe whose reader is slow, handles that are closed with everything under
 * way. No handle of the system is left. The exit status is the number of parts that failed. `make test-windows` runs
 * it. */
#include "part.h"

enum { CONNECTIONS = 200, CHUNK = 65536, CHUNKS = 64, ROUNDS = 20 };

static uv_loop_t loop;
static uv_tcp_t server, clients[CONNECTIONS], peers[CONNECTIONS];
static uv_connect_t connects[CONNECTIONS];
static uv_write_t writes[CONNECTIONS];
static int accepted, connected, answered;
static char room[CHUNK];

static void give_room(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
  (void)handle;
  (void)size;
  *buf = uv_buf_init(room, sizeof(room));
}

static void close_stream(void *stream) {
  if (!uv_is_closing(stream))
    uv_close(stream, NULL);
}

/* ---- connections ---- */

static void on_peer_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)buf;
  answered += nread == 1;
  if (nread != 0)
    close_stream(stream);
}

static void on_connection(uv_stream_t *listener, int status) {
  uv_tcp_t *peer = &peers[accepted];
  if (status < 0 || accepted == CONNECTIONS)
    return;
  uv_tcp_init(&loop, peer);
  if (uv_accept(listener, (uv_stream_t *)peer) == 0)
    uv_read_start((uv_stream_t *)peer, give_room, on_peer_read);
  if (++accepted == CONNECTIONS)
    close_stream(listener);
}

static void on_connected(uv_connect_t *req, int status) {
  uv_buf_t byte = uv_buf_init("x", 1);
  connected += status == 0;
  if (status == 0)
    uv_write(&writes[req - connects], req->handle, &byte, 1, NULL);
  uv_read_start(req->handle, give_room, on_peer_read);
}

static int listen_and_connect(void) {
  struct sockaddr_in address;
  int length = sizeof(address);
  accepted = connected = answered = 0;
  uv_ip4_addr("127.0.0.1", 0, &address);
  uv_tcp_init(&loop, &server);
  int err = uv_tcp_bind(&server, (const struct sockaddr *)&address, 0);
  if (err == 0)
    err = uv_listen((uv_stream_t *)&server, CONNECTIONS, on_connection);
  if (err == 0)
    err = uv_tcp_getsockname(&server, (struct sockaddr *)&address, &length);
  for (int i = 0; i < CONNECTIONS && err == 0; i++) {
    uv_tcp_init(&loop, &clients[i]);
    err = uv_tcp_connect(&connects[i], &clients[i], (const struct sockaddr *)&address, on_connected);
  }
  return err;
}

static void test_connections(void) {
  int err = listen_and_connect();
  uv_run(&loop, UV_RUN_DEFAULT);
  check("200 connections at once",
        err == 0 && accepted == CONNECTIONS && connected == CONNECTIONS && answered == CONNECTIONS);
}

/* ---- closing in the middle ---- */

static void close_one(uv_handle_t *handle, void *unused) {
  (void)unused;
  close_stream(handle);
}

static DWORD handles(void) {
  DWORD count = 0;
  GetProcessHandleCount(GetCurrentProcess(), &count);
  return count;
}

/* The first rounds may open what the library keeps. */
static void test_closing(void) {
  DWORD before = 0, after = 0;
  int err = 0;
  for (int i = 0; i < ROUNDS && err == 0; i++) {
    err = listen_and_connect();
    for (int turn = 0; turn < i % 4; turn++)
      uv_run(&loop, UV_RUN_NOWAIT);
    uv_walk(&loop, close_one, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    after = handles();
    if (i == ROUNDS / 2)
      before = after;
  }
  if (after > before + 8)
    printf("  %d, then %d handles\n", (int)before, (int)after);
  check("connections that are closed in the middle leave no handles", err == 0 && after <= before + 8);
}

/* ---- a slow reader ---- */

static size_t written, read_bytes;
static uv_pipe_t pipe_ends[2];
static uv_timer_t pause_timer;

static void on_chunk(uv_write_t *req, int status) {
  written += status == 0 ? CHUNK : 0;
  free(req);
}

static void on_pipe_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf);

static void on_pause(uv_timer_t *timer) {
  (void)timer;
  uv_read_start((uv_stream_t *)&pipe_ends[0], give_room, on_pipe_read);
}

static void on_pipe_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)buf;
  if (nread < 0 || (read_bytes += (size_t)nread) == (size_t)CHUNKS * CHUNK) {
    uv_walk(&loop, close_one, NULL);
    return;
  }
  uv_read_stop(stream);
  uv_timer_start(&pause_timer, on_pause, 1, 0);
}

static void test_slow_reader(void) {
  static char chunk[CHUNK];
  uv_buf_t buf = uv_buf_init(chunk, sizeof(chunk));
  uv_file fds[2];
  int err = uv_pipe(fds, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE);
  uv_timer_init(&loop, &pause_timer);
  for (int i = 0; i < 2; i++)
    uv_pipe_init(&loop, &pipe_ends[i], 0);
  for (int i = 0; i < 2 && err == 0; i++)
    err = uv_pipe_open(&pipe_ends[i], fds[i]);
  for (int i = 0; i < CHUNKS && err == 0; i++)
    err = uv_write(malloc(sizeof(uv_write_t)), (uv_stream_t *)&pipe_ends[1], &buf, 1, on_chunk);
  if (err == 0)
    err = uv_read_start((uv_stream_t *)&pipe_ends[0], give_room, on_pipe_read);
  if (err < 0)
    uv_walk(&loop, close_one, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
  check("a pipe with a slow reader loses nothing",
        err == 0 && written == read_bytes && read_bytes == (size_t)CHUNKS * CHUNK);
}

int main(void) {
  uv_loop_init(&loop);
  test_connections();
  test_closing();
  test_slow_reader();
  check("the loop ends", uv_loop_close(&loop) == 0);
  return failures;
}
