/* Signals: no callback without a signal, at most one for each, and at least one after the last. */
#include <signal.h>

#include "simulator.h"

enum { HANDLES = 6 };

static const int numbers[] = {SIGUSR1, SIGUSR2, SIGWINCH};

static struct signaller {
  struct sim_handle base;
  int signum; /* 0: it is stopped */
  bool is_once;
  bool is_ending; /* in the callback that is its last, unless it is started there */
  bool is_due;    /* a signal was sent, and has not called back */
  unsigned int sent;
} handles[HANDLES];

static uv_signal_t *signal_of(const struct signaller *self) {
  return (uv_signal_t *)self->base.handle;
}

static void on_signal(uv_signal_t *handle, int signum) {
  struct signaller *self = handle->data;
  sim_called(SIM_POLL);
  sim_handle_check_open(&self->base, "its callback");
  sim_check(self->signum == signum, "signal %d: a callback for %d, not for %d", self->base.number, signum,
            self->signum);
  sim_check(self->sent > 0, "signal %d: more callbacks than signals", self->base.number);
  sim_log("signal %d: %d", self->base.number, signum);
  self->sent--;
  self->is_due = false;
  self->is_ending = self->is_once;
  sim_steps();
  if (self->is_ending) {
    self->is_ending = false;
    self->signum = 0;
    self->is_due = false;
  }
}

static void send_signal(int signum) {
  rota__model_raise(signum, sim_chance(50) ? 0 : sim_below(3000000));
  sim_log("signal %d is sent", signum);
  for (int i = 0; i < HANDLES; i++)
    if (sim_handle_is_open(&handles[i].base) && handles[i].signum == signum) {
      handles[i].is_due = true;
      handles[i].sent++;
    }
}

static void set(struct signaller *self, bool on) {
  int signum = on ? numbers[sim_below(3)] : 0, err;
  bool once = sim_chance(30);
  if (!on)
    err = uv_signal_stop(signal_of(self));
  else if (once)
    err = uv_signal_start_oneshot(signal_of(self), on_signal, signum);
  else
    err = uv_signal_start(signal_of(self), on_signal, signum);
  sim_log("signal handle %d: %s %d: %d", self->base.number, on ? "start" : "stop", signum, err);
  if (sim_refused(err, "uv_signal_start"))
    return;
  /* Who watches this signal already stays what it is, once or not. */
  if (signum == self->signum && !self->is_ending)
    return;
  self->is_ending = false;
  /* A signal on its way may come to a handle that is started before it arrives. */
  if (signum != self->signum) {
    self->is_due = false;
    self->sent = on ? 64 : 0;
  }
  self->signum = signum;
  self->is_once = once;
}

static void signal_step(void) {
  int number = (int)sim_below(HANDLES);
  struct signaller *self = &handles[number];
  if (self->base.handle == NULL) {
    *self = (struct signaller){0};
    uv_signal_t *handle = sim_handle_make(&self->base, "signal", number, sizeof *handle);
    if (sim_refused(uv_signal_init(&sim.loop, handle), "uv_signal_init")) {
      sim_handle_forget(&self->base);
      return;
    }
    handle->data = self;
  }
  if (self->base.is_closing)
    return;
  switch (sim_below(6)) {
  case 0:
    if (sim_chance(40)) {
      self->signum = 0;
      self->is_due = self->is_ending = false;
      sim_handle_close(&self->base);
    }
    return;
  case 1:
  case 2:
    set(self, self->signum == 0 || sim_chance(60));
    return;
  default:
    send_signal(numbers[sim_below(3)]);
  }
}

static bool signals_done(void) {
  for (int i = 0; i < HANDLES; i++)
    if (handles[i].is_due)
      return false;
  return true;
}

static void signals_close(void) {
  for (int i = 0; i < HANDLES; i++)
    if (sim_handle_is_open(&handles[i].base)) {
      handles[i].signum = 0;
      handles[i].is_due = false;
      sim_handle_close(&handles[i].base);
    }
}

static bool signals_alive(void) {
  for (int i = 0; i < HANDLES; i++)
    if (sim_handle_is_open(&handles[i].base) && handles[i].signum != 0)
      return true;
  return false;
}

const struct sim_part sim_signals = {
    .name = "signals", .step = signal_step, .is_done = signals_done, .close = signals_close, .is_alive = signals_alive};
