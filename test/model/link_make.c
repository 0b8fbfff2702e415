/* Making links: over TCP, named pipes, pairs of sockets, plain pipes, and through a child that repeats what it reads.
 */
#include "link.h"
#include "steps.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- listeners: one for each link ---- */

struct listener {
  struct object base;
  struct end *server;
};

static const struct kind listener_kind = {.name = "listener"};

static void on_connection(uv_stream_t *stream, int status) {
  struct listener *listener = stream->data;
  struct end *server = listener->server;
  callback_enter(&listener->base);
  int err = uv_accept(stream, end_stream(server));
  if (status != 0 || err != 0) /* a link may be broken before or after: success is not logged */
    object_note(&listener->base, "connection:%s accept:%s", error_name(status), error_name(err));
  server->listener = NULL;
  server->peer->listener = NULL;
  server->connecting = false;
  object_close(&listener->base);
  if (err == 0)
    end_opened(server);
  object_react(&server->base, ON_CONNECT);
  callback_leave();
}

static void on_connect(uv_connect_t *req, int status) {
  struct end *end = req->data;
  callback_enter(&end->base);
  object_note(&end->base, "c%s", error_name(status));
  end->connecting = false;
  end->failed = status < 0;
  if (status == 0 && !end->base.closing)
    end_opened(end);
  free(req);
  object_react(&end->base, ON_CONNECT);
  callback_leave();
}

static uv_connect_t *connect_request(struct end *end) {
  uv_connect_t *req = calloc(1, sizeof(*req));
  if (req == NULL)
    abort();
  req->data = end;
  end->connects = true;
  end->connecting = true;
  return req;
}

static struct listener *listener_new(struct end *client, struct end *server, size_t handle_size) {
  struct listener *listener = object_new(sizeof(*listener), &listener_kind, handle_size);
  listener->base.own_close = true;
  listener->server = server;
  client->listener = &listener->base;
  server->listener = &listener->base;
  server->connecting = true;
  return listener;
}

static void must(struct object *object, const char *what, int err) {
  if (err < 0)
    object_bad(object, "%s: %s", what, error_name(err));
}

static void link_tcp(struct end **ends) {
  struct sockaddr_storage address;
  int length = sizeof(address);
  struct end *client = ends[0] = end_new(true, sizeof(uv_tcp_t));
  struct end *server = ends[1] = end_new(true, sizeof(uv_tcp_t));
  struct listener *listener = listener_new(client, server, sizeof(uv_tcp_t));
  uv_tcp_t *listening = (uv_tcp_t *)listener->base.handle;
  uv_tcp_init(world.loop, listening);
  uv_tcp_init(world.loop, (uv_tcp_t *)client->base.handle);
  uv_tcp_init(world.loop, (uv_tcp_t *)server->base.handle);
  uv_ip4_addr("127.0.0.1", 0, (struct sockaddr_in *)&address);
  must(&listener->base, "bind", uv_tcp_bind(listening, (struct sockaddr *)&address, 0));
  must(&listener->base, "listen", uv_listen((uv_stream_t *)listening, 8, on_connection));
  must(&listener->base, "name", uv_tcp_getsockname(listening, (struct sockaddr *)&address, &length));
  must(&client->base, "connect",
       uv_tcp_connect(connect_request(client), (uv_tcp_t *)client->base.handle, (struct sockaddr *)&address,
                      on_connect));
}

static void link_named_pipe(struct end **ends) {
  char name[64];
  struct end *client = ends[0] = end_new(false, sizeof(uv_pipe_t));
  struct end *server = ends[1] = end_new(false, sizeof(uv_pipe_t));
  struct listener *listener = listener_new(client, server, sizeof(uv_pipe_t));
  uv_pipe_t *listening = (uv_pipe_t *)listener->base.handle;
  snprintf(name, sizeof(name), "pipe-%d", listener->base.id);
  uv_pipe_init(world.loop, listening, 0);
  uv_pipe_init(world.loop, (uv_pipe_t *)client->base.handle, 0);
  uv_pipe_init(world.loop, (uv_pipe_t *)server->base.handle, 0);
  must(&listener->base, "bind", uv_pipe_bind(listening, name));
  must(&listener->base, "listen", uv_listen((uv_stream_t *)listening, 8, on_connection));
  uv_pipe_connect(connect_request(client), (uv_pipe_t *)client->base.handle, name, on_connect);
}

/* ---- what is connected at once ---- */

static struct end *open_pipe(int fd, int ipc) {
  struct end *end = end_new(false, sizeof(uv_pipe_t));
  uv_pipe_init(world.loop, (uv_pipe_t *)end->base.handle, ipc);
  must(&end->base, "open", uv_pipe_open((uv_pipe_t *)end->base.handle, fd));
  return end;
}

static void link_socket_pair(struct end **ends, bool as_tcp) {
  uv_os_sock_t fds[2] = {-1, -1};
  int err = uv_socketpair(SOCK_STREAM, 0, fds, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE);
  for (int i = 0; i < 2; i++) {
    if (as_tcp) {
      ends[i] = end_new(false, sizeof(uv_tcp_t)); /* what is sent over it is still not TCP */
      uv_tcp_init(world.loop, (uv_tcp_t *)ends[i]->base.handle);
      must(&ends[i]->base, "open", uv_tcp_open((uv_tcp_t *)ends[i]->base.handle, fds[i]));
    } else {
      ends[i] = open_pipe(fds[i], 0);
    }
    must(&ends[i]->base, "pair", err);
  }
}

