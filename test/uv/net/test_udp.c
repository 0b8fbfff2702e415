/* UDP: sending and receiving datagrams, and refused arguments. */
#include <stdbool.h>
#include <sys/socket.h>

#include "system.h"

static uv_udp_t server, client;
static struct sockaddr_in server_address;
static int received, sent, closed, allocated, drained;
static unsigned int last_flags;
static ssize_t last_nread;
static char last_text[100];

static void on_close(uv_handle_t *handle) {
  (void)handle;
  closed++;
}

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
  static char memory[65536];
  (void)handle;
  CHECK_EQ(size, sizeof memory);
  allocated++;
  *buf = uv_buf_init(memory, sizeof memory);
}

static void on_alloc_small(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
  static char memory[4];
  (void)handle;
  (void)size;
  *buf = uv_buf_init(memory, sizeof memory);
}

static void on_alloc_nothing(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
  (void)handle;
  (void)size;
  (void)buf;
}

static void on_recv(uv_udp_t *handle, ssize_t nread, const uv_buf_t *buf, const struct sockaddr *addr,
                    unsigned int flags) {
  (void)handle;
  if (nread == 0 && addr == NULL) {
    drained++;
    return;
  }
  CHECK(nread < 0 || addr != NULL);
  received++;
  last_nread = nread;
  last_flags = flags;
  if (nread >= 0)
    snprintf(last_text, sizeof last_text, "%.*s", (int)nread, buf->base);
}

static void on_sent(uv_udp_send_t *req, int status) {
  (void)req;
  CHECK_EQ(status, 0);
  sent++;
}

static void never_sent(uv_udp_send_t *req, int status) {
  (void)req;
  test_fail(__FILE__, __LINE__, "called with %d", status);
}

static void bind_server(unsigned int init_flags) {
  int length = sizeof server_address;
  CHECK_EQ(uv_ip4_addr("127.0.0.1", 0, &server_address), 0);
  CHECK_EQ(uv_udp_init_ex(uv_default_loop(), &server, init_flags), 0);
  CHECK_EQ(uv_udp_bind(&server, (const struct sockaddr *)&server_address, 0), 0);
  CHECK_EQ(uv_udp_getsockname(&server, (struct sockaddr *)&server_address, &length), 0);
  CHECK_EQ(length, sizeof server_address);
}

static const struct sockaddr *to_server(void) {
  return (const struct sockaddr *)&server_address;
}

static void set_up(void) {
  bind_server(AF_UNSPEC);
  CHECK_EQ(uv_udp_init(uv_default_loop(), &client), 0);
}

/* Until this many have been received, or a long time has passed. */
static void run_until_received(int count) {
  uint64_t end = uv_hrtime() + 40000000000u;
  while (received < count && uv_hrtime() < end)
    uv_run(uv_default_loop(), UV_RUN_NOWAIT);
}

TEST(udp_send_and_receive) {
  uv_udp_send_t req;
  uv_buf_t buf = uv_buf_init("hello", 5);
  set_up();
  CHECK(!uv_is_active((uv_handle_t *)&server));
  CHECK_EQ(uv_udp_recv_start(&server, on_alloc, on_recv), 0);
  CHECK(uv_is_active((uv_handle_t *)&server));
  CHECK_EQ(uv_udp_recv_start(&server, on_alloc, on_recv), UV_EALREADY);
  CHECK_EQ(uv_udp_send(&req, &client, &buf, 1, to_server(), on_sent), 0);
  CHECK(req.handle == &client);
  CHECK_EQ(req.type, UV_UDP_SEND);
  CHECK_EQ(sent, 0); /* never at once */
  CHECK_EQ(uv_udp_get_send_queue_count(&client), 1);
  CHECK_EQ(uv_udp_get_send_queue_size(&client), 5);
  CHECK(uv_is_active((uv_handle_t *)&client));
  run_until_received(1);
  CHECK_EQ(sent, 1);
  CHECK_EQ(uv_udp_get_send_queue_count(&client), 0);
  CHECK_EQ(uv_udp_get_send_queue_size(&client), 0);
  CHECK(!uv_is_active((uv_handle_t *)&client));
  CHECK_EQ(received, 1);
  CHECK_EQ(last_flags, 0);
  CHECK_STR(last_text, "hello");
  CHECK_EQ(uv_udp_recv_stop(&server), 0);
  CHECK_EQ(uv_udp_recv_stop(&server), 0);
  CHECK(!uv_is_active((uv_handle_t *)&server));
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  test_close_default_loop();
}

