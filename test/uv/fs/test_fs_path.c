/* Files by name: their attributes, and the names themselves. */
#include "test_fs.h"

TEST(fs_stat_fails_without_a_result) {
  uv_fs_t req;
  fs_make("f", "");
  CHECK_EQ(uv_fs_stat(NULL, &req, "nothing", NULL), UV_ENOENT);
  CHECK(req.ptr == NULL);
  CHECK_STR(req.path, "nothing");
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_fs_lstat(NULL, &req, "f/x", NULL), UV_ENOTDIR);
  CHECK_EQ(uv_fs_fstat(NULL, &req, -1, NULL), UV_EBADF);
  CHECK_EQ(fs_wait(uv_fs_stat(uv_default_loop(), &req, "nothing", fs_done), &req), UV_ENOENT);
  CHECK(req.ptr == NULL);
  uv_fs_req_cleanup(&req);
  test_close_default_loop();
}

TEST(fs_link_rename_and_unlink) {
  uv_loop_t *loop = uv_default_loop();
  uv_fs_t req;
  fs_make("a", "content");
  CHECK_EQ(uv_fs_link(NULL, &req, "a", "b", NULL), 0);
  CHECK_STR(fs_content("b"), "content");
  CHECK_EQ(uv_fs_link(NULL, &req, "a", "b", NULL), UV_EEXIST);
  CHECK_EQ(uv_fs_link(NULL, &req, "nothing", "c", NULL), UV_ENOENT);
  CHECK_EQ(uv_fs_rename(NULL, &req, "b", "c", NULL), 0);
  CHECK(!fs_exists("b") && fs_exists("c"));
  CHECK_EQ(uv_fs_rename(NULL, &req, "nothing", "c", NULL), UV_ENOENT);
  CHECK_EQ(uv_fs_unlink(NULL, &req, "c", NULL), 0);
  CHECK_EQ(uv_fs_unlink(NULL, &req, "c", NULL), UV_ENOENT);

  CHECK_EQ(fs_wait(uv_fs_link(loop, &req, "a", "b", fs_done), &req), 0);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(fs_wait(uv_fs_rename(loop, &req, "b", "c", fs_done), &req), 0);
  CHECK_STR(req.path, "b");
  uv_fs_req_cleanup(&req);
  CHECK(req.path == NULL);
  CHECK_STR(fs_content("c"), "content");
  CHECK_EQ(fs_wait(uv_fs_unlink(loop, &req, "c", fs_done), &req), 0);
  uv_fs_req_cleanup(&req);
  CHECK(!fs_exists("c"));
  CHECK_EQ(fs_wait(uv_fs_unlink(loop, &req, "c", fs_done), &req), UV_ENOENT);
  uv_fs_req_cleanup(&req);
  test_close_default_loop();
}

TEST(fs_links_of_any_length_are_read) {
  static char target[4096];
  uv_loop_t *loop = uv_default_loop();
  uv_fs_t req;
  const size_t lengths[] = {1, 255, 256, 257, 1023, 1024, 4095};
  for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
    memset(target, 't', sizeof(target));
    target[lengths[i]] = '\0';
    CHECK_EQ(uv_fs_symlink(NULL, &req, target, "l", 0, NULL), 0);
    CHECK_EQ(uv_fs_readlink(NULL, &req, "l", NULL), 0);
    CHECK_STR(req.ptr, target);
    uv_fs_req_cleanup(&req);
    CHECK(req.ptr == NULL);
    CHECK_EQ(unlink("l"), 0);
    CHECK_EQ(fs_wait(uv_fs_symlink(loop, &req, target, "l", 0, fs_done), &req), 0);
    uv_fs_req_cleanup(&req);
    CHECK_EQ(fs_wait(uv_fs_readlink(loop, &req, "l", fs_done), &req), 0);
    CHECK_STR(req.ptr, target);
    uv_fs_req_cleanup(&req);
    CHECK_EQ(unlink("l"), 0);
  }
  fs_make("f", "");
  CHECK_EQ(uv_fs_readlink(NULL, &req, "f", NULL), UV_EINVAL);
  CHECK(req.ptr == NULL);
  CHECK_EQ(uv_fs_readlink(NULL, &req, "nothing", NULL), UV_ENOENT);
  CHECK_EQ(uv_fs_symlink(NULL, &req, "x", "f", 0, NULL), UV_EEXIST);
  test_close_default_loop();
}

TEST(fs_temporary_files_and_directories) {
  static const char template[] = "some_XXXXXX";
  uv_loop_t *loop = uv_default_loop();
  uv_fs_t first, second;

  CHECK_EQ(uv_fs_mkdtemp(NULL, &first, template, NULL), 0);
  CHECK_EQ(fs_wait(uv_fs_mkdtemp(loop, &second, template, fs_done), &second), 0);
  CHECK_STR(template, "some_XXXXXX");
  CHECK_EQ(strlen(first.path), strlen(template));
  CHECK(strncmp(first.path, template, 5) == 0 && strcmp(first.path, second.path) != 0);
  uv_fs_req_cleanup(&first);
  uv_fs_req_cleanup(&second);
  CHECK(first.path == NULL);

  CHECK(uv_fs_mkstemp(NULL, &first, template, NULL) >= 0);
  CHECK(fs_wait(uv_fs_mkstemp(loop, &second, template, fs_done), &second) >= 0);
  CHECK(strcmp(first.path, second.path) != 0);
  CHECK_EQ(write((int)second.result, "x", 1), 1);
  close((int)first.result);
  close((int)second.result);
  uv_fs_req_cleanup(&first);
  uv_fs_req_cleanup(&second);

  CHECK_EQ(uv_fs_mkstemp(NULL, &first, "no_template", NULL), UV_EINVAL);
  CHECK_STR(first.path, "");
  uv_fs_req_cleanup(&first);
  CHECK_EQ(uv_fs_mkdtemp(NULL, &first, "no_template", NULL), UV_EINVAL);
  uv_fs_req_cleanup(&first);
  CHECK_EQ(fs_wait(uv_fs_mkdtemp(loop, &first, "nothing/XXXXXX", fs_done), &first), UV_ENOENT);
  uv_fs_req_cleanup(&first);
  test_close_default_loop();
}
