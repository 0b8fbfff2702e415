/* What the tests of processes share: one child, how it ended, and what it wrote. */
#ifndef ROTA_TEST_UV_TEST_PROCESS_H
#define ROTA_TEST_UV_TEST_PROCESS_H

#include <stdbool.h>

#include "test.h"

static int exit_calls, close_calls;
static int64_t exit_status;
static int term_signal;
static char output[1 << 20];
static size_t output_length;
static bool output_ended;

static inline void on_close(uv_handle_t *handle) {
  (void)handle;
  close_calls++;
}

static inline void on_exit_close(uv_process_t *process, int64_t status, int signal) {
  CHECK(!uv_is_active((uv_handle_t *)process));
  exit_calls++;
  exit_status = status;
  term_signal = signal;
  uv_close((uv_handle_t *)process, on_close);
}

static inline void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
  (void)handle;
  (void)size;
  *buf = uv_buf_init(output + output_length, (unsigned int)(sizeof output - output_length - 1));
}

static inline void on_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)buf;
  if (nread >= 0) {
    output_length += (size_t)nread;
    output[output_length] = '\0';
    return;
  }
  CHECK_EQ(nread, UV_EOF);
  output_ended = true;
  uv_close((uv_handle_t *)stream, on_close);
}

static uv_process_t process;
static uv_process_options_t options;
static uv_stdio_container_t stdio[64];
static char *arguments[10];

/* The child is a helper of this program. */
static inline void prepare_helper(const char *name, const char *argument) {
  arguments[0] = (char *)test_program();
  arguments[1] = "--helper";
  arguments[2] = (char *)name;
  arguments[3] = (char *)argument;
  options.file = arguments[0];
  options.args = arguments;
  options.stdio = stdio;
  options.exit_cb = on_exit_close;
}

static inline void prepare_pipe(int fd, uv_pipe_t *pipe, int flags) {
  uv_pipe_init(uv_default_loop(), pipe, 0);
  stdio[fd].flags = UV_CREATE_PIPE | flags;
  stdio[fd].data.stream = (uv_stream_t *)pipe;
  if (options.stdio_count <= fd)
    options.stdio_count = fd + 1;
}

#endif
