/* TCP: addresses, options, listeners, connections, resets. */
#include "test_net.h"

static uv_tcp_t server, client, accepted[4];
static uv_connect_t connect_req;
static int connections, connects, connect_status, closes, writes, write_status;
static int accept_now = 1;

static void on_connection(uv_stream_t *stream, int status) {
  CHECK_EQ(status, 0);
  if (accept_now) {
    CHECK_EQ(uv_tcp_init(stream->loop, &accepted[connections]), 0);
    CHECK_EQ(uv_accept(stream, stream_of(&accepted[connections])), 0);
  }
  connections++;
}

static void on_connect(uv_connect_t *req, int status) {
  CHECK(req->handle != NULL);
  connects++;
  connect_status = status;
}

static void on_write(uv_write_t *req, int status) {
  (void)req;
  writes++;
  write_status = status;
}

static void on_close(uv_handle_t *handle) {
  (void)handle;
  closes++;
}

static int option_of(uv_tcp_t *tcp, int level, int name) {
  int value = 0;
  socklen_t length = sizeof value;
  CHECK_EQ(getsockopt(socket_of(tcp), level, name, (char *)&value, &length), 0);
  return value;
}

TEST(tcp_options_asked_for_before_there_is_a_socket_come_with_it) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t tcp;
  struct sockaddr_in address = loopback(0);
  CHECK_EQ(uv_tcp_init(loop, &tcp), 0);
  CHECK_EQ(uv_tcp_nodelay(&tcp, 1), 0);
  CHECK_EQ(uv_tcp_keepalive(&tcp, 1, 60), 0);
  CHECK_EQ(uv_tcp_simultaneous_accepts(&tcp, 0), 0);
  CHECK_EQ(uv_tcp_bind(&tcp, (struct sockaddr *)&address, 0), 0);
  CHECK_EQ(option_of(&tcp, IPPROTO_TCP, TCP_NODELAY), 1);
  CHECK_EQ(option_of(&tcp, SOL_SOCKET, SO_KEEPALIVE), 1);
  CHECK_EQ(uv_tcp_nodelay(&tcp, 0), 0);
  CHECK_EQ(option_of(&tcp, IPPROTO_TCP, TCP_NODELAY), 0);
  CHECK_EQ(uv_tcp_keepalive(&tcp, 0, 0), 0);
  CHECK_EQ(option_of(&tcp, SOL_SOCKET, SO_KEEPALIVE), 0);
  CHECK_EQ(uv_tcp_keepalive(&tcp, 1, 33), 0);
  CHECK_EQ(option_of(&tcp, SOL_SOCKET, SO_KEEPALIVE), 1);
  test_close_default_loop();
}

TEST(tcp_bind_of_what_cannot_be) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t tcp;
  char garbage[64] = "blah blah blah blah blah blah blah blah blah blah blah blah";
  struct sockaddr_in address = loopback(0), elsewhere;
  CHECK_EQ(uv_tcp_init(loop, &tcp), 0);
  CHECK_EQ(uv_tcp_bind(&tcp, (struct sockaddr *)garbage, 0), UV_EINVAL);
  CHECK_EQ(uv_tcp_connect(&connect_req, &tcp, (struct sockaddr *)garbage, on_connect), UV_EINVAL);
  CHECK_EQ(uv_tcp_bind(&tcp, (struct sockaddr *)&address, UV_TCP_IPV6ONLY), UV_EINVAL);
  CHECK_EQ(uv_ip4_addr("4.4.4.4", 0, &elsewhere), 0);
  CHECK_EQ(uv_tcp_bind(&tcp, (struct sockaddr *)&elsewhere, 0), UV_EADDRNOTAVAIL);
  CHECK_EQ(uv_tcp_bind(&tcp, (struct sockaddr *)&address, 0), 0);
  CHECK_EQ(uv_tcp_bind(&tcp, (struct sockaddr *)&address, 0), UV_EINVAL);
  uv_close((uv_handle_t *)&tcp, NULL);
  CHECK_EQ(uv_tcp_bind(&tcp, (struct sockaddr *)&address, 0), UV_EINVAL);
  CHECK_EQ(uv_listen(stream_of(&tcp), 5, NULL), UV_EINVAL);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(connects, 0);
  test_close_default_loop();
}

