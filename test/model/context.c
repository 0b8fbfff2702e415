/* The callbacks that the steps of a round are performed in: one of each kind that there is.
 *
 * A helper has up to four handles. In the first callback of the wanted kind it calls the function and closes them;
 * until the last of them is closed, the round is not settled. */
#include "model.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct helper {
  union uv_any_handle handles[4];
  union uv_any_req req, second_req;
  int handle_count, open_handles;
  int fds[2];
  bool called;
  void (*function)(void);
  char room[64];
};

static void finished(struct helper *helper) {
  if (helper->open_handles > 0 || !helper->called)
    return;
  for (int i = 0; i < 2; i++)
    if (helper->fds[i] >= 0)
      close(helper->fds[i]);
  free(helper);
  world.pending--;
}

static void on_close(uv_handle_t *handle) {
  struct helper *helper = handle->data;
  helper->open_handles--;
  finished(helper);
  callback_leave();
}

static void close_handles(struct helper *helper) {
  for (int i = 0; i < helper->handle_count; i++)
    if (!uv_is_closing(&helper->handles[i].handle))
      uv_close(&helper->handles[i].handle, on_close);
}

/* The handles are closed before or after, to have both. */
static void call(struct helper *helper) {
  bool first = world.round % 2 == 0;
  if (helper->called)
    return;
  helper->called = true;
  if (first)
    close_handles(helper);
  helper->function();
  close_handles(helper);
  finished(helper);
  callback_leave();
}

/* The next handle, which its kind's own function makes. */
static union uv_any_handle *add_handle(struct helper *helper) {
  union uv_any_handle *handle = &helper->handles[helper->handle_count++];
  helper->open_handles++;
  handle->handle.data = helper;
  return handle;
}

static void in_main(struct helper *helper) {
  call(helper);
}

static void on_timer(uv_timer_t *handle) {
  call(handle->data);
}

static void in_timer(struct helper *helper) {
  uv_timer_t *timer = &add_handle(helper)->timer;
  uv_timer_init(world.loop, timer);
  uv_timer_start(timer, on_timer, 1, 0);
}

static void on_idle(uv_idle_t *handle) {
  call(handle->data);
}

static void on_idle_only(uv_idle_t *handle) {
  (void)handle;
}

static void add_idle(struct helper *helper, uv_idle_cb cb) {
  uv_idle_t *idle = &add_handle(helper)->idle;
  uv_idle_init(world.loop, idle);
  uv_idle_start(idle, cb);
}

static void in_idle(struct helper *helper) {
  add_idle(helper, on_idle);
}

static void on_prepare(uv_prepare_t *handle) {
  call(handle->data);
}

static void in_prepare(struct helper *helper) {
  uv_prepare_t *prepare = &add_handle(helper)->prepare;
  uv_prepare_init(world.loop, prepare);
  uv_prepare_start(prepare, on_prepare);
  add_idle(helper, on_idle_only);
}

static void on_check(uv_check_t *handle) {
  call(handle->data);
}

static void in_check(struct helper *helper) {
  uv_check_t *check = &add_handle(helper)->check;
  uv_check_init(world.loop, check);
  uv_check_start(check, on_check);
  add_idle(helper, on_idle_only);
}

static void on_async(uv_async_t *handle) {
  call(handle->data);
}

static void in_async(struct helper *helper) {
  uv_async_t *async = &add_handle(helper)->async;
  uv_async_init(world.loop, async, on_async);
  uv_async_send(async);
}

static void on_first_close(uv_handle_t *handle) {
  struct helper *helper = handle->data;
  helper->open_handles--;
  call(helper);
}

static void in_close(struct helper *helper) {
  union uv_any_handle *handle = add_handle(helper);
  uv_timer_init(world.loop, &handle->timer);
  uv_close(&handle->handle, on_first_close);
}

static void on_work(uv_work_t *req) {
  (void)req;
}

static void after_work(uv_work_t *req, int status) {
  (void)status;
  call(req->data);
}

