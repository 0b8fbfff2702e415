/* Arguments and paths on Windows: what a program is given is what it was started with, also with quotes, backslashes
 * and halves of surrogates; paths are longer than 260 units. The exit status is the number of parts that failed. `make
 * test-windows` runs it. */
#include <stdint.h>

#include "part.h"

enum { ROUNDS = 12, ARGUMENTS = 40, LENGTH_MAX = 24, DEEP = 14 };

static uv_loop_t loop;

/* The child writes its arguments as numbers, from the command line of the system. */
static int do_arguments(void) {
  int count;
  WCHAR **units = CommandLineToArgvW(GetCommandLineW(), &count);
  for (int i = 2; i < count; i++) {
    for (WCHAR *unit = units[i]; *unit != 0; unit++)
      printf("%x ", *unit);
    printf("/");
  }
  return 0;
}

static uint32_t state = 1;

static uint32_t next_random(uint32_t limit) {
  state = state * 1103515245u + 12345u;
  return (state >> 16) % limit;
}

/* Characters that quoting must take care of, and others: a half of a pair of surrogates is the last. */
static void make_argument(char *text, char *expected) {
  static const struct {
    const char *bytes;
    const char *units;
  } pieces[] = {{"\"", "22 "},
                {"\\", "5c "},
                {"\\", "5c "},
                {" ", "20 "},
                {"\t", "9 "},
                {"a", "61 "},
                {"%", "25 "},
                {"^", "5e "},
                {"'", "27 "},
                {"\xc3\xa9", "e9 "},
                {"\xed\xa0\xbd", "d83d "}};
  uint32_t length = next_random(LENGTH_MAX);
  *text = '\0';
  for (uint32_t i = 0; i < length; i++) {
    uint32_t piece = next_random(sizeof(pieces) / sizeof(pieces[0]));
    strcat(text, pieces[piece].bytes);
    strcat(expected, pieces[piece].units);
  }
  strcat(expected, "/");
}

static void on_exit_status(uv_process_t *process, int64_t status, int signal) {
  (void)signal;
  *(int64_t *)process->data = status;
  uv_close((uv_handle_t *)process, NULL);
}

static int round_trip(const char *path) {
  static char texts[ARGUMENTS][LENGTH_MAX * 4], expected[ARGUMENTS * LENGTH_MAX * 6];
  static struct output output;
  char *args[ARGUMENTS + 3] = {(char *)path, "arguments"};
  int64_t status = -1;
  uv_process_t process = {.data = &status};
  uv_pipe_t out = {.data = &output};
  uv_stdio_container_t stdio[2] = {{.flags = UV_IGNORE},
                                   {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&out}};
  uv_process_options_t options = {
      .file = path, .args = args, .exit_cb = on_exit_status, .stdio = stdio, .stdio_count = 2};
  *expected = '\0';
  output.length = 0;
  for (int i = 0; i < ARGUMENTS; i++) {
    make_argument(texts[i], expected);
    args[i + 2] = texts[i];
  }
  uv_pipe_init(&loop, &out, 0);
  int err = uv_spawn(&loop, &process, &options);
  if (err == 0)
    err = uv_read_start((uv_stream_t *)&out, on_room, on_text);
  uv_run(&loop, UV_RUN_DEFAULT);
  output.text[output.length] = '\0';
  int is_right = err == 0 && status == 0 && strcmp(output.text, expected) == 0;
  if (!is_right)
    printf("  %d %d\n  %s\n  %s\n", err, (int)status, output.text, expected);
  return is_right;
}

static void test_arguments(void) {
  char path[4096];
  size_t size = sizeof(path);
  int right = 0;
  uv_exepath(path, &size);
  for (int i = 0; i < ROUNDS; i++)
    right += round_trip(path);
  check("arguments come as they were given", right == ROUNDS);
}

/* A folder in a folder, and so on, each with a name of 48 bytes; a file in the last. */
static void test_long_paths(void) {
  char path[DEEP * 50 + 64] = "deep";
  uv_fs_t req;
  int err = uv_fs_mkdir(NULL, &req, path, 0700, NULL);
  for (int i = 0; i < DEEP; i++) {
    strcat(path, "/a_name_of_48_bytes_which_makes_a_path_long_enough");
    if (err == 0)
      err = uv_fs_mkdir(NULL, &req, path, 0700, NULL);
  }
  size_t folder = strlen(path);
  strcat(path, "/file");
  int fd = err < 0 ? err : uv_fs_open(NULL, &req, path, UV_FS_O_CREAT | UV_FS_O_WRONLY, 0600, NULL);
  int is_there = fd >= 0 && uv_fs_close(NULL, &req, fd, NULL) == 0 && uv_fs_stat(NULL, &req, path, NULL) == 0;
  uv_fs_req_cleanup(&req);
  int is_gone = uv_fs_unlink(NULL, &req, path, NULL) == 0;
  for (path[folder] = '\0'; is_gone && strcmp(path, "deep") != 0; *strrchr(path, '/') = '\0')
    is_gone = uv_fs_rmdir(NULL, &req, path, NULL) == 0;
  is_gone = is_gone && uv_fs_rmdir(NULL, &req, path, NULL) == 0;
  check("a path of 700 bytes", is_there && is_gone);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "arguments") == 0)
    return do_arguments();
  uv_loop_init(&loop);
  test_arguments();
  test_long_paths();
  check("the loop ends", uv_loop_close(&loop) == 0);
  return failures;
}
