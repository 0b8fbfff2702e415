/* The hot paths, each run a known number of times, for a tool that counts instructions.
 * paths NAME COUNT
 *
 * Only what happens inside of `measured` counts. Everything runs on one thread and sends to itself, so that the number
 * of wake-ups, and with it that of the instructions, is the same in every run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "uv.h"

enum { MESSAGE_BYTES = 64, TIMERS = 1000, SPAN_MS = 1000, ROUND_MS = 4096 };

struct path {
  const char *name;
  void (*prepare)(void);
  void (*walk)(void);
};

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

static const struct path paths[] = {
    {"iteration", prepare_iteration, run_loop}, {"timer-stop-start", prepare_timers, start_and_stop_timers},
    {"timer-fire", prepare_fire, run_loop},     {"message", prepare_message, run_loop},
    {"async-send", prepare_async, run_loop},
};

/* The tool knows this function by its name. */
__attribute__((noinline)) void measured(const struct path *path);
void measured(const struct path *path) {
  path->walk();
  __asm__ volatile("" ::: "memory"); /* no tail call: the function ends when the run has ended */
}

int main(int argc, char **argv) {
  count = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000;
  loop = uv_default_loop();
  for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
    if (argc < 2) {
      puts(paths[i].name);
    } else if (strcmp(argv[1], paths[i].name) == 0) {
      paths[i].prepare();
      measured(&paths[i]);
      return done == count ? 0 : 1;
    }
  }
  return argc < 2 ? 0 : 1;
}
