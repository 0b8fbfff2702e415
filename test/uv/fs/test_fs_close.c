/* What was begun has its effect, though the loop never comes to it, because its callback blocks. A thread of the pool
 * would have done it; a poller must not be later. */
#include "system.h"
#include "test_fs.h"

TEST(fs_close_of_a_pipe_is_seen_by_a_callback_that_waits_for_it) {
  uv_file fds[2];
  char byte;
  make_pipe(fds);
  uv_fs_t req;
  CHECK_EQ(uv_fs_close(uv_default_loop(), &req, fds[1], fs_done), 0);
  CHECK_EQ(read(fds[0], &byte, 1), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(req.result, 0);
  uv_fs_req_cleanup(&req);
  close(fds[0]);
  test_close_default_loop();
}
