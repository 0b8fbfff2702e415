/* TCP: what is asked for while a connection is being made. Windows refuses it. */
#include "test_net.h"

static uv_tcp_t server, client, accepted[4];
static uv_connect_t connect_req;
static int connections, connects, connect_status, closes, writes, write_status;

static void on_connection(uv_stream_t *stream, int status) {
  CHECK_EQ(status, 0);
  CHECK_EQ(uv_tcp_init(stream->loop, &accepted[connections]), 0);
  CHECK_EQ(uv_accept(stream, stream_of(&accepted[connections])), 0);
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

static void on_shutdown(uv_shutdown_t *req, int status) {
  (void)req;
  CHECK_EQ(status, 0);
  CHECK_EQ(connects, 1);
}

static void on_close_after_both(uv_handle_t *handle) {
  (void)handle;
  CHECK_EQ(connects, 1);
  CHECK_EQ(writes, 1);
  closes++;
}

TEST(tcp_close_while_connecting_cancels_what_is_written) {
  uv_loop_t *loop = uv_default_loop();
  uv_write_t req;
  uv_buf_t buf = text("never");
  int port = listen_tcp(loop, &server, on_connection);
  CHECK_EQ(connect_tcp(loop, &client, &connect_req, port, on_connect), 0);
  CHECK_EQ(uv_write(&req, stream_of(&client), &buf, 1, on_write), 0);
  uv_close((uv_handle_t *)&client, on_close_after_both);
  uv_close((uv_handle_t *)&server, NULL);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(connect_status, UV_ECANCELED);
  CHECK_EQ(write_status, UV_ECANCELED);
  CHECK_EQ(closes, 1);
  test_close_default_loop();
}

TEST(tcp_writes_queued_on_a_refused_connection_are_cancelled) {
  uv_loop_t *loop = uv_default_loop();
  struct sockaddr_in address = loopback(0);
  uv_write_t reqs[2];
  uv_buf_t buf = text("to nobody");
  CHECK_EQ(uv_tcp_init(loop, &server), 0);
  CHECK_EQ(uv_tcp_bind(&server, (struct sockaddr *)&address, 0), 0);
  CHECK_EQ(connect_tcp(loop, &client, &connect_req, port_of(&server), on_connect), 0);
  CHECK_EQ(uv_write(&reqs[0], stream_of(&client), &buf, 1, on_write), 0);
  CHECK_EQ(uv_write(&reqs[1], stream_of(&client), &buf, 1, on_write), 0);
  CHECK_EQ(client.write_queue_size, 18);
  CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
  CHECK_EQ(connect_status, UV_ECONNREFUSED);
  CHECK_EQ(writes, 2);
  CHECK_EQ(write_status, UV_ECANCELED);
  CHECK_EQ(client.write_queue_size, 0);
  test_close_default_loop();
}

TEST(tcp_what_is_asked_for_while_connecting_is_done_afterwards) {
  uv_loop_t *loop = uv_default_loop();
  uv_write_t reqs[2];
  uv_shutdown_t shutdown_req;
  uv_connect_t second;
  uv_buf_t bufs[2] = {text("early "), text("bird")};
  int port = listen_tcp(loop, &server, on_connection);
  struct sockaddr_in address = loopback(port);
  CHECK_EQ(connect_tcp(loop, &client, &connect_req, port, on_connect), 0);
  CHECK_EQ(uv_tcp_connect(&second, &client, (struct sockaddr *)&address, on_connect), UV_EALREADY);
  CHECK_EQ(uv_try_write(stream_of(&client), bufs, 1), UV_EAGAIN);
  CHECK_EQ(uv_write(&reqs[0], stream_of(&client), &bufs[0], 1, on_write), 0);
  CHECK_EQ(uv_write(&reqs[1], stream_of(&client), &bufs[1], 1, on_write), 0);
  CHECK_EQ(client.write_queue_size, 10);
  CHECK_EQ(uv_shutdown(&shutdown_req, stream_of(&client), on_shutdown), 0);
  RUN_UNTIL(loop, connections == 1);
  CHECK_EQ(uv_read_start(stream_of(&accepted[0]), take_alloc, take), 0);
  RUN_UNTIL(loop, taken_ends == 1);
  CHECK_EQ(taken_error, UV_EOF);
  CHECK_EQ(taken_size, 10);
  CHECK_EQ(memcmp(taken, "early bird", 10), 0);
  CHECK_EQ(connects, 1);
  CHECK_EQ(connect_status, 0);
  CHECK_EQ(writes, 2);
  CHECK_EQ(write_status, 0);
  CHECK_EQ(uv_tcp_connect(&second, &client, (struct sockaddr *)&address, on_connect), UV_EISCONN);
  test_close_default_loop();
}

TEST(tcp_shutdown_while_connecting_waits_for_the_connection) {
  uv_loop_t *loop = uv_default_loop();
  uv_shutdown_t shutdown_req;
  int port = listen_tcp(loop, &server, on_connection);
  CHECK_EQ(connect_tcp(loop, &client, &connect_req, port, on_connect), 0);
  CHECK_EQ(uv_shutdown(&shutdown_req, stream_of(&client), on_shutdown), 0);
  RUN_UNTIL(loop, connections == 1);
  CHECK_EQ(uv_read_start(stream_of(&accepted[0]), take_alloc, take), 0);
  RUN_UNTIL(loop, taken_ends == 1);
  CHECK_EQ(taken_error, UV_EOF);
  test_close_default_loop();
}
