/* Which function takes the time of a callback: the innermost with more than half of it, and none rather than a wrong
 * one. */
#include "observe/watch/hot.h"
#include "rota.h"
#include "test.h"

static struct rota_hot hot;

static void add(uint64_t took_ns, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t names[] = {a, b, c};
  rota__hot_add(&hot, names, c != 0 ? 3 : b != 0 ? 2 : 1, took_ns);
}

TEST(hot_is_the_innermost_with_more_than_half) {
  uint32_t handler = rota_name("handler", "a.js", 1), report = rota_name("report", "a.js", 10);
  uint32_t parse = rota_name("parse", "a.js", 20), print = rota_name("print", "a.js", 30);
  add(30, handler, report, parse);
  add(25, handler, report, print);
  struct rota_hot_function found = rota__hot_find(&hot, 100);
  CHECK_EQ(found.name, report);
  CHECK_EQ(found.caller, handler);
  CHECK_EQ(found.took_ns, 55);
  add(30, handler, report, parse);
  CHECK_EQ(rota__hot_find(&hot, 100).name, parse);
  CHECK_EQ(rota__hot_find(&hot, 170).name, 0); /* half of the time was not seen */
}

TEST(hot_takes_places_in_a_function_together) {
  uint32_t first = rota_name("work", "a.js", 3), second = rota_name("work", "a.js", 5);
  uint32_t none = rota_name("(anonymous)", "a.js", 3), other = rota_name("(anonymous)", "a.js", 9);
  add(30, first, 0, 0);
  add(40, second, 0, 0);
  CHECK_EQ(rota__hot_find(&hot, 100).name, second);
  CHECK_EQ(rota__hot_find(&hot, 100).took_ns, 70);
  hot.count = 0;
  add(40, none, 0, 0);
  add(40, other, 0, 0);
  CHECK_EQ(rota__hot_find(&hot, 100).name, 0); /* two functions without a name are two */
}

/* What is deeper than there is room for counts for those around it. */
TEST(hot_has_room_for_so_many) {
  uint32_t root = rota_name("root", "a.js", 1);
  for (int i = 0; i < 2 * ROTA_HOT_NODES; i++)
    add(10, root, rota_name("leaf", "b.js", i), rota_name("(anonymous)", "b.js", i));
  CHECK_EQ(rota__hot_find(&hot, 10 * 2 * ROTA_HOT_NODES).took_ns, 10 * 2 * ROTA_HOT_NODES);
  CHECK(hot.count <= ROTA_HOT_NODES);
}
