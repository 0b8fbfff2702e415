/* The poller of a steered loop: what its two ways to wait share. shuffle.c decides for each round anew; ranked.c goes
 * by ranks that are drawn once. */
#ifndef ROTA_STEER_STEERED_POLLER_H
#define ROTA_STEER_STEERED_POLLER_H

#include "loop/core/internal.h"
#include "loop/core/io_hook.h"
#include "simulate/decide.h"
#include "simulate/jobs.h"
#include "simulate/rank.h"

/* Limits of libraries are no races of the program: fetch gives up a connection after 10 s, and a server of Node closes
 * one that is kept alive after 5 s. For so long, in all, timers come before a descriptor that is ready. */
enum { ROTA_STEERED_DESCRIPTORS = 256, ROTA_STEERED_ASYNCS = 16, ROTA_STEERED_HELD_MS = 3000 };

struct rota_slow_descriptor {
  uint32_t generation; /* of the watcher for which it was decided */
  uint32_t looks;
  bool is_slow;
};

struct rota_late_async {
  const uv_async_t *async; /* null: the place is free */
  uint64_t until_ns;       /* by the loop's clock */
  unsigned int looks;
  bool is_last; /* it comes at the next look */
  bool seen;
};

struct rota_steered_poller {
  struct rota_poller base;
  struct rota_io_hook hook;
  struct rota_poller_ops ops; /* with the inner one's name */
  struct rota_poller *inner;
  uv_loop_t *loop;
  struct rota_decisions decisions;
  struct rota_steered_jobs jobs;
  int64_t slack_ns;  /* what is left of it */
  bool holds;        /* a descriptor that is ready, in a loop without ranks: */
  int64_t held_ns;   /* so much time has passed since one of them or another was */
  uint64_t until_ns; /* the end of this wait by the virtual clock; 0: none */
  struct rota_slow_descriptor slow[ROTA_STEERED_DESCRIPTORS];
  struct rota_ranks ranks;
  struct rota_late_async late[ROTA_STEERED_ASYNCS];
  _Atomic bool shared; /* somebody polls our descriptor */
};

/* In an order that depends on nothing but the program: that in which the descriptors were first watched. Without the
 * loop's own, which only says that there is something to look at. Returns how many are left. */
int rota__steered_put_in_order(const struct rota_steered_poller *self, struct rota_ready *ready, int n);
bool rota__steered_is_signal(const struct rota_steered_poller *self, const struct rota_ready *ready);
/* Whether the timer of this time may come before what is ready. */
bool rota__steered_has_slack(const struct rota_steered_poller *self, int64_t timeout_ns);
/* The time of the timer has come. */
void rota__steered_pass_time(struct rota_steered_poller *self, int64_t timeout_ns);
/* Nothing is there: sleeps. Returns what the inner poller said; *over: the loop has something else to do. */
int rota__steered_sleep(struct rota_steered_poller *self, int64_t timeout_ns, struct rota_ready *out, int out_max,
                        bool *over);

/* The loop looks: decides what other threads have sent. (asyncs.c) */
void rota__steered_look_at_asyncs(struct rota_steered_poller *self);
/* How long the loop may sleep until the first that was put off is due: this, or less. */
int64_t rota__steered_time_to_async(const struct rota_steered_poller *self, int64_t timeout_ns);

/* The wait of ranked.c. */
int rota__ranked_wait(struct rota_steered_poller *self, int64_t timeout_ns, struct rota_ready *out, int out_max);

#endif
