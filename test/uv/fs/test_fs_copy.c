/* Copying: uv_fs_copyfile and uv_fs_sendfile. */
#include "test_fs.h"

static void make_big(const char *path, size_t size) {
  FILE *file = fopen(path, "wb");
  for (size_t i = 0; i < size; i++)
    fputc((int)(i * 31 + i / 251), file);
  CHECK_EQ(fclose(file), 0);
}

static void check_same(const char *one, const char *other) {
  FILE *a = fopen(one, "rb"), *b = fopen(other, "rb");
  int c;
  CHECK(a != NULL && b != NULL);
  while ((c = fgetc(a)) != EOF)
    CHECK_EQ(fgetc(b), c);
  CHECK_EQ(fgetc(b), EOF);
  fclose(a);
  fclose(b);
}

TEST(fs_copyfile_copies_content) {
  const size_t sizes[] = {0, 1, 4096, 1000003};
  uv_fs_t req;
  for (int i = 0; i < 4; i++) {
    make_big("from", sizes[i]);
    unlink("to");
    CHECK_EQ(uv_fs_copyfile(NULL, &req, "from", "to", 0, NULL), 0);
    CHECK_STR(req.path, "from");
    uv_fs_req_cleanup(&req);
    check_same("from", "to");
    unlink("to");
    CHECK_EQ(fs_wait(uv_fs_copyfile(uv_default_loop(), &req, "from", "to", UV_FS_COPYFILE_FICLONE, fs_done), &req), 0);
    uv_fs_req_cleanup(&req);
    check_same("from", "to");
  }
  test_close_default_loop();
}

TEST(fs_copyfile_overwrites_unless_told_not_to) {
  uv_fs_t req;
  fs_make("from", "short");
  fs_make("to", "something that is longer");
  CHECK_EQ(uv_fs_copyfile(NULL, &req, "from", "to", UV_FS_COPYFILE_EXCL, NULL), UV_EEXIST);
  CHECK_STR(fs_content("to"), "something that is longer");
  CHECK_EQ(uv_fs_copyfile(NULL, &req, "from", "to", 0, NULL), 0);
  CHECK_STR(fs_content("to"), "short");
  CHECK_EQ(uv_fs_copyfile(NULL, &req, "from", "new", UV_FS_COPYFILE_EXCL, NULL), 0);
  CHECK_STR(fs_content("new"), "short");
}

TEST(fs_copyfile_onto_itself_changes_nothing) {
  uv_fs_t req;
  fs_make("f", "content");
  CHECK_EQ(uv_fs_link(NULL, &req, "f", "g", NULL), 0);
  make_link("f", "l");
  CHECK_EQ(uv_fs_copyfile(NULL, &req, "f", "f", 0, NULL), 0);
  CHECK_EQ(uv_fs_copyfile(NULL, &req, "f", "g", 0, NULL), 0);
  CHECK_EQ(uv_fs_copyfile(NULL, &req, "f", "l", 0, NULL), 0);
  CHECK_STR(fs_content("f"), "content");
}

static void unreachable(uv_fs_t *req) {
  (void)req;
  CHECK(!"called");
}

TEST(fs_copyfile_tells_what_is_wrong_and_leaves_nothing) {
  uv_fs_t req;
  int before = test_count_descriptors();
  fs_make("f", "content");
  CHECK_EQ(mkdir("d", 0700), 0);
  CHECK_EQ(uv_fs_copyfile(NULL, &req, "nothing", "to", 0, NULL), UV_ENOENT);
  CHECK(!fs_exists("to"));
  CHECK_EQ(uv_fs_copyfile(NULL, &req, "d", "to", 0, NULL), UV_EISDIR);
  CHECK(!fs_exists("to"));
  CHECK_EQ(uv_fs_copyfile(NULL, &req, "f", "d", 0, NULL), UV_EISDIR);
  CHECK_EQ(uv_fs_copyfile(NULL, &req, "f", "f/x", 0, NULL), UV_ENOTDIR);
  CHECK_EQ(uv_fs_copyfile(NULL, &req, "f", "to", -1, NULL), UV_EINVAL);
  CHECK_EQ(test_count_descriptors(), before);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_fs_copyfile(uv_default_loop(), &req, "f", "to", 8, unreachable), UV_EINVAL);
  uv_fs_req_cleanup(&req);
  CHECK_EQ(uv_loop_alive(uv_default_loop()), 0);
  CHECK(!fs_exists("to"));
  test_close_default_loop();
}

TEST(fs_copyfile_with_shared_blocks_or_not_at_all) {
  uv_fs_t req;
  fs_make("f", "content");
  int err = uv_fs_copyfile(NULL, &req, "f", "to", UV_FS_COPYFILE_FICLONE_FORCE, NULL);
  if (err == 0) {
    CHECK_STR(fs_content("to"), "content");
    SKIP("the file system can share blocks");
  }
  CHECK(err == UV_ENOTSUP || err == UV_EINVAL || err == UV_ENOSYS || err == UV_ENOTTY || err == UV_EXDEV);
  CHECK(!fs_exists("to"));
}

TEST(fs_sendfile_to_a_file) {
  uv_fs_t req;
  make_big("from", 200000);
  int in = open("from", O_RDONLY);
  int out = open("to", O_CREAT | O_RDWR, 0600);
  int total = 0;
  while (total < 200000) {
    int n = uv_fs_sendfile(NULL, &req, out, in, total, (size_t)(200000 - total), NULL);
    CHECK(n > 0);
    CHECK_EQ(req.result, n);
    total += n;
  }
  CHECK_EQ(uv_fs_sendfile(NULL, &req, out, in, total, 10, NULL), 0);
  check_same("from", "to");
  CHECK_EQ(lseek(in, 0, SEEK_CUR), 0);
  CHECK_EQ(ftruncate(out, 0), 0);
  CHECK_EQ(lseek(out, 0, SEEK_SET), 0);
  CHECK_EQ(fs_wait(uv_fs_sendfile(uv_default_loop(), &req, out, in, 199990, 100, fs_done), &req), 10);
  CHECK_EQ(lseek(out, 0, SEEK_CUR), 10);
  CHECK_EQ(uv_fs_sendfile(NULL, &req, -1, in, 0, 10, NULL), UV_EBADF);
  CHECK_EQ(uv_fs_sendfile(NULL, &req, out, -1, 0, 10, NULL), UV_EBADF);
  close(in);
  close(out);
  test_close_default_loop();
}
