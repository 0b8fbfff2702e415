/* The end of one direction of a named pipe, and its rights: as with libuv 1.52 on Windows. A shutdown is told when the
 * other side has read everything; a side that reads, too, hears answers until there is none for a moment, and both read
 * an end then. A line for each part; the exit status is the number of parts that failed. */
#include "part.h"

#include <aclapi.h>

enum { BIG = 300000, LATE_MS = 200, ANSWERS = 6, ANSWER_EVERY_MS = 20, END_MS = 10000 };

static uv_loop_t loop;
static uv_pipe_t listener, client, peer;
static uv_timer_t late, limit;
static uv_write_t write_req, answer_reqs[ANSWERS];
static uv_shutdown_t shutdown_req, peer_shutdown_req;
static char big[BIG];
static int is_connected, is_accepted, shut_status, answers, is_over;
static size_t peer_read, peer_read_at_shutdown, client_read;
static ssize_t client_end, peer_end;

static void alloc(uv_handle_t *handle, size_t size, uv_buf_t *buf) {
  static char bytes[65536];
  (void)handle;
  (void)size;
  *buf = uv_buf_init(bytes, sizeof(bytes));
}

static void on_written(uv_write_t *req, int status) {
  (void)req;
  (void)status;
}

static void on_shutdown(uv_shutdown_t *req, int status) {
  (void)req;
  shut_status = status;
  peer_read_at_shutdown = peer_read;
}

static void on_peer_shutdown(uv_shutdown_t *req, int status) {
  (void)req;
  (void)status;
}

static void stop_if_over(void) {
  if (client_end < 0 && peer_end < 0)
    uv_stop(&loop);
}

static void on_peer_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)stream;
  (void)buf;
  if (nread > 0)
    peer_read += (size_t)nread;
  if (nread < 0)
    peer_end = nread;
  stop_if_over();
}

static void on_client_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  (void)stream;
  (void)buf;
  if (nread > 0)
    client_read += (size_t)nread;
  if (nread < 0)
    client_end = nread;
  stop_if_over();
}

static void on_connection(uv_stream_t *server, int status) {
  is_accepted = status == 0 && uv_accept(server, (uv_stream_t *)&peer) == 0;
}

static void on_connect(uv_connect_t *req, int status) {
  (void)req;
  is_connected = status == 0;
}

static void on_end_limit(uv_timer_t *timer);

static void begin(void) {
  static uv_connect_t connect;
  static int count;
  char name[64];
  snprintf(name, sizeof(name), "\\\\.\\pipe\\rota-half-%d-%d", (int)uv_os_getpid(), ++count);
  is_connected = is_accepted = answers = is_over = 0;
  peer_read = peer_read_at_shutdown = client_read = 0;
  client_end = peer_end = 0;
  shut_status = 1;
  uv_loop_init(&loop);
  uv_timer_init(&loop, &late);
  uv_timer_init(&loop, &limit);
  uv_timer_start(&limit, on_end_limit, END_MS, 0);
  uv_pipe_init(&loop, &listener, 0);
  uv_pipe_init(&loop, &client, 0);
  uv_pipe_init(&loop, &peer, 0);
  uv_pipe_bind(&listener, name);
  uv_listen((uv_stream_t *)&listener, 1, on_connection);
  uv_pipe_connect(&connect, &client, name, on_connect);
  while (!(is_connected && is_accepted) && !is_over)
    uv_run(&loop, UV_RUN_ONCE);
}

/* A test that fails ends, too. */
static void on_end_limit(uv_timer_t *timer) {
  (void)timer;
  is_over = 1;
  uv_stop(&loop);
}

static void close_one(uv_handle_t *handle, void *unused) {
  (void)unused;
  if (!uv_is_closing(handle))
    uv_close(handle, NULL);
}

