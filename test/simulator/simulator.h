/* Random programs on the model of a system, and what libuv promises them, checked at each step.
 *
 * A seed is a program: it chooses what may go wrong, and then, from callbacks and between calls of uv_run, which step
 * is made next. Each part (timers, streams, ...) makes steps of its kind, knows what must come of them, and fails when
 * something else comes. At the end nothing goes wrong any more: what was begun must come to its end; then everything is
 * closed, and nothing may be left. */
#ifndef SIMULATOR_H
#define SIMULATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loop/os/model/control.h"
#include "uv.h"

/* ---- the program (program.c) ---- */

extern struct simulation {
  uv_loop_t loop;
  uint64_t seed;
  int steps_left;
  bool calm;    /* nothing goes wrong any more, and no steps are made */
  bool closing; /* everything is being closed */
  unsigned int no_memory;
} sim;

void sim_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void sim_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define sim_check(what, ...) ((what) ? (void)0 : sim_fail(__VA_ARGS__))

static inline unsigned int sim_below(unsigned int limit) {
  return (unsigned int)rota__model_below(limit);
}

static inline bool sim_chance(unsigned int in_a_hundred) {
  return sim_below(100) < in_a_hundred;
}

/* Whether this result of a call is an error, which must be one that a lack of memory, descriptors or threads gives. */
bool sim_refused(int result, const char *call);
/* Perhaps makes some steps: at the end of each callback. */
void sim_steps(void);
void sim_run(uint64_t seed, bool verbose);

/* ---- what is promised of all callbacks (order.c) ---- */

enum sim_phase { SIM_CHECK, SIM_CLOSE, SIM_TIMER, SIM_IDLE, SIM_PREPARE, SIM_POLL };

void sim_order_start(void);
void sim_order_close(void);
uint64_t sim_iteration(void);
void sim_called(enum sim_phase phase);

/* A handle that was closed: no callback but those of its requests, and one close callback. */
struct sim_handle {
  uv_handle_t *handle; /* null: there is none */
  bool is_closing;
  void (*closed)(struct sim_handle *self); /* may be null */
  const char *name;
  int number;
};

/* Allocates the handle. */
void *sim_handle_make(struct sim_handle *self, const char *name, int number, size_t size);
/* The handle could not be initialised. */
void sim_handle_forget(struct sim_handle *self);
void sim_handle_close(struct sim_handle *self);
void sim_tcp_reset(struct sim_handle *self); /* as uv_tcp_close_reset */
void sim_handle_check_open(const struct sim_handle *self, const char *callback);
bool sim_handle_is_open(const struct sim_handle *self);
int sim_handles_closing(void);
/* Requests that were begun, and have not called back. */
extern int sim_requests;

/* ---- the parts; each has these ---- */

struct sim_part {
  const char *name;
  void (*start)(void);    /* null: nothing */
  void (*step)(void);     /* one step of this kind */
  bool (*is_done)(void);  /* what was begun has come to its end; null: always */
  void (*close)(void);    /* closes what is open */
  bool (*is_alive)(void); /* a handle of it keeps the loop alive */
  void (*finish)(void);   /* all is closed: the last checks; null: none */
};

extern const struct sim_part sim_timers, sim_watchers, sim_asyncs, sim_jobs, sim_streams, sim_files, sim_datagrams,
    sim_signals, sim_children, sim_polls;

/* ---- memory (memory.c) ---- */

void sim_memory_start(void);
size_t sim_memory_used(void);

#endif
