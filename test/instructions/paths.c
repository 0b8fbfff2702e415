/* The hot paths, each run a known number of times, for tools that count instructions and system calls.
 * paths NAME COUNT
 *
 * Of the instructions, those inside of `measured` count. Everything runs on one thread and sends to itself, so that the
 * number of wake-ups, and with it that of the instructions, is the same in every run. Of jobs, what the loop's thread
 * does counts: it gives a batch of them to the pool, and continues when all of them are done. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "uv.h"

enum { MESSAGE_BYTES = 64, TIMERS = 1000, SPAN_MS = 1000, ROUND_MS = 4096, CHUNK = 65536, JOBS = 64 };

struct path {
  const char *name;
  void (*prepare)(void);
  void (*walk)(void);
  bool on_one_thread; /* all of `walk` is measured, and its system calls are the same in every run */
};

/* The tool knows this function by its name. */
__attribute__((noinline)) void measured(void (*walk)(void));
void measured(void (*walk)(void)) {
  walk();
  __asm__ volatile("" ::: "memory"); /* no tail call: the function ends when the run has ended */
}

static uv_loop_t *loop;
static unsigned long count, done;
static uint64_t seed = 88172645463325252u;

static void must(int err) {
  if (err == 0)
    return;
  fprintf(stderr, "%s\n", uv_strerror(err));
  exit(1);
}

static uint64_t any(uint64_t below) {
  seed ^= seed >> 12;
  seed ^= seed << 25;
  seed ^= seed >> 27;
  return seed * 2685821657736338717u % below;
}

static void run_loop(void) {
  uv_run(loop, UV_RUN_DEFAULT);
}

/* ---- one iteration ---- */

static uv_idle_t idle;

static void on_idle(uv_idle_t *handle) {
  if (++done == count)
    uv_idle_stop(handle);
}

static void prepare_iteration(void) {
  uv_idle_init(loop, &idle);
  uv_idle_start(&idle, on_idle);
}

/* ---- timers ---- */

static uv_timer_t *timers;

static void on_timer(uv_timer_t *timer) {
  (void)timer;
  done++;
}

static void init_timers(unsigned long n) {
  timers = calloc(n, sizeof(*timers));
  if (timers == NULL)
    abort();
  for (unsigned long i = 0; i < n; i++)
    uv_timer_init(loop, &timers[i]);
}

static void prepare_timers(void) {
  init_timers(TIMERS);
  for (int i = 0; i < TIMERS; i++)
    uv_timer_start(&timers[i], on_timer, 1000 + any(60000), 0);
}

static void start_and_stop_timers(void) {
  for (; done < count; done++) {
    uv_timer_t *timer = &timers[any(TIMERS)];
    uv_timer_stop(timer);
    uv_timer_start(timer, on_timer, 1000 + any(60000), 0);
  }
}

/* How often a timer moves in the wheel depends on where in a large round of the clock it is set: always in the first
 * part of one, so that all are due within it. */
static void wait_for_round(void) {
  uv_update_time(loop);
  uint64_t in_round_ms = uv_now(loop) % ROUND_MS;
  if (in_round_ms > ROUND_MS - 2 * SPAN_MS)
    uv_sleep((unsigned int)(ROUND_MS - in_round_ms));
  /* A timer that fires updates the loop's cached time. */
  static uv_timer_t timer;
  uv_timer_init(loop, &timer);
  uv_update_time(loop);
  uv_timer_start(&timer, on_timer, 1, 0);
  uv_run(loop, UV_RUN_DEFAULT);
  done = 0;
}

static void prepare_fire(void) {
  wait_for_round();
  init_timers(count);
  for (unsigned long i = 0; i < count; i++)
    uv_timer_start(&timers[i], on_timer, 1 + any(SPAN_MS), 0);
  uv_sleep(SPAN_MS + 2);
}

/* ---- a small message from one end of a connection to the other ---- */

static uv_tcp_t ends[2];
static uv_write_t write_req;
static char message[MESSAGE_BYTES];

static void on_write(uv_write_t *req, int status) {
  (void)req;
  must(status);
}

