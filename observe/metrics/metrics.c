#include "observe/metrics/metrics.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "loop/os/file.h"
#include "loop/os/memory.h"
#include "loop/os/signal.h"
#include "loop/os/socket.h"
#include "loop/os/thread.h"
#include "observe/metrics/push.h"
#include "observe/metrics/server.h"
#include "observe/trace/tracer.h"
#include "rota.h"
#include "settings/setting.h"

#define PATIENCE_NS ((uint64_t)20 * NS_PER_MS) /* for loops that count their handles */

static struct {
  pthread_mutex_t lock;
  bool is_on;
  bool running; /* the thread, which is joinable */
  bool resume;  /* in a child: start again at the first loop */
  bool by_environment;
  pthread_t thread;
  struct rota_metrics_server *server;
} metrics = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- what is said ---- */

static const char *fault(int err) {
  switch (err) {
  case UV_EADDRINUSE:
    return "another program listens there";
  case UV_EEXIST:
    return "a process of another user, or of another container, serves metrics there";
  case UV_EACCES:
    return "this user may not listen there";
  case UV_EADDRNOTAVAIL:
    return "this machine has no such address";
  case UV_EAGAIN:
    return "the process that serves metrics there does not answer";
  default:
    return uv_strerror(err);
  }
}

void rota__metrics_say_no_place(const char *address, int err) {
  fprintf(stderr, "rota: metrics: %s: %s; the program runs without them\n", address, fault(err));
}

void rota__metrics_own_text(enum rota_metrics_format format, struct rota_metrics_text *text) {
  struct rota_metrics_reading reading;
  if (rota__reading_take(&reading, PATIENCE_NS) == 0)
    rota__metrics_write_text(&reading, format, text);
  else
    text->failed = true;
  rota__reading_free(&reading);
}

/* ---- the endpoint ---- */

static void *thread_main(void *argument) {
  rota__os_thread_set_name("rota-metrics");
  rota__metrics_serve(argument);
  return NULL;
}

static int read_where(struct rota_metrics_server *server, const struct rota_endpoint *endpoint) {
  bool is_ipv6 = strchr(endpoint->host, ':') != NULL;
  snprintf(server->address, sizeof(server->address), is_ipv6 ? "[%s]:%u" : "%s:%u", endpoint->host, endpoint->port);
  return is_ipv6 ? uv_ip6_addr(endpoint->host, (int)endpoint->port, (struct sockaddr_in6 *)&server->where)
                 : uv_ip4_addr(endpoint->host, (int)endpoint->port, (struct sockaddr_in *)&server->where);
}

/* With the lock held. */
static int start_thread(void) {
  sigset_t saved;
  struct rota_metrics_server *server = metrics.server;
  int err = rota__metrics_join(server);
  if (err == 0 || err == UV_EAGAIN) /* the thread tries again */
    err = rota__metrics_open_pipe(server);
  if (err == 0) {
    rota__os_signals_block(&saved); /* the program's threads handle them */
    err = -pthread_create(&metrics.thread, NULL, thread_main, server);
    rota__os_signals_restore(&saved);
  }
  if (err < 0) {
    rota__metrics_server_close(server);
    return err;
  }
  rota__os_stay_loaded();
  metrics.running = true;
  return 0;
}

static void free_server(void) {
  if (metrics.server != NULL)
    rota__os_unmap(metrics.server, sizeof(*metrics.server));
  metrics.server = NULL;
}

static int start_endpoint(const struct rota_endpoint *endpoint) {
  void *memory;
  int err = rota__os_map(&memory, sizeof(*metrics.server));
  if (err < 0)
    return err;
  metrics.server = memory;
  rota__metrics_server_init(metrics.server);
  err = read_where(metrics.server, endpoint);
  if (err == 0)
    err = start_thread();
  if (err < 0)
    free_server();
  return err;
}

/* ---- start and stop ---- */

static int start(const struct rota_endpoint *endpoint) {
  rota__observe_prepare();
  pthread_mutex_lock(&metrics.lock);
  int err = metrics.is_on ? UV_EALREADY : 0;
  if (err == 0 && endpoint->pushes)
    err = rota__push_start();
  if (err == 0 && endpoint->listens) {
    err = start_endpoint(endpoint);
    if (err < 0 && endpoint->pushes)
      rota__push_stop();
  }
  if (err == 0) {
    metrics.is_on = true;
    rota__reading_begin();
    rota__observe_more(ROTA_OBSERVE_METRICS);
  }
  pthread_mutex_unlock(&metrics.lock);
  return err;
}

int rota_metrics_start(const char *where) {
  struct rota_endpoint endpoint = {0};
  if (where != NULL && !rota__setting_read_endpoint(where, &endpoint))
    return UV_EINVAL;
  return start(&endpoint);
}

