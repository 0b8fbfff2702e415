#include "loop/base/wheel.h"

#include "loop/base/check.h"

void rota__wheel_init(struct rota_wheel *wheel, uint64_t clock_ms) {
  wheel->clock_ms = clock_ms;
  wheel->levels = 0;
  wheel->near_words = 0;
  for (int i = 0; i < ROTA_WHEEL_NEAR_WORDS; i++)
    wheel->near_bits[i] = 0;
  for (int i = 0; i < ROTA_WHEEL_LEVELS; i++)
    wheel->occupied[i] = 0;
  for (size_t i = 0; i < sizeof(wheel->slots) / sizeof(*wheel->slots); i++)
    rota__list_init(&wheel->slots[i]);
}

/* The last block that level 0 covers. */
static inline uint64_t covered_block(const struct rota_wheel *wheel) {
  return (wheel->clock_ms >> ROTA_WHEEL_BLOCK_BITS) + 1;
}

static inline unsigned int slot_index(unsigned int level, unsigned int slot) {
  return ROTA_WHEEL_NEAR_SLOTS + level * ROTA_WHEEL_SLOTS + slot;
}

/* A slot of level 0 has a new member: the hint of the trail is set to it, and the trail moves on by one. */
static inline void leave_hint(struct rota_wheel *wheel, unsigned int slot, struct rota_timer *timer) {
  timer->further = NULL;
  if (rota__likely(wheel->behind[slot] < ROTA_WHEEL_HINT_STEPS)) {
    if (++wheel->behind[slot] == ROTA_WHEEL_HINT_STEPS)
      wheel->trails[slot] = rota__container_of(wheel->slots[slot].next, struct rota_timer, link);
    return;
  }
  struct rota_timer *trail = rota__container_of(wheel->trails[slot]->link.next, struct rota_timer, link);
  trail->further = timer;
  wheel->trails[slot] = trail;
}

static inline void forget_trail(struct rota_wheel *wheel, unsigned int slot) {
  wheel->behind[slot] = 0;
  wheel->trails[slot] = NULL;
}

/* A member leaves its slot. */
static inline void move_trail(struct rota_wheel *wheel, const struct rota_timer *timer) {
  unsigned int slot = timer->due_ms & (ROTA_WHEEL_NEAR_SLOTS - 1);
  if (rota__likely(wheel->trails[slot] != timer))
    return;
  if (timer->link.prev == &wheel->slots[slot])
    forget_trail(wheel, slot);
  else
    wheel->trails[slot] = rota__container_of(timer->link.prev, struct rota_timer, link);
}

void rota__wheel_add(struct rota_wheel *wheel, struct rota_timer *timer) {
  if (timer->due_ms < wheel->clock_ms)
    timer->due_ms = wheel->clock_ms;
  uint64_t block = timer->due_ms >> ROTA_WHEEL_BLOCK_BITS, covered = covered_block(wheel);
  if (rota__likely(block <= covered)) {
    unsigned int slot = timer->due_ms & (ROTA_WHEEL_NEAR_SLOTS - 1);
    rota__list_append(&wheel->slots[slot], &timer->link);
    leave_hint(wheel, slot, timer);
    wheel->near_bits[slot / 64] |= UINT64_C(1) << slot % 64;
    wheel->near_words |= 1u << slot / 64;
    return;
  }
  unsigned int level = (63u - (unsigned int)__builtin_clzll(block ^ covered)) / ROTA_WHEEL_BITS;
  unsigned int slot = (block >> (level * ROTA_WHEEL_BITS)) & (ROTA_WHEEL_SLOTS - 1);
  rota__list_append(&wheel->slots[slot_index(level, slot)], &timer->link);
  wheel->occupied[level] |= UINT64_C(1) << slot;
  wheel->levels |= 1u << level;
}

static void near_emptied(struct rota_wheel *wheel, unsigned int slot) {
  forget_trail(wheel, slot);
  wheel->near_bits[slot / 64] &= ~(UINT64_C(1) << slot % 64);
  if (wheel->near_bits[slot / 64] == 0)
    wheel->near_words &= ~(1u << slot / 64);
}

static void emptied(struct rota_wheel *wheel, unsigned int level, unsigned int slot) {
  wheel->occupied[level] &= ~(UINT64_C(1) << slot);
  if (wheel->occupied[level] == 0)
    wheel->levels &= ~(1u << level);
}

