/* Poll handles on pipes that the program reads and writes itself: told while there is something, and not when stopped.
 */
#include <stdlib.h>

#include "simulator.h"

enum { PIPES = 4 };

static struct piped {
  struct sim_handle base;
  int fds[2];
  bool is_started;
  unsigned int written, taken;
} pipes[PIPES];

static uv_poll_t *poll_of(const struct piped *self) {
  return (uv_poll_t *)self->base.handle;
}

/* Returns what the call says. */
static int move(int (*by)(uv_loop_t *, uv_fs_t *, uv_file, const uv_buf_t *, unsigned int, int64_t, uv_fs_cb), int fd,
                char *bytes, unsigned int length) {
  uv_fs_t req;
  uv_buf_t buf = uv_buf_init(bytes, length);
  int n = by(NULL, &req, fd, &buf, 1, -1, NULL);
  uv_fs_req_cleanup(&req);
  return n;
}

static void on_poll(uv_poll_t *handle, int status, int events) {
  struct piped *self = handle->data;
  char bytes[64];
  sim_called(SIM_POLL);
  sim_handle_check_open(&self->base, "its callback");
  sim_check(self->is_started, "poll %d: a callback while it is stopped", self->base.number);
  sim_check(status == 0 && events == UV_READABLE, "poll %d: status %d, events %d", self->base.number, status, events);
  int n = move(uv_fs_read, self->fds[0], bytes, 1 + sim_below(sizeof bytes));
  sim_log("poll %d: %d bytes", self->base.number, n);
  sim_check(n > 0 || n == UV_EAGAIN, "poll %d: is readable, and reading gives %d", self->base.number, n);
  for (int i = 0; i < n; i++)
    sim_check(bytes[i] == (char)self->taken++, "poll %d: another byte", self->base.number);
  sim_steps();
}

static void close_fds(struct piped *self) {
  for (int i = 0; i < 2; i++) {
    uv_fs_t req;
    uv_fs_close(NULL, &req, self->fds[i], NULL);
    uv_fs_req_cleanup(&req);
  }
}

static void on_pipe_closed(struct sim_handle *base) {
  close_fds((struct piped *)base);
}

static void make_pipe(struct piped *self, int number) {
  *self = (struct piped){0};
  int err = uv_pipe(self->fds, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE);
  if (sim_refused(err, "uv_pipe"))
    return;
  uv_poll_t *handle = sim_handle_make(&self->base, "poll", number, sizeof *handle);
  err = uv_poll_init(&sim.loop, handle, self->fds[0]);
  if (sim_refused(err, "uv_poll_init")) {
    sim_handle_forget(&self->base);
    close_fds(self);
    return;
  }
  handle->data = self;
  self->base.closed = on_pipe_closed;
}

static void set(struct piped *self, bool on) {
  int err = on ? uv_poll_start(poll_of(self), UV_READABLE, on_poll) : uv_poll_stop(poll_of(self));
  sim_log("poll %d: %s: %d", self->base.number, on ? "start" : "stop", err);
  if (!sim_refused(err, "uv_poll_start"))
    self->is_started = on;
}

static void write_some(struct piped *self) {
  char bytes[40];
  for (unsigned int i = 0; i < sizeof bytes; i++)
    bytes[i] = (char)(self->written + i);
  int n = move(uv_fs_write, self->fds[1], bytes, 1 + sim_below(sizeof bytes));
  sim_log("poll %d: %d bytes are written to its pipe", self->base.number, n);
  sim_check(n > 0 || n == UV_EAGAIN, "writing to a pipe gives %d", n);
  self->written += n > 0 ? (unsigned int)n : 0;
}

static void poll_step(void) {
  int number = (int)sim_below(PIPES);
  struct piped *self = &pipes[number];
  if (self->base.handle == NULL) {
    make_pipe(self, number);
    return;
  }
  if (self->base.is_closing)
    return;
  switch (sim_below(6)) {
  case 0:
    if (sim_chance(30)) {
      self->is_started = false;
      sim_handle_close(&self->base);
    }
    return;
  case 1:
  case 2:
    set(self, sim_chance(70));
    return;
  default:
    write_some(self);
  }
}

static bool polls_done(void) {
  for (int i = 0; i < PIPES; i++)
    if (sim_handle_is_open(&pipes[i].base) && pipes[i].is_started && pipes[i].taken != pipes[i].written)
      return false;
  return true;
}

static void polls_close(void) {
  for (int i = 0; i < PIPES; i++)
    if (sim_handle_is_open(&pipes[i].base)) {
      pipes[i].is_started = false;
      sim_handle_close(&pipes[i].base);
    }
}

static bool polls_alive(void) {
  for (int i = 0; i < PIPES; i++)
    if (sim_handle_is_open(&pipes[i].base) && pipes[i].is_started)
      return true;
  return false;
}

const struct sim_part sim_polls = {
    .name = "polls", .step = poll_step, .is_done = polls_done, .close = polls_close, .is_alive = polls_alive};
