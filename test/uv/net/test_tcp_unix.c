/* TCP: flags and limits of descriptors. */
#include <sys/resource.h>

#include "test_net.h"

static uv_tcp_t server, accepted[4];
static int connections;

static void on_connection(uv_stream_t *stream, int status) {
  CHECK_EQ(status, 0);
  CHECK_EQ(uv_tcp_init(stream->loop, &accepted[connections]), 0);
  CHECK_EQ(uv_accept(stream, stream_of(&accepted[connections])), 0);
  connections++;
}

static void on_timer(uv_timer_t *timer) {
  (void)timer;
}

TEST(tcp_open_makes_a_descriptor_that_does_not_block) {
  uv_tcp_t tcp;
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  CHECK_EQ(uv_tcp_init(uv_default_loop(), &tcp), 0);
  CHECK_EQ(uv_tcp_open(&tcp, fd), 0);
  CHECK(fcntl(fd, F_GETFL) & O_NONBLOCK);
  test_close_default_loop();
  CHECK_EQ(fcntl(fd, F_GETFD), -1); /* closed with the handle */
}

TEST(tcp_init_ex_makes_the_socket) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t tcp, other;
  uv_os_fd_t fd;
  struct sockaddr_storage name;
  int length = sizeof name, domain;
  socklen_t domain_length = sizeof domain;
  CHECK_EQ(uv_tcp_init_ex(loop, &tcp, AF_INET), 0);
  CHECK_EQ(uv_fileno((uv_handle_t *)&tcp, &fd), 0);
  CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
  CHECK(fcntl(fd, F_GETFL) & O_NONBLOCK);
  CHECK_EQ(getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &domain_length), 0);
  CHECK_EQ(domain, AF_INET);
  CHECK_EQ(uv_tcp_getsockname(&tcp, (struct sockaddr *)&name, &length), 0);
  CHECK_EQ(uv_tcp_init_ex(loop, &other, AF_UNSPEC), 0);
  CHECK_EQ(uv_fileno((uv_handle_t *)&other, &fd), UV_EBADF);
  length = sizeof name;
  CHECK_EQ(uv_tcp_getsockname(&other, (struct sockaddr *)&name, &length), UV_EBADF);
  CHECK_EQ(uv_tcp_getpeername(&other, (struct sockaddr *)&name, &length), UV_EBADF);
  CHECK_EQ(uv_tcp_close_reset(&other, NULL), UV_EBADF);
  CHECK(!uv_is_closing((uv_handle_t *)&other));
  uv_tcp_t never;
  CHECK_EQ(uv_tcp_init_ex(loop, &never, 47), UV_EINVAL);
  CHECK_EQ(uv_tcp_init_ex(loop, &never, AF_INET | 256), UV_EINVAL);
  CHECK_EQ(uv_tcp_init_ex(loop, &never, 1024), UV_EINVAL);
  test_close_default_loop();
}

/* Without descriptors a listener neither spins nor dies: it serves again when there are some. */
TEST(tcp_listener_survives_a_lack_of_descriptors) {
  uv_loop_t *loop = uv_default_loop();
  int hoard[256], hoarded = 0;
  struct rlimit limit = {64, 64};
  CHECK_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  int port = listen_tcp(loop, &server, on_connection);
  int early = connect_bare(port);
  RUN_UNTIL(loop, connections == 1);
  close(early);
  int late = socket(AF_INET, SOCK_STREAM, 0);
  CHECK(late >= 0);
  while ((hoard[hoarded] = dup(0)) >= 0)
    hoarded++;
  CHECK_EQ(errno, EMFILE);
  struct sockaddr_in address = loopback(port);
  CHECK_EQ(connect(late, (struct sockaddr *)&address, sizeof address), 0);
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  uv_timer_t timer;
  CHECK_EQ(uv_timer_init(loop, &timer), 0);
  CHECK_EQ(uv_timer_start(&timer, on_timer, 200, 0), 0);
  while (uv_is_active((uv_handle_t *)&timer))
    uv_run(loop, UV_RUN_ONCE);
  getrusage(RUSAGE_SELF, &after);
  CHECK_EQ(connections, 1);
  long used_us =
      (after.ru_utime.tv_sec - before.ru_utime.tv_sec + after.ru_stime.tv_sec - before.ru_stime.tv_sec) * 1000000L +
      after.ru_utime.tv_usec - before.ru_utime.tv_usec + after.ru_stime.tv_usec - before.ru_stime.tv_usec;
  CHECK(used_us < 100000);
  for (int i = 0; i < hoarded; i++)
    close(hoard[i]);
  RUN_UNTIL(loop, connections == 2);
  CHECK_EQ(uv_read_start(stream_of(&accepted[1]), take_alloc, take), 0);
  CHECK_EQ(write(late, "still here", 10), 10);
  RUN_UNTIL(loop, taken_size == 10);
  close(late);
  test_close_default_loop();
}

static int option_of(uv_tcp_t *tcp, int level, int name) {
  int value = 0;
  socklen_t length = sizeof value;
  CHECK_EQ(getsockopt(socket_of(tcp), level, name, &value, &length), 0);
  return value;
}

TEST(tcp_keepalive_has_its_delay) {
  uv_loop_t *loop = uv_default_loop();
  uv_tcp_t tcp;
  struct sockaddr_in address = loopback(0);
  CHECK_EQ(uv_tcp_init(loop, &tcp), 0);
  CHECK_EQ(uv_tcp_keepalive(&tcp, 1, 60), 0);
  CHECK_EQ(uv_tcp_bind(&tcp, (struct sockaddr *)&address, 0), 0);
  CHECK_EQ(option_of(&tcp, IPPROTO_TCP, TCP_KEEPIDLE), 60);
  CHECK_EQ(uv_tcp_keepalive(&tcp, 1, 33), 0);
  CHECK_EQ(option_of(&tcp, IPPROTO_TCP, TCP_KEEPIDLE), 33);
  test_close_default_loop();
}
