#include "observe/metrics/server.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "loop/os/clock.h"
#include "loop/os/process.h"
#include "loop/os/socket.h"

enum {
  REQUEST_MS = 2000, /* how long a client may take to ask, and to take the answer */
  RETRY_MS = 30,
  FIRST_ENTRIES = 4, /* of what is waited for: the pipe, the port, the name or the first, and the members */
};
#define NO_DESCRIPTOR_NS ((uint64_t)50 * NS_PER_MS)
#define PATIENCE_NS ((uint64_t)3 * NS_PER_SECOND) /* without a place */

int rota__metrics_raise(int fd) {
  int high = rota__os_dup_high(fd);
  if (high < 0)
    return fd;
  rota__os_close(fd);
  return high;
}

void rota__metrics_close(int *fd) {
  if (*fd >= 0)
    rota__os_close(*fd);
  *fd = -1;
}

void rota__metrics_server_init(struct rota_metrics_server *server) {
  server->listener = server->local = server->first = server->wake[0] = server->wake[1] = -1;
  for (int i = 0; i < ROTA_METRICS_CONNECTIONS; i++)
    server->connections[i].fd = -1;
  for (int i = 0; i < ROTA_METRICS_MEMBERS; i++)
    server->members[i].fd = -1;
}

int rota__metrics_open_pipe(struct rota_metrics_server *server) {
  int err = rota__os_pipe(server->wake, 0);
  if (err < 0)
    return err;
  server->wake[0] = rota__metrics_raise(server->wake[0]);
  server->wake[1] = rota__metrics_raise(server->wake[1]);
  rota__os_file_identify(server->wake[0], &server->wake_identity);
  return 0;
}

void rota__metrics_server_close(struct rota_metrics_server *server) {
  for (int i = 0; i < ROTA_METRICS_CONNECTIONS; i++) {
    rota__metrics_close(&server->connections[i].fd);
    rota__text_free(&server->connections[i].answer);
  }
  for (int i = 0; i < ROTA_METRICS_MEMBERS; i++) {
    rota__metrics_close(&server->members[i].fd);
    rota__text_free(&server->members[i].text);
  }
  rota__metrics_close(&server->listener);
  rota__metrics_close(&server->local);
  rota__metrics_close(&server->first);
  rota__metrics_close(&server->wake[0]);
  rota__metrics_close(&server->wake[1]);
}

/* ---- connections ---- */

static void end_connection(struct rota_metrics_connection *connection) {
  (void)rota__os_shutdown_write(connection->fd); /* also if a child of a fork has a copy of it */
  rota__metrics_close(&connection->fd);
  rota__text_free(&connection->answer);
}

static struct rota_metrics_connection *free_connection(struct rota_metrics_server *server) {
  for (int i = 0; i < ROTA_METRICS_CONNECTIONS; i++)
    if (server->connections[i].fd < 0)
      return &server->connections[i];
  return NULL;
}

static void take_connection(struct rota_metrics_server *server) {
  struct rota_metrics_connection *connection = free_connection(server);
  int fd = rota__os_accept(server->listener);
  if (fd < 0) {
    if (fd != UV_EAGAIN)
      rota__os_sleep_ns(NO_DESCRIPTOR_NS); /* the client waits until one is free */
    return;
  }
  connection->fd = rota__metrics_raise(fd);
  connection->deadline_ns = rota__os_clock_ns() + (uint64_t)REQUEST_MS * NS_PER_MS;
  connection->read = connection->sent = 0;
  connection->is_answered = false;
}

static void prepare_answer(struct rota_metrics_server *server, struct rota_metrics_connection *connection,
                           enum rota_http_outcome outcome, enum rota_metrics_format format) {
  struct rota_metrics_text body = {0};
  bool is_good = outcome == ROTA_HTTP_GET || outcome == ROTA_HTTP_HEAD;
  if (is_good)
    rota__metrics_gather(server, format, &body);
  rota__http_answer(outcome, format, body.length, &connection->answer);
  if (outcome == ROTA_HTTP_GET)
    rota__text_add(&connection->answer, body.bytes, body.length);
  connection->answer.failed |= body.failed;
  rota__text_free(&body);
  connection->deadline_ns = rota__os_clock_ns() + (uint64_t)REQUEST_MS * NS_PER_MS;
}

/* An answer for which there was no memory is none: a part of it would be taken for the whole. */
static void send_answer(struct rota_metrics_connection *connection) {
  const struct rota_metrics_text *answer = &connection->answer;
  while (!answer->failed && connection->sent < answer->length) {
    ssize_t n = rota__os_send(connection->fd, answer->bytes + connection->sent, answer->length - connection->sent);
    if (n == UV_EAGAIN)
      return;
    if (n < 0)
      break;
    connection->sent += (size_t)n;
  }
  connection->is_answered = !answer->failed && connection->sent == answer->length;
  if (connection->is_answered)
    (void)rota__os_shutdown_write(connection->fd);
  else
    end_connection(connection);
}

static void drop_rest(struct rota_metrics_connection *connection) {
  ssize_t n = rota__os_recv(connection->fd, connection->head, ROTA_HTTP_HEAD_MAX);
  if (n <= 0 && n != UV_EAGAIN)
    end_connection(connection);
}

