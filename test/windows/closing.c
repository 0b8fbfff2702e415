/* What is under way when a handle is closed, on Windows: every operation comes back, with UV_ECANCELED if it was not
 * done, and soon. Also what the library answers where Windows lacks something. A line for each part; the exit status is
 * the number of parts that failed. `make test-windows` runs it. */
#include <fcntl.h>

#include "part.h"
#include "rota.h"

enum { WRITES = 400, WRITE_SIZE = 65536, SOON_MS = 10000, FROM_HERE = -100 /* AT_FDCWD */ };

static int closed, succeeded, cancelled, others;
static char block[WRITE_SIZE];

static void reset(void) {
  closed = succeeded = cancelled = others = 0;
}

static void count(int status) {
  if (status == 0)
    succeeded++;
  else if (status == UV_ECANCELED)
    cancelled++;
  else
    others++;
}

static void on_close(uv_handle_t *handle) {
  (void)handle;
  closed++;
}

static void on_written(uv_write_t *req, int status) {
  (void)req;
  count(status);
}

static void on_connect(uv_connect_t *req, int status) {
  (void)req;
  count(status);
}

static void alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
  (void)handle;
  (void)size;
  *buf = uv_buf_init(block, sizeof(block));
}

static void on_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)stream;
  (void)nread;
  (void)buf;
}

/* Pipes whose ends wait (uv_pipe without flags). The number of tries makes an unlucky moment likely. */
static void test_read_and_close(uv_loop_t *loop) {
  int err = 0;
  reset();
  for (int i = 0; i < 50 && err == 0; i++) {
    uv_file ends[2];
    uv_pipe_t pipe;
    err = uv_pipe(ends, 0, 0);
    if (err < 0)
      break;
    uv_pipe_init(loop, &pipe, 0);
    err = uv_pipe_open(&pipe, ends[0]);
    if (err == 0)
      err = uv_read_start((uv_stream_t *)&pipe, alloc, on_read);
    uv_close((uv_handle_t *)&pipe, on_close);
    uv_run(loop, UV_RUN_DEFAULT);
    uv_fs_t req;
    uv_fs_close(NULL, &req, ends[1], NULL);
  }
  check("a pipe that waits is closed while it is read", err == 0 && closed == 50);
}

static void test_write_and_close(uv_loop_t *loop) {
  static uv_write_t reqs[8];
  uv_buf_t buf = uv_buf_init(block, sizeof(block));
  uv_file ends[2];
  uv_pipe_t pipe;
  reset();
  int err = uv_pipe(ends, 0, 0);
  uv_pipe_init(loop, &pipe, 0);
  if (err == 0)
    err = uv_pipe_open(&pipe, ends[1]);
  for (int i = 0; i < 8 && err == 0; i++)
    err = uv_write(&reqs[i], (uv_stream_t *)&pipe, &buf, 1, on_written);
  uv_close((uv_handle_t *)&pipe, on_close);
  uv_run(loop, UV_RUN_DEFAULT);
  check("writes on a pipe that waits are cancelled",
        err == 0 && closed == 1 && cancelled > 0 && others == 0 && succeeded + cancelled == 8);
  uv_fs_t req;
  uv_fs_close(NULL, &req, ends[0], NULL);
}

/* The server has one instance, which is taken: the second client waits for another one. */
static void on_connection(uv_stream_t *server, int status) {
  (void)server;
  (void)status;
}

static void test_connect_and_close(uv_loop_t *loop) {
  uv_pipe_t server, first, second;
  uv_connect_t connects[3];
  const char *name = "\\\\.\\pipe\\rota-closing";
  reset();
  uv_pipe_init(loop, &server, 0);
  uv_pipe_init(loop, &first, 0);
  uv_pipe_init(loop, &second, 0);
  uv_pipe_pending_instances(&server, 1);
  int err = uv_pipe_bind(&server, name);
  if (err == 0)
    err = uv_listen((uv_stream_t *)&server, 1, on_connection);
  uv_pipe_connect(&connects[0], &server, name, on_connect);
  uv_run(loop, UV_RUN_NOWAIT);
  check("a pipe with a name does not connect", err == 0 && others == 1 && succeeded == 0);
  uv_pipe_connect(&connects[1], &first, name, on_connect);
  while (succeeded + cancelled + others < 2)
    uv_run(loop, UV_RUN_ONCE);
  uv_pipe_connect(&connects[2], &second, name, on_connect);
  uv_close((uv_handle_t *)&second, on_close);
  uint64_t begin = uv_hrtime();
  while (closed == 0)
    uv_run(loop, UV_RUN_ONCE);
  check("a pipe that waits for a server is closed soon",
        succeeded == 1 && cancelled == 1 && (uv_hrtime() - begin) / 1000000 < SOON_MS);
  uv_close((uv_handle_t *)&first, on_close);
  uv_close((uv_handle_t *)&server, on_close);
  uv_run(loop, UV_RUN_DEFAULT);
}

/* ---- sockets ---- */

static uv_write_t writes[WRITES];
static uv_tcp_t listener, client, peer;