TEST(udp_every_buffer_comes_back) {
  uv_buf_t buf = uv_buf_init("x", 1);
  set_up();
  CHECK_EQ(uv_udp_recv_start(&server, on_alloc, on_recv), 0);
  for (int i = 0; i < 5; i++)
    CHECK_EQ(uv_udp_try_send(&client, &buf, 1, to_server()), 1);
  run_until_received(5);
  CHECK_EQ(received, 5);
  CHECK_EQ(allocated, received + drained);
  test_close_default_loop();
}

TEST(udp_many_buffers_in_one_datagram) {
  static char digits[] = "0123456789";
  uv_udp_send_t req;
  uv_buf_t bufs[10];
  set_up();
  uv_udp_recv_start(&server, on_alloc, on_recv);
  for (int i = 0; i < 10; i++)
    bufs[i] = uv_buf_init(&digits[i], 1);
  CHECK_EQ(uv_udp_send(&req, &client, bufs, 10, to_server(), on_sent), 0);
  memset(bufs, 0, sizeof bufs); /* only what they point to must stay */
  run_until_received(1);
  CHECK_STR(last_text, "0123456789");
  test_close_default_loop();
}

TEST(udp_empty_datagram) {
  uv_buf_t buf = uv_buf_init(NULL, 0);
  set_up();
  uv_udp_recv_start(&server, on_alloc, on_recv);
  CHECK_EQ(uv_udp_try_send(&client, &buf, 1, to_server()), 0);
  run_until_received(1);
  CHECK_EQ(received, 1);
  CHECK_EQ(last_nread, 0);
  test_close_default_loop();
}

TEST(udp_long_datagram_for_a_short_buffer) {
  uv_buf_t buf = uv_buf_init("0123456789", 10);
  set_up();
  uv_udp_recv_start(&server, on_alloc_small, on_recv);
  CHECK_EQ(uv_udp_try_send(&client, &buf, 1, to_server()), 10);
  run_until_received(1);
  CHECK_EQ(last_nread, 4);
  CHECK_EQ(last_flags, UV_UDP_PARTIAL);
  test_close_default_loop();
}

static void on_no_room(uv_udp_t *handle, ssize_t nread, const uv_buf_t *buf, const struct sockaddr *addr,
                       unsigned int flags) {
  CHECK_EQ(nread, UV_ENOBUFS);
  CHECK(addr == NULL);
  CHECK_EQ(flags, 0);
  CHECK_EQ(buf->len, 0);
  uv_udp_recv_stop(handle);
  uv_udp_recv_start(handle, on_alloc, on_recv);
}

TEST(udp_no_room_loses_nothing) {
  uv_buf_t buf = uv_buf_init("kept", 4);
  set_up();
  uv_udp_recv_start(&server, on_alloc_nothing, on_no_room);
  CHECK_EQ(uv_udp_try_send(&client, &buf, 1, to_server()), 4);
  run_until_received(1);
  CHECK_STR(last_text, "kept");
  test_close_default_loop();
}

static int checks, most_in_one_iteration, received_before;

static void on_check(uv_check_t *check) {
  (void)check;
  if (received - received_before > most_in_one_iteration)
    most_in_one_iteration = received - received_before;
  received_before = received;
  checks++;
}

TEST(udp_flood_is_read_in_portions) {
  uv_buf_t buf = uv_buf_init("x", 1);
  uv_check_t check;
  set_up();
  uv_check_init(uv_default_loop(), &check);
  uv_check_start(&check, on_check);
  uv_udp_recv_start(&server, on_alloc, on_recv);
  for (int i = 0; i < 100; i++)
    CHECK_EQ(uv_udp_try_send(&client, &buf, 1, to_server()), 1);
  run_until_received(100);
  CHECK_EQ(received, 100);
  CHECK(most_in_one_iteration <= 32);
  CHECK(checks >= 4);
  test_close_default_loop();
}

