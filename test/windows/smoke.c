/* The library on Windows, in one program: timer, async from a thread, TCP, UDP, a named pipe, a watched socket, files,
 * a child. Each part prints a line; the exit status is the number of parts that failed. `make test-windows` runs it. */
#include "part.h"

static char text[64];
static size_t received;
static int done;
static uv_write_t write_req;
static uv_stream_t *accepted;

static void alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
  static char bytes[65536];
  (void)handle;
  (void)size;
  *buf = uv_buf_init(bytes, sizeof(bytes));
}

static void on_timer(uv_timer_t *timer) {
  done++;
  uv_close((uv_handle_t *)timer, NULL);
}

static void on_async(uv_async_t *async) {
  done++;
  uv_close((uv_handle_t *)async, NULL);
}

static void sender(void *async) {
  uv_async_send(async);
}

static void test_clock_and_threads(uv_loop_t *loop) {
  uv_timer_t timer;
  uv_async_t async;
  uv_thread_t thread;
  done = 0;
  uv_update_time(loop); /* the timer counts from the time that the loop knows */
  uint64_t begin = uv_hrtime();
  uv_timer_init(loop, &timer);
  uv_timer_start(&timer, on_timer, 50, 0);
  uv_async_init(loop, &async, on_async);
  int made = uv_thread_create(&thread, sender, &async) == 0;
  uv_run(loop, UV_RUN_DEFAULT);
  check("timer and async", made && uv_thread_join(&thread) == 0 && done == 2 && uv_hrtime() - begin >= 49000000);
}

/* ---- streams: the server sends back what it gets, the client ends ---- */

static void on_echo(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  if (nread < 0) {
    uv_close((uv_handle_t *)stream, NULL);
    return;
  }
  memcpy(text, buf->base, (size_t)nread);
  uv_buf_t back = uv_buf_init(text, (unsigned int)nread);
  uv_write(&write_req, stream, &back, 1, NULL);
}

static void on_connection(uv_stream_t *server, int status) {
  if (status == 0 && uv_accept(server, accepted) == 0)
    uv_read_start(accepted, alloc, on_echo);
  uv_close((uv_handle_t *)server, NULL);
}

static void on_answer(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)buf;
  if (nread > 0)
    received += (size_t)nread;
  if (nread < 0 || received == 5)
    uv_close((uv_handle_t *)stream, NULL);
}

static void on_connect(uv_connect_t *req, int status) {
  static uv_write_t hello;
  uv_buf_t buf = uv_buf_init("hello", 5);
  if (status < 0) {
    uv_close((uv_handle_t *)req->handle, NULL);
    return;
  }
  uv_write(&hello, req->handle, &buf, 1, NULL);
  uv_read_start(req->handle, alloc, on_answer);
}

static void test_tcp(uv_loop_t *loop) {
  uv_tcp_t server, peer, client;
  uv_connect_t connect;
  struct sockaddr_in address;
  int length = sizeof(address);
  received = 0;
  accepted = (uv_stream_t *)&peer;
  uv_tcp_init(loop, &server);
  uv_tcp_init(loop, &peer);
  uv_tcp_init(loop, &client);
  uv_ip4_addr("127.0.0.1", 0, &address);
  int err = uv_tcp_bind(&server, (struct sockaddr *)&address, 0);
  if (err == 0)
    err = uv_listen((uv_stream_t *)&server, 8, on_connection);
  if (err == 0)
    err = uv_tcp_getsockname(&server, (struct sockaddr *)&address, &length);
  if (err == 0)
    err = uv_tcp_connect(&connect, &client, (struct sockaddr *)&address, on_connect);
  uv_run(loop, UV_RUN_DEFAULT);
  check("TCP", err == 0 && received == 5);
}

static void test_pipe(uv_loop_t *loop) {
  uv_pipe_t server, peer, client;
  uv_connect_t connect;
  received = 0;
  accepted = (uv_stream_t *)&peer;
  uv_pipe_init(loop, &server, 0);
  uv_pipe_init(loop, &peer, 0);
  uv_pipe_init(loop, &client, 0);
  int err = uv_pipe_bind(&server, "\\\\.\\pipe\\rota-smoke");
  if (err == 0)
    err = uv_listen((uv_stream_t *)&server, 8, on_connection);
  if (err == 0)
    uv_pipe_connect(&connect, &client, "\\\\.\\pipe\\rota-smoke", on_connect);
  uv_run(loop, UV_RUN_DEFAULT);
  check("named pipe", err == 0 && received == 5);
}

/* ---- datagrams, and a socket of the program's ---- */

