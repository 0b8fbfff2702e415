/* The load of a server that sends back datagrams: a fixed number of them is always in transit.
 * load_udp [in_flight] [seconds] server...
 *
 * The generator sends and receives many with one call, so that the server is the slower of the two. A datagram may be
 * lost: if none arrives for a while, the lost ones are sent again. */
#include <errno.h>
#include <poll.h>

#include "server.h"

enum { DATAGRAM_BYTES = 64, BATCH = 64, PATIENCE_MS = 100 };

static char data[BATCH][DATAGRAM_BYTES];
static struct iovec vectors[BATCH];
static struct mmsghdr messages[BATCH];

static void send_many(int fd, size_t count) {
  while (count > 0) {
    int n = sendmmsg(fd, messages, count < BATCH ? (unsigned int)count : BATCH, 0);
    bench_must(n > 0, "sendmmsg");
    count -= (size_t)n;
  }
}

int main(int argc, char **argv) {
  bench_must(argc > 3, "load_udp [in_flight] [seconds] server...");
  size_t in_flight = (size_t)bench_number(argc, argv, 1, 64);
  uint64_t duration_ns = bench_seconds_ns(argc, argv, 2);
  struct bench_server server = bench_server_start(argv + 3);
  for (int i = 0; i < BATCH; i++) {
    vectors[i] = (struct iovec){data[i], DATAGRAM_BYTES};
    messages[i].msg_hdr.msg_iov = &vectors[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  bench_must(fd >= 0 && connect(fd, (struct sockaddr *)&server.address, sizeof(server.address)) == 0, "connect");
  send_many(fd, in_flight);
  uint64_t start_ns = bench_now_ns(), now_ns, datagrams = 0;
  do {
    struct pollfd readable = {fd, POLLIN, 0};
    if (poll(&readable, 1, PATIENCE_MS) == 0)
      send_many(fd, in_flight);
    int n = recvmmsg(fd, messages, BATCH, MSG_DONTWAIT, NULL);
    bench_must(n > 0 || (n < 0 && errno == EAGAIN), "recvmmsg");
    if (n > 0) {
      datagrams += (uint64_t)n;
      send_many(fd, (size_t)n);
    }
    now_ns = bench_now_ns();
  } while (now_ns - start_ns < duration_ns);
  double used_us = bench_used_us(server.pid);
  bench_server_end(&server);
  bench_report_rate_and_cost((double)datagrams, now_ns - start_ns, used_us, "datagrams/s");
  return 0;
}
