#include "base/wheel.h"

void rota__wheel_init(struct rota_wheel *wheel, uint64_t clock_ms) {
  wheel->clock_ms = clock_ms;
  wheel->levels = 0;
  for (int level = 0; level < ROTA_WHEEL_LEVELS; level++) {
    wheel->occupied[level] = 0;
    for (int slot = 0; slot < ROTA_WHEEL_SLOTS; slot++)
      rota__list_init(&wheel->slots[level][slot]);
  }
}

static inline unsigned int level_of(uint64_t difference) {
  return difference == 0 ? 0 : (63u - (unsigned int)__builtin_clzll(difference)) / ROTA_WHEEL_BITS;
}

void rota__wheel_add(struct rota_wheel *wheel, struct rota_timer *timer) {
  if (timer->due_ms < wheel->clock_ms)
    timer->due_ms = wheel->clock_ms;
  unsigned int level = level_of(timer->due_ms ^ wheel->clock_ms);
  unsigned int slot = (timer->due_ms >> (level * ROTA_WHEEL_BITS)) & (ROTA_WHEEL_SLOTS - 1);
  rota__list_append(&wheel->slots[level][slot], &timer->link);
  wheel->occupied[level] |= UINT64_C(1) << slot;
  wheel->levels |= 1u << level;
}

static void slot_emptied(struct rota_wheel *wheel, unsigned int level, unsigned int slot) {
  wheel->occupied[level] &= ~(UINT64_C(1) << slot);
  if (wheel->occupied[level] == 0)
    wheel->levels &= ~(1u << level);
}

void rota__wheel_remove(struct rota_wheel *wheel, struct rota_timer *timer) {
  struct rota_link *neighbour = timer->link.next;
  bool was_last = neighbour == timer->link.prev;
  rota__list_remove(&timer->link);
  if (!was_last)
    return;
  /* The neighbour on both sides is the list's head: is it one of ours, or the caller's list of due timers? */
  const struct rota_link *first = &wheel->slots[0][0];
  uintptr_t distance = (uintptr_t)neighbour - (uintptr_t)first;
  if (distance >= sizeof(wheel->slots))
    return;
  unsigned int index = (unsigned int)(distance / sizeof(*first));
  slot_emptied(wheel, index / ROTA_WHEEL_SLOTS, index % ROTA_WHEEL_SLOTS);
}

/* Slots of the lowest level in use come before those of any other, and the first bit before the next. */
static inline void first_slot(const struct rota_wheel *wheel, unsigned int *level, unsigned int *slot) {
  *level = (unsigned int)__builtin_ctz(wheel->levels);
  *slot = (unsigned int)__builtin_ctzll(wheel->occupied[*level]);
}

static inline uint64_t slot_start(const struct rota_wheel *wheel, unsigned int level, unsigned int slot) {
  unsigned int shift = level * ROTA_WHEEL_BITS;
  unsigned int above = shift + ROTA_WHEEL_BITS;
  uint64_t high = above >= 64 ? 0 : wheel->clock_ms >> above << above;
  return high | (uint64_t)slot << shift;
}

uint64_t rota__wheel_next_bound(const struct rota_wheel *wheel) {
  unsigned int level, slot;
  first_slot(wheel, &level, &slot);
  return slot_start(wheel, level, slot);
}

uint64_t rota__wheel_next_due(const struct rota_wheel *wheel) {
  unsigned int level, slot;
  first_slot(wheel, &level, &slot);
  if (level == 0)
    return slot_start(wheel, level, slot);
  const struct rota_link *head = &wheel->slots[level][slot];
  uint64_t earliest = UINT64_MAX;
  for (const struct rota_link *link = head->next; link != head; link = link->next) {
    const struct rota_timer *timer = rota__container_of(link, const struct rota_timer, link);
    if (timer->due_ms < earliest)
      earliest = timer->due_ms;
  }
  return earliest;
}

static void deal_out(struct rota_wheel *wheel, unsigned int level, unsigned int slot) {
  struct rota_link members;
  rota__list_take(&members, &wheel->slots[level][slot]);
  slot_emptied(wheel, level, slot);
  struct rota_link *link = members.next;
  while (link != &members) {
    struct rota_link *next = link->next;
    /* Timers of one slot lie scattered in memory: the next but one is asked for while this one moves. */
    __builtin_prefetch(next->next);
    rota__wheel_add(wheel, rota__container_of(link, struct rota_timer, link));
    link = next;
  }
}

bool rota__wheel_turn(struct rota_wheel *wheel, uint64_t clock_ms) {
  while (wheel->levels != 0) {
    unsigned int level, slot;
    first_slot(wheel, &level, &slot);
    uint64_t start = slot_start(wheel, level, slot);
    if (start > clock_ms)
      return false;
    if (level == 0)
      return true;
    wheel->clock_ms = start;
    deal_out(wheel, level, slot);
  }
  return false;
}

void rota__wheel_advance(struct rota_wheel *wheel, uint64_t clock_ms, struct rota_link *due) {
  while (rota__wheel_turn(wheel, clock_ms)) {
    unsigned int slot = (unsigned int)__builtin_ctzll(wheel->occupied[0]);
    wheel->clock_ms = slot_start(wheel, 0, slot);
    rota__list_splice(due, &wheel->slots[0][slot]);
    slot_emptied(wheel, 0, slot);
  }
  if (clock_ms > wheel->clock_ms)
    wheel->clock_ms = clock_ms;
}
