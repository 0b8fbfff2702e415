/* Decisions: where a loop may behave in several ways, this file chooses one, by a seed or by the record of another run.
 *
 * Every decision has a number, counted for each loop and each kind of choice. Choice 0 is what happens without
 * steering. A record lists the decisions that chose something else, one on each line, with a description. Playing it
 * back gives the same run. A record with fewer lines gives a run with fewer deviations. Each kind is counted separately
 * and has its own random numbers, so one more decision of one kind does not change the others.
 *
 * A seed draws which kinds of choices it makes, and how often. Some seeds change a little of one kind, others much of
 * all kinds. */
#ifndef ROTA_SIMULATE_DECIDE_H
#define ROTA_SIMULATE_DECIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "rota.h"
#include "settings/setting.h"

/* How a seed searches for orders (rota__strategy_of). */
enum rota_strategy {
  ROTA_STRATEGY_DELAY, /* every candidate takes a time, and timers come meanwhile */
  ROTA_STRATEGY_MIXED, /* each round of the wait is decided anew */
  ROTA_STRATEGY_DEPTH, /* every candidate draws a rank, and some ranks change */
  ROTA_STRATEGY_PAIRS, /* pairs of operations that have something in common are turned round (pairs.h) */
  ROTA_STRATEGY_COUNT
};

enum {
  ROTA_FORCED_MAX = 4,
  ROTA_TIME_BUDGET_MS = 9000 /* of ranked waits; the same for a seed and its replay */
};

/* How long candidates take as a rule, as choices of ROTA_CHOICE_TAKE: jobs that change files, other jobs, descriptors.
 */
struct rota_takes {
  unsigned int changing, job, descriptor;
  unsigned int spread;                  /* it is one of so many choices, up to that */
  bool spares_jobs, spares_descriptors; /* these take no other time than that */
  bool reverses; /* of jobs that begin in the same millisecond, each takes less than the one before */
};

struct rota_decisions {
  unsigned int loop; /* the number of the loop */
  bool ranked;       /* ranked.c waits, by ranks or by picks; else schedule.c, which decides each round anew */
  bool picks;        /* candidates are picked by index, as a record says */
  uint64_t forced[ROTA_FORCED_MAX]; /* numbers of the decisions that deviate whatever their rate is */
  unsigned int forced_count;
  enum rota_choice forced_choice; /* their kind: a rank, or a change of ranks */
  struct {
    uint64_t number; /* of the next decision */
    uint64_t random;
    uint32_t rate; /* how many of 2^16 choices are not 0 */
    size_t next;   /* the index in the replayed record from which to search */
  } kinds[ROTA_CHOICE_COUNT];
  unsigned int time_budget_ms; /* how long timers may come before what is ready */
  struct rota_takes takes;
  uint64_t pairs_random; /* a pair is turned round by this and its names */
  bool pairs_looks;      /* those are whose first looks at what the second changes; else those whose first changes it */
  size_t pairs_last;     /* the entry of the list that puts an operation behind all others; SIZE_MAX: none */
  bool pairs_mostly_last; /* such entries are all that there is to be turned */
};

/* The random numbers of a seed (splitmix64). */
static inline uint64_t rota__draw(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/* Draws how a seed disturbs a run (strategy.c). */
void rota__strategy_draw(struct rota_decisions *decisions, enum rota_strategy strategy, uint64_t *random);

/* The times that a candidate may take, in milliseconds; the last choice is longer than until the next timer. */
enum { ROTA_TAKE_TIMER = 12, ROTA_TAKE_OPTIONS };
extern const unsigned int rota__take_ms[ROTA_TAKE_OPTIONS];

/* Sets the seed of the process, and opens the files to read and write. UV_EINVAL, UV_ENOMEM, or the error
 * of opening. */
int rota__decisions_start(const rota_schedule_options_t *options);
void rota__decisions_init(struct rota_decisions *decisions);

/* Returns 0 to options - 1. A caller that gets more than 0 describes the choice with rota__decision_record. */
unsigned int rota__decide(struct rota_decisions *decisions, enum rota_choice choice, unsigned int options);
/* How long a candidate takes, if as a rule it takes this, and perhaps another time. */
unsigned int rota__decide_time(struct rota_decisions *decisions, unsigned int usual, bool may_deviate);
/* The same with a number that the caller gives: for events whose order does not depend on the program alone. */
unsigned int rota__decide_at(struct rota_decisions *decisions, enum rota_choice choice, uint64_t number,
                             unsigned int options);
/* The choice of this kind and number that a record or a list of pairs has next, from *at on, with its words; 0: there
 * is none any more. Of a list of pairs, those that the seed chooses. */
unsigned int rota__decide_listed(const struct rota_decisions *decisions, enum rota_choice choice, uint64_t number,
                                 size_t *at, const char **words);
/* Whether operations must have names: something refers to them, or is written about them. */
bool rota__decisions_name_operations(void);
/* Records a choice that rota__decide_listed has given. */
void rota__decision_record_listed(const struct rota_decisions *decisions, enum rota_choice choice, uint64_t number,
                                  unsigned int chosen, const char *words);
/* Records the last choice that was not 0. */
void rota__decision_record(struct rota_decisions *decisions, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Records the last choice of this kind, also if it is 0. */
void rota__decision_record_any(struct rota_decisions *decisions, enum rota_choice choice, unsigned int chosen,
                               const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The groups of faults that are on, as bits (fault.c). */
unsigned int rota__decisions_faults(void);
bool rota__record_is_open(void);
/* Adds a line to the record that is no decision. It begins with #. */
void rota__record_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- descriptions of descriptors and jobs, for the record ---- */

enum { ROTA_DESCRIPTION_MAX = 120 };

const char *rota__describe_ready(const uv_loop_t *loop, int fd, unsigned int events, char words[ROTA_DESCRIPTION_MAX]);
const char *rota__describe_job(const struct rota_work *work, char words[ROTA_DESCRIPTION_MAX]);

#endif