int rota_metrics_stop(void) {
  pthread_mutex_lock(&metrics.lock);
  if (!metrics.is_on) {
    pthread_mutex_unlock(&metrics.lock);
    return UV_EINVAL;
  }
  rota__push_stop();
  rota__observe_less(ROTA_OBSERVE_METRICS);
  metrics.is_on = metrics.resume = false;
  if (metrics.running) {
    /* If the program has closed all descriptors, the thread has seen that, and the numbers are no longer ours. */
    bool are_ours = rota__os_file_is(metrics.server->wake[1], &metrics.server->wake_identity);
    if (are_ours)
      (void)rota__os_write(metrics.server->wake[1], "", 1);
    pthread_join(metrics.thread, NULL);
    if (are_ours)
      rota__metrics_server_close(metrics.server);
  }
  metrics.running = false;
  free_server();
  pthread_mutex_unlock(&metrics.lock);
  return 0;
}

int rota_metrics_port(void) {
  pthread_mutex_lock(&metrics.lock);
  int port = metrics.running ? __atomic_load_n(&metrics.server->port, __ATOMIC_RELAXED) : 0;
  pthread_mutex_unlock(&metrics.lock);
  return port;
}

int rota_metrics_write(char *buffer, size_t *size, int openmetrics) {
  struct rota_metrics_text own = {0}, text = {0};
  enum rota_metrics_format format = openmetrics ? ROTA_METRICS_OPENMETRICS : ROTA_METRICS_PROMETHEUS;
  if (buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  if (!rota__observes(ROTA_OBSERVE_METRICS))
    return UV_ENOENT;
  rota__metrics_own_text(format, &own);
  rota__metrics_merge(&own, 1, format, &text);
  int err = own.failed || text.failed ? UV_ENOMEM : text.length >= *size ? UV_ENOBUFS : 0;
  if (err == 0)
    memcpy(buffer, text.bytes, text.length + 1);
  *size = err == UV_ENOBUFS ? text.length + 1 : err == 0 ? text.length : *size;
  rota__text_free(&own);
  rota__text_free(&text);
  return err;
}

/* ---- by the environment ---- */

/* With port 0 children are to find this endpoint, and not to make one each. */
static void tell_port(const struct rota_endpoint *asked) {
  const struct rota_metrics_server *server = metrics.server;
  char value[80];
  if (!asked->listens || asked->port != 0)
    return;
  fprintf(stderr, "rota: metrics: http://%s/metrics\n", server->address);
  snprintf(value, sizeof(value), "%s%s", server->address, asked->pushes ? ",otlp" : "");
  (void)uv_os_setenv(rota__settings[ROTA_SETTING_METRICS].variable, value);
}

void rota__metrics_start_by_environment(void) {
  const char *value = rota__setting_value(ROTA_SETTING_METRICS);
  struct rota_endpoint endpoint;
  if (value == NULL)
    return;
  if (!rota__setting_read_endpoint(value, &endpoint)) {
    rota__setting_refuse(ROTA_SETTING_METRICS,
                         (struct rota_given){.name = rota__settings[ROTA_SETTING_METRICS].variable, .text = value});
    return;
  }
  int err = start(&endpoint);
  if (err == 0)
    tell_port(&endpoint);
  else if (err != UV_EALREADY && err != UV_EDESTADDRREQ)
    rota__metrics_say_no_place(value, err);
  /* One of the two is better than none. */
  if (err < 0 && err != UV_EALREADY && endpoint.listens && endpoint.pushes) {
    endpoint.listens = err == UV_EDESTADDRREQ;
    endpoint.pushes = !endpoint.listens;
    if (start(&endpoint) == 0)
      tell_port(&endpoint);
  }
}

/* ---- forks ---- */

void rota__metrics_before_fork(void) {
  pthread_mutex_lock(&metrics.lock);
}

void rota__metrics_after_fork_in_parent(void) {
  pthread_mutex_unlock(&metrics.lock);
}

/* The thread does not exist here, and the sockets are the parent's. */
void rota__metrics_after_fork_in_child(void) {
  if (metrics.running) {
    if (rota__os_file_is(metrics.server->wake[0], &metrics.server->wake_identity))
      rota__metrics_server_close(metrics.server);
    rota__metrics_server_init(metrics.server);
    metrics.server->port = 0;
    metrics.running = false;
    metrics.resume = true;
  }
  rota__push_after_fork_in_child();
  if (metrics.is_on) {
    rota__measure_restart();
    rota__reading_begin();
  }
  pthread_mutex_unlock(&metrics.lock);
}

void rota__metrics_resume(void) {
  pthread_mutex_lock(&metrics.lock);
  rota__push_resume();
  if (metrics.resume) {
    metrics.resume = false;
    int err = start_thread();
    if (err < 0)
      rota__metrics_say_no_place(metrics.server->address, err);
  }
  pthread_mutex_unlock(&metrics.lock);
}
