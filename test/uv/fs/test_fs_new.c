/* Functions that are newer than the oracle, or better than its. */
#include "test_fs.h"

TEST(fs_sendfile_to_a_file_that_appends) {
  uv_fs_t req;
  fs_make("from", "tail");
  fs_make("to", "head");
  int in = open("from", O_RDONLY);
  int out = uv_fs_open(NULL, &req, "to", UV_FS_O_WRONLY | UV_FS_O_APPEND, 0, NULL);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_fs_sendfile(NULL, &req, out, in, 0, 100, NULL), 4);
  CHECK_STR(fs_content("to"), "headtail");
  close(in);
  close(out);
}

TEST(fs_sendfile_wants_an_offset) {
  uv_fs_t req;
  fs_make("from", "content");
  int in = open("from", O_RDONLY);
  int out = open("to", O_CREAT | O_WRONLY, 0600);
  CHECK_EQ(uv_fs_sendfile(NULL, &req, out, in, -1, 100, NULL), UV_EINVAL);
  CHECK_STR(fs_content("to"), "");
  close(in);
  close(out);
}

TEST(fs_sendfile_from_a_pipe) {
  char data[16] = "";
  uv_fs_t req;
  int from[2], to[2];
  make_pipe(from);
  make_pipe(to);
  CHECK_EQ(write(from[1], "piped", 5), 5);
  close(from[1]);
  CHECK_EQ(uv_fs_sendfile(NULL, &req, to[1], from[0], 0, 100, NULL), 5);
  CHECK_EQ(read(to[0], data, sizeof(data)), 5);
  CHECK_STR(data, "piped");
  close(from[0]);
  close(to[0]);
  close(to[1]);
}

static int named;

static void on_event(uv_fs_event_t *watched, const char *filename, int events, int status) {
  CHECK_EQ(status, 0);
  CHECK_EQ(events, UV_CHANGE);
  CHECK_STR(filename, watched->data);
  named++;
  uv_close((uv_handle_t *)watched, NULL);
}

/* Two names of one file share a watch of the kernel, but not their name. */
TEST(fs_event_calls_the_file_by_the_name_it_was_given) {
  static char first_name[] = "f", second_name[] = "g";
  uv_fs_event_t first, second;
  uv_fs_t req;
  char path[8];
  size_t size = sizeof(path);
  fs_make("f", "");
  CHECK_EQ(uv_fs_link(NULL, &req, "f", "g", NULL), 0);
  CHECK_EQ(uv_fs_event_init(uv_default_loop(), &first), 0);
  CHECK_EQ(uv_fs_event_init(uv_default_loop(), &second), 0);
  first.data = first_name;
  second.data = second_name;
  CHECK_EQ(uv_fs_event_start(&first, on_event, "f", 0), 0);
  CHECK_EQ(uv_fs_event_start(&second, on_event, "g", 0), 0);
  CHECK_EQ(uv_fs_event_getpath(&second, path, &size), 0);
  CHECK_STR(path, "g");
  CHECK_EQ(truncate("f", 10), 0);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(named, 2);
  test_close_default_loop();
}
