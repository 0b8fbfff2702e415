/* In which order callbacks of different kinds come, and that handles are closed once, and last.
 *
 * An iteration has idle, prepare, poll, check, closing and timers. Two handles of our own, which are always started,
 * show where poll begins and ends. */
#include <stdlib.h>
#include <string.h>

#include "simulator.h"

int sim_requests;

static struct {
  uv_prepare_t prepare;
  uv_check_t check;
  bool in_poll;
  enum sim_phase last;
  uint64_t iteration;
  int closing;
  bool prepared_once;
} order;

static const char *const names[] = {"check", "close", "timer", "idle", "prepare", "poll"};

void sim_called(enum sim_phase phase) {
  rota__model_work(1000 + sim_below(3000));
  if (phase == SIM_POLL)
    return; /* it may be a callback that was put off */
  if (order.in_poll) {
    sim_check(phase == SIM_PREPARE || phase == SIM_CHECK, "a callback of %s between prepare and check", names[phase]);
    return;
  }
  sim_check(phase >= order.last, "a callback of %s after one of %s", names[phase], names[order.last]);
  order.last = phase;
}

static void on_prepare(uv_prepare_t *prepare) {
  (void)prepare;
  sim_called(SIM_PREPARE);
  sim_check(!order.in_poll, "an iteration without check");
  order.in_poll = true;
  order.iteration++;
}

static void on_check(uv_check_t *check) {
  (void)check;
  sim_check(order.in_poll, "check without prepare");
  order.in_poll = false;
  order.last = SIM_CHECK;
}

void sim_order_start(void) {
  order.in_poll = false;
  order.last = SIM_CHECK;
  uv_prepare_init(&sim.loop, &order.prepare);
  uv_check_init(&sim.loop, &order.check);
  uv_prepare_start(&order.prepare, on_prepare);
  uv_check_start(&order.check, on_check);
  uv_unref((uv_handle_t *)&order.prepare);
  uv_unref((uv_handle_t *)&order.check);
}

uint64_t sim_iteration(void) {
  return order.iteration;
}

static void on_own_closed(uv_handle_t *handle) {
  (void)handle;
  order.closing--;
}

void sim_order_close(void) {
  order.closing += 2;
  uv_close((uv_handle_t *)&order.prepare, on_own_closed);
  uv_close((uv_handle_t *)&order.check, on_own_closed);
  order.in_poll = false;
  order.last = SIM_CHECK;
}

/* ---- handles ---- */

void *sim_handle_make(struct sim_handle *self, const char *name, int number, size_t size) {
  sim_check(self->handle == NULL, "the simulator uses a handle twice");
  *self = (struct sim_handle){.handle = malloc(size), .name = name, .number = number};
  if (self->handle == NULL)
    abort();
  memset(self->handle, 0xa5, size);
  return self->handle;
}

void sim_handle_forget(struct sim_handle *self) {
  free(self->handle);
  self->handle = NULL;
}

bool sim_handle_is_open(const struct sim_handle *self) {
  return self->handle != NULL && !self->is_closing;
}

void sim_handle_check_open(const struct sim_handle *self, const char *callback) {
  sim_check(self->handle != NULL, "%s %d: %s after the close callback", self->name, self->number, callback);
  sim_check(!self->is_closing, "%s %d: %s after uv_close", self->name, self->number, callback);
}

/* The memory is the program's again. It stays, overwritten but for the owner, so that a second callback is seen. */
static void bury(uv_handle_t *handle) {
  void *owner = handle->data;
  memset(handle, 0xdb, uv_handle_size(handle->type));
  handle->data = owner;
}

static void on_closed(uv_handle_t *handle) {
  struct sim_handle *self = handle->data;
  sim_called(SIM_CLOSE);
  sim_check(self->handle == handle && self->is_closing, "a close callback that nobody waits for, or the second one");
  sim_log("%s %d is closed", self->name, self->number);
  bury(handle);
  self->handle = NULL;
  order.closing--;
  if (self->closed != NULL)
    self->closed(self);
  sim_steps();
}

static void close_by(struct sim_handle *self, bool resets) {
  sim_log("%s %s %d", resets ? "reset" : "close", self->name, self->number);
  self->is_closing = true;
  self->handle->data = self;
  order.closing++;
  int err = UV_EINVAL;
  if (resets)
    err = uv_tcp_close_reset((uv_tcp_t *)self->handle, on_closed);
  if (err != 0)
    uv_close(self->handle, on_closed);
  sim_check(uv_is_closing(self->handle), "%s %d: a closed handle is not closing", self->name, self->number);
}

void sim_handle_close(struct sim_handle *self) {
  close_by(self, false);
}

void sim_tcp_reset(struct sim_handle *self) {
  close_by(self, true);
}

int sim_handles_closing(void) {
  return order.closing;
}
