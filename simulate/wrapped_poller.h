/* A poller around another one, which it owns: what virtual time and schedules share. It passes watches, flushes and the
 * backend's descriptor through, and takes no operations: jobs of the pool can be counted and reordered, operations of a
 * ring cannot. */
#ifndef ROTA_SIMULATE_WRAPPED_POLLER_H
#define ROTA_SIMULATE_WRAPPED_POLLER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "loop/poller/poller.h"
#include "uv.h"

struct rota_wrapped_poller {
  struct rota_poller base;
  struct rota_poller_ops ops; /* with the inner one's name */
  struct rota_poller *inner;
  uv_loop_t *loop;
  _Atomic bool shared; /* the program polls the backend's descriptor */
};

static inline struct rota_wrapped_poller *rota__wrapped_of(struct rota_poller *poller) {
  return (struct rota_wrapped_poller *)poller; /* its first member */
}

/* Operations that are null in `ops` are those of wrapped_poller.c. */
void rota__wrapped_init(struct rota_wrapped_poller *self, uv_loop_t *loop, struct rota_poller *inner,
                        const struct rota_poller_ops *ops);
int rota__wrapped_wait(struct rota_wrapped_poller *self, int64_t timeout_ns, struct rota_ready *out, int out_max);
void rota__wrapped_flush(struct rota_poller *poller);

#endif
