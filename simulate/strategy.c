/* How a seed disturbs a run: each strategy draws which kinds of choices are made, and how often. */
#include "simulate/decide.h"

/* Each round is decided anew: draws which kinds of choices are made, and how often. */
static void init_mixed(struct rota_decisions *decisions, uint64_t *random) {
  static const uint32_t shares[] = {0, 4096, 16384, 32768}, late_shares[] = {16384, 1 << 16, 1 << 16, 1 << 16},
                        pass_shares[] = {8192, 32768, 32768, 49152}, slow_shares[] = {2048, 8192, 16384, 24576};
  static const unsigned int budgets_ms[] = {20, 200, 1000, ROTA_TIME_BUDGET_MS};
  for (int i = 0; i < ROTA_CHOICE_SLOW; i++)
    decisions->kinds[i].rate = shares[rota__draw(random) % 4];
  decisions->kinds[ROTA_CHOICE_LATE].rate = late_shares[rota__draw(random) % 4];
  /* Every start of a timer asks for this choice. */
  decisions->kinds[ROTA_CHOICE_DRIFT].rate /= 8;
  /* Only a round that holds something back asks for this choice. */
  decisions->kinds[ROTA_CHOICE_PASS].rate = pass_shares[rota__draw(random) % 4];
  decisions->time_budget_ms = budgets_ms[rota__draw(random) % 4];
  /* Decided once for each job and each descriptor: a slow one stays slow. */
  decisions->kinds[ROTA_CHOICE_SLOW].rate = slow_shares[rota__draw(random) % 4];
  decisions->kinds[ROTA_CHOICE_MESSAGE].rate = shares[rota__draw(random) % 4];
  decisions->kinds[ROTA_CHOICE_ASYNC].rate = shares[rota__draw(random) % 4];
}

/* How often the kinds are chosen that do not concern the order of candidates. */
static void init_rest(struct rota_decisions *decisions, uint64_t *random, const uint32_t late_shares[4]) {
  static const uint32_t shares[] = {0, 0, 4096, 16384};
  decisions->kinds[ROTA_CHOICE_READ].rate = shares[rota__draw(random) % 4];
  decisions->kinds[ROTA_CHOICE_LATE].rate = late_shares[rota__draw(random) % 4];
  decisions->kinds[ROTA_CHOICE_DRIFT].rate = shares[rota__draw(random) % 4] / 8;
  decisions->kinds[ROTA_CHOICE_MESSAGE].rate = 32768;
  decisions->kinds[ROTA_CHOICE_ASYNC].rate = 16384;
  decisions->time_budget_ms = ROTA_TIME_BUDGET_MS;
}

/* Every candidate draws a rank; draws which decisions change ranks. */
static void init_depth(struct rota_decisions *decisions, uint64_t *random) {
  static const uint32_t late_shares[] = {16384, 1 << 16, 1 << 16, 1 << 16};
  static const unsigned int ranges[] = {4, 12, 40, 160};
  init_rest(decisions, random, late_shares);
  decisions->kinds[ROTA_CHOICE_RANK].rate = 1 << 16;
  decisions->forced_choice = ROTA_CHOICE_CHANGE;
  decisions->forced_count = (unsigned int)(rota__draw(random) % 4);
  unsigned int range = ranges[rota__draw(random) % 4];
  for (unsigned int i = 0; i < decisions->forced_count; i++)
    decisions->forced[i] = rota__draw(random) % range;
}

/* Candidates take times. As a rule those of a class take the same: the disk is slow, so that each job takes longer than
 * the program's timers, and to change files is slower; or the network is. Some take another time; in some seeds, only
 * these take any. */
static void init_delay(struct rota_decisions *decisions, uint64_t *random) {
  static const uint32_t late_shares[] = {49152, 1 << 16, 1 << 16, 1 << 16}, rare_shares[] = {0, 0, 2048, 4096},
                        own_shares[] = {16384, 24576, 32768, 49152};
  static const unsigned int changing[] = {10, 10, 11, 11};
  enum { DISK = 13, NETWORK = 14, OF_16 = 16 };
  init_rest(decisions, random, late_shares);
  struct rota_takes *takes = &decisions->takes;
  uint64_t slow = rota__draw(random) % OF_16;
  static const unsigned int usually[] = {
      7, 8, 9, ROTA_TAKE_TIMER, ROTA_TAKE_TIMER, ROTA_TAKE_TIMER, ROTA_TAKE_TIMER, ROTA_TAKE_TIMER};
  unsigned int usual = usually[rota__draw(random) % 8], more = changing[rota__draw(random) % 4];
  bool is_alike = rota__draw(random) % 16 == 0;                /* to change files takes no longer */
  unsigned int order = (unsigned int)(rota__draw(random) % 8); /* 0 and 1: that in which they begin */
  if (slow < DISK)
    *takes = (struct rota_takes){
        .changing = is_alike ? usual : more, .job = usual, .reverses = order >= 5, .spares_descriptors = true};
  else if (slow < NETWORK)
    *takes = (struct rota_takes){.descriptor = usual, .spares_jobs = true};
  takes->spread = order >= 2 && order < 5 ? 3 : 1;
  decisions->kinds[ROTA_CHOICE_TAKE].rate = (slow < NETWORK ? rare_shares : own_shares)[rota__draw(random) % 4];
}

/* Pairs are turned round. In most seeds the disk is slow, too, so that other parts of the program come meanwhile. */
static void init_pairs(struct rota_decisions *decisions, uint64_t *random) {
  static const uint32_t late_shares[] = {1 << 16, 1 << 16, 1 << 16, 1 << 16};
  static const unsigned int usually[] = {7, ROTA_TAKE_TIMER, ROTA_TAKE_TIMER, ROTA_TAKE_TIMER};
  init_rest(decisions, random, late_shares);
  decisions->kinds[ROTA_CHOICE_READ].rate = decisions->kinds[ROTA_CHOICE_DRIFT].rate = 0;
  unsigned int usual = usually[rota__draw(random) % 4];
  if (rota__draw(random) % 32 < (decisions->pairs_mostly_last ? 24 : 1))
    usual = 0;
  bool is_alike = rota__draw(random) % 4 != 0, reverses = rota__draw(random) % 4 == 0;
  decisions->takes = (struct rota_takes){.changing = is_alike ? usual : 10,
                                         .job = usual,
                                         .spread = 1,
                                         .spares_jobs = true,
                                         .spares_descriptors = true,
                                         .reverses = reverses};
}

void rota__strategy_draw(struct rota_decisions *decisions, enum rota_strategy strategy, uint64_t *random) {
  switch (strategy) {
  case ROTA_STRATEGY_MIXED:
    init_mixed(decisions, random);
    return;
  case ROTA_STRATEGY_DEPTH:
    init_depth(decisions, random);
    return;
  case ROTA_STRATEGY_PAIRS:
    init_pairs(decisions, random);
    return;
  default:
    init_delay(decisions, random);
  }
}
