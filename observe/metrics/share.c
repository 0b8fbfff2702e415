/* One port for several processes: how they find the first, and what it asks them (server.h). */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <poll.h>

#include "loop/os/clock.h"
#include "loop/os/process.h"
#include "loop/os/socket.h"
#include "observe/metrics/server.h"

enum { GATHER_MS = 500, SEND_MS = 500, BACKLOG = 16 };

/* ---- a place ---- */

bool rota__metrics_has_place(const struct rota_metrics_server *server) {
  return server->listener >= 0 || server->first >= 0;
}

static void read_port(struct rota_metrics_server *server) {
  struct sockaddr_storage bound = {0};
  socklen_t length = sizeof(bound);
  char text[48] = "";
  if (rota__os_getsockname(server->listener, (struct sockaddr *)&bound, &length) < 0)
    return;
  if (bound.ss_family == AF_INET6) {
    server->port = ntohs(((const struct sockaddr_in6 *)&bound)->sin6_port);
    uv_ip6_name((const struct sockaddr_in6 *)&bound, text, sizeof(text));
    snprintf(server->address, sizeof(server->address), "[%s]:%d", text, server->port);
  } else {
    server->port = ntohs(((const struct sockaddr_in *)&bound)->sin_port);
    uv_ip4_name((const struct sockaddr_in *)&bound, text, sizeof(text));
    snprintf(server->address, sizeof(server->address), "%s:%d", text, server->port);
  }
  server->where = bound;
}

static int listen_to_port(struct rota_metrics_server *server) {
  const struct sockaddr *where = (const struct sockaddr *)&server->where;
  int fd = rota__os_socket(where->sa_family, SOCK_STREAM, 0);
  if (fd < 0)
    return fd;
  int err = rota__os_set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1);
  if (err >= 0)
    err = rota__os_bind(fd, where, rota__os_address_length(where));
  if (err >= 0)
    err = rota__os_listen(fd, BACKLOG);
  if (err < 0) {
    rota__os_close(fd);
    return err;
  }
  server->listener = rota__metrics_raise(fd);
  read_port(server);
  return 0;
}

static void name_of(const struct rota_metrics_server *server, char name[96]) {
  snprintf(name, 96, "rota-metrics.%s", server->address);
}

static bool is_trusted(int fd, int *process_id) {
  pid_t process;
  uid_t user;
  if (rota__os_peer(fd, &process, &user) < 0 || user != geteuid())
    return false;
  *process_id = process;
  return true;
}

static int connect_to_first(struct rota_metrics_server *server, const char *name) {
  char hello[24];
  int process_id, fd = rota__os_local_connect(name);
  if (fd < 0)
    return fd == UV_ECONNREFUSED ? UV_EAGAIN : fd; /* it has ended just now */
  if (!is_trusted(fd, &process_id)) {
    rota__os_close(fd);
    return UV_EEXIST;
  }
  int length = snprintf(hello, sizeof(hello), "h%d", rota__os_process_id());
  ssize_t n = rota__os_send(fd, hello, (size_t)length);
  if (n < 0) {
    rota__os_close(fd);
    return UV_EAGAIN;
  }
  server->first = rota__metrics_raise(fd);
  return 0;
}

/* The name is taken before the port: so no two processes try for the port, and one that does not get the name knows
 * whom to connect to. Where there are no such names, and in a sandbox without local sockets, there is only the port. */
int rota__metrics_join(struct rota_metrics_server *server) {
  char name[96];
  bool any_port = server->port == 0 && strcmp(strrchr(server->address, ':'), ":0") == 0;
  name_of(server, name);
  int local = any_port ? UV_ENOTSUP : rota__os_local_listen(name);
  if (local == UV_EADDRINUSE)
    return connect_to_first(server, name);
  int err = listen_to_port(server);
  if (any_port && err == 0) {
    name_of(server, name);
    local = rota__os_local_listen(name);
  }
  if (local >= 0 && err == 0)
    server->local = rota__metrics_raise(local);
  else if (local >= 0)
    rota__os_close(local);
  return err;
}

/* ---- the first ---- */

static void let_go(struct rota_metrics_member *member) {
  rota__metrics_close(&member->fd);
  member->is_asked = false;
}

void rota__metrics_take_member(struct rota_metrics_server *server) {
  int process_id, fd = rota__os_accept(server->local);
  if (fd < 0)
    return;
  struct rota_metrics_member *member = server->members, *end = member + ROTA_METRICS_MEMBERS;
  while (member < end && member->fd >= 0)
    member++;
  if (member == end || !is_trusted(fd, &process_id)) {
    (void)rota__os_send(fd, "x", 1);
    rota__os_close(fd);
    return;
  }
  member->fd = rota__metrics_raise(fd);
  member->process_id = process_id;
  member->is_asked = false;
}

/* Its own number must be the one that the kernel tells here. */
static bool is_right_hello(const struct rota_metrics_member *member, const char *packet) {
  char expected[24];
  snprintf(expected, sizeof(expected), "h%d", member->process_id);
  return strcmp(packet, expected) == 0 && member->process_id != rota__os_process_id();
}

