/* The timing wheel against a simple model: a list, kept in start order, searched from end to end. */
#include <stdint.h>

#include "loop/base/wheel.h"
#include "test.h"

enum { TIMERS = 400, STEPS = 20000 };

static struct rota_wheel wheel;
static struct rota_timer timers[TIMERS];
static bool active[TIMERS];
static uint64_t started[TIMERS]; /* which start it was */
static uint64_t starts, now_ms;
static uint64_t seed;

static uint64_t random_number(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed;
}

/* Mostly near, now and then far, or at the edges of the levels. */
static uint64_t random_distance(void) {
  switch (random_number() % 8) {
  case 0:
    return 0;
  case 1:
  case 2:
    return random_number() % 5;
  case 3:
    return random_number() % 100;
  case 4:
    return random_number() % 3000;
  case 5:
    return random_number() % 1000000;
  case 6:
    return (UINT64_C(1) << random_number() % 40) - random_number() % 2;
  default:
    return random_number() >> random_number() % 60;
  }
}

static void start_timer(int i) {
  uint64_t distance = random_distance();
  uint64_t due_ms = now_ms + distance;
  timers[i].due_ms = due_ms < now_ms ? UINT64_MAX : due_ms;
  rota__wheel_add(&wheel, &timers[i]);
  active[i] = true;
  started[i] = ++starts;
}

static void stop_timer(int i) {
  rota__wheel_remove(&wheel, &timers[i]);
  active[i] = false;
}

/* The one that must come next, or -1. */
static int earliest(void) {
  int best = -1;
  for (int i = 0; i < TIMERS; i++) {
    if (!active[i])
      continue;
    if (best < 0 || timers[i].due_ms < timers[best].due_ms ||
        (timers[i].due_ms == timers[best].due_ms && started[i] < started[best]))
      best = i;
  }
  return best;
}

static void check_next(void) {
  int next = earliest();
  CHECK_EQ(rota__wheel_empty(&wheel), next < 0);
  if (next < 0)
    return;
  CHECK(rota__wheel_next_due(&wheel) == timers[next].due_ms);
  CHECK(rota__wheel_next_bound(&wheel) <= timers[next].due_ms);
}

static void advance_to(uint64_t clock_ms) {
  struct rota_link due;
  rota__list_init(&due);
  now_ms = clock_ms;
  if (random_number() % 2)
    CHECK_EQ(rota__wheel_turn(&wheel, now_ms), earliest() >= 0 && timers[earliest()].due_ms <= now_ms);
  rota__wheel_advance(&wheel, now_ms, &due);
  while (!rota__list_empty(&due)) {
    struct rota_timer *timer = rota__container_of(rota__list_first(&due), struct rota_timer, link);
    int i = (int)(timer - timers);
    CHECK_EQ(i, earliest());
    CHECK(timer->due_ms <= now_ms);
    rota__list_remove(&timer->link);
    active[i] = false;
    /* As callbacks do: stop another timer that is due, or restart one. */
    int other = (int)(random_number() % TIMERS);
    if (random_number() % 4 == 0 && active[other])
      stop_timer(other);
    /* Not due in this pass, even if it has no time to wait: it is not in the list. */
  }
  CHECK(earliest() < 0 || timers[earliest()].due_ms > now_ms);
}

static void run(uint64_t first_seed, uint64_t first_ms) {
  seed = first_seed;
  printf("seed %llu\n", (unsigned long long)seed);
  now_ms = first_ms;
  starts = 0;
  memset(&wheel, 0, sizeof wheel);
  rota__wheel_init(&wheel, now_ms);
  for (int i = 0; i < TIMERS; i++) {
    rota__list_init(&timers[i].link);
    active[i] = false;
  }
  for (int step = 0; step < STEPS; step++) {
    int i = (int)(random_number() % TIMERS);
    if (random_number() % 3 == 0) {
      uint64_t distance = random_number() % 50 == 0 ? random_number() % 100000 : random_number() % 70;
      if (random_number() % 5000 == 0)
        distance = random_number() >> 8;
      if (now_ms + distance >= now_ms && now_ms + distance < UINT64_MAX / 2)
        advance_to(now_ms + distance);
    } else {
      if (active[i])
        stop_timer(i);
      if (random_number() % 3 != 0)
        start_timer(i);
    }
    if (step % 16 == 0)
      check_next();
  }
}

TEST(wheel_against_a_model) {
  for (uint64_t i = 1; i <= 6; i++)
    run(i * UINT64_C(0x9e3779b97f4a7c15), i % 2 ? 0 : i * 123456789);
}

TEST(wheel_holds_the_end_of_time) {
  struct rota_link due;
  rota__list_init(&due);
  memset(&wheel, 0, sizeof wheel);
  rota__wheel_init(&wheel, 5);
  rota__list_init(&timers[0].link);
  timers[0].due_ms = UINT64_MAX;
  rota__wheel_add(&wheel, &timers[0]);
  rota__wheel_advance(&wheel, UINT64_MAX - 1, &due);
  CHECK(rota__list_empty(&due));
  CHECK(rota__wheel_next_due(&wheel) == UINT64_MAX);
  rota__wheel_remove(&wheel, &timers[0]);
  CHECK(rota__wheel_empty(&wheel));
}

/* ---- hints ---- */

enum { CROWD = 100 };
static struct rota_timer crowd[CROWD];

static void start_in_crowd(int i, uint64_t due_ms) {
  crowd[i].due_ms = due_ms;
  rota__wheel_add(&wheel, &crowd[i]);
}

TEST(wheel_gives_hints_to_what_comes_some_steps_later) {
  struct rota_link due;
  rota__list_init(&due);
  memset(&wheel, 0, sizeof wheel);
  rota__wheel_init(&wheel, 0);
  for (int i = 0; i < CROWD; i++)
    start_in_crowd(i, 7);
  for (int i = 1; i < CROWD - ROTA_WHEEL_HINT_STEPS + 1; i++)
    CHECK(crowd[i].further == &crowd[i + ROTA_WHEEL_HINT_STEPS - 1]);
  CHECK(crowd[CROWD - 1].further == NULL);
  rota__wheel_advance(&wheel, 7, &due);
  CHECK(wheel.trails[7] == NULL && wheel.behind[7] == 0);
  while (!rota__list_empty(&due))
    rota__list_remove(rota__list_first(&due));
}

static bool is_member(unsigned int slot, const struct rota_timer *timer) {
  for (const struct rota_link *link = wheel.slots[slot].next; link != &wheel.slots[slot]; link = link->next)
    if (link == &timer->link)
      return true;
  return false;
}

/* A trail that has left its slot may be gone from memory, too, when the next timer comes. */
TEST(wheel_trails_are_members_of_their_slots) {
  bool in_wheel[CROWD] = {false};
  memset(&wheel, 0, sizeof wheel);
  rota__wheel_init(&wheel, 0);
  seed = 1;
  for (int step = 0; step < 20000; step++) {
    int i = (int)(random_number() % CROWD);
    if (in_wheel[i])
      rota__wheel_remove(&wheel, &crowd[i]);
    in_wheel[i] = !in_wheel[i] || random_number() % 4 == 0;
    if (in_wheel[i])
      start_in_crowd(i, 10 + random_number() % 3);
    for (unsigned int slot = 10; slot < 13; slot++)
      CHECK(wheel.trails[slot] == NULL || is_member(slot, wheel.trails[slot]));
  }
}
