/* A program as users write it, for test/windows/installed/run: a client and a server over TCP, the same over a named
 * pipe, a file that is written and read, a child whose output is read, and a timer that ticks until all of it is done.
 *
 * It is built with what pkg-config says of the installed package, and knows nothing of this project's tree. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uv.h>

enum { MESSAGES = 20, PARTS = 4 };

static uv_loop_t *loop;
static uv_timer_t clock_timer;
static int parts_done, beats;

static void require(int result, const char *what) {
  if (result >= 0)
    return;
  fprintf(stderr, "%s: %s\n", what, uv_strerror(result));
  exit(1);
}

static void on_beat(uv_timer_t *timer) {
  beats++;
  if (parts_done == PARTS)
    uv_close((uv_handle_t *)timer, NULL);
}

static void part_done(const char *name) {
  printf("%s\n", name);
  parts_done++;
}

static void give_room(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
  static char room[65536];
  (void)handle;
  (void)size;
  *buf = uv_buf_init(room, sizeof(room));
}

/* ---- streams: the client sends a byte, the server sends it back, twenty times ---- */

struct talk {
  const char *name;
  union {
    uv_tcp_t tcp;
    uv_pipe_t pipe;
    uv_stream_t stream;
    uv_handle_t handle;
  } server, peer, client;
  uv_connect_t connect;
  uv_write_t question, answer;
  int questions;
};

static struct talk over_tcp = {.name = "tcp"}, over_pipe = {.name = "pipe"};

static void ask(struct talk *talk) {
  uv_buf_t buf = uv_buf_init("?", 1);
  require(uv_write(&talk->question, &talk->client.stream, &buf, 1, NULL), "a question");
}

static void on_answer(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  struct talk *talk = stream->data;
  (void)buf;
  require((int)nread, talk->name);
  if (nread == 0)
    return;
  if (++talk->questions < MESSAGES) {
    ask(talk);
    return;
  }
  uv_close(&talk->client.handle, NULL);
  part_done(talk->name);
}

static void on_connected(uv_connect_t *req, int status) {
  struct talk *talk = req->handle->data;
  require(status, talk->name);
  require(uv_read_start(req->handle, give_room, on_answer), "reading answers");
  ask(talk);
}

static void on_question(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  struct talk *talk = stream->data;
  (void)buf;
  if (nread < 0) {
    uv_close((uv_handle_t *)stream, NULL);
    return;
  }
  uv_buf_t answer = uv_buf_init("!", 1);
  if (nread > 0)
    require(uv_write(&talk->answer, stream, &answer, 1, NULL), "an answer");
}

static void on_connection(uv_stream_t *server, int status) {
  struct talk *talk = server->data;
  require(status, talk->name);
  require(uv_accept(server, &talk->peer.stream), "accepting");
  require(uv_read_start(&talk->peer.stream, give_room, on_question), "reading questions");
  uv_close((uv_handle_t *)server, NULL);
}

static void talk_over_tcp(void) {
  struct sockaddr_in address;
  int length = sizeof(address);
  require(uv_tcp_init(loop, &over_tcp.server.tcp), "a socket");
  require(uv_tcp_init(loop, &over_tcp.peer.tcp), "a socket");
  require(uv_tcp_init(loop, &over_tcp.client.tcp), "a socket");
  require(uv_ip4_addr("127.0.0.1", 0, &address), "an address");
  require(uv_tcp_bind(&over_tcp.server.tcp, (struct sockaddr *)&address, 0), "binding");
  require(uv_listen(&over_tcp.server.stream, 8, on_connection), "listening");
  require(uv_tcp_getsockname(&over_tcp.server.tcp, (struct sockaddr *)&address, &length), "its address");
  require(uv_tcp_connect(&over_tcp.connect, &over_tcp.client.tcp, (struct sockaddr *)&address, on_connected),
          "connecting");
}

