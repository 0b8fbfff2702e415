/* UDP since 1.44: several datagrams with one call, shared ports, the queue of errors. */
#include <sys/socket.h>

#include "test.h"

static uv_udp_t server, client;
static struct sockaddr_in server_address;
static int received, errors, drained, closed;
static ssize_t last_error;

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
  static char memory[65536];
  (void)handle;
  (void)size;
  *buf = uv_buf_init(memory, sizeof memory);
}

static void on_recv(uv_udp_t *handle, ssize_t nread, const uv_buf_t *buf, const struct sockaddr *addr,
                    unsigned int flags) {
  (void)handle;
  (void)buf;
  if (nread < 0) {
    CHECK(flags & UV_UDP_LINUX_RECVERR);
    errors++;
    last_error = nread;
  } else if (addr == NULL) {
    drained++;
  } else {
    received++;
  }
}

static void bind_to_any_port(uv_udp_t *handle, struct sockaddr_in *address, unsigned int flags) {
  int length = sizeof *address;
  CHECK_EQ(uv_udp_init(uv_default_loop(), handle), 0);
  CHECK_EQ(uv_ip4_addr("127.0.0.1", 0, address), 0);
  CHECK_EQ(uv_udp_bind(handle, (const struct sockaddr *)address, flags), 0);
  CHECK_EQ(uv_udp_getsockname(handle, (struct sockaddr *)address, &length), 0);
}

static void run_until(const int *count, int enough) {
  uint64_t end = uv_hrtime() + 40000000000u;
  while (*count < enough && uv_hrtime() < end)
    uv_run(uv_default_loop(), UV_RUN_NOWAIT);
}

TEST(udp_try_send2_sends_many) {
  enum { COUNT = 50 };
  struct sockaddr_in client_address;
  uv_buf_t buf = uv_buf_init("x", 1);
  uv_buf_t *bufs[COUNT];
  unsigned int nbufs[COUNT];
  struct sockaddr *addrs[COUNT];
  bind_to_any_port(&server, &server_address, 0);
  bind_to_any_port(&client, &client_address, 0);
  CHECK_EQ(uv_udp_recv_start(&server, on_alloc, on_recv), 0);
  for (int i = 0; i < COUNT; i++) {
    bufs[i] = &buf;
    nbufs[i] = 1;
    addrs[i] = (struct sockaddr *)&server_address;
  }
  CHECK_EQ(uv_udp_try_send2(&client, COUNT, bufs, nbufs, addrs, 1), UV_EINVAL);
  CHECK_EQ(uv_udp_try_send2(&client, 0, bufs, nbufs, addrs, 0), UV_EINVAL);
  CHECK_EQ(uv_udp_try_send2(&client, COUNT, bufs, nbufs, addrs, 0), COUNT);
  run_until(&received, COUNT);
  CHECK_EQ(received, COUNT);
  /* The datagrams before the one that cannot be sent are sent. */
  addrs[30] = NULL;
  CHECK_EQ(uv_udp_try_send2(&client, COUNT, bufs, nbufs, addrs, 0), 30);
  addrs[0] = NULL;
  CHECK_EQ(uv_udp_try_send2(&client, COUNT, bufs, nbufs, addrs, 0), UV_EDESTADDRREQ);
  test_close_default_loop();
}

TEST(udp_shared_port) {
  uv_udp_t second;
  bind_to_any_port(&server, &server_address, UV_UDP_REUSEPORT);
  CHECK_EQ(uv_udp_init(uv_default_loop(), &second), 0);
  CHECK_EQ(uv_udp_bind(&second, (const struct sockaddr *)&server_address, UV_UDP_REUSEADDR | UV_UDP_REUSEPORT), 0);
  test_close_default_loop();
}

TEST(udp_open_ex) {
  int fd, value = 1;
  socklen_t length = sizeof value;
  CHECK_EQ(uv_udp_init(uv_default_loop(), &client), 0);
  fd = socket(AF_INET, SOCK_DGRAM, 0);
  CHECK_EQ(uv_udp_open_ex(&client, fd, UV_UDP_IPV6ONLY), UV_EINVAL);
  CHECK_EQ(uv_udp_open_ex(&client, fd, 0), 0);
  CHECK_EQ(getsockopt(fd, SOL_SOCKET, SO_REUSEADDR, (void *)&value, &length), 0);
  CHECK_EQ(value, 0);
  test_close_default_loop();
}

TEST(udp_error_of_a_datagram_that_nobody_took) {
  struct sockaddr_in nobody;
  uv_buf_t buf = uv_buf_init("x", 1);
  bind_to_any_port(&server, &nobody, 0);
  CHECK_EQ(uv_udp_connect(&server, (const struct sockaddr *)&nobody), 0); /* to itself: it takes nothing from others */
  bind_to_any_port(&client, &server_address, UV_UDP_LINUX_RECVERR);
  CHECK_EQ(uv_udp_recv_start(&client, on_alloc, on_recv), 0);
  CHECK_EQ(uv_udp_try_send(&client, &buf, 1, (const struct sockaddr *)&nobody), 1);
  run_until(&errors, 1);
  CHECK_EQ(errors, 1);
  CHECK_EQ(last_error, UV_ECONNREFUSED);
  test_close_default_loop();
}

static void on_alloc_short(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
  static char memory[100];
  (void)handle;
  (void)size;
  *buf = uv_buf_init(memory, sizeof memory);
}

static void on_recv_short(uv_udp_t *handle, ssize_t nread, const uv_buf_t *buf, const struct sockaddr *addr,
                          unsigned int flags) {
  (void)addr;
  (void)flags;
  CHECK_EQ(nread, UV_EINVAL);
  CHECK_EQ(buf->len, 100);
  closed++;
  uv_udp_recv_stop(handle);
}

TEST(udp_buffer_too_short_for_recvmmsg) {
  uv_buf_t buf = uv_buf_init("x", 1);
  int length = sizeof server_address;
  CHECK_EQ(uv_udp_init_ex(uv_default_loop(), &server, AF_INET | UV_UDP_RECVMMSG), 0);
  CHECK_EQ(uv_udp_init(uv_default_loop(), &client), 0);
  uv_ip4_addr("127.0.0.1", 0, &server_address);
  CHECK_EQ(uv_udp_bind(&server, (const struct sockaddr *)&server_address, 0), 0);
  CHECK_EQ(uv_udp_getsockname(&server, (struct sockaddr *)&server_address, &length), 0);
  CHECK_EQ(uv_udp_recv_start(&server, on_alloc_short, on_recv_short), 0);
  CHECK_EQ(uv_udp_try_send(&client, &buf, 1, (const struct sockaddr *)&server_address), 1);
  run_until(&closed, 1);
  CHECK_EQ(closed, 1);
  test_close_default_loop();
}

/* libuv connects it, makes a socket for that, and aborts when the close ends. */
TEST(udp_connect_of_a_closing_handle_is_refused) {
  uv_udp_t udp;
  struct sockaddr_in address;
  CHECK_EQ(uv_ip4_addr("127.0.0.1", 9, &address), 0);
  CHECK_EQ(uv_udp_init(uv_default_loop(), &udp), 0);
  uv_close((uv_handle_t *)&udp, NULL);
  CHECK_EQ(uv_udp_connect(&udp, (struct sockaddr *)&address), UV_EINVAL);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  test_close_default_loop();
}