static void send_message(void) {
  uv_buf_t buf = uv_buf_init(message, sizeof(message));
  must(uv_write(&write_req, (uv_stream_t *)&ends[0], &buf, 1, on_write));
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  static char input[65536];
  (void)handle;
  (void)suggested;
  *buf = uv_buf_init(input, sizeof(input));
}

static void on_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)buf;
  if (nread == 0)
    return;
  if (nread != MESSAGE_BYTES)
    abort();
  if (++done < count)
    send_message();
  else
    uv_stop(stream->loop);
}

static void prepare_message(void) {
  uv_os_sock_t sockets[2];
  must(uv_socketpair(SOCK_STREAM, 0, sockets, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE));
  for (int i = 0; i < 2; i++) {
    must(uv_tcp_init(loop, &ends[i]));
    must(uv_tcp_open(&ends[i], sockets[i]));
  }
  must(uv_read_start((uv_stream_t *)&ends[1], on_alloc, on_read));
  uv_run(loop, UV_RUN_NOWAIT);
  send_message();
}

/* ---- a wake-up ---- */

static uv_async_t async;

static void on_async(uv_async_t *handle) {
  if (++done < count)
    uv_async_send(handle);
  else
    uv_stop(handle->loop);
}

static void prepare_async(void) {
  must(uv_async_init(loop, &async, on_async));
  uv_async_send(&async);
}

/* ---- as many bytes as a stream takes ---- */

static uv_write_t chunk_reqs[2];
static char chunk[CHUNK];
static size_t received;

static void on_chunk(uv_write_t *req, int status) {
  uv_buf_t buf = uv_buf_init(chunk, CHUNK);
  must(status);
  if (done < count)
    must(uv_write(req, (uv_stream_t *)&ends[0], &buf, 1, on_chunk));
}

static void on_bytes(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)buf;
  received += nread > 0 ? (size_t)nread : 0;
  done = received / CHUNK;
  if (done < count)
    return;
  done = count;
  uv_stop(stream->loop);
}

static void prepare_bulk(void) {
  uv_os_sock_t sockets[2];
  must(uv_socketpair(SOCK_STREAM, 0, sockets, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE));
  for (int i = 0; i < 2; i++) {
    must(uv_tcp_init(loop, &ends[i]));
    must(uv_tcp_open(&ends[i], sockets[i]));
  }
  must(uv_read_start((uv_stream_t *)&ends[1], on_alloc, on_bytes));
  for (int i = 0; i < 2; i++)
    on_chunk(&chunk_reqs[i], 0);
}

/* ---- a connection made, accepted, watched and closed ---- */

static uv_tcp_t listener, client, server;
static uv_connect_t connect_req;
static struct sockaddr_in address;
static int made, closed; /* of the two ends */

static void on_close(uv_handle_t *handle);

static void end_made(void) {
  if (++made == 2)
    uv_close((uv_handle_t *)&client, on_close);
}

static void on_connect(uv_connect_t *req, int status) {
  (void)req;
  must(status);
  end_made();
}

static void connect_again(void) {
  made = closed = 0;
  must(uv_tcp_init(loop, &client));
  must(uv_tcp_connect(&connect_req, &client, (const struct sockaddr *)&address, on_connect));
}

static void on_close(uv_handle_t *handle) {
  if (++closed < 2)
    return;
  if (++done < count)
    connect_again();
  else
    uv_stop(handle->loop);
}

static void on_end(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)buf;
  if (nread == UV_EOF)
    uv_close((uv_handle_t *)stream, on_close);
}

static void on_connection(uv_stream_t *from, int status) {
  must(status);
  must(uv_tcp_init(loop, &server));
  must(uv_accept(from, (uv_stream_t *)&server));
  must(uv_read_start((uv_stream_t *)&server, on_alloc, on_end));
  end_made();
}

static void prepare_connection(void) {
  int length = sizeof(address);
  must(uv_tcp_init(loop, &listener));
  must(uv_ip4_addr("127.0.0.1", 0, &address));
  must(uv_tcp_bind(&listener, (const struct sockaddr *)&address, 0));
  must(uv_listen((uv_stream_t *)&listener, 1, on_connection));
  must(uv_tcp_getsockname(&listener, (struct sockaddr *)&address, &length));
  connect_again();
}