TEST(tcp_address_in_use_is_told_by_listen_and_by_connect) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t other, third;
  struct sockaddr_in name;
  int length = sizeof name;
  struct sockaddr_in address = loopback(listen_tcp(loop, &server, on_connection));
  CHECK_EQ(uv_tcp_init(loop, &other), 0);
  CHECK_EQ(uv_tcp_bind(&other, (struct sockaddr *)&address, 0), 0);
  CHECK_EQ(uv_tcp_getsockname(&other, (struct sockaddr *)&name, &length), UV_EADDRINUSE);
  CHECK_EQ(uv_tcp_getpeername(&other, (struct sockaddr *)&name, &length), UV_EADDRINUSE);
  CHECK_EQ(uv_listen(stream_of(&other), 5, on_connection), UV_EADDRINUSE);
  CHECK_EQ(uv_tcp_init(loop, &third), 0);
  CHECK_EQ(uv_tcp_bind(&third, (struct sockaddr *)&address, 0), 0);
  CHECK_EQ(uv_tcp_connect(&connect_req, &third, (struct sockaddr *)&address, on_connect), 0);
  CHECK_EQ(connects, 0);
  RUN_UNTIL(loop, connects == 1);
  CHECK_EQ(connect_status, UV_EADDRINUSE);
  CHECK_EQ(connections, 0);
  test_close_default_loop();
}

TEST(tcp_port_is_free_as_soon_as_its_listener_is_closed) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t next;
  struct sockaddr_in address = loopback(listen_tcp(loop, &server, on_connection));
  uv_run(loop, UV_RUN_NOWAIT);
  uv_close((uv_handle_t *)&server, on_close);
  CHECK_EQ(uv_tcp_init(loop, &next), 0);
  CHECK_EQ(uv_tcp_bind(&next, (struct sockaddr *)&address, 0), 0);
  CHECK_EQ(uv_listen(stream_of(&next), 5, on_connection), 0);
  CHECK_EQ(closes, 0);
  int fd = connect_bare(ntohs(address.sin_port));
  RUN_UNTIL(loop, connections == 1);
  close_socket(fd);
  test_close_default_loop();
}

TEST(tcp_listen_without_bind_takes_any_port) {
  uv_loop_t *loop = uv_default_loop();
  CHECK_EQ(uv_tcp_init(loop, &server), 0);
  CHECK_EQ(uv_listen(stream_of(&server), 5, on_connection), 0);
  CHECK(uv_is_active((uv_handle_t *)&server));
  int fd = connect_bare(port_of(&server));
  RUN_UNTIL(loop, connections == 1);
  CHECK_EQ(uv_listen(stream_of(&server), 6, on_connection), 0); /* again: another backlog */
  close_socket(fd);
  test_close_default_loop();
}

TEST(tcp_names_of_both_ends) {
  uv_loop_t *loop = uv_default_loop();
  struct sockaddr_storage name;
  struct sockaddr_in *address = (struct sockaddr_in *)&name;
  int length = sizeof name;
  int port = listen_tcp(loop, &server, on_connection);
  CHECK_EQ(uv_tcp_getpeername(&server, (struct sockaddr *)&name, &length), UV_ENOTCONN);
  CHECK_EQ(connect_tcp(loop, &client, &connect_req, port, on_connect), 0);
  RUN_UNTIL(loop, connects == 1 && connections == 1);
  CHECK_EQ(connect_status, 0);
  length = sizeof name;
  CHECK_EQ(uv_tcp_getpeername(&client, (struct sockaddr *)&name, &length), 0);
  CHECK_EQ(length, sizeof *address);
  CHECK_EQ(ntohs(address->sin_port), port);
  CHECK_EQ(ntohl(address->sin_addr.s_addr), INADDR_LOOPBACK);
  length = sizeof name;
  CHECK_EQ(uv_tcp_getpeername(&accepted[0], (struct sockaddr *)&name, &length), 0);
  CHECK_EQ(ntohs(address->sin_port), port_of(&client));
  CHECK(uv_is_readable(stream_of(&client)) && uv_is_writable(stream_of(&client)));
  CHECK(uv_is_readable(stream_of(&accepted[0])) && uv_is_writable(stream_of(&accepted[0])));
  test_close_default_loop();
}