TEST(udp_address_or_peer_but_not_both) {
  uv_udp_send_t req;
  uv_buf_t buf = uv_buf_init("x", 1);
  struct sockaddr_in name;
  int length = sizeof name;
  set_up();
  CHECK_EQ(uv_udp_send(&req, &client, &buf, 1, NULL, never_sent), UV_EDESTADDRREQ);
  CHECK_EQ(uv_udp_try_send(&client, &buf, 1, NULL), UV_EDESTADDRREQ);
  CHECK_EQ(uv_udp_connect(&client, NULL), UV_ENOTCONN);
  CHECK_EQ(uv_udp_connect(&client, to_server()), 0);
  CHECK_EQ(uv_udp_connect(&client, to_server()), UV_EISCONN);
  CHECK_EQ(uv_udp_send(&req, &client, &buf, 1, to_server(), never_sent), UV_EISCONN);
  CHECK_EQ(uv_udp_try_send(&client, &buf, 1, to_server()), UV_EISCONN);
  CHECK_EQ(uv_udp_getpeername(&client, (struct sockaddr *)&name, &length), 0);
  CHECK_EQ(name.sin_port, server_address.sin_port);
  uv_udp_recv_start(&server, on_alloc, on_recv);
  CHECK_EQ(uv_udp_send(&req, &client, &buf, 1, NULL, on_sent), 0);
  run_until_received(1);
  CHECK_EQ(uv_udp_connect(&client, NULL), 0);
  CHECK_EQ(uv_udp_getpeername(&client, (struct sockaddr *)&name, &length), UV_ENOTCONN);
  CHECK_EQ(uv_udp_try_send(&client, &buf, 1, to_server()), 1);
  run_until_received(2);
  CHECK_EQ(received, 2);
  CHECK_EQ(sent, 1);
  test_close_default_loop();
}

static void on_too_big(uv_udp_send_t *req, int status) {
  (void)req;
  CHECK_EQ(status, UV_EMSGSIZE);
  sent++;
}

TEST(udp_too_big_fails_alone) {
  static char big[70000];
  uv_udp_send_t reqs[3];
  uv_buf_t small_buf = uv_buf_init("x", 1), big_buf = uv_buf_init(big, sizeof big);
  set_up();
  uv_udp_recv_start(&server, on_alloc, on_recv);
  CHECK_EQ(uv_udp_try_send(&client, &big_buf, 1, to_server()), UV_EMSGSIZE);
  CHECK_EQ(uv_udp_send(&reqs[0], &client, &small_buf, 1, to_server(), on_sent), 0);
  CHECK_EQ(uv_udp_send(&reqs[1], &client, &big_buf, 1, to_server(), on_too_big), 0);
  CHECK_EQ(uv_udp_send(&reqs[2], &client, &small_buf, 1, to_server(), on_sent), 0);
  run_until_received(2);
  CHECK_EQ(received, 2);
  CHECK_EQ(sent, 3);
  CHECK_EQ(uv_udp_get_send_queue_size(&client), 0);
  test_close_default_loop();
}

static uv_udp_send_t more[40];
static char order[200];

static void on_ordered(uv_udp_send_t *req, int status) {
  CHECK_EQ(status, 0);
  snprintf(order + strlen(order), sizeof order - strlen(order), "%d ", (int)(req - more));
}

TEST(udp_callbacks_come_in_order) {
  char expected[200] = "";
  uv_buf_t buf = uv_buf_init("x", 1);
  set_up();
  uv_udp_recv_start(&server, on_alloc, on_recv);
  for (int i = 0; i < 40; i++) {
    snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "%d ", i);
    CHECK_EQ(uv_udp_send(&more[i], &client, &buf, 1, to_server(), on_ordered), 0);
    if (i > 0)
      CHECK_EQ(uv_udp_try_send(&client, &buf, 1, to_server()), UV_EAGAIN); /* not before the others */
  }
  run_until_received(40);
  CHECK_STR(order, expected);
  CHECK_EQ(received, 40);
  test_close_default_loop();
}

static void on_cancelled(uv_udp_send_t *req, int status) {
  (void)req;
  CHECK_EQ(status, UV_ECANCELED);
  CHECK_EQ(closed, 0);
  sent++;
}

