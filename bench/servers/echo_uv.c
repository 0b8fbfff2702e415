/* The server under test: sends back what it gets, over TCP. Prints its port, and serves until it is ended. */
#include "bench.h"
#include "uv.h"

struct answer {
  uv_write_t req;
  char data[];
};

static char input[65536]; /* of all connections: the data is copied before the next read */

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  (void)handle;
  (void)suggested;
  *buf = uv_buf_init(input, sizeof(input));
}

static void on_close(uv_handle_t *handle) {
  free(handle);
}

static void on_write(uv_write_t *req, int status) {
  if (status < 0 && !uv_is_closing((uv_handle_t *)req->handle))
    uv_close((uv_handle_t *)req->handle, on_close);
  free(req);
}

static void on_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  if (nread < 0) {
    uv_close((uv_handle_t *)stream, on_close);
    return;
  }
  if (nread == 0)
    return;
  struct answer *answer = malloc(sizeof(*answer) + (size_t)nread);
  bench_must(answer != NULL, "malloc");
  memcpy(answer->data, buf->base, (size_t)nread);
  uv_buf_t out = uv_buf_init(answer->data, (unsigned int)nread);
  bench_must(uv_write(&answer->req, stream, &out, 1, on_write) == 0, "uv_write");
}

static void on_connection(uv_stream_t *listener, int status) {
  bench_must(status == 0, "listen");
  uv_tcp_t *connection = malloc(sizeof(*connection));
  bench_must(connection != NULL, "malloc");
  uv_tcp_init(listener->loop, connection);
  bench_must(uv_accept(listener, (uv_stream_t *)connection) == 0, "uv_accept");
  uv_tcp_nodelay(connection, 1);
  bench_must(uv_read_start((uv_stream_t *)connection, on_alloc, on_read) == 0, "uv_read_start");
}

int main(void) {
  bench_raise_descriptors(1000000);
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t listener;
  struct sockaddr_in address;
  int length = sizeof(address);
  uv_tcp_init(loop, &listener);
  uv_ip4_addr("127.0.0.1", 0, &address);
  bench_must(uv_tcp_bind(&listener, (struct sockaddr *)&address, 0) == 0, "uv_tcp_bind");
  bench_must(uv_listen((uv_stream_t *)&listener, 4096, on_connection) == 0, "uv_listen");
  uv_tcp_getsockname(&listener, (struct sockaddr *)&address, &length);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  uv_run(loop, UV_RUN_DEFAULT);
  return 0;
}