/* ---- a datagram to itself ---- */

static uv_udp_t udp;
static uv_udp_send_t send_req;

static int halves; /* sent, received */

static void send_datagram(void);

static void half_done(void) {
  if (++halves < 2)
    return;
  if (++done < count)
    send_datagram();
  else
    uv_stop(loop);
}

static void on_sent(uv_udp_send_t *req, int status) {
  (void)req;
  must(status);
  half_done();
}

static void on_datagram(uv_udp_t *handle, ssize_t nread, const uv_buf_t *buf, const struct sockaddr *from,
                        unsigned int flags) {
  (void)handle;
  (void)buf;
  (void)from;
  (void)flags;
  if (nread > 0)
    half_done();
}

static void send_datagram(void) {
  uv_buf_t buf = uv_buf_init(message, sizeof(message));
  halves = 0;
  must(uv_udp_send(&send_req, &udp, &buf, 1, (const struct sockaddr *)&address, on_sent));
}

static void prepare_datagram(void) {
  int length = sizeof(address);
  must(uv_udp_init(loop, &udp));
  must(uv_ip4_addr("127.0.0.1", 0, &address));
  must(uv_udp_bind(&udp, (const struct sockaddr *)&address, 0));
  must(uv_udp_getsockname(&udp, (struct sockaddr *)&address, &length));
  must(uv_udp_recv_start(&udp, on_alloc, on_datagram));
  send_datagram();
}

/* ---- jobs of the pool ---- */

static uv_work_t works[JOBS];
static uv_fs_t stats[JOBS];
static _Atomic int jobs_done;

static void on_job(uv_work_t *work) {
  (void)work;
  atomic_fetch_add(&jobs_done, 1);
}

static void after_job(uv_work_t *work, int status) {
  (void)work;
  must(status);
  done++;
}

static void queue_jobs(void) {
  for (int i = 0; i < JOBS; i++)
    must(uv_queue_work(loop, &works[i], on_job, after_job));
}

/* The results are in the loop's list a moment after the last job has run. */
static void run_jobs(void) {
  while (done < count) {
    atomic_store(&jobs_done, 0);
    measured(queue_jobs);
    while (atomic_load(&jobs_done) < JOBS)
      uv_sleep(1);
    uv_sleep(1);
    measured(run_loop);
  }
}

static void on_stat(uv_fs_t *req) {
  uv_fs_req_cleanup(req);
  done++;
}

static void queue_stats(void) {
  for (int i = 0; i < JOBS; i++)
    must(uv_fs_stat(loop, &stats[i], "/nowhere/at/all", on_stat));
}

static bool are_done(void) {
  for (int i = 0; i < JOBS; i++)
    if (*(volatile ssize_t *)&stats[i].result == 0)
      return false;
  return true;
}

static void run_stats(void) {
  while (done < count) {
    measured(queue_stats);
    while (!are_done())
      uv_sleep(1);
    uv_sleep(1);
    measured(run_loop);
  }
}

static void prepare_nothing(void) {
}

static const struct path paths[] = {
    {"iteration", prepare_iteration, run_loop, true}, {"timer-stop-start", prepare_timers, start_and_stop_timers, true},
    {"timer-fire", prepare_fire, run_loop, true},     {"message", prepare_message, run_loop, true},
    {"bulk", prepare_bulk, run_loop, true},           {"connection", prepare_connection, run_loop, true},
    {"datagram", prepare_datagram, run_loop, true},   {"async-send", prepare_async, run_loop, true},
    {"job", prepare_nothing, run_jobs, false},        {"stat", prepare_nothing, run_stats, false},
};

int main(int argc, char **argv) {
  count = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000;
  loop = uv_default_loop();
  for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
    if (argc < 2) {
      printf("%s %s\n", paths[i].name, paths[i].on_one_thread ? "one" : "many");
    } else if (strcmp(argv[1], paths[i].name) == 0) {
      paths[i].prepare();
      if (paths[i].on_one_thread)
        measured(paths[i].walk);
      else
        paths[i].walk();
      return done == count ? 0 : 1;
    }
  }
  return argc < 2 ? 0 : 1;
}