static void send_more_and_close(uv_udp_send_t *req, int status) {
  static uv_udp_send_t others[3];
  uv_buf_t buf = uv_buf_init("x", 1);
  CHECK_EQ(status, 0);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(uv_udp_send(&others[i], req->handle, &buf, 1, to_server(), on_cancelled), 0);
  CHECK_EQ(uv_udp_get_send_queue_count(req->handle), 3);
  uv_close((uv_handle_t *)req->handle, on_close);
}

TEST(udp_close_cancels_what_is_queued) {
  uv_udp_send_t req;
  uv_buf_t buf = uv_buf_init("x", 1);
  set_up();
  CHECK_EQ(uv_udp_send(&req, &client, &buf, 1, to_server(), send_more_and_close), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(sent, 3);
  CHECK_EQ(closed, 1);
  test_close_default_loop();
}

TEST(udp_sent_before_the_close_counts_as_sent) {
  uv_udp_send_t req;
  uv_buf_t buf = uv_buf_init("x", 1);
  set_up();
  CHECK_EQ(uv_udp_send(&req, &client, &buf, 1, to_server(), on_sent), 0);
  uv_close((uv_handle_t *)&client, on_close);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(sent, 1);
  CHECK_EQ(closed, 1);
  test_close_default_loop();
}

static void on_recv_close(uv_udp_t *handle, ssize_t nread, const uv_buf_t *buf, const struct sockaddr *addr,
                          unsigned int flags) {
  (void)buf;
  (void)addr;
  (void)flags;
  CHECK_EQ(nread, 1);
  received++;
  uv_close((uv_handle_t *)handle, on_close);
}

TEST(udp_closed_in_the_callback_receives_no_more) {
  uv_buf_t buf = uv_buf_init("x", 1);
  set_up();
  uv_udp_recv_start(&server, on_alloc, on_recv_close);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(uv_udp_try_send(&client, &buf, 1, to_server()), 1);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(received, 1);
  CHECK_EQ(closed, 1);
  test_close_default_loop();
}

static int chunks, frees;

static void on_alloc_many(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
  CHECK_EQ(size, 65536);
  CHECK_EQ(uv_udp_using_recvmmsg((uv_udp_t *)handle), 1);
  *buf = uv_buf_init(malloc(4 * size), (unsigned int)(4 * size));
}

static void on_recv_many(uv_udp_t *handle, ssize_t nread, const uv_buf_t *buf, const struct sockaddr *addr,
                         unsigned int flags) {
  (void)handle;
  if (flags & UV_UDP_MMSG_CHUNK) {
    CHECK_EQ(nread, 1);
    CHECK(addr != NULL);
    CHECK_EQ(buf->len, 65536);
    CHECK_EQ(buf->base[0], 'a' + chunks);
    chunks++;
    received++;
    return;
  }
  CHECK_EQ(nread, 0);
  CHECK(addr == NULL);
  CHECK_EQ(buf->len, 4 * 65536);
  if (flags & UV_UDP_MMSG_FREE)
    frees++;
  free(buf->base);
}

TEST(udp_many_datagrams_in_one_buffer) {
  set_up();
  CHECK_EQ(uv_udp_using_recvmmsg(&server), 0);
  uv_close((uv_handle_t *)&server, NULL);
  uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  bind_server(AF_INET | UV_UDP_RECVMMSG);
  CHECK_EQ(uv_udp_recv_start(&server, on_alloc_many, on_recv_many), 0);
  for (int i = 0; i < 10; i++) {
    char letter = (char)('a' + i);
    uv_buf_t buf = uv_buf_init(&letter, 1);
    CHECK_EQ(uv_udp_try_send(&client, &buf, 1, to_server()), 1);
  }
  run_until_received(10);
  CHECK_EQ(chunks, 10);
  CHECK_EQ(frees, 3);
  test_close_default_loop();
}

TEST(udp_what_bind_refuses) {
  struct sockaddr_in address;
  struct sockaddr_in6 address6;
  uv_udp_t handle;
  set_up();
  CHECK_EQ(uv_udp_init_ex(uv_default_loop(), &handle, 47), UV_EINVAL);
  CHECK_EQ(uv_udp_init_ex(uv_default_loop(), &handle, AF_INET | 1024), UV_EINVAL);
  CHECK_EQ(uv_udp_init(uv_default_loop(), &handle), 0);
  CHECK_EQ(uv_ip4_addr("127.0.0.1", 0, &address), 0);
  CHECK_EQ(uv_udp_bind(&handle, (const struct sockaddr *)&address, UV_UDP_IPV6ONLY), UV_EINVAL);
  CHECK_EQ(uv_udp_bind(&handle, (const struct sockaddr *)&address, UV_UDP_PARTIAL), UV_EINVAL);
  address.sin_family = 99;
  CHECK_EQ(uv_udp_bind(&handle, (const struct sockaddr *)&address, 0), UV_EINVAL);
  CHECK_EQ(uv_udp_connect(&handle, (const struct sockaddr *)&address), UV_EINVAL);
  CHECK_EQ(uv_udp_bind(&handle, to_server(), 0), UV_EADDRINUSE);
  CHECK_EQ(uv_ip6_addr("::1", 0, &address6), 0);
  CHECK_EQ(uv_udp_bind(&handle, (const struct sockaddr *)&address6, 0),
           UV_EINVAL); /* it has a socket of the other kind */
  CHECK_EQ(uv_udp_recv_start(&handle, NULL, on_recv), UV_EINVAL);
  CHECK_EQ(uv_udp_recv_start(&handle, on_alloc, NULL), UV_EINVAL);
  test_close_default_loop();
}

TEST(udp_address_used_twice) {
  uv_udp_t a, b;
  struct sockaddr_in address;
  int length = sizeof address;
  uv_udp_init(uv_default_loop(), &a);
  uv_udp_init(uv_default_loop(), &b);
  uv_ip4_addr("127.0.0.1", 0, &address);
  CHECK_EQ(uv_udp_bind(&a, (const struct sockaddr *)&address, UV_UDP_REUSEADDR), 0);
  CHECK_EQ(uv_udp_getsockname(&a, (struct sockaddr *)&address, &length), 0);
  CHECK_EQ(uv_udp_bind(&b, (const struct sockaddr *)&address, UV_UDP_REUSEADDR), 0);
  test_close_default_loop();
}

TEST(udp_open) {
  int fd, other;
  uv_udp_t second;
  uv_os_fd_t found;
  uv_buf_t buf = uv_buf_init("x", 1);
  set_up();
  fd = (int)socket(AF_INET, SOCK_DGRAM, 0);
  other = (int)socket(AF_INET, SOCK_DGRAM, 0);
  CHECK(fd >= 0 && other >= 0);
  CHECK_EQ(connect(fd, to_server(), sizeof server_address), 0);
  CHECK_EQ(uv_fileno((uv_handle_t *)&client, &found), UV_EBADF);
  CHECK_EQ(uv_udp_open(&client, (uv_os_sock_t)fd), 0);
  CHECK_EQ(socket_of(&client), fd);
  CHECK_EQ(uv_udp_open(&client, (uv_os_sock_t)other), UV_EBUSY);
  uv_udp_recv_start(&server, on_alloc, on_recv);
  CHECK_EQ(uv_udp_try_send(&client, &buf, 1, NULL), 1); /* it knew its peer */
  run_until_received(1);
  CHECK_EQ(received, 1);
  CHECK_EQ(uv_udp_recv_start(&client, on_alloc, on_recv), 0);
  uv_udp_init(uv_default_loop(), &second);
  CHECK_EQ(uv_udp_open(&second, (uv_os_sock_t)fd), UV_EEXIST);
  close_socket(other);
  test_close_default_loop();
}

static void on_stream_bytes(uv_udp_t *handle, ssize_t nread, const uv_buf_t *buf, const struct sockaddr *addr,
                            unsigned int flags) {
  (void)handle;
  (void)addr;
  CHECK_EQ(flags, 0);
  size_t length = strlen(last_text);
  if (nread > 0)
    snprintf(last_text + length, sizeof last_text - length, "%.*s", (int)nread, buf->base);
}

/* Programs should not do this, but no byte is lost if one does. */
TEST(udp_open_with_a_stream) {
  struct sockaddr_in address;
  int port, listener = listen_bare(&port), peer = (int)socket(AF_INET, SOCK_STREAM, 0);
  CHECK_EQ(uv_ip4_addr("127.0.0.1", port, &address), 0);
  CHECK_EQ(connect(peer, (struct sockaddr *)&address, sizeof address), 0);
  int fd = (int)accept(listener, NULL, NULL);
  CHECK(fd >= 0);
  CHECK_EQ(uv_udp_init(uv_default_loop(), &client), 0);
  CHECK_EQ(uv_udp_open(&client, (uv_os_sock_t)fd), 0);
  CHECK_EQ(uv_udp_recv_start(&client, on_alloc_small, on_stream_bytes), 0);
  CHECK_EQ(send(peer, "all of it", 9, 0), 9);
  for (uint64_t end = uv_hrtime() + 40000000000u; strlen(last_text) < 9 && uv_hrtime() < end;)
    uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  CHECK_STR(last_text, "all of it");
  close_socket(peer);
  close_socket(listener);
  test_close_default_loop();
}

TEST(udp_without_a_socket_there_is_nothing_to_ask) {
  uv_udp_t handle;
  struct sockaddr_in name;
  int length = sizeof name;
  uv_udp_init(uv_default_loop(), &handle);
  CHECK_EQ(uv_udp_getsockname(&handle, (struct sockaddr *)&name, &length), UV_EBADF);
  CHECK_EQ(uv_udp_getpeername(&handle, (struct sockaddr *)&name, &length), UV_EBADF);
  CHECK_EQ(uv_udp_set_ttl(&handle, 1), UV_EBADF);
  CHECK_EQ(uv_udp_set_broadcast(&handle, 1), UV_EBADF);
  CHECK_EQ(uv_udp_set_multicast_ttl(&handle, 1), UV_EBADF);
  CHECK_EQ(uv_udp_set_multicast_loop(&handle, 1), UV_EBADF);
  CHECK_EQ(uv_udp_set_multicast_interface(&handle, NULL), UV_EBADF);
  CHECK_EQ(uv_udp_recv_stop(&handle), 0);
  test_close_default_loop();
}

static void check_option(uv_udp_t *handle, int level, int name, int expected) {
  int value = 0;
  socklen_t length = sizeof value;
  CHECK_EQ(getsockopt(socket_of(handle), level, name, (char *)&value, &length), 0);
  CHECK_EQ(value, expected);
}

static void check_options(int family, int level, int ttl_option, int multicast_ttl_option, int loop_option) {
  static uv_udp_t handle;
  CHECK_EQ(uv_udp_init_ex(uv_default_loop(), &handle, (unsigned int)family), 0);
  CHECK_EQ(uv_udp_set_ttl(&handle, 0), UV_EINVAL);
  CHECK_EQ(uv_udp_set_ttl(&handle, 256), UV_EINVAL);
  CHECK_EQ(uv_udp_set_ttl(&handle, 77), 0);
  CHECK_EQ(uv_udp_set_multicast_ttl(&handle, 256), UV_EINVAL);
  CHECK_EQ(uv_udp_set_multicast_ttl(&handle, 33), 0);
  CHECK_EQ(uv_udp_set_multicast_loop(&handle, 0), 0);
  CHECK_EQ(uv_udp_set_broadcast(&handle, 1), 0);
  CHECK_EQ(uv_udp_set_multicast_interface(&handle, "not an address"), UV_EINVAL);
  CHECK_EQ(uv_udp_set_multicast_interface(&handle, NULL), 0);
  check_option(&handle, SOL_SOCKET, SO_BROADCAST, 1);
  if (family == AF_INET) {
    check_option(&handle, level, ttl_option, 77);
    check_option(&handle, level, multicast_ttl_option, 33);
    check_option(&handle, level, loop_option, 0);
  }
}

TEST(udp_options) {
  check_options(AF_INET, IPPROTO_IP, IP_TTL, IP_MULTICAST_TTL, IP_MULTICAST_LOOP);
  test_close_default_loop();
}

TEST(udp_options_6) {
  uv_udp_t probe;
  if (uv_udp_init_ex(uv_default_loop(), &probe, AF_INET6) != 0)
    SKIP("no IPv6 here");
  check_options(AF_INET6, IPPROTO_IPV6, IPV6_UNICAST_HOPS, IPV6_MULTICAST_HOPS, IPV6_MULTICAST_LOOP);
  test_close_default_loop();
}

TEST(udp_multicast_over_the_loopback) {
  uv_buf_t buf = uv_buf_init("to all", 6);
  struct sockaddr_in any, group;
  int length = sizeof any;
  uv_udp_init(uv_default_loop(), &server);
  uv_udp_init(uv_default_loop(), &client);
  CHECK_EQ(uv_udp_set_membership(&server, "nothing", NULL, UV_JOIN_GROUP), UV_EINVAL);
  CHECK_EQ(uv_udp_set_membership(&server, "239.255.0.1", "nothing", UV_JOIN_GROUP), UV_EINVAL);
  CHECK_EQ(uv_udp_set_source_membership(&server, "239.255.0.1", NULL, "::1", UV_JOIN_GROUP), UV_EINVAL);
  CHECK_EQ(uv_udp_set_membership(&server, "239.255.0.1", "127.0.0.1", UV_JOIN_GROUP), 0);
  CHECK_EQ(uv_udp_getsockname(&server, (struct sockaddr *)&any, &length), 0);
  CHECK_EQ(uv_udp_recv_start(&server, on_alloc, on_recv), 0);
  CHECK_EQ(uv_ip4_addr("239.255.0.1", ntohs(any.sin_port), &group), 0);
  CHECK_EQ(uv_ip4_addr("127.0.0.1", 0, &any), 0);
  CHECK_EQ(uv_udp_bind(&client, (const struct sockaddr *)&any, 0), 0);
  CHECK_EQ(uv_udp_set_multicast_interface(&client, "127.0.0.1"), 0);
  CHECK_EQ(uv_udp_try_send(&client, &buf, 1, (const struct sockaddr *)&group), 6);
  run_until_received(1);
  CHECK_STR(last_text, "to all");
  CHECK_EQ(uv_udp_set_membership(&server, "239.255.0.1", "127.0.0.1", UV_LEAVE_GROUP), 0);
  CHECK_EQ(uv_udp_set_source_membership(&server, "239.255.0.1", "127.0.0.1", "127.0.0.1", UV_JOIN_GROUP), 0);
  CHECK_EQ(uv_udp_try_send(&client, &buf, 1, (const struct sockaddr *)&group), 6);
  run_until_received(2);
  CHECK_EQ(received, 2);
  CHECK_EQ(uv_udp_set_source_membership(&server, "239.255.0.1", "127.0.0.1", "127.0.0.1", UV_LEAVE_GROUP), 0);
  test_close_default_loop();
}

TEST(udp_refused_by_a_connected_peer) {
  uv_buf_t buf = uv_buf_init("x", 1);
  set_up();
  CHECK_EQ(uv_udp_connect(&client, to_server()), 0);
  CHECK_EQ(uv_udp_connect(&server, to_server()), 0); /* to itself: it takes nothing from others */
  CHECK_EQ(uv_udp_recv_start(&client, on_alloc, on_recv), 0);
  CHECK_EQ(uv_udp_try_send(&client, &buf, 1, NULL), 1);
  run_until_received(1);
  CHECK_EQ(received, 1);
  CHECK_EQ(last_nread, UV_ECONNREFUSED);
  CHECK_EQ(drained, 0); /* the error comes alone, and in the buffer that was asked for */
  CHECK_EQ(allocated, 1);
  test_close_default_loop();
}

TEST(udp_handles_leave_no_descriptors) {
  int before;
  set_up();
  before = test_count_descriptors();
  for (int i = 0; i < 10; i++) {
    uv_udp_t handle;
    CHECK_EQ(uv_udp_init_ex(uv_default_loop(), &handle, AF_INET), 0);
    uv_close((uv_handle_t *)&handle, NULL);
    uv_run(uv_default_loop(), UV_RUN_NOWAIT);
  }
  CHECK_EQ(test_count_descriptors(), before);
  test_close_default_loop();
}
