/* The server under test: sends back every datagram. Prints its port, and serves until it is ended. */
#include "bench.h"
#include "uv.h"

struct answer {
  uv_udp_send_t req;
  char data[];
};

static char input[65536];

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  (void)handle;
  (void)suggested;
  *buf = uv_buf_init(input, sizeof(input));
}

static void on_send(uv_udp_send_t *req, int status) {
  bench_must(status == 0, "uv_udp_send");
  free(req);
}

static void on_datagram(uv_udp_t *socket, ssize_t nread, const uv_buf_t *buf, const struct sockaddr *from,
                        unsigned int flags) {
  (void)flags;
  bench_must(nread >= 0, "uv_udp_recv");
  if (from == NULL)
    return;
  struct answer *answer = malloc(sizeof(*answer) + (size_t)nread);
  bench_must(answer != NULL, "malloc");
  memcpy(answer->data, buf->base, (size_t)nread);
  uv_buf_t out = uv_buf_init(answer->data, (unsigned int)nread);
  bench_must(uv_udp_send(&answer->req, socket, &out, 1, from, on_send) == 0, "uv_udp_send");
}

int main(void) {
  uv_loop_t *loop = uv_default_loop();
  uv_udp_t socket;
  struct sockaddr_in address;
  int length = sizeof(address);
  uv_udp_init(loop, &socket);
  uv_ip4_addr("127.0.0.1", 0, &address);
  bench_must(uv_udp_bind(&socket, (struct sockaddr *)&address, 0) == 0, "uv_udp_bind");
  uv_udp_getsockname(&socket, (struct sockaddr *)&address, &length);
  bench_must(uv_udp_recv_start(&socket, on_alloc, on_datagram) == 0, "uv_udp_recv_start");
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  uv_run(loop, UV_RUN_DEFAULT);
  return 0;
}