static void in_work(struct helper *helper) {
  helper->req.work.data = helper;
  uv_queue_work(world.loop, &helper->req.work, on_work, after_work);
}

static void on_fs(uv_fs_t *req) {
  struct helper *helper = req->data;
  uv_fs_req_cleanup(req);
  call(helper);
}

static void in_fs(struct helper *helper) {
  helper->req.fs.data = helper;
  uv_fs_stat(world.loop, &helper->req.fs, ".", on_fs);
}

/* ---- streams ---- */

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  struct helper *helper = handle->data;
  (void)suggested;
  *buf = uv_buf_init(helper->room, sizeof(helper->room));
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf) {
  (void)n, (void)buf;
  call(stream->data);
}

static void on_write(uv_write_t *req, int status) {
  (void)status;
  call(req->data);
}

static void on_written(uv_write_t *req, int status) {
  (void)req, (void)status;
}

static void on_shutdown(uv_shutdown_t *req, int status) {
  (void)status;
  call(req->data);
}

static void add_pair(struct helper *helper) {
  uv_os_sock_t fds[2] = {-1, -1};
  uv_socketpair(SOCK_STREAM, 0, fds, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE);
  for (int i = 0; i < 2; i++) {
    uv_pipe_t *pipe = &add_handle(helper)->pipe;
    uv_pipe_init(world.loop, pipe, 0);
    uv_pipe_open(pipe, fds[i]);
  }
}

static void write_byte(struct helper *helper, int handle, uv_write_cb cb) {
  uv_buf_t buf = uv_buf_init("x", 1);
  helper->req.write.data = helper;
  uv_write(&helper->req.write, &helper->handles[handle].stream, &buf, 1, cb);
}

static void in_read(struct helper *helper) {
  add_pair(helper);
  uv_read_start(&helper->handles[0].stream, on_alloc, on_read);
  write_byte(helper, 1, on_written);
}

static void in_write(struct helper *helper) {
  add_pair(helper);
  write_byte(helper, 1, on_write);
}

static void in_shutdown(struct helper *helper) {
  add_pair(helper);
  helper->req.shutdown.data = helper;
  uv_shutdown(&helper->req.shutdown, &helper->handles[0].stream, on_shutdown);
}

static void on_connected(uv_connect_t *req, int status) {
  (void)req, (void)status;
}

static void on_connect(uv_connect_t *req, int status) {
  (void)status;
  call(req->data);
}

static void on_no_connection(uv_stream_t *stream, int status) {
  (void)stream, (void)status;
}

/* Not accepted: closing a listener also closes pending connections. */
static void on_connection(uv_stream_t *stream, int status) {
  (void)status;
  call(stream->data);
}

static void connect_by(struct helper *helper, uv_connect_cb on_client, uv_connection_cb on_server) {
  struct sockaddr_storage address;
  int length = sizeof(address);
  uv_tcp_t *listener = &add_handle(helper)->tcp;
  uv_tcp_t *client = &add_handle(helper)->tcp;
  uv_tcp_init(world.loop, listener);
  uv_tcp_init(world.loop, client);
  uv_ip4_addr("127.0.0.1", 0, (struct sockaddr_in *)&address);
  uv_tcp_bind(listener, (struct sockaddr *)&address, 0);
  uv_listen((uv_stream_t *)listener, 1, on_server);
  uv_tcp_getsockname(listener, (struct sockaddr *)&address, &length);
  helper->req.connect.data = helper;
  uv_tcp_connect(&helper->req.connect, client, (struct sockaddr *)&address, on_client);
}

static void in_connect(struct helper *helper) {
  connect_by(helper, on_connect, on_no_connection);
}

static void in_connection(struct helper *helper) {
  connect_by(helper, on_connected, on_connection);
}

/* ---- datagrams ---- */

static void on_datagram(uv_udp_t *handle, ssize_t n, const uv_buf_t *buf, const struct sockaddr *from,
                        unsigned int flags) {
  (void)n, (void)buf, (void)flags;
  if (from != NULL)
    call(handle->data);
}