static void link_plain_pipe(struct end **ends) {
  uv_file fds[2] = {-1, -1};
  int err = uv_pipe(fds, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE);
  ends[0] = open_pipe(fds[1], 0);
  ends[1] = open_pipe(fds[0], 0);
  must(&ends[0]->base, "pipe", err);
  ends[0]->can_read = false;
  ends[1]->can_write = false;
  ends[0]->plain_pipe = true;
}

/* ---- through a child ---- */

struct cat {
  struct object base;
  struct end *in, *out;
  const char *fate;
};

static bool cat_settled(const struct object *object) {
  const struct cat *cat = (const struct cat *)object;
  const struct end *out = cat->out;
  bool ends = cat->in->shutting || cat->in->base.closing;
  return !ends || !(out->reading || out->ended || out->base.closing || end_is_small(cat->in, 0));
}

/* The end of another program's child is not reported. */
static void cat_forked(struct object *object) {
  ((struct cat *)object)->fate = "forked";
  object_close(object);
}

/* If a link was broken, its child's end is not specified either. */
static void cat_print(const struct object *object, struct text *out) {
  const struct cat *cat = (const struct cat *)object;
  text_add(out, " %s", cat->in->base.loose || cat->out->base.loose ? "(open)" : cat->fate);
}

static const struct kind cat_kind = {.name = "cat", .settled = cat_settled, .forked = cat_forked, .print = cat_print};

static void on_process_exit(uv_process_t *process, int64_t status, int signal) {
  struct cat *cat = process->data;
  callback_enter(&cat->base);
  cat->fate = status == 0 && signal == 0 ? "ended well" : "ended badly";
  object_close(&cat->base);
  callback_leave();
}

static void link_cat(struct end **ends) {
  uv_stdio_container_t stdio[2];
  char *arguments[] = {"cat", NULL};
  uv_process_options_t options = {
      .file = "cat", .args = arguments, .stdio = stdio, .stdio_count = 2, .exit_cb = on_process_exit};
  for (int i = 0; i < 2; i++) {
    ends[i] = end_new(false, sizeof(uv_pipe_t));
    uv_pipe_init(world.loop, (uv_pipe_t *)ends[i]->base.handle, 0);
    stdio[i].flags = UV_CREATE_PIPE | (i == 0 ? UV_READABLE_PIPE : UV_WRITABLE_PIPE);
    stdio[i].data.stream = end_stream(ends[i]);
  }
  ends[0]->can_read = false;
  ends[1]->can_write = false;
  struct cat *cat = object_new(sizeof(*cat), &cat_kind, sizeof(uv_process_t));
  cat->base.own_close = true;
  cat->in = ends[0];
  cat->out = ends[1];
  cat->fate = "not ended";
  must(&cat->base, "spawn", uv_spawn(world.loop, (uv_process_t *)cat->base.handle, &options));
}

/* ---- the steps ---- */

void step_link(const struct step *step) {
  struct end *ends[2];
  switch (step->a % 16) {
  case 0 ... 5:
    link_tcp(ends);
    break;
  case 6 ... 8:
    link_named_pipe(ends);
    break;
  case 9 ... 10:
    link_socket_pair(ends, true);
    break;
  case 11 ... 12:
    link_socket_pair(ends, false);
    break;
  case 13 ... 14:
    link_plain_pipe(ends);
    break;
  default:
    link_cat(ends);
    break;
  }
  end_join(ends[0], ends[1]);
  for (int i = 0; i < 2; i++) {
    ends[i]->buffer_style = (step->b >> (3 * i)) % 8;
    ends[i]->want_read = (step->c >> i) % 4 != 0;
    ends[i]->refuse = (step->c >> (4 + i)) % 8 == 0;
    if (!ends[i]->connecting)
      end_opened(ends[i]);
  }
}

/* To a port without a listener. Data written meanwhile is cancelled. */
void step_connect_nowhere(const struct step *step) {
  bool is_tcp = step->a % 2 == 0;
  struct end *end = end_new(is_tcp, is_tcp ? sizeof(uv_tcp_t) : sizeof(uv_pipe_t));
  if (!is_tcp) {
    uv_pipe_init(world.loop, (uv_pipe_t *)end->base.handle, 0);
    uv_pipe_connect(connect_request(end), (uv_pipe_t *)end->base.handle, "nothing-here", on_connect);
  } else {
    struct sockaddr_in address;
    uv_ip4_addr("127.0.0.1", 1, &address);
    uv_tcp_init(world.loop, (uv_tcp_t *)end->base.handle);
    must(&end->base, "connect",
         uv_tcp_connect(connect_request(end), (uv_tcp_t *)end->base.handle, (struct sockaddr *)&address, on_connect));
  }
  if (step->b % 2 == 0)
    end_write(end, 10, 0);
}
