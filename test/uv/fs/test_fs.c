/* What the tests of files share (test_fs.h). */
#include "test_fs.h"

static int done_count;

void fs_done(uv_fs_t *req) {
  CHECK_EQ(req->type, UV_FS);
  CHECK(req->loop == uv_default_loop());
  done_count++;
}

ssize_t fs_wait(int started, uv_fs_t *req) {
  int before = done_count;
  CHECK_EQ(started, 0);
  CHECK_EQ(uv_loop_alive(uv_default_loop()), 1);
  CHECK_EQ(uv_run(uv_default_loop(), UV_RUN_DEFAULT), 0);
  CHECK_EQ(done_count, before + 1);
  return req->result;
}

void fs_make(const char *path, const char *content) {
  FILE *file = fopen(path, "wb");
  CHECK(file != NULL);
  CHECK_EQ(fwrite(content, 1, strlen(content), file), strlen(content));
  CHECK_EQ(fclose(file), 0);
}

const char *fs_content(const char *path) {
  static char content[1 << 16];
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL);
  size_t n = fread(content, 1, sizeof(content) - 1, file);
  content[n] = '\0';
  fclose(file);
  return content;
}

int fs_exists(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0;
}

unsigned int fs_mode(const char *path) {
  struct stat found;
  CHECK_EQ(stat(path, &found), 0);
  return found.st_mode & 07777;
}
