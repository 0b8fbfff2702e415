/* Ranks: who of those that could come next does. Each job, descriptor and timer, and the loop's own next turn, draws a
 * rank when it is first seen; the lowest comes first. A change of ranks puts the one that would come next behind all
 * others. This is the search of bounded depth (PCT): doc/STEERING.md tells what it finds with which probability.
 *
 * Rank 0 is that of everybody who was not put behind. All of rank 0 come together, in their usual order, and the loop's
 * turn and timers after them: without decisions a loop runs as it would without us.
 *
 * Nobody is put behind for ever: see ROTA_SLOW_LOOKS. */
#ifndef ROTA_STEER_RANK_H
#define ROTA_STEER_RANK_H

#include "simulate/decide.h"

enum {
  ROTA_RANKS = 1 << 16,
  ROTA_RANKED_MAX = 64 /* of each kind; who finds no place has rank 0 */
};

struct rota_rank {
  uint64_t key; /* what it is: a job's number, a watcher's generation, a timer's time; 0: the place is free */
  uint64_t number;
  unsigned int rank, looks;
  bool waits; /* it could have come, and did not, since: */
  uint64_t since_ms;
};

struct rota_ranks {
  struct rota_rank jobs[ROTA_RANKED_MAX], descriptors[ROTA_RANKED_MAX], timer, turn;
  uint64_t begin_ms; /* by the loop's clock: timers are told from there */
  bool disk_asked, disk_slow;
  unsigned int changes; /* so many were put behind all others */
};

/* The place of this one: its own, else a free one, else null. */
struct rota_rank *rota__rank_at(struct rota_rank places[ROTA_RANKED_MAX], uint64_t key);
/* It was passed over once more. */
void rota__rank_passed_over(struct rota_rank *rank);

#endif
