/* When spinning is given up, and for how long. */
#include "loop/base/spin.h"
#include "test.h"

enum { SHORT_NS = 1000, LONG_NS = ROTA_SPIN_AWAY_NS + 1 };

/* How many tries are left out before the next one. */
static int count_left_out(struct rota_spin *spin) {
  int count = 0;
  while (!rota__spin_try(spin))
    count++;
  return count;
}

TEST(spin_in_vain_leaves_out_twice_as_many_each_time) {
  struct rota_spin spin;
  rota__spin_init(&spin, true);
  CHECK_EQ(count_left_out(&spin), 0);
  for (int expected = 1; expected <= 64; expected *= 2) {
    rota__spin_result(&spin, true, SHORT_NS);
    CHECK_EQ(count_left_out(&spin), expected);
  }
  rota__spin_result(&spin, false, SHORT_NS);
  CHECK_EQ(count_left_out(&spin), 0);
  rota__spin_result(&spin, true, SHORT_NS);
  CHECK_EQ(count_left_out(&spin), 1);
}

/* On a busy machine, a thread that yields between two checks returns late, and finds an old event. */
TEST(spin_that_came_back_late_is_a_failure_whatever_it_found) {
  struct rota_spin spin;
  rota__spin_init(&spin, true);
  for (int in_vain = 0; in_vain < 2; in_vain++) {
    rota__spin_result(&spin, in_vain, LONG_NS);
    CHECK_EQ(count_left_out(&spin), ROTA_SPIN_REST_MAX);
    rota__spin_result(&spin, in_vain, LONG_NS);
    CHECK_EQ(count_left_out(&spin), ROTA_SPIN_REST_AWAY);
    rota__spin_result(&spin, false, SHORT_NS); /* the machine is quiet again */
    CHECK_EQ(count_left_out(&spin), 0);
  }
}

TEST(spin_is_never_tried_on_a_single_core) {
  struct rota_spin spin;
  rota__spin_init(&spin, false);
  for (int i = 0; i < 10; i++)
    CHECK(!rota__spin_try(&spin));
}