TEST(tcp_connection_refused_is_told_by_the_callback) {
  uv_loop_t *loop = uv_default_loop();
  struct sockaddr_in address = loopback(0);
  CHECK_EQ(uv_tcp_init(loop, &server), 0);
  CHECK_EQ(uv_tcp_bind(&server, (struct sockaddr *)&address, 0), 0); /* a port without a listener */
  CHECK_EQ(connect_tcp(loop, &client, &connect_req, port_of(&server), on_connect), 0);
  CHECK_EQ(connects, 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(connects, 1);
  CHECK_EQ(connect_status, UV_ECONNREFUSED);
  test_close_default_loop();
}

static void on_close_after_connect(uv_handle_t *handle) {
  (void)handle;
  CHECK_EQ(connects, 1);
  closes++;
}

TEST(tcp_close_while_connecting_cancels) {
  uv_loop_t *loop = uv_default_loop();
  int port = listen_tcp(loop, &server, on_connection);
  CHECK_EQ(connect_tcp(loop, &client, &connect_req, port, on_connect), 0);
  uv_close((uv_handle_t *)&client, on_close_after_connect);
  CHECK_EQ(connects, 0);
  uv_close((uv_handle_t *)&server, NULL);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(connects, 1);
  CHECK_EQ(connect_status, UV_ECANCELED);
  CHECK_EQ(closes, 1);
  test_close_default_loop();
}

TEST(tcp_listener_pauses_until_its_connection_is_taken) {
  uv_loop_t *loop = uv_default_loop();
  int fds[3];
  int port = listen_tcp(loop, &server, on_connection);
  accept_now = 0;
  CHECK_EQ(uv_tcp_init(loop, &accepted[0]), 0);
  CHECK_EQ(uv_accept(stream_of(&server), stream_of(&accepted[0])), UV_EAGAIN);
  for (int i = 0; i < 3; i++)
    fds[i] = connect_bare(port);
  RUN_UNTIL(loop, connections == 1);
  for (int i = 0; i < 5; i++)
    uv_run(loop, UV_RUN_NOWAIT);
  CHECK_EQ(connections, 1);
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(uv_tcp_init(loop, &accepted[i]), 0);
    CHECK_EQ(uv_accept(stream_of(&server), stream_of(&accepted[i])), 0);
    if (i < 2)
      RUN_UNTIL(loop, connections == i + 2);
  }
  CHECK_EQ(connections, 3);
  for (int i = 0; i < 3; i++)
    close_socket(fds[i]);
  test_close_default_loop();
}

TEST(tcp_connection_never_taken_is_closed_with_its_listener) {
  uv_loop_t *loop = uv_default_loop();
  int port = listen_tcp(loop, &server, on_connection);
  accept_now = 0;
  int fd = connect_bare(port);
  RUN_UNTIL(loop, connections == 1);
  uv_close((uv_handle_t *)&server, NULL);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  char end;
  CHECK(recv(fd, &end, 1, 0) <= 0); /* does not hang */
  close_socket(fd);
  test_close_default_loop();
}

TEST(tcp_accept_into_a_handle_with_a_socket_is_ebusy) {
  uv_loop_t *loop = uv_default_loop();
  uv_timer_t timer;
  int port = listen_tcp(loop, &server, on_connection);
  accept_now = 0;
  int fd = connect_bare(port);
  RUN_UNTIL(loop, connections == 1);
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_accept(stream_of(&server), stream_of(&timer)), UV_EINVAL);
  CHECK_EQ(uv_tcp_init_ex(loop, &accepted[0], AF_INET), 0);
  CHECK_EQ(uv_accept(stream_of(&server), stream_of(&accepted[0])), UV_EBUSY);
  CHECK_EQ(uv_listen(stream_of(&timer), 5, on_connection), UV_EINVAL);
  close_socket(fd);
  test_close_default_loop();
}

TEST(tcp_close_reset_resets) {
  uv_loop_t *loop = uv_default_loop();
  int port = listen_tcp(loop, &server, on_connection);
  CHECK_EQ(connect_tcp(loop, &client, &connect_req, port, on_connect), 0);
  RUN_UNTIL(loop, connects == 1 && connections == 1);
  CHECK_EQ(uv_read_start(stream_of(&accepted[0]), take_alloc, take), 0);
  CHECK_EQ(uv_tcp_close_reset(&client, on_close), 0);
  CHECK(uv_is_closing((uv_handle_t *)&client));
  RUN_UNTIL(loop, taken_ends == 1 && closes == 1);
  CHECK_EQ(taken_error, UV_ECONNRESET);
  test_close_default_loop();
}

TEST(tcp_close_reset_in_the_middle_of_a_shutdown_is_refused) {
  uv_loop_t *loop = uv_default_loop();
  uv_shutdown_t req;
  int port = listen_tcp(loop, &server, on_connection);
  CHECK_EQ(connect_tcp(loop, &client, &connect_req, port, on_connect), 0);
  RUN_UNTIL(loop, connects == 1 && connections == 1);
  CHECK_EQ(uv_shutdown(&req, stream_of(&client), NULL), 0);
  CHECK_EQ(uv_tcp_close_reset(&client, on_close), UV_EINVAL);
  CHECK(!uv_is_closing((uv_handle_t *)&client));
  test_close_default_loop();
}

