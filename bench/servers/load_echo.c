/* The load of an echo server: a number of connections, each with one message of 64 bytes in transit.
 * load_echo [connections] [seconds] server...
 * load_echo memory [connections] server...: how much memory does the server use for each idle connection? */
#include <errno.h>

#include "server.h"

enum { MESSAGE_BYTES = 64, BATCH = 256, PER_SOURCE = 4000 };

struct connection {
  int fd;
  unsigned int got;
};

static struct connection *connections;
static size_t count;

static void connect_all(const struct bench_server *server) {
  bench_must(bench_raise_descriptors(count + 100) >= count + 100, "too many connections for RLIMIT_NOFILE");
  connections = bench_array(count, sizeof(*connections));
  int one = 1;
  for (size_t i = 0; i < count; i++) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bench_must(fd >= 0, "socket");
    /* The fewer ports of an address are free, the longer the kernel searches for one: hence several addresses. */
    if (count > PER_SOURCE) {
      struct sockaddr_in source = {.sin_family = AF_INET};
      source.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1 + (uint32_t)(i / PER_SOURCE));
      setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof(one));
      bench_must(bind(fd, (struct sockaddr *)&source, sizeof(source)) == 0, "bind");
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    bench_must(connect(fd, (const struct sockaddr *)&server->address, sizeof(server->address)) == 0, "connect");
    connections[i].fd = fd;
  }
}

static void send_message(const struct connection *connection) {
  static const char message[MESSAGE_BYTES];
  bench_must(send(connection->fd, message, sizeof(message), MSG_NOSIGNAL) == sizeof(message), "send");
}

/* One message there and back on every connection: then all of them are accepted. One by one leaves a server as it is
 * when its connections are idle; all at once would make it allocate room for all of them. */
static void greet_all(bool one_by_one) {
  char data[MESSAGE_BYTES];
  for (size_t i = 0; i < count && !one_by_one; i++)
    send_message(&connections[i]);
  for (size_t i = 0; i < count; i++) {
    if (one_by_one)
      send_message(&connections[i]);
    for (size_t got = 0; got < sizeof(data);) {
      ssize_t n = recv(connections[i].fd, data, sizeof(data) - got, 0);
      bench_must(n > 0, "recv");
      got += (size_t)n;
    }
  }
}

/* Returns whether the whole message has come back. */
static bool receive(struct connection *connection) {
  char data[4096];
  ssize_t n = recv(connection->fd, data, sizeof(data), MSG_DONTWAIT);
  bench_must(n > 0 || (n < 0 && errno == EAGAIN), "recv");
  connection->got += n > 0 ? (unsigned int)n : 0;
  if (connection->got < MESSAGE_BYTES)
    return false;
  connection->got = 0;
  return true;
}

static void measure_round_trips(uint64_t duration_ns, pid_t pid) {
  int poller = epoll_create1(EPOLL_CLOEXEC);
  for (size_t i = 0; i < count; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &connections[i]};
    bench_must(epoll_ctl(poller, EPOLL_CTL_ADD, connections[i].fd, &event) == 0, "epoll_ctl");
    send_message(&connections[i]);
  }
  /* The first eighth is not counted. */
  uint64_t start_ns = bench_now_ns() + duration_ns / 8, now_ns;
  uint64_t round_trips = 0;
  double used_before_us = 0;
  bool counting = false;
  do {
    struct epoll_event events[BATCH];
    int n = epoll_wait(poller, events, BATCH, 5000);
    bench_must(n > 0 || (n < 0 && errno == EINTR), "the server does not answer");
    for (int i = 0; i < n; i++) {
      if (!receive(events[i].data.ptr))
        continue;
      send_message(events[i].data.ptr);
      round_trips++;
    }
    now_ns = bench_now_ns();
    if (!counting && now_ns >= start_ns) {
      counting = true;
      start_ns = now_ns;
      round_trips = 0;
      used_before_us = bench_used_us(pid);
    }
  } while (!counting || now_ns - start_ns < duration_ns);
  double used_us = bench_used_us(pid) - used_before_us;
  bench_report_rate_and_cost((double)round_trips, now_ns - start_ns, used_us, "round trips/s");
}

static double resident_bytes(pid_t pid) {
  char path[64], line[256];
  snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
  FILE *status = fopen(path, "r");
  bench_must(status != NULL, path);
  double kib = -1;
  while (fgets(line, sizeof(line), status) != NULL)
    if (sscanf(line, "VmRSS: %lf", &kib) == 1)
      break;
  fclose(status);
  return kib * 1024;
}

int main(int argc, char **argv) {
  bool memory = argc > 1 && strcmp(argv[1], "memory") == 0;
  bench_must(argc > 3, "load_echo [connections] [seconds] server...");
  struct bench_server server = bench_server_start(argv + 3);
  count = memory ? 1 : (size_t)bench_number(argc, argv, 1, 1);
  connect_all(&server);
  greet_all(memory);
  if (memory) {
    double before = resident_bytes(server.pid);
    count = (size_t)bench_number(argc, argv, 2, 10000);
    connect_all(&server);
    greet_all(true);
    bench_report((resident_bytes(server.pid) - before) / (double)count, "bytes/connection");
  } else {
    measure_round_trips(bench_seconds_ns(argc, argv, 2), server.pid);
  }
  bench_server_end(&server);
  return 0;
}