static void end(const char *part, int is_right) {
  uv_walk(&loop, close_one, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
  int err = uv_loop_close(&loop);
  check(part, is_right && err == 0 && !is_over);
}

static void send_and_shut(const char *bytes, unsigned int length) {
  uv_buf_t buf = uv_buf_init((char *)bytes, length);
  uv_write(&write_req, (uv_stream_t *)&client, &buf, 1, on_written);
  uv_shutdown(&shutdown_req, (uv_stream_t *)&client, on_shutdown);
}

static int peer_answers(void) {
  uv_buf_t buf = uv_buf_init("answer", 6);
  return uv_write(&answer_reqs[answers++], (uv_stream_t *)&peer, &buf, 1, on_written);
}

/* ---- parts ---- */

static void on_late_peer(uv_timer_t *timer) {
  (void)timer;
  uv_read_start((uv_stream_t *)&peer, alloc, on_peer_read);
}

static void test_all_is_delivered(void) {
  begin();
  uv_read_start((uv_stream_t *)&client, alloc, on_client_read);
  send_and_shut(big, BIG);
  uv_timer_start(&late, on_late_peer, LATE_MS, 0);
  uv_run(&loop, UV_RUN_DEFAULT);
  end("a late reader gets everything, then the end; the shutdown waits for it",
      shut_status == 0 && peer_read_at_shutdown == BIG && peer_end == UV_EOF && client_end == UV_EOF);
}

static void on_answer(uv_timer_t *timer) {
  if (answers < ANSWERS)
    peer_answers();
  else
    uv_timer_stop(timer);
}

static void test_answers(void) {
  begin();
  uv_read_start((uv_stream_t *)&client, alloc, on_client_read);
  uv_read_start((uv_stream_t *)&peer, alloc, on_peer_read);
  send_and_shut("question", 8);
  uv_timer_start(&late, on_answer, ANSWER_EVERY_MS, ANSWER_EVERY_MS);
  uv_run(&loop, UV_RUN_DEFAULT);
  /* On a busy machine, the moment may be over between two answers: those before it were heard. */
  end("answers after the shutdown are heard",
      peer_read == 8 && client_read >= 6 && client_read % 6 == 0 && client_end == UV_EOF && peer_end == UV_EOF);
}

static void on_late_client(uv_timer_t *timer) {
  (void)timer;
  check("a side that does not read stays open", peer_end == 0 && uv_is_readable((uv_stream_t *)&client));
  peer_answers();
  uv_read_start((uv_stream_t *)&client, alloc, on_client_read);
}

static void test_late_answer(void) {
  begin();
  uv_read_start((uv_stream_t *)&peer, alloc, on_peer_read);
  send_and_shut("question", 8);
  uv_timer_start(&late, on_late_client, LATE_MS, 0);
  uv_run(&loop, UV_RUN_DEFAULT);
  end("it hears an answer when it reads", client_read == 6 && client_end == UV_EOF && peer_end == UV_EOF);
}

static void on_peer_end(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  on_peer_read(stream, nread, buf);
  if (nread > 0) {
    peer_answers();
    uv_close((uv_handle_t *)stream, NULL);
    peer_end = UV_EOF;
  }
}

static void test_the_other_side_ends(void) {
  begin();
  uv_read_start((uv_stream_t *)&client, alloc, on_client_read);
  uv_read_start((uv_stream_t *)&peer, alloc, on_peer_end);
  send_and_shut("question", 8);
  uv_run(&loop, UV_RUN_DEFAULT);
  end("the other side answers and closes", client_read == 6 && client_end == UV_EOF);
}

static void on_peer_end_and_shut(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  on_peer_read(stream, nread, buf);
  if (nread < 0) {
    uv_buf_t more = uv_buf_init("x", 1);
    check("nothing can be written to a pipe that has ended",
          uv_write(&answer_reqs[0], stream, &more, 1, on_written) == UV_EPIPE);
    uv_shutdown(&peer_shutdown_req, stream, on_peer_shutdown);
  }
}

static void test_after_the_end(void) {
  uv_buf_t buf = uv_buf_init("x", 1);
  uv_os_fd_t fd;
  begin();
  uv_read_start((uv_stream_t *)&client, alloc, on_client_read);
  uv_read_start((uv_stream_t *)&peer, alloc, on_peer_end_and_shut);
  send_and_shut("question", 8);
  check("nothing can be written after a shutdown",
        uv_write(&answer_reqs[1], (uv_stream_t *)&client, &buf, 1, on_written) == UV_EPIPE &&
            uv_shutdown(&peer_shutdown_req, (uv_stream_t *)&client, on_peer_shutdown) == UV_ENOTCONN);
  uv_run(&loop, UV_RUN_DEFAULT);
  int is_right =
      uv_try_write((uv_stream_t *)&client, &buf, 1) == UV_EPIPE && uv_fileno((uv_handle_t *)&client, &fd) == UV_EBADF;
  client_end = 0;
  int again = uv_read_start((uv_stream_t *)&client, alloc, on_client_read);
  uv_run(&loop, UV_RUN_DEFAULT);
  end("an end is read again", is_right && again == 0 && client_end == UV_EOF);
}

static void on_shutdown_close(uv_shutdown_t *req, int status) {
  on_shutdown(req, status);
  uv_close((uv_handle_t *)req->handle, NULL);
  client_end = UV_EOF;
}

static void test_close_in_the_callback(void) {
  uv_buf_t buf = uv_buf_init("question", 8);
  begin();
  uv_read_start((uv_stream_t *)&client, alloc, on_client_read);
  uv_read_start((uv_stream_t *)&peer, alloc, on_peer_read);
  uv_write(&write_req, (uv_stream_t *)&client, &buf, 1, on_written);
  uv_shutdown(&shutdown_req, (uv_stream_t *)&client, on_shutdown_close);
  uv_run(&loop, UV_RUN_DEFAULT);
  end("a pipe is closed when its shutdown is told", shut_status == 0 && peer_read == 8 && peer_end == UV_EOF);
}

static void test_close_while_it_waits(void) {
  begin();
  send_and_shut(big, 1000);
  uv_run(&loop, UV_RUN_NOWAIT);
  uv_sleep(20);
  uv_close((uv_handle_t *)&client, NULL);
  while (shut_status == 1 && !is_over)
    uv_run(&loop, UV_RUN_ONCE);
  end("a shutdown that waits for its reader is cancelled", shut_status == UV_ECANCELED);
}

static void test_one_way(void) {
  uv_file ends[2];
  int err = uv_pipe(ends, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE);
  begin();
  uv_close((uv_handle_t *)&client, NULL);
  uv_close((uv_handle_t *)&peer, NULL);
  uv_run(&loop, UV_RUN_NOWAIT);
  uv_pipe_init(&loop, &client, 0);
  uv_pipe_init(&loop, &peer, 0);
  if (err == 0)
    err = uv_pipe_open(&peer, ends[0]);
  if (err == 0)
    err = uv_pipe_open(&client, ends[1]);
  send_and_shut(big, BIG);
  client_end = UV_EOF;
  uv_timer_start(&late, on_late_peer, 50, 0);
  uv_run(&loop, UV_RUN_DEFAULT);
  end("a pipe of one direction", err == 0 && shut_status == 0 && peer_read == BIG && peer_end == UV_EOF);
}

/* ---- rights ---- */

static DWORD mask_of(uv_pipe_t *pipe) {
  PSECURITY_DESCRIPTOR descriptor = NULL;
  PACL list = NULL;
  ACCESS_ALLOWED_ACE *entry = NULL;
  uv_os_fd_t handle;
  DWORD mask = 0;
  if (uv_fileno((uv_handle_t *)pipe, &handle) == 0 &&
      GetSecurityInfo(handle, SE_KERNEL_OBJECT, DACL_SECURITY_INFORMATION, NULL, NULL, &list, NULL, &descriptor) == 0 &&
      list != NULL && list->AceCount == 1 && GetAce(list, 0, (void **)&entry))
    mask = entry->Mask;
  LocalFree(descriptor);
  return mask;
}

static void test_rights(void) {
  uv_pipe_t none;
  begin();
  uv_pipe_init(&loop, &none, 0);
  int is_right = uv_pipe_chmod(&none, UV_READABLE) == UV_EBADF && uv_pipe_chmod(&listener, 0) == UV_EINVAL;
  is_right &= uv_pipe_chmod(&listener, UV_READABLE) == 0 && mask_of(&listener) == 0x80100100u;
  is_right &= uv_pipe_chmod(&listener, UV_WRITABLE) == 0 && mask_of(&listener) == 0x40100080u;
  is_right &= uv_pipe_chmod(&listener, UV_READABLE | UV_WRITABLE) == 0 && mask_of(&listener) == 0xc0100180u;
  end("rights", is_right);
}

int main(void) {
  test_all_is_delivered();
  test_answers();
  test_late_answer();
  test_the_other_side_ends();
  test_after_the_end();
  test_close_in_the_callback();
  test_close_while_it_waits();
  test_one_way();
  test_rights();
  return failures;
}
