/* What the programs of test/windows share: a line for each part, and a run of the program itself as a child, with
 * variables of its own, whose output is kept. */
#ifndef ROTA_TEST_WINDOWS_PART_H
#define ROTA_TEST_WINDOWS_PART_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uv.h"

enum { OUTPUT_MAX = 128 * 1024, VARIABLES_MAX = 512, LIMIT_MS = 300000 };

static int failures;

static inline void check(const char *part, int is_right) {
  printf("%s %s\n", is_right ? "ok" : "FAILED", part);
  fflush(stdout);
  failures += !is_right;
}

struct output {
  char text[OUTPUT_MAX];
  size_t length;
};

struct outcome {
  int64_t status;
  int is_late;                          /* it was ended, since it took longer than the limit */
  int (*is_enough)(const char *errors); /* the child is ended when it has said this; null: it ends by itself */
  uv_process_t *process;
  struct output out, err;
};

static inline void on_room(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
  struct output *output = handle->data;
  (void)size;
  *buf = uv_buf_init(output->text + output->length, (unsigned int)(OUTPUT_MAX - 1 - output->length));
}

static inline void on_text(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  struct output *output = stream->data;
  (void)buf;
  if (nread < 0)
    uv_close((uv_handle_t *)stream, NULL);
  else
    output->length += (size_t)nread;
}

static inline void on_errors(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  struct outcome *outcome = (struct outcome *)((char *)stream->data - offsetof(struct outcome, err));
  on_text(stream, nread, buf);
  if (nread > 0 && outcome->is_enough != NULL && outcome->is_enough(outcome->err.text))
    uv_process_kill(outcome->process, SIGKILL);
}

static inline void on_child_exit(uv_process_t *process, int64_t status, int signal) {
  struct outcome *outcome = process->data;
  (void)signal;
  outcome->status = status;
  uv_close((uv_handle_t *)process, NULL);
}

static inline void on_limit(uv_timer_t *timer) {
  uv_process_t *process = timer->data;
  ((struct outcome *)process->data)->is_late = 1;
  uv_process_kill(process, SIGKILL);
}

/* The variables of this process and, before them, those that are given: "NAME=value". */
static inline int variables(const char *const *more, char **block) {
  static char room[VARIABLES_MAX][8192];
  uv_env_item_t *items;
  int n = 0, count = 0;
  for (; more[n] != NULL; n++)
    block[n] = (char *)more[n];
  if (uv_os_environ(&items, &count) < 0)
    return -1;
  for (int i = 0; i < count && n < VARIABLES_MAX - 1; i++) {
    snprintf(room[n], sizeof(room[n]), "%s=%s", items[i].name, items[i].value);
    block[n] = room[n];
    n++;
  }
  uv_os_free_environ(items, count);
  block[n] = NULL;
  return 0;
}

/* Runs this program with one argument. The result is static. */
static inline const struct outcome *run_until(const char *role, const char *const *more,
                                              int (*is_enough)(const char *errors)) {
  static struct outcome outcome;
  static char *block[VARIABLES_MAX];
  char path[4096];
  size_t size = sizeof(path);
  uv_loop_t loop;
  uv_process_t process = {.data = &outcome};
  uv_timer_t limit = {.data = &process};
  uv_pipe_t out = {.data = &outcome.out}, err = {.data = &outcome.err};
  memset(&outcome, 0, sizeof(outcome));
  outcome.status = -1;
  outcome.is_enough = is_enough;
  outcome.process = &process;
  uv_exepath(path, &size);
  char *args[] = {path, (char *)role, NULL};
  uv_loop_init(&loop);
  uv_timer_init(&loop, &limit);
  uv_pipe_init(&loop, &out, 0);
  uv_pipe_init(&loop, &err, 0);
  uv_stdio_container_t stdio[3] = {{.flags = UV_IGNORE},
                                   {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&out},
                                   {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&err}};
  uv_process_options_t options = {
      .file = path, .args = args, .env = block, .exit_cb = on_child_exit, .stdio = stdio, .stdio_count = 3};
  int error = variables(more, block);
  if (error == 0)
    error = uv_spawn(&loop, &process, &options);
  if (error == 0) {
    uv_read_start((uv_stream_t *)&out, on_room, on_text);
    uv_read_start((uv_stream_t *)&err, on_room, on_errors);
    uv_timer_start(&limit, on_limit, LIMIT_MS, 0);
    uv_unref((uv_handle_t *)&limit);
  } else {
    uv_close((uv_handle_t *)&out, NULL);
    uv_close((uv_handle_t *)&err, NULL);
  }
  uv_run(&loop, UV_RUN_DEFAULT);
  uv_close((uv_handle_t *)&limit, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
  uv_loop_close(&loop);
  return &outcome;
}

static inline const struct outcome *run_self(const char *role, const char *const *more) {
  return run_until(role, more, NULL);
}

/* If a part failed, what the child said. */
static inline void check_run(const char *part, const struct outcome *outcome, int is_right) {
  check(part, is_right && !outcome->is_late);
  if (!is_right || outcome->is_late)
    printf("  status %lld%s\n  output: %s\n  errors: %s\n", (long long)outcome->status,
           outcome->is_late ? ", it took too long" : "", outcome->out.text, outcome->err.text);
}

/* ---- files ---- */

/* The whole file, with a NUL; null: there is none. To be freed. */
static inline char *read_file(const char *path) {
  uv_fs_t req;
  int fd = uv_fs_open(NULL, &req, path, UV_FS_O_RDONLY, 0, NULL);
  if (fd < 0 || uv_fs_fstat(NULL, &req, fd, NULL) < 0)
    return NULL;
  size_t size = (size_t)req.statbuf.st_size, done = 0;
  char *text = malloc(size + 1);
  for (int n = 1; done < size && n > 0; done += n > 0 ? (size_t)n : 0) {
    uv_buf_t buf = uv_buf_init(text + done, (unsigned int)(size - done));
    n = uv_fs_read(NULL, &req, fd, &buf, 1, -1, NULL);
  }
  uv_fs_close(NULL, &req, fd, NULL);
  text[done] = '\0';
  return text;
}

static inline void remove_file(const char *path) {
  uv_fs_t req;
  uv_fs_unlink(NULL, &req, path, NULL);
  uv_fs_req_cleanup(&req);
}

/* How many lines have both words. */
static inline int count_lines(const char *text, const char *word, const char *other) {
  int count = 0;
  while (text != NULL && *text != '\0') {
    size_t length = strcspn(text, "\n");
    const char *first = strstr(text, word), *second = strstr(text, other);
    count += first != NULL && first < text + length && second != NULL && second < text + length;
    text += length + (text[length] == '\n');
  }
  return count;
}

static inline int has(const char *text, const char *word) {
  return text != NULL && strstr(text, word) != NULL;
}

#endif
