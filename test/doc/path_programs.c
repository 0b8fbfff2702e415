/* The programs of the paths in doc/ARCHITECTURE.md that are C: `read`, `file` and `trace`. Each raises SIGWINCH where
 * its path begins, and in the callback where it ends (test/doc/paths). */
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

static char room[64];

/* A connected socket whose other side has sent something. */
static int make_connection(void) {
  int listener = socket(AF_INET, SOCK_STREAM, 0), sender = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 1) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &length) != 0 ||
      connect(sender, (struct sockaddr *)&address, length) != 0 || write(sender, "hello", 5) != 5)
    abort();
  return accept(listener, NULL, NULL);
}

static void on_alloc(uv_handle_t *handle, size_t wanted, uv_buf_t *buffer) {
  (void)handle, (void)wanted;
  buffer->base = room;
  buffer->len = sizeof room;
}

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer) {
  (void)buffer;
  raise(SIGWINCH);
  if (size != 5)
    abort();
  uv_close((uv_handle_t *)stream, NULL);
}

static void on_file(uv_fs_t *request) {
  raise(SIGWINCH);
  if (request->result <= 0)
    abort();
  uv_fs_req_cleanup(request);
}

int main(int argc, char **argv) {
  uv_loop_t loop;
  uv_tcp_t tcp;
  uv_fs_t request;
  bool is_file = argc > 1 && strcmp(argv[1], "file") == 0;
  uv_loop_init(&loop);
  if (is_file) {
    int fd = open(argv[0], O_RDONLY | O_CLOEXEC);
    uv_buf_t buffer = uv_buf_init(room, sizeof room);
    raise(SIGWINCH);
    uv_fs_read(&loop, &request, fd, &buffer, 1, 0, on_file);
  } else {
    uv_tcp_init(&loop, &tcp);
    uv_tcp_open(&tcp, make_connection());
    uv_read_start((uv_stream_t *)&tcp, on_alloc, on_read);
    raise(SIGWINCH);
  }
  uv_run(&loop, UV_RUN_DEFAULT);
  return uv_loop_close(&loop);
}
