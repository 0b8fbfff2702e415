/* Pairs of operations whose order is turned round: this job, or what this descriptor has, comes after the callback of
 * that operation.
 *
 * An operation has a name that is the same in another run: its words, and how many of the same words came before it. Of
 * names of temporary files, what is drawn at random does not count, nor do long numbers, nor numbers of descriptors. A
 * job gets its name when it is submitted, a descriptor each time that it is ready, a timer by its due time.
 *
 * The second of a pair is held back until the callback of the first has ended, with all ticks and microtasks. It is not
 * held back when nothing else could come: then the order cannot be turned in this way, and the record says so. */
#ifndef ROTA_SIMULATE_PAIRS_H
#define ROTA_SIMULATE_PAIRS_H

#include "loop/core/observe.h"
#include "loop/core/pool/pool.h"
#include "loop/poller/poller.h"
#include "simulate/decide.h"

enum { ROTA_OPERATIONS_MAX = 4096, ROTA_OPERATIONS_OPEN = 256 };

struct rota_pairs {
  struct rota_observer observer;
  uv_loop_t *loop;
  const struct rota_decisions *decisions;
  uint64_t begin_ms;
  bool is_on;       /* operations get names */
  uint32_t current; /* the operation whose callback runs; 0: none that has a name */
  bool failed;      /* the operation */
  uint32_t last;    /* the operation that was called last, and how many were since the last wait */
  unsigned int called;
  struct {
    uint32_t words, count;
  } counts[ROTA_OPERATIONS_MAX];
  uint32_t come[ROTA_OPERATIONS_MAX]; /* names of operations whose callbacks have ended */
  unsigned int places;
  struct {
    const uv_req_t *req; /* null: the place is free */
    uint32_t name;
  } jobs[ROTA_OPERATIONS_OPEN];
  struct {
    int fd;
    uint32_t generation; /* of its watcher */
    unsigned int place;  /* it was the first, second, ... that was ready */
    uint32_t name;       /* 0: the entry is free */
  } descriptors[ROTA_OPERATIONS_OPEN];
};

void rota__pairs_begin(struct rota_pairs *pairs, uv_loop_t *loop, const struct rota_decisions *decisions);
void rota__pairs_end(struct rota_pairs *pairs);

/* Names; 0: it has none. */
void rota__pairs_submitted(struct rota_pairs *pairs, const struct rota_work *work);
uint32_t rota__pairs_job(const struct rota_pairs *pairs, const struct rota_work *work);
uint32_t rota__pairs_ready(struct rota_pairs *pairs, const struct rota_ready *event);
uint32_t rota__pairs_timer(struct rota_pairs *pairs, uint64_t due_ms);
/* A wait begins. */
void rota__pairs_waits(struct rota_pairs *pairs);

/* Whether the operation has to wait for one that has not come. */
bool rota__pairs_is_tied(const struct rota_pairs *pairs, uint32_t name);
/* Whether it is that one. */
bool rota__pairs_waits_for(const struct rota_pairs *pairs, uint32_t name, uint32_t other);
/* The operation is seen first: records what it has to wait for. */
void rota__pairs_record(const struct rota_pairs *pairs, uint32_t name);
/* It comes: notes which of the orders were turned. */
void rota__pairs_note(const struct rota_pairs *pairs, uint32_t name, const char *why_not);
/* By how much a timer shall come late, in milliseconds. */
unsigned int rota__pairs_lateness(const struct rota_pairs *pairs, uint64_t due_ms);

#endif
