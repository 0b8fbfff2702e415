/* A hierarchical timing wheel.
 *
 * Level 0 has a slot for each millisecond of two blocks of 1024: the one that the clock is in, and the next. So a timer
 * of less than a second goes to its slot at once, and stays there. A timer of a later block goes to a higher level:
 * that of the highest six-bit digit in which its block differs from the last one that level 0 covers, into the slot of
 * that digit. It moves to a lower level when level 0 begins to cover the first block of its slot. Before that, no timer
 * of this slot's time can be in a lower level, and lists are first in, first out. So timers leave in order of (due
 * time, start order) without a comparison. Start, stop and expiry cost O(1).
 *
 * Timers of a slot are scattered in memory, so walking a list would miss the cache at every timer. Therefore each timer
 * of level 0 has a hint: a pointer to a timer some steps further on, which is prefetched. A slot's trail is the member
 * whose hint is set next. Hints are only prefetched, never followed: they may be stale.
 *
 * Invariants: no timer is due before the clock; those of higher levels are due after the blocks of level 0; a bit of
 * `occupied` or `near_bits` is set exactly while its slot has members; a trail is a member of its slot. */
#ifndef ROTA_BASE_WHEEL_H
#define ROTA_BASE_WHEEL_H

#include <stdbool.h>
#include <stdint.h>

#include "loop/base/list.h"

enum {
  ROTA_WHEEL_BLOCK_BITS = 10,
  ROTA_WHEEL_NEAR_SLOTS = 2 << ROTA_WHEEL_BLOCK_BITS,
  ROTA_WHEEL_NEAR_WORDS = ROTA_WHEEL_NEAR_SLOTS / 64,
  ROTA_WHEEL_BITS = 6,
  ROTA_WHEEL_SLOTS = 1 << ROTA_WHEEL_BITS,
  ROTA_WHEEL_LEVELS = 9, /* 9 times 6 bits, and 10: 64 */
  ROTA_WHEEL_HINT_STEPS = 8,
};

struct rota_wheel {
  uint64_t clock_ms;
  uint32_t levels;     /* a bit for each higher level that has members */
  uint32_t near_words; /* a bit for each word of `near_bits` that is not zero */
  uint64_t near_bits[ROTA_WHEEL_NEAR_WORDS];
  uint64_t occupied[ROTA_WHEEL_LEVELS];
  struct rota_timer *trails[ROTA_WHEEL_NEAR_SLOTS]; /* null: too few members */
  uint8_t behind[ROTA_WHEEL_NEAR_SLOTS]; /* how many members came after the trail, up to the steps of a hint */
  struct rota_link slots[ROTA_WHEEL_NEAR_SLOTS + ROTA_WHEEL_LEVELS * ROTA_WHEEL_SLOTS]; /* level 0, then the others */
};

/* The memory must be zero already: most of it is never touched. */
void rota__wheel_init(struct rota_wheel *wheel, uint64_t clock_ms);
/* timer->due_ms chooses the slot; a time before the clock counts as the clock's time. */
void rota__wheel_add(struct rota_wheel *wheel, struct rota_timer *timer);
/* Also for a timer that rota__wheel_advance has put into a list. */
void rota__wheel_remove(struct rota_wheel *wheel, struct rota_timer *timer);
/* Moves the clock, and all timers due by then to the end of `due`, in order. */
void rota__wheel_advance(struct rota_wheel *wheel, uint64_t clock_ms, struct rota_link *due);
/* Moves timers of higher levels down as far as this time requires, without taking any out. Returns whether a timer is
 * due by then. */
bool rota__wheel_turn(struct rota_wheel *wheel, uint64_t clock_ms);

static inline bool rota__wheel_empty(const struct rota_wheel *wheel) {
  return (wheel->levels | wheel->near_words) == 0;
}

/* No timer is due before this; a timer may be due later. O(1). Not for an empty wheel. */
uint64_t rota__wheel_next_bound(const struct rota_wheel *wheel);
/* When the earliest timer is due. Takes as many steps as there are timers in its slot. Not for an empty wheel. */
uint64_t rota__wheel_next_due(const struct rota_wheel *wheel);

#endif
