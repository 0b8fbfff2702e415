#include "simulate/rank.h"

#include "simulate/jobs.h"

struct rota_rank *rota__rank_at(struct rota_rank places[ROTA_RANKED_MAX], uint64_t key) {
  struct rota_rank *vacant = NULL;
  for (int i = 0; i < ROTA_RANKED_MAX; i++) {
    if (places[i].key == key)
      return &places[i];
    if (places[i].key == 0 && vacant == NULL)
      vacant = &places[i];
  }
  return vacant;
}

void rota__rank_passed_over(struct rota_rank *rank) {
  if (++rank->looks > ROTA_SLOW_LOOKS)
    rank->rank = 0;
}
