/* rota attach --metrics: the figures of a Node that nothing prepared, for Prometheus. The command serves them, and asks
 * the agent for each answer: the service itself listens nowhere, and has no further thread for it.
 *
 * A connection carries one request, whose head is at most 8 KB, and has two seconds. */
#include "command/live/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "command/live/live.h"

enum { CONNECTIONS = 16, HEAD_MAX = 8192, TEXT_MAX = 1 << 17, LOOK_MS = 200, PATIENCE_MS = 2000, NS_PER_MS = 1000000 };

struct connection {
  int fd; /* -1: none */
  uint64_t until_ns;
  size_t length;
  char head[HEAD_MAX + 1];
};

struct server {
  int listener, agent;
  char *text;
  struct connection connections[CONNECTIONS];
};

int live_serve_open(const struct rota_endpoint *endpoint, char fault[LIVE_FAULT_SIZE]) {
  struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)endpoint->port)};
  struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)endpoint->port)};
  bool is_six = inet_pton(AF_INET6, endpoint->host, &six.sin6_addr) == 1;
  int fd = socket(is_six ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;
  if (!is_six && inet_pton(AF_INET, endpoint->host, &four.sin_addr) != 1)
    errno = EINVAL;
  else if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
           bind(fd, is_six ? (const struct sockaddr *)&six : (const struct sockaddr *)&four,
                is_six ? sizeof six : sizeof four) == 0 &&
           listen(fd, CONNECTIONS) == 0)
    return fd;
  snprintf(fault, LIVE_FAULT_SIZE, "%s port %u: %s", endpoint->host, endpoint->port, strerror(errno));
  if (fd >= 0)
    close(fd);
  return -1;
}

void live_serve_describe(int listener, char *text, size_t size) {
  union {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
  } address = {.six = {0}};
  socklen_t length = sizeof address;
  char host[INET6_ADDRSTRLEN] = "";
  text[0] = 0;
  if (getsockname(listener, &address.any, &length) != 0)
    return;
  if (address.any.sa_family == AF_INET6) {
    inet_ntop(AF_INET6, &address.six.sin6_addr, host, sizeof host);
    snprintf(text, size, "http://[%s]:%u/metrics", host, ntohs(address.six.sin6_port));
  } else {
    inet_ntop(AF_INET, &address.four.sin_addr, host, sizeof host);
    snprintf(text, size, "http://%s:%u/metrics", host, ntohs(address.four.sin_port));
  }
}

/* ---- the agent ---- */

static bool await_packet(int fd) {
  struct pollfd entry = {.fd = fd, .events = POLLIN};
  uint64_t until_ns = live_now_ns() + (uint64_t)PATIENCE_MS * NS_PER_MS;
  int n;
  do {
    n = poll(&entry, 1, LOOK_MS);
  } while ((n == 0 || (n < 0 && errno == EINTR)) && live_now_ns() < until_ns);
  return n > 0;
}

/* The length of its figures; -1: it is gone. */
static ssize_t ask_agent(struct server *server) {
  static const char question[] = "figures 0";
  size_t length = 0;
  if (send(server->agent, question, sizeof question - 1, MSG_NOSIGNAL) < 0)
    return -1;
  while (await_packet(server->agent)) {
    static char packet[1 << 16];
    ssize_t n = recv(server->agent, packet, sizeof packet, 0);
    if (n <= 0 || packet[0] == '-')
      return -1;
    if (packet[0] == '.')
      return (ssize_t)length;
    if (packet[0] != '+' || length + (size_t)n > TEXT_MAX)
      continue;
    memcpy(server->text + length, packet + 1, (size_t)n - 1);
    length += (size_t)n - 1;
  }
  return -1;
}

/* ---- connections ---- */

static void end(struct connection *connection) {
  close(connection->fd);
  *connection = (struct connection){.fd = -1};
}

static void send_all(int fd, const char *text, size_t length) {
  struct pollfd entry = {.fd = fd, .events = POLLOUT};
  while (length > 0) {
    ssize_t n = send(fd, text, length, MSG_NOSIGNAL);
    if (n < 0 && (errno != EAGAIN || poll(&entry, 1, LOOK_MS) <= 0))
      return;
    text += n > 0 ? n : 0;
    length -= n > 0 ? (size_t)n : 0;
  }
}