void rota__wheel_remove(struct rota_wheel *wheel, struct rota_timer *timer) {
  struct rota_link *neighbour = timer->link.next;
  bool was_last = neighbour == timer->link.prev;
  move_trail(wheel, timer);
  rota__list_remove(&timer->link);
  if (!was_last)
    return;
  /* The timer was the only one of its list. Is this list a slot of the wheel, or the caller's list of due timers? */
  uintptr_t distance = (uintptr_t)neighbour - (uintptr_t)wheel->slots;
  if (distance >= sizeof(wheel->slots))
    return;
  unsigned int index = (unsigned int)(distance / sizeof(*wheel->slots));
  if (index < ROTA_WHEEL_NEAR_SLOTS)
    near_emptied(wheel, index);
  else
    emptied(wheel, (index - ROTA_WHEEL_NEAR_SLOTS) / ROTA_WHEEL_SLOTS, index % ROTA_WHEEL_SLOTS);
}

/* The first occupied slot of level 0, starting at the clock's slot and wrapping around. There must be one. */
static unsigned int first_near(const struct rota_wheel *wheel) {
  unsigned int from = wheel->clock_ms & (ROTA_WHEEL_NEAR_SLOTS - 1);
  unsigned int word = from / 64;
  uint64_t here = wheel->near_bits[word] >> from % 64;
  if (here != 0)
    return from + (unsigned int)__builtin_ctzll(here);
  /* First the words after this one, then those before it, then the beginning of this one. */
  uint32_t after = word == 31 ? 0 : wheel->near_words & ~((2u << word) - 1);
  word = (unsigned int)__builtin_ctz(after != 0 ? after : wheel->near_words);
  return word * 64 + (unsigned int)__builtin_ctzll(wheel->near_bits[word]);
}

static uint64_t near_due(const struct rota_wheel *wheel, unsigned int slot) {
  return wheel->clock_ms + ((slot - wheel->clock_ms) & (ROTA_WHEEL_NEAR_SLOTS - 1));
}

/* The lowest level with members comes first; within a level, the lowest bit. */
static void first_far(const struct rota_wheel *wheel, unsigned int *level, unsigned int *slot) {
  *level = (unsigned int)__builtin_ctz(wheel->levels);
  *slot = (unsigned int)__builtin_ctzll(wheel->occupied[*level]);
}

/* The first block of a slot of a higher level. */
static uint64_t first_block(const struct rota_wheel *wheel, unsigned int level, unsigned int slot) {
  unsigned int shift = level * ROTA_WHEEL_BITS, above = shift + ROTA_WHEEL_BITS;
  return covered_block(wheel) >> above << above | (uint64_t)slot << shift;
}

uint64_t rota__wheel_next_bound(const struct rota_wheel *wheel) {
  if (wheel->near_words != 0)
    return near_due(wheel, first_near(wheel));
  unsigned int level, slot;
  first_far(wheel, &level, &slot);
  return first_block(wheel, level, slot) << ROTA_WHEEL_BLOCK_BITS;
}

uint64_t rota__wheel_next_due(const struct rota_wheel *wheel) {
  if (wheel->near_words != 0)
    return near_due(wheel, first_near(wheel));
  unsigned int level, slot;
  first_far(wheel, &level, &slot);
  const struct rota_link *head = &wheel->slots[slot_index(level, slot)];
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
  rota__list_take(&members, &wheel->slots[slot_index(level, slot)]);
  emptied(wheel, level, slot);
  struct rota_link *link = members.next;
  while (link != &members) {
    struct rota_link *next = link->next;
    /* Timers of one slot are scattered in memory: the one after the next is prefetched while this one is moved. */
    __builtin_prefetch(next->next);
    rota__wheel_add(wheel, rota__container_of(link, struct rota_timer, link));
    link = next;
  }
}

bool rota__wheel_turn(struct rota_wheel *wheel, uint64_t clock_ms) {
  for (;;) {
    if (wheel->near_words != 0 && near_due(wheel, first_near(wheel)) <= clock_ms)
      return true;
    if (wheel->levels == 0)
      return false;
    unsigned int level, slot;
    first_far(wheel, &level, &slot);
    /* Level 0 covers a block when the clock reaches the block before it. */
    uint64_t time_ms = (first_block(wheel, level, slot) - 1) << ROTA_WHEEL_BLOCK_BITS;
    if (time_ms > clock_ms)
      return false;
    if (time_ms > wheel->clock_ms)
      wheel->clock_ms = time_ms;
    deal_out(wheel, level, slot);
  }
}

void rota__wheel_advance(struct rota_wheel *wheel, uint64_t clock_ms, struct rota_link *due) {
  while (rota__wheel_turn(wheel, clock_ms)) {
    unsigned int slot = first_near(wheel);
    wheel->clock_ms = near_due(wheel, slot);
    rota__list_splice(due, &wheel->slots[slot]);
    near_emptied(wheel, slot);
  }
  if (clock_ms > wheel->clock_ms)
    wheel->clock_ms = clock_ms;
}
