#include "observe/metrics/push.h"

#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/os/clock.h"
#include "loop/os/signal.h"
#include "loop/os/socket.h"
#include "loop/os/thread.h"
#include "observe/metrics/server.h"
#include "rota.h"

enum { ANSWER_MAX = 4096, HEAD_MAX = 12, OK_FIRST = 200, OK_LAST = 299 };

#define PATIENCE_NS ((uint64_t)20 * NS_PER_MS) /* for loops that count their handles */
#define LAST_NS ((uint64_t)NS_PER_SECOND)      /* for the message at the end */

static struct {
  bool running;
  bool resume; /* in a child: start again at the first loop */
  bool is_failing;
  _Atomic bool ends;
  pthread_t thread;
  uv_sem_t wakeup;
  struct rota_push push;
} pusher;

/* ---- one message ---- */

/* Until the descriptor is ready. False: the time is over. */
static bool await(int fd, short events, uint64_t end_ns) {
  uint64_t now_ns = rota__os_clock_ns();
  struct pollfd entry = {.fd = fd, .events = events};
  return now_ns < end_ns && rota__os_poll(&entry, 1, (int)((end_ns - now_ns) / NS_PER_MS) + 1) > 0;
}

static int connect_to(const struct addrinfo *address, uint64_t end_ns) {
  int fd = rota__os_socket(address->ai_family, SOCK_STREAM, 0);
  if (fd < 0)
    return fd;
  int err = rota__os_connect(fd, address->ai_addr, address->ai_addrlen);
  if (err == 1)
    err = await(fd, POLLOUT, end_ns) ? rota__os_socket_error(fd) : UV_ETIMEDOUT;
  if (err == 0)
    return rota__metrics_raise(fd);
  rota__os_close(fd);
  return err;
}

static int connect_to_collector(const struct rota_push *push, uint64_t end_ns) {
  const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
  struct addrinfo *addresses;
  int fd = rota__os_getaddrinfo(push->host, push->service, &hints, &addresses);
  if (fd != 0)
    return fd;
  for (const struct addrinfo *address = addresses; address != NULL; address = address->ai_next)
    if ((fd = connect_to(address, end_ns)) >= 0)
      break;
  rota__os_freeaddrinfo(addresses);
  return fd;
}

static int send_all(int fd, const struct rota_metrics_text *text, uint64_t end_ns) {
  for (size_t sent = 0; sent < text->length;) {
    ssize_t n = rota__os_send(fd, text->bytes + sent, text->length - sent);
    if (n == UV_EAGAIN && !await(fd, POLLOUT, end_ns))
      return UV_ETIMEDOUT;
    if (n < 0 && n != UV_EAGAIN)
      return (int)n;
    sent += n > 0 ? (size_t)n : 0;
  }
  return 0;
}

/* The status of the answer, or an error. What follows the first line is not needed. */
static int read_status(int fd, uint64_t end_ns) {
  char answer[ANSWER_MAX];
  size_t length = 0;
  int status = 0;
  while (length < HEAD_MAX) {
    if (!await(fd, POLLIN, end_ns))
      return UV_ETIMEDOUT;
    ssize_t n = rota__os_recv(fd, answer + length, sizeof(answer) - length);
    if (n == UV_EAGAIN)
      continue;
    if (n <= 0)
      return n < 0 ? (int)n : UV_ECONNRESET;
    length += (size_t)n;
  }
  if (memcmp(answer, "HTTP/1.", 7) != 0)
    return UV_EPROTO;
  for (const char *digit = answer + 9; digit < answer + HEAD_MAX; digit++) {
    if (*digit < '0' || *digit > '9')
      return UV_EPROTO;
    status = status * 10 + (*digit - '0');
  }
  return status;
}