static void read_request(struct rota_metrics_server *server, struct rota_metrics_connection *connection) {
  enum rota_metrics_format format;
  ssize_t n = rota__os_recv(connection->fd, connection->head + connection->read, ROTA_HTTP_HEAD_MAX - connection->read);
  if (n == UV_EAGAIN)
    return;
  if (n <= 0) {
    end_connection(connection);
    return;
  }
  connection->read += (size_t)n;
  enum rota_http_outcome outcome = rota__http_read(connection->head, connection->read, &format);
  if (outcome == ROTA_HTTP_MORE)
    return;
  prepare_answer(server, connection, outcome, format);
  send_answer(connection);
}

static void go_on(struct rota_metrics_server *server, struct rota_metrics_connection *connection) {
  if (connection->is_answered)
    drop_rest(connection);
  else if (connection->answer.length > 0)
    send_answer(connection);
  else
    read_request(server, connection);
}

/* ---- the thread ---- */

struct waiting {
  struct pollfd entries[FIRST_ENTRIES + ROTA_METRICS_CONNECTIONS + ROTA_METRICS_MEMBERS];
};

static struct pollfd entry_of(int fd, short events) {
  return (struct pollfd){.fd = fd, .events = events}; /* poll leaves out what is below 0 */
}

static unsigned int list(const struct rota_metrics_server *server, struct waiting *waiting) {
  unsigned int count = 0;
  bool has_room = free_connection((struct rota_metrics_server *)server) != NULL;
  waiting->entries[count++] = entry_of(server->wake[0], POLLIN);
  waiting->entries[count++] = entry_of(has_room ? server->listener : -1, POLLIN);
  waiting->entries[count++] = entry_of(server->local, POLLIN);
  waiting->entries[count++] = entry_of(server->first, POLLIN);
  for (int i = 0; i < ROTA_METRICS_CONNECTIONS; i++) {
    const struct rota_metrics_connection *connection = &server->connections[i];
    bool sends = connection->answer.length > 0 && !connection->is_answered;
    waiting->entries[count++] = entry_of(connection->fd, sends ? POLLOUT : POLLIN);
  }
  for (int i = 0; i < ROTA_METRICS_MEMBERS; i++)
    waiting->entries[count++] = entry_of(server->members[i].fd, POLLIN);
  return count;
}

static int wait_ms(const struct rota_metrics_server *server) {
  uint64_t now_ns = rota__os_clock_ns(), next_ns = UINT64_MAX;
  for (int i = 0; i < ROTA_METRICS_CONNECTIONS; i++)
    if (server->connections[i].fd >= 0 && server->connections[i].deadline_ns < next_ns)
      next_ns = server->connections[i].deadline_ns;
  if (!rota__metrics_has_place(server) && server->retry_ns < next_ns)
    next_ns = server->retry_ns;
  if (next_ns == UINT64_MAX)
    return -1;
  return next_ns <= now_ns ? 0 : (int)((next_ns - now_ns) / NS_PER_MS) + 1;
}

static void end_late_connections(struct rota_metrics_server *server) {
  uint64_t now_ns = rota__os_clock_ns();
  for (int i = 0; i < ROTA_METRICS_CONNECTIONS; i++)
    if (server->connections[i].fd >= 0 && server->connections[i].deadline_ns <= now_ns)
      end_connection(&server->connections[i]);
}

/* False: there is none for this process, and a line says why. The program runs on. */
static bool find_place(struct rota_metrics_server *server) {
  uint64_t now_ns = rota__os_clock_ns();
  if (rota__metrics_has_place(server)) {
    server->patience_ns = 0;
    return true;
  }
  if (now_ns < server->retry_ns)
    return true;
  server->patience_ns = server->patience_ns != 0 ? server->patience_ns : now_ns + PATIENCE_NS;
  int err = rota__metrics_join(server);
  server->retry_ns = now_ns + (uint64_t)RETRY_MS * NS_PER_MS;
  if (err == 0 || (err == UV_EAGAIN && now_ns < server->patience_ns))
    return true;
  rota__metrics_say_no_place(server->address, err);
  return false;
}

static bool handle(struct rota_metrics_server *server, const struct waiting *waiting) {
  const struct pollfd *entries = waiting->entries;
  bool is_taken = true;
  if (entries[1].revents != 0)
    take_connection(server);
  if (entries[2].revents != 0)
    rota__metrics_take_member(server);
  if (entries[3].revents != 0)
    is_taken = rota__metrics_hear_first(server);
  for (int i = 0; i < ROTA_METRICS_MEMBERS; i++)
    if (entries[FIRST_ENTRIES + ROTA_METRICS_CONNECTIONS + i].revents != 0)
      rota__metrics_hear_member(&server->members[i]);
  for (int i = 0; i < ROTA_METRICS_CONNECTIONS; i++)
    if (entries[FIRST_ENTRIES + i].revents != 0 && server->connections[i].fd == entries[FIRST_ENTRIES + i].fd)
      go_on(server, &server->connections[i]);
  if (!is_taken)
    rota__metrics_say_no_place(server->address, UV_EEXIST);
  return is_taken;
}

void rota__metrics_serve(struct rota_metrics_server *server) {
  static struct waiting waiting;
  while (find_place(server)) {
    unsigned int count = list(server, &waiting);
    int n = rota__os_poll(waiting.entries, count, wait_ms(server));
    /* The program may have closed all descriptors. */
    if (n < 0 || waiting.entries[0].revents != 0 || !rota__os_file_is(server->wake[0], &server->wake_identity))
      return;
    if (n > 0 && !handle(server, &waiting))
      return;
    end_late_connections(server);
  }
}