static void on_sent_only(uv_udp_send_t *req, int status) {
  (void)req, (void)status;
}

static void on_sent(uv_udp_send_t *req, int status) {
  (void)status;
  call(req->data);
}

static void send_to_itself(struct helper *helper, uv_udp_send_cb on_send, uv_udp_recv_cb on_receive) {
  struct sockaddr_storage address;
  int length = sizeof(address);
  uv_udp_t *udp = &add_handle(helper)->udp;
  uv_buf_t buf = uv_buf_init("x", 1);
  uv_udp_init(world.loop, udp);
  uv_ip4_addr("127.0.0.1", 0, (struct sockaddr_in *)&address);
  uv_udp_bind(udp, (struct sockaddr *)&address, 0);
  uv_udp_getsockname(udp, (struct sockaddr *)&address, &length);
  if (on_receive != NULL)
    uv_udp_recv_start(udp, on_alloc, on_receive);
  helper->req.udp_send.data = helper;
  uv_udp_send(&helper->req.udp_send, udp, &buf, 1, (struct sockaddr *)&address, on_send);
}

static void in_datagram(struct helper *helper) {
  send_to_itself(helper, on_sent_only, on_datagram);
}

static void in_sent(struct helper *helper) {
  send_to_itself(helper, on_sent, NULL);
}

/* ---- the rest ---- */

static void on_signal(uv_signal_t *handle, int number) {
  (void)number;
  call(handle->data);
}

static void in_signal(struct helper *helper) {
  uv_signal_t *watcher = &add_handle(helper)->signal;
  uv_signal_init(world.loop, watcher);
  uv_signal_start(watcher, on_signal, SIGWINCH);
  raise(SIGWINCH);
}

static void on_process_exit(uv_process_t *process, int64_t status, int signal) {
  (void)status, (void)signal;
  call(process->data);
}

static void in_exit(struct helper *helper) {
  char *arguments[] = {"true", NULL};
  uv_process_options_t options = {.file = "true", .args = arguments, .exit_cb = on_process_exit};
  uv_spawn(world.loop, &add_handle(helper)->process, &options);
}

static void on_poll(uv_poll_t *handle, int status, int events) {
  (void)status, (void)events;
  call(handle->data);
}

static void in_poll(struct helper *helper) {
  uv_poll_t *poll = &add_handle(helper)->poll;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, helper->fds) != 0)
    abort();
  uv_poll_init(world.loop, poll, helper->fds[0]);
  uv_poll_start(poll, UV_READABLE, on_poll);
  /* A fault may be injected into this call, too, which does not belong to the library. */
  while (write(helper->fds[1], "x", 1) != 1)
    if (errno != EINTR && errno != EAGAIN)
      abort();
}

static void on_address(uv_getaddrinfo_t *req, int status, struct addrinfo *result) {
  (void)status;
  uv_freeaddrinfo(result);
  call(req->data);
}

static void in_address(struct helper *helper) {
  helper->req.getaddrinfo.data = helper;
  uv_getaddrinfo(world.loop, &helper->req.getaddrinfo, on_address, "127.0.0.1", "80", NULL);
}

typedef void (*helper_function)(struct helper *helper);

static const helper_function contexts[] = {
    in_main,     in_main, in_main,   in_timer, in_idle,  in_prepare,  in_check,   in_async,
    in_close,    in_work, in_fs,     in_read,  in_write, in_shutdown, in_connect, in_connection,
    in_datagram, in_sent, in_signal, in_exit,  in_poll,  in_address,
};

const int context_count = sizeof(contexts) / sizeof(*contexts);

void context_call(int context, void (*function)(void)) {
  struct helper *helper = calloc(1, sizeof(*helper));
  if (helper == NULL)
    abort();
  helper->fds[0] = helper->fds[1] = -1;
  helper->function = function;
  world.pending++;
  contexts[context](helper);
}