static void talk_over_pipe(void) {
  char name[64];
  snprintf(name, sizeof(name), "\\\\.\\pipe\\rota-installed-%d", (int)uv_os_getpid());
  require(uv_pipe_init(loop, &over_pipe.server.pipe, 0), "a pipe");
  require(uv_pipe_init(loop, &over_pipe.peer.pipe, 0), "a pipe");
  require(uv_pipe_init(loop, &over_pipe.client.pipe, 0), "a pipe");
  require(uv_pipe_bind(&over_pipe.server.pipe, name), "binding a pipe");
  require(uv_listen(&over_pipe.server.stream, 8, on_connection), "listening to a pipe");
  uv_pipe_connect(&over_pipe.connect, &over_pipe.client.pipe, name, on_connected);
}

/* ---- a file: opened, written, read, closed, removed ---- */

static uv_fs_t file_req;
static uv_file file;
static char text[16];

static const char file_name[] = "installed.txt";

static void on_removed(uv_fs_t *req) {
  require((int)req->result, "removing");
  uv_fs_req_cleanup(req);
  part_done(strcmp(text, "a line") == 0 ? "file" : "another file");
}

static void on_file_closed(uv_fs_t *req) {
  uv_fs_req_cleanup(req);
  require(uv_fs_unlink(loop, req, file_name, on_removed), "removing");
}

static void on_file_read(uv_fs_t *req) {
  require((int)req->result, "reading");
  uv_fs_req_cleanup(req);
  require(uv_fs_close(loop, req, file, on_file_closed), "closing");
}

static void on_written(uv_fs_t *req) {
  uv_buf_t buf = uv_buf_init(text, sizeof(text) - 1);
  require((int)req->result, "writing");
  uv_fs_req_cleanup(req);
  require(uv_fs_read(loop, req, file, &buf, 1, 0, on_file_read), "reading");
}

static void on_opened(uv_fs_t *req) {
  uv_buf_t buf = uv_buf_init("a line", 6);
  file = (uv_file)req->result;
  require(file, file_name);
  uv_fs_req_cleanup(req);
  require(uv_fs_write(loop, req, file, &buf, 1, 0, on_written), "writing");
}

/* ---- a child: this program with an argument ---- */

static uv_process_t child;
static uv_pipe_t output;
static int said;

static void on_output(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  said += nread > 0 && memchr(buf->base, 'c', (size_t)nread) != NULL;
  if (nread >= 0)
    return;
  uv_close((uv_handle_t *)stream, NULL);
  part_done(said > 0 ? "child" : "silent child");
}

static void on_child_exit(uv_process_t *process, int64_t status, int signal) {
  (void)signal;
  if (status != 7)
    require(UV_EINVAL, "the child's status");
  uv_close((uv_handle_t *)process, NULL);
}

static void start_child(void) {
  char path[4096];
  size_t size = sizeof(path);
  require(uv_exepath(path, &size), "the program's path");
  char *args[] = {path, "child", NULL};
  require(uv_pipe_init(loop, &output, 0), "a pipe");
  uv_stdio_container_t stdio[2] = {{.flags = UV_IGNORE},
                                   {.flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&output}};
  uv_process_options_t options = {
      .file = path, .args = args, .exit_cb = on_child_exit, .stdio = stdio, .stdio_count = 2};
  require(uv_spawn(loop, &child, &options), "the child");
  require(uv_read_start((uv_stream_t *)&output, give_room, on_output), "reading its output");
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) {
    puts("a child");
    return 7;
  }
  loop = uv_default_loop();
  over_tcp.server.handle.data = over_tcp.peer.handle.data = over_tcp.client.handle.data = &over_tcp;
  over_pipe.server.handle.data = over_pipe.peer.handle.data = over_pipe.client.handle.data = &over_pipe;
  require(uv_timer_init(loop, &clock_timer), "a timer");
  require(uv_timer_start(&clock_timer, on_beat, 10, 10), "a timer");
  talk_over_tcp();
  talk_over_pipe();
  require(uv_fs_open(loop, &file_req, file_name, UV_FS_O_CREAT | UV_FS_O_TRUNC | UV_FS_O_RDWR, 0600, on_opened),
          "opening");
  start_child();
  require(uv_run(loop, UV_RUN_DEFAULT), "running");
  require(uv_loop_close(loop), "closing the loop");
  printf("beats %d\n", beats);
  return parts_done == PARTS ? 0 : 1;
}
