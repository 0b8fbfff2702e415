/* Decisions: where a loop may behave in several ways, this file chooses one, by a seed or by the record of another run.
 *
 * Every decision has a number, counted for each loop and each kind of choice. Choice 0 is what happens without
 * steering. A record lists the decisions that chose something else, one on each line, with a description. Playing it
 * back gives the same run; a record with fewer lines gives a run with fewer deviations. Each kind is counted separately
 * and has its own random numbers, so one more decision of one kind does not change the others. A seed does not use all
 * kinds: it draws which kinds of choices it makes, and how often. So some seeds change a little of one kind, and others
 * much of all. */
#ifndef ROTA_SIMULATE_DECIDE_H
#define ROTA_SIMULATE_DECIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "rota.h"
#include "settings/setting.h"

/* How a seed looks for orders; seeds take turns. */
enum rota_strategy {
  ROTA_STRATEGY_DELAY, /* one or two are put behind all others, all else is usual */
  ROTA_STRATEGY_MIXED, /* each round is decided anew */
  ROTA_STRATEGY_DEPTH, /* all draw ranks, and some change theirs */
  ROTA_STRATEGY_COUNT
};

enum { ROTA_SPECIAL_MAX = 4 };

struct rota_decisions {
  unsigned int loop; /* its number */
  bool ranked;       /* by ranks, or picks; else each round is decided anew */
  bool picks;
  uint64_t special[ROTA_SPECIAL_MAX]; /* the numbers of decisions that are made: of a rank, or a change */
  unsigned int specials;
  enum rota_choice special_choice;
  struct {
    uint64_t number; /* of the next decision */
    uint64_t random;
    uint32_t rate; /* of 2^16, that the choice is not 0 */
    size_t next;   /* where to look in the record that is played back */
  } kinds[ROTA_CHOICE_COUNT];
  unsigned int slack_ms; /* so long what is ready may have to wait for timers that come first */
};

/* For the process: the seed, and the files to read and write. UV_EINVAL, UV_ENOMEM, or the error of opening. */
int rota__decisions_start(const rota_schedule_options_t *options);
void rota__decisions_init(struct rota_decisions *decisions);

/* One of 0 .. options - 1. A caller that gets more than 0 describes it with rota__decided. */
unsigned int rota__decide(struct rota_decisions *decisions, enum rota_choice choice, unsigned int options);
/* The same, with a number of its own: for what does not come in an order that depends on the program alone. */
unsigned int rota__decide_at(struct rota_decisions *decisions, enum rota_choice choice, uint64_t number,
                             unsigned int options);
/* The same where the usual choice is written down, too. */
void rota__decided_always(struct rota_decisions *decisions, enum rota_choice choice, unsigned int chosen,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The groups of faults that may be given, as bits (fault.c). */
unsigned int rota__decisions_faults(void);
/* Whether there is a record; and a line for it that is no decision: it begins with #. */
bool rota__decisions_recorded(void);
void rota__decisions_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void rota__decided(struct rota_decisions *decisions, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- descriptions of descriptors and jobs, for the record ---- */

enum { ROTA_WORDS_MAX = 120 };

const char *rota__words_for_fd(const uv_loop_t *loop, int fd, unsigned int events, char words[ROTA_WORDS_MAX]);
const char *rota__words_for_job(const struct rota_work *work, char words[ROTA_WORDS_MAX]);

#endif