TEST(tcp_open_takes_a_descriptor_over) {
  uv_loop_t *loop = uv_default_loop();
  uv_write_t req;
  uv_buf_t buf = text("taken over");
  uv_os_fd_t fd;
  int port = listen_tcp(loop, &server, on_connection);
  int bare = connect_bare(port);
  RUN_UNTIL(loop, connections == 1);
  CHECK_EQ(uv_tcp_init(loop, &client), 0);
  CHECK(uv_tcp_open(&client, (uv_os_sock_t)-1) < 0);
  CHECK_EQ(uv_tcp_nodelay(&client, 1), 0);
  CHECK_EQ(uv_tcp_open(&client, (uv_os_sock_t)bare), 0);
  CHECK_EQ(socket_of(&client), bare);
  CHECK_EQ(option_of(&client, IPPROTO_TCP, TCP_NODELAY), 1);
  CHECK_EQ(uv_read_start(stream_of(&accepted[0]), take_alloc, take), 0);
  CHECK_EQ(uv_write(&req, stream_of(&client), &buf, 1, on_write), 0);
  RUN_UNTIL(loop, taken_size == 10 && writes == 1);
  uv_close((uv_handle_t *)&client, on_close);
  RUN_UNTIL(loop, closes == 1 && taken_ends == 1);
  CHECK_EQ(uv_fileno((uv_handle_t *)&client, &fd), UV_EBADF);
  test_close_default_loop();
}

TEST(tcp_ipv6_only_leaves_ipv4_alone) {
  uv_loop_t *loop = uv_default_loop();
  struct sockaddr_in6 any;
  struct sockaddr_in address;
  CHECK_EQ(uv_ip6_addr("::", 0, &any), 0);
  CHECK_EQ(uv_tcp_init(loop, &server), 0);
  int err = uv_tcp_bind(&server, (struct sockaddr *)&any, UV_TCP_IPV6ONLY);
  if (err == UV_EAFNOSUPPORT || err == UV_EADDRNOTAVAIL)
    SKIP("there is no IPv6 here");
  CHECK_EQ(err, 0);
  CHECK_EQ(uv_listen(stream_of(&server), 5, on_connection), 0);
  int length = sizeof any;
  CHECK_EQ(uv_tcp_getsockname(&server, (struct sockaddr *)&any, &length), 0);
  CHECK_EQ(length, sizeof any);
  CHECK_EQ(uv_ip4_addr("0.0.0.0", ntohs(any.sin6_port), &address), 0);
  CHECK_EQ(uv_tcp_init(loop, &client), 0);
  CHECK_EQ(uv_tcp_bind(&client, (struct sockaddr *)&address, 0), 0);
  CHECK_EQ(uv_listen(stream_of(&client), 5, on_connection), 0);
  test_close_default_loop();
}

/* ---- all together ---- */

enum { ECHO_BYTES = 4000000 };

static void echo_written(uv_write_t *req, int status) {
  CHECK_EQ(status, 0);
  free(req);
}

static void echo_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  if (nread < 0) {
    CHECK_EQ(nread, UV_EOF);
    uv_close((uv_handle_t *)stream, NULL);
    return;
  }
  if (nread == 0)
    return;
  uv_write_t *req = malloc(sizeof *req + (size_t)nread);
  CHECK(req != NULL);
  memcpy(req + 1, buf->base, (size_t)nread);
  uv_buf_t copy = uv_buf_init((char *)(req + 1), (unsigned int)nread);
  CHECK_EQ(uv_write(req, stream, &copy, 1, echo_written), 0);
}

static void echo_connection(uv_stream_t *stream, int status) {
  on_connection(stream, status);
  CHECK_EQ(uv_read_start(stream_of(&accepted[connections - 1]), take_alloc, echo_read), 0);
}

static size_t echoed;

static void echo_check(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  CHECK(nread >= 0);
  for (ssize_t i = 0; i < nread; i++, echoed++)
    CHECK_EQ((unsigned char)buf->base[i], echoed * 31 % 251);
  if (echoed == ECHO_BYTES) {
    uv_close((uv_handle_t *)stream, NULL);
    uv_close((uv_handle_t *)&server, NULL);
  }
}

TEST(tcp_echo_of_megabytes) {
  uv_loop_t *loop = uv_default_loop();
  uv_write_t req;
  static char bytes[ECHO_BYTES];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (char)(i * 31 % 251);
  uv_buf_t buf = uv_buf_init(bytes, sizeof bytes);
  int port = listen_tcp(loop, &server, echo_connection);
  CHECK_EQ(connect_tcp(loop, &client, &connect_req, port, on_connect), 0);
  RUN_UNTIL(loop, connects == 1);
  CHECK_EQ(uv_write(&req, stream_of(&client), &buf, 1, on_write), 0);
  CHECK_EQ(uv_read_start(stream_of(&client), take_alloc, echo_check), 0);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(echoed, ECHO_BYTES);
  CHECK_EQ(writes, 1);
  test_close_default_loop();
}