static void answer(const struct connection *connection, const char *status, const char *body, size_t length,
                   bool sends) {
  char head[256];
  int size = snprintf(head, sizeof head,
                      "HTTP/1.1 %s\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nContent-Length: "
                      "%zu\r\nConnection: close\r\n\r\n",
                      status, length);
  send_all(connection->fd, head, (size_t)size);
  if (sends)
    send_all(connection->fd, body, length);
  shutdown(connection->fd, SHUT_WR);
}

/* False: the agent is gone. */
static bool serve_request(struct server *server, const struct connection *connection) {
  bool is_head = strncmp(connection->head, "HEAD ", 5) == 0, is_get = strncmp(connection->head, "GET ", 4) == 0;
  const char *path = connection->head + (is_head ? 5 : 4);
  size_t length = is_get || is_head ? strcspn(path, " ?\r\n") : 0;
  const char *version = strchr(path, ' ');
  if (!is_get && !is_head) {
    answer(connection, "405 Method Not Allowed", "", 0, true);
  } else if (version == NULL || strncmp(version, " HTTP/1.", 8) != 0) {
    answer(connection, "400 Bad Request", "", 0, true);
  } else if (length != 8 || strncmp(path, "/metrics", 8) != 0) {
    answer(connection, "404 Not Found", "", 0, true);
  } else {
    ssize_t figures = ask_agent(server);
    if (figures < 0) {
      answer(connection, "503 Service Unavailable", "", 0, true);
      return false;
    }
    answer(connection, "200 OK", server->text, (size_t)figures, is_get);
  }
  return true;
}

static bool read_head(struct server *server, struct connection *connection) {
  ssize_t n = recv(connection->fd, connection->head + connection->length, HEAD_MAX - connection->length, 0);
  if (n < 0 && (errno == EAGAIN || errno == EINTR))
    return true;
  connection->length += n > 0 ? (size_t)n : 0;
  connection->head[connection->length] = 0;
  bool is_whole = strstr(connection->head, "\r\n\r\n") != NULL, goes_on = true;
  if (n > 0 && !is_whole && connection->length < HEAD_MAX)
    return true;
  if (is_whole)
    goes_on = serve_request(server, connection);
  else if (n > 0)
    answer(connection, "431 Request Header Fields Too Large", "", 0, true);
  end(connection);
  return goes_on;
}

static void take_connection(struct server *server) {
  int fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  for (size_t i = 0; i < CONNECTIONS && fd >= 0; i++)
    if (server->connections[i].fd < 0) {
      server->connections[i].fd = fd;
      server->connections[i].until_ns = live_now_ns() + (uint64_t)PATIENCE_MS * NS_PER_MS;
      return;
    }
  if (fd >= 0)
    close(fd);
}

/* What the agent says without a question: that it ends. */
static bool hear_agent(const struct server *server) {
  char packet[64];
  ssize_t n = recv(server->agent, packet, sizeof packet, MSG_DONTWAIT);
  return (n > 0 && packet[0] != '-') || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

bool live_serve(int listener, int agent, const volatile sig_atomic_t *is_over) {
  struct server *server = calloc(1, sizeof *server);
  bool goes_on = server != NULL && (server->text = malloc(TEXT_MAX)) != NULL;
  for (size_t i = 0; goes_on && i < CONNECTIONS; i++)
    server->connections[i].fd = -1;
  if (goes_on) {
    server->listener = listener;
    server->agent = agent;
  }
  while (goes_on && !*is_over) {
    struct pollfd entries[CONNECTIONS + 2] = {{.fd = agent, .events = POLLIN}, {.fd = listener, .events = POLLIN}};
    for (size_t i = 0; i < CONNECTIONS; i++)
      entries[i + 2] = (struct pollfd){.fd = server->connections[i].fd, .events = POLLIN};
    int n = poll(entries, CONNECTIONS + 2, LOOK_MS);
    for (size_t i = 0; i < CONNECTIONS && goes_on; i++) {
      struct connection *connection = &server->connections[i];
      if (connection->fd >= 0 && live_now_ns() > connection->until_ns) /* first: a slow one always has another byte */
        end(connection);
      else if (n > 0 && entries[i + 2].revents != 0)
        goes_on = read_head(server, connection);
    }
    if (n > 0 && goes_on && entries[0].revents != 0)
      goes_on = hear_agent(server);
    if (n > 0 && entries[1].revents != 0)
      take_connection(server);
  }
  free(server != NULL ? server->text : NULL);
  free(server);
  return goes_on;
}
