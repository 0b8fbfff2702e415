/* ROTA_POLLER: which poller a loop gets, and what is said of a name that is none. */
#include "rota.h"
#include "trace_file.h"

/* Two loops, so that what is said once would be said twice; prints the name of the poller. */
HELPER(poller_of_two_loops) {
  uv_loop_t loops[2];
  for (int i = 0; i < 2; i++)
    CHECK_EQ(uv_loop_init(&loops[i]), 0);
  printf("poller %s\n", rota_backend_name(&loops[1]));
  for (int i = 0; i < 2; i++)
    CHECK_EQ(uv_loop_close(&loops[i]), 0);
  return 0;
}

TEST(poller_of_an_unknown_name_is_said_once) {
  CHECK_EQ(run_helper("ROTA_POLLER=kpoll", "poller_of_two_loops", "out"), 0);
  CHECK_EQ(output_has("ROTA_POLLER=kpoll: no such poller"), 1);
  CHECK_EQ(output_has("poller "), 1);
}

TEST(poller_without_a_name_is_the_usual_one) {
  CHECK_EQ(run_helper("ROTA_POLLER=", "poller_of_two_loops", "out"), 0);
  CHECK_EQ(output_has("no such poller"), 0);
  CHECK_EQ(output_has("poller "), 1);
}

/* The test builds with a stand-in are run with ROTA_POLLER. */
TEST(poller_has_the_name_that_was_asked_for) {
  const char *name = getenv("ROTA_POLLER") != NULL ? getenv("ROTA_POLLER") : "epoll";
  char setting[100];
  if (strstr(name, "uring") != NULL)
    SKIP("a machine may forbid io_uring");
  snprintf(setting, sizeof(setting), "ROTA_POLLER=%s", name);
  CHECK_EQ(run_helper(setting, "poller_of_two_loops", "out"), 0);
  snprintf(setting, sizeof(setting), "poller %s", strcmp(name, "ports") == 0 ? "event ports" : name);
  CHECK_EQ(output_has(setting), 1);
}
