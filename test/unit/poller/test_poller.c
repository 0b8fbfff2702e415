/* ROTA_POLLER: which poller a loop gets, and what is said of a name that is none. */
#include <fcntl.h>
#include <unistd.h>

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
  CHECK_EQ(output_has("ROTA_POLLER=kpoll: must be one of"), 1);
  CHECK_EQ(output_has("poller "), 1);
}

TEST(poller_without_a_name_is_the_usual_one) {
  CHECK_EQ(run_helper("ROTA_POLLER=", "poller_of_two_loops", "out"), 0);
  CHECK_EQ(output_has("must be one of"), 0);
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

static void closed(uv_fs_t *req) {
  uv_fs_req_cleanup(req);
}

/* The pool would have closed the file before the child is there; a ring must not be later. */
TEST(poller_begins_a_close_before_a_child_is_started) {
  static const char text[] = "#!/bin/sh\nexit 0\n";
  uv_loop_t loop;
  uv_process_t process;
  uv_fs_t req;
  char *args[] = {"./script", NULL};
  uv_process_options_t options = {.file = "./script", .args = args};
  CHECK_EQ(uv_loop_init(&loop), 0);
  if (strcmp(rota_backend_name(&loop), "io_uring") == 0) {
    int fd = open("script", O_WRONLY | O_CREAT, 0700);
    CHECK_EQ(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    CHECK_EQ(uv_fs_close(&loop, &req, fd, closed), 0);
    CHECK_EQ(uv_spawn(&loop, &process, &options), 0);
    uv_close((uv_handle_t *)&process, NULL);
    CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
    CHECK_EQ(req.result, 0);
  }
  CHECK_EQ(uv_loop_close(&loop), 0);
}