static void write_message(const struct rota_push *push, struct rota_metrics_text *message) {
  struct rota_metrics_text body = {0};
  struct rota_metrics_reading reading;
  if (rota__reading_take(&reading, PATIENCE_NS) == 0)
    rota__telemetry_write(&reading, &push->resource, &body);
  else
    body.failed = true;
  rota__reading_free(&reading);
  rota__text_put(message, "POST ");
  rota__text_put(message, push->path);
  rota__text_put(message, " HTTP/1.1\r\nHost: ");
  rota__text_put(message, push->authority);
  rota__text_put(message, "\r\nUser-Agent: rota/" ROTA_VERSION_STRING
                          "\r\nConnection: close\r\nContent-Type: application/json\r\n");
  rota__text_add(message, push->headers.bytes, push->headers.length);
  rota__text_put(message, "Content-Length: ");
  rota__text_number(message, body.length);
  rota__text_put(message, "\r\n\r\n");
  rota__text_add(message, body.bytes, body.length);
  message->failed |= body.failed;
  rota__text_free(&body);
}

static int push_once(const struct rota_push *push) {
  struct rota_metrics_text message = {0};
  uint64_t timeout_ns = pusher.ends && push->timeout_ns > LAST_NS ? LAST_NS : push->timeout_ns;
  uint64_t end_ns = rota__os_clock_ns() + timeout_ns;
  write_message(push, &message);
  int fd = message.failed ? UV_ENOMEM : connect_to_collector(push, end_ns);
  int status = fd < 0 ? fd : send_all(fd, &message, end_ns);
  if (fd >= 0) {
    status = status == 0 ? read_status(fd, end_ns) : status;
    rota__os_close(fd);
  }
  rota__text_free(&message);
  return status;
}

/* Each outage is told once. */
static void tell(const struct rota_push *push, int status) {
  bool fails = status < OK_FIRST || status > OK_LAST;
  if (fails && !pusher.is_failing && status < 0)
    fprintf(stderr, "rota: metrics: %s: %s; they are sent again every %llu ms\n", push->shown, uv_strerror(status),
            (unsigned long long)(push->interval_ns / NS_PER_MS));
  else if (fails && !pusher.is_failing)
    fprintf(stderr, "rota: metrics: %s: the collector answers %d; they are sent again every %llu ms\n", push->shown,
            status, (unsigned long long)(push->interval_ns / NS_PER_MS));
  else if (!fails && pusher.is_failing)
    fprintf(stderr, "rota: metrics: %s: the collector takes them again\n", push->shown);
  pusher.is_failing = fails;
}

/* ---- the thread ---- */

static void *thread_main(void *unused) {
  rota__os_thread_set_name("rota-push");
  while (!pusher.ends) {
    rota__os_sem_wait_for(&pusher.wakeup, pusher.push.interval_ns);
    tell(&pusher.push, push_once(&pusher.push)); /* also the last time */
  }
  return unused;
}

static int start_thread(void) {
  sigset_t saved;
  pusher.ends = false;
  int err = rota__os_sem_init(&pusher.wakeup, 0);
  if (err < 0)
    return err;
  rota__os_signals_block(&saved);
  err = -pthread_create(&pusher.thread, NULL, thread_main, NULL);
  rota__os_signals_restore(&saved);
  if (err < 0) {
    rota__os_sem_destroy(&pusher.wakeup);
    return err;
  }
  rota__os_stay_loaded();
  pusher.running = true;
  return 0;
}

int rota__push_start(void) {
  if (!rota__push_read_environment(&pusher.push))
    return UV_EDESTADDRREQ;
  int err = start_thread();
  if (err < 0)
    rota__push_free(&pusher.push);
  return err;
}

void rota__push_stop(void) {
  pusher.resume = false;
  if (pusher.running) {
    pusher.ends = true;
    rota__os_sem_post(&pusher.wakeup);
    pthread_join(pusher.thread, NULL);
    rota__os_sem_destroy(&pusher.wakeup);
  }
  pusher.running = false;
  rota__push_free(&pusher.push);
}

void rota__push_after_fork_in_child(void) {
  pusher.resume = pusher.resume || pusher.running;
  pusher.running = pusher.is_failing = false;
}

void rota__push_resume(void) {
  if (!pusher.resume)
    return;
  rota__push_write_resource(&pusher.push);
  pusher.resume = start_thread() < 0;
}