static void on_datagram(uv_udp_t *udp, ssize_t nread, const uv_buf_t *buf, const struct sockaddr *peer,
                        unsigned flags) {
  (void)buf;
  (void)flags;
  if (peer == NULL)
    return;
  received = (size_t)nread;
  uv_close((uv_handle_t *)udp, NULL);
}

static void test_udp(uv_loop_t *loop) {
  uv_udp_t reader, writer;
  uv_udp_send_t req;
  struct sockaddr_in address;
  int length = sizeof(address);
  uv_buf_t buf = uv_buf_init("hello", 5);
  received = 0;
  uv_udp_init(loop, &reader);
  uv_udp_init(loop, &writer);
  uv_ip4_addr("127.0.0.1", 0, &address);
  int err = uv_udp_bind(&reader, (struct sockaddr *)&address, 0);
  if (err == 0)
    err = uv_udp_getsockname(&reader, (struct sockaddr *)&address, &length);
  if (err == 0)
    err = uv_udp_recv_start(&reader, alloc, on_datagram);
  if (err == 0)
    err = uv_udp_send(&req, &writer, &buf, 1, (struct sockaddr *)&address, NULL);
  uv_run(loop, UV_RUN_DEFAULT);
  uv_close((uv_handle_t *)&writer, NULL);
  uv_run(loop, UV_RUN_DEFAULT);
  check("UDP", err == 0 && received == 5);
}

static void on_ready(uv_poll_t *poll, int status, int events) {
  done += status == 0 && (events & UV_READABLE);
  uv_close((uv_handle_t *)poll, NULL);
}

static void test_poll(uv_loop_t *loop) {
  uv_os_sock_t pair[2];
  uv_poll_t poll;
  done = 0;
  int err = uv_socketpair(SOCK_STREAM, 0, pair, 0, 0);
  if (err == 0)
    err = uv_poll_init_socket(loop, &poll, pair[0]);
  if (err == 0) {
    uv_poll_start(&poll, UV_READABLE, on_ready);
    send(pair[1], "x", 1, 0);
    uv_run(loop, UV_RUN_DEFAULT);
  }
  check("watched socket", err == 0 && done == 1);
}

/* ---- files and children ---- */

static void on_opened(uv_fs_t *req) {
  done = (int)req->result;
}

static void test_files(uv_loop_t *loop) {
  uv_fs_t req;
  uv_buf_t buf = uv_buf_init("hello", 5);
  done = -1;
  uv_fs_open(loop, &req, "rota-smoke.txt", UV_FS_O_CREAT | UV_FS_O_RDWR | UV_FS_O_TRUNC, 0600, on_opened);
  uv_run(loop, UV_RUN_DEFAULT);
  uv_fs_req_cleanup(&req);
  int written = uv_fs_write(NULL, &req, done, &buf, 1, 0, NULL);
  uv_fs_close(NULL, &req, done, NULL);
  int err = uv_fs_stat(NULL, &req, "rota-smoke.txt", NULL);
  check("files", written == 5 && err == 0 && req.statbuf.st_size == 5);
  uv_fs_req_cleanup(&req);
  uv_fs_unlink(NULL, &req, "rota-smoke.txt", NULL);
}

static void on_exit(uv_process_t *process, int64_t status, int signal) {
  done = status == 7 && signal == 0;
  uv_close((uv_handle_t *)process, NULL);
}

static void on_line(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  if (nread > 0)
    received += (size_t)nread;
  else if (nread < 0)
    uv_close((uv_handle_t *)stream, NULL);
  (void)buf;
}

static void test_child(uv_loop_t *loop) {
  char path[1024];
  size_t size = sizeof(path);
  uv_process_t process;
  uv_pipe_t output;
  uv_exepath(path, &size);
  char *args[] = {path, "child", NULL};
  uv_pipe_init(loop, &output, 0);
  uv_stdio_container_t stdio[2] = {{.flags = UV_IGNORE},
                                   {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&output}};
  uv_process_options_t options = {.file = path, .args = args, .exit_cb = on_exit, .stdio = stdio, .stdio_count = 2};
  done = 0;
  received = 0;
  int err = uv_spawn(loop, &process, &options);
  if (err == 0)
    uv_read_start((uv_stream_t *)&output, alloc, on_line);
  else
    uv_close((uv_handle_t *)&output, NULL);
  uv_run(loop, UV_RUN_DEFAULT);
  check("child and its output", err == 0 && done == 1 && received > 0);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "child") == 0) {
    puts("I am the child");
    return 7;
  }
  uv_loop_t *loop = uv_default_loop();
  test_clock_and_threads(loop);
  test_tcp(loop);
  test_udp(loop);
  test_pipe(loop);
  test_poll(loop);
  test_files(loop);
  test_child(loop);
  check("loop is closed", uv_loop_close(loop) == 0);
  return failures;
}