static void on_tcp_connect(uv_connect_t *req, int status) {
  uv_buf_t buf = uv_buf_init(block, sizeof(block));
  for (int i = 0; i < WRITES && status == 0; i++)
    uv_write(&writes[i], req->handle, &buf, 1, on_written);
}

static void on_tcp_connection(uv_stream_t *server, int status) {
  if (status == 0 && uv_accept(server, (uv_stream_t *)&peer) == 0)
    return;
  others++;
}

static void on_time(uv_timer_t *timer) {
  uv_close((uv_handle_t *)timer, on_close);
  uv_close((uv_handle_t *)&client, on_close);
  uv_close((uv_handle_t *)&peer, on_close);
  uv_close((uv_handle_t *)&listener, on_close);
}

/* The peer never reads. */
static void test_tcp_writes(uv_loop_t *loop) {
  struct sockaddr_in address;
  int length = sizeof(address);
  uv_connect_t connect;
  uv_timer_t timer;
  reset();
  uv_ip4_addr("127.0.0.1", 0, &address);
  uv_tcp_init(loop, &listener);
  uv_tcp_init(loop, &client);
  uv_tcp_init(loop, &peer);
  int err = uv_tcp_bind(&listener, (const struct sockaddr *)&address, 0);
  if (err == 0)
    err = uv_listen((uv_stream_t *)&listener, 1, on_tcp_connection);
  if (err == 0)
    err = uv_tcp_getsockname(&listener, (struct sockaddr *)&address, &length);
  if (err == 0)
    err = uv_tcp_connect(&connect, &client, (const struct sockaddr *)&address, on_tcp_connect);
  uv_timer_init(loop, &timer);
  uv_timer_start(&timer, on_time, 1000, 0);
  uv_run(loop, UV_RUN_DEFAULT);
  check("writes on a socket are cancelled",
        err == 0 && closed == 4 && cancelled > 0 && others == 0 && succeeded + cancelled == WRITES);
}

/* ---- what Windows lacks ---- */

static void test_small_files(void) {
  char text[64];
  uv_fs_t req;
  uv_buf_t buf = uv_buf_init("hello", 5);
  int fd = uv_fs_open(NULL, &req, "rota-closing.txt", UV_FS_O_CREAT | UV_FS_O_RDWR | UV_FS_O_TRUNC, 0600, NULL);
  uv_fs_write(NULL, &req, fd, &buf, 1, 0, NULL);
  uv_fs_close(NULL, &req, fd, NULL);
  int folder = uv_fs_open(NULL, &req, ".", UV_FS_O_RDONLY, 0, NULL);
  rota_small_file_t files[3] = {
      {.path = "rota-closing.txt", .directory = FROM_HERE, .room = text, .size = sizeof(text)},
      {.path = "rota-closing.txt", .directory = folder, .room = text, .size = sizeof(text)},
      {.path = "rota-nowhere.txt", .directory = FROM_HERE, .room = text, .size = sizeof(text)}};
  rota_read_small_files(files, 3);
  check("small files", folder >= 0 && files[0].result == 5 && files[1].result == 5 && files[2].result == UV_ENOENT &&
                           memcmp(text, "hello", 5) == 0);
  uv_fs_close(NULL, &req, folder, NULL);
  uv_fs_unlink(NULL, &req, "rota-closing.txt", NULL);
}

static void never(uv_timer_t *timer) {
  (void)timer;
}

static void test_alive(uv_loop_t *loop) {
  char text[4096];
  uv_timer_t timer;
  uv_timer_init(loop, &timer);
  uv_timer_start(&timer, never, 60000, 0);
  FILE *file = fopen("rota-alive.txt", "w+b");
  size_t length = 0;
  if (file != NULL) {
    rota_print_alive(loop, file);
    rewind(file);
    length = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    remove("rota-alive.txt");
  }
  text[length] = '\0';
  uv_close((uv_handle_t *)&timer, NULL);
  uv_run(loop, UV_RUN_DEFAULT);
  check("what keeps the loop alive", strstr(text, "timer") != NULL && strstr(text, "calls never") != NULL);
}

/* As libuv on this system. */
static void test_what_is_refused(uv_loop_t *loop) {
  struct sockaddr_storage name;
  int length = sizeof(name);
  uv_tcp_t tcp;
  uv_tcp_init(loop, &tcp);
  int is_right = uv_tcp_getsockname(&tcp, (struct sockaddr *)&name, &length) == UV_EBADF &&
                 uv_tcp_getpeername(&tcp, (struct sockaddr *)&name, &length) == UV_EBADF &&
                 uv_loop_fork(loop) == UV_ENOSYS;
  uv_close((uv_handle_t *)&tcp, NULL);
  uv_run(loop, UV_RUN_DEFAULT);
  check("names of no socket, and forks, are refused", is_right);
}

int main(void) {
  uv_loop_t *loop = uv_default_loop();
  test_what_is_refused(loop);
  test_read_and_close(loop);
  test_write_and_close(loop);
  test_connect_and_close(loop);
  test_tcp_writes(loop);
  test_small_files();
  test_alive(loop);
  check("loop is closed", uv_loop_close(loop) == 0);
  return failures;
}
