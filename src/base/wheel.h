/* A hierarchical timing wheel: 64 slots a level, a millisecond a slot on the lowest.
 *
 * A timer goes to the level of the highest six-bit digit in which its due time differs from the wheel's clock, into the
 * slot of that digit. Hence all of a slot of level 0 are due in the same millisecond; a slot of a higher level is dealt
 * out to lower ones when the clock enters it, and nothing can be put into those lower slots before that. Lists are
 * first in, first out, so timers leave in order of (due time, start order) without anything being compared.
 * Start, stop and expiry cost O(1): each timer moves down at most once a level.
 * Invariant: no timer is due before the clock; a bit of `occupied` is set exactly while its slot has members. */
#ifndef ROTA_BASE_WHEEL_H
#define ROTA_BASE_WHEEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"

enum { ROTA_WHEEL_BITS = 6, ROTA_WHEEL_SLOTS = 1 << ROTA_WHEEL_BITS, ROTA_WHEEL_LEVELS = 11 };

struct rota_wheel {
  uint64_t clock_ms;
  uint32_t levels; /* a bit for each level that has members */
  uint64_t occupied[ROTA_WHEEL_LEVELS];
  struct rota_link slots[ROTA_WHEEL_LEVELS][ROTA_WHEEL_SLOTS];
};

void rota__wheel_init(struct rota_wheel *wheel, uint64_t clock_ms);
/* timer->due_ms says where to; a time before the clock counts as the clock's. */
void rota__wheel_add(struct rota_wheel *wheel, struct rota_timer *timer);
/* Also for a timer that rota__wheel_advance has put into a list. */
void rota__wheel_remove(struct rota_wheel *wheel, struct rota_timer *timer);
/* Moves the clock, and all timers due by then to the end of `due`, in order. */
void rota__wheel_advance(struct rota_wheel *wheel, uint64_t clock_ms, struct rota_link *due);

/* Deals out slots that the time has entered, without taking timers out. Returns whether a timer is due by then. */
bool rota__wheel_turn(struct rota_wheel *wheel, uint64_t clock_ms);

static inline bool rota__wheel_empty(const struct rota_wheel *wheel) {
  return wheel->levels == 0;
}

/* No timer is due before this; a timer may be due later. O(1). Not for an empty wheel. */
uint64_t rota__wheel_next_bound(const struct rota_wheel *wheel);
/* When the earliest timer is due. As many steps as timers share its slot. Not for an empty wheel. */
uint64_t rota__wheel_next_due(const struct rota_wheel *wheel);

#endif