/* One packet. False: there is none now, or the member is gone. */
static bool hear(struct rota_metrics_member *member, unsigned char round) {
  static char packet[ROTA_METRICS_PACKET + 8]; /* of the one thread that serves */
  ssize_t n = rota__os_recv(member->fd, packet, sizeof(packet) - 1);
  if (n == UV_EAGAIN)
    return false;
  if (n <= 0) {
    let_go(member);
    return false;
  }
  packet[n] = '\0';
  bool is_answer = n >= 2 && (unsigned char)packet[1] == round && member->is_asked;
  if (packet[0] == 'h' && !is_right_hello(member, packet)) {
    (void)rota__os_send(member->fd, "x", 1);
    let_go(member);
    return false;
  }
  if (packet[0] == '+' && is_answer)
    rota__text_add(&member->text, packet + 2, (size_t)n - 2);
  else if (packet[0] == '.' && is_answer)
    member->is_asked = false;
  return true;
}

/* Between two questions: an answer that came too late is dropped. */
void rota__metrics_hear_member(struct rota_metrics_member *member) {
  while (member->fd >= 0 && hear(member, 0))
    continue;
}

static unsigned int ask_members(struct rota_metrics_server *server, enum rota_metrics_format format) {
  char question[2] = {format == ROTA_METRICS_OPENMETRICS ? 'o' : 't', 0};
  unsigned int asked = 0;
  server->round = server->round == UINT8_MAX ? 1 : server->round + 1;
  question[1] = (char)server->round;
  for (int i = 0; i < ROTA_METRICS_MEMBERS; i++) {
    struct rota_metrics_member *member = &server->members[i];
    member->is_asked = false;
    member->text.length = 0;
    member->text.failed = false;
    if (member->fd < 0)
      continue;
    ssize_t n = rota__os_send(member->fd, question, sizeof(question));
    member->is_asked = n > 0;
    asked += n > 0;
    if (n < 0 && n != UV_EAGAIN)
      let_go(member);
  }
  return asked;
}

static unsigned int hear_all(struct rota_metrics_server *server) {
  unsigned int waiting = 0;
  for (int i = 0; i < ROTA_METRICS_MEMBERS; i++) {
    struct rota_metrics_member *member = &server->members[i];
    while (member->fd >= 0 && member->is_asked && hear(member, server->round))
      continue;
    waiting += member->is_asked;
  }
  return waiting;
}

/* A member that is stopped does not answer: the others are told without it. */
static void await_members(struct rota_metrics_server *server, unsigned int waiting) {
  uint64_t end_ns = rota__os_clock_ns() + (uint64_t)GATHER_MS * NS_PER_MS, now_ns;
  while (waiting > 0 && (now_ns = rota__os_clock_ns()) < end_ns) {
    struct pollfd entries[ROTA_METRICS_MEMBERS];
    unsigned int count = 0;
    for (int i = 0; i < ROTA_METRICS_MEMBERS; i++)
      if (server->members[i].is_asked)
        entries[count++] = (struct pollfd){.fd = server->members[i].fd, .events = POLLIN};
    if (rota__os_poll(entries, count, (int)((end_ns - now_ns) / NS_PER_MS) + 1) <= 0)
      return;
    waiting = hear_all(server);
  }
}

void rota__metrics_gather(struct rota_metrics_server *server, enum rota_metrics_format format,
                          struct rota_metrics_text *merged) {
  static struct rota_metrics_text texts[ROTA_METRICS_MEMBERS + 1]; /* of the one thread that serves */
  size_t count = 1;
  unsigned int asked = ask_members(server, format);
  struct rota_metrics_text own = {0};
  rota__metrics_own_text(format, &own);
  await_members(server, asked);
  texts[0] = own;
  for (int i = 0; i < ROTA_METRICS_MEMBERS; i++) {
    const struct rota_metrics_member *member = &server->members[i];
    if (member->fd >= 0 && !member->is_asked && member->text.length > 0 && !member->text.failed)
      texts[count++] = member->text;
  }
  rota__metrics_merge(texts, count, format, merged);
  merged->failed |= own.failed;
  rota__text_free(&own);
}

/* ---- a member ---- */

static bool send_packet(int fd, const char *packet, size_t length) {
  for (int tries = 0; tries < 2; tries++) {
    ssize_t n = rota__os_send(fd, packet, length);
    if (n != UV_EAGAIN)
      return n > 0;
    struct pollfd entry = {.fd = fd, .events = POLLOUT};
    if (rota__os_poll(&entry, 1, SEND_MS) <= 0)
      return false;
  }
  return false;
}

static bool answer(struct rota_metrics_server *server, enum rota_metrics_format format, char number) {
  static char packet[ROTA_METRICS_PACKET + 2];
  struct rota_metrics_text text = {0};
  bool sent = true;
  rota__metrics_own_text(format, &text);
  for (size_t done = 0; done < text.length && sent && !text.failed;) {
    size_t part = text.length - done < ROTA_METRICS_PACKET ? text.length - done : ROTA_METRICS_PACKET;
    packet[0] = '+';
    packet[1] = number;
    memcpy(packet + 2, text.bytes + done, part);
    sent = send_packet(server->first, packet, part + 2);
    done += part;
  }
  rota__text_free(&text);
  const char end[2] = {'.', number};
  return sent && send_packet(server->first, end, sizeof(end));
}

bool rota__metrics_hear_first(struct rota_metrics_server *server) {
  char question[8];
  ssize_t n = rota__os_recv(server->first, question, sizeof(question));
  if (n == UV_EAGAIN)
    return true;
  bool is_question = n == 2 && (question[0] == 't' || question[0] == 'o');
  enum rota_metrics_format format = n > 0 && question[0] == 'o' ? ROTA_METRICS_OPENMETRICS : ROTA_METRICS_PROMETHEUS;
  if (!is_question || !answer(server, format, question[1]))
    rota__metrics_close(&server->first);
  return n <= 0 || question[0] != 'x';
}
