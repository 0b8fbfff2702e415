/* Descriptors that are passed on: data that a stopped reader did not get must still be in the descriptor, for its next
 * reader.
 *
 * Three ways: a plain read; another handle on a duplicate; another handle that got it over a pipe between processes. */
#include "link.h"
#include "steps.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static bool can_hand_over(const struct object *object) {
  const struct end *end = (const struct end *)object;
  if (object->kind != &end_kind || !end->open || end->reading || !end->can_read || end->ended || end->buffer != NULL)
    return false;
  const struct end *peer = end->peer;
  return peer != NULL && !peer->connecting && !peer->base.closing && !peer->base.loose && !peer->shutting &&
         end_is_small(peer, 0) && !end->shutting && end->writes == end->writes_done && !end->connects;
}

static void read_plainly(struct end *end) {
  char room[SMALL + 1];
  uv_os_fd_t fd = -1;
  uv_fileno(end->base.handle, &fd);
  uint64_t wanted = end->peer->sent - end->got;
  for (;;) {
    ssize_t n = read(fd, room, sizeof(room));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      break;
    if (end->got + (uint64_t)n > end->peer->sent || memcmp(room, content_at(end->peer->key, end->got), (size_t)n) != 0)
      object_bad(&end->base, "wrong bytes at %d", (int)end->got);
    end->got += (uint64_t)n;
    wanted -= (uint64_t)n;
  }
  if (wanted != 0)
    object_bad(&end->base, "%d bytes are lost", (int)wanted);
  end->known = end->got;
  end->peer->writes_outstanding = 0;
}

/* The new end has the state of the old one, except its handle. */
static struct end *successor(struct end *old) {
  uv_handle_type type = uv_handle_get_type(old->base.handle);
  struct end *end = end_new(old->is_tcp, type == UV_TCP ? sizeof(uv_tcp_t) : sizeof(uv_pipe_t));
  end->key = old->key;
  end->can_read = old->can_read;
  end->can_write = old->can_write;
  end->plain_pipe = old->plain_pipe;
  end->sent = old->sent;
  end->got = old->got;
  end->known = old->known;
  end->want_read = true;
  end->writes_outstanding = old->writes_outstanding;
  end_join(end, old->peer);
  old->peer = NULL;
  old->sent = old->known = 0;
  old->writes_outstanding = 0;
  if (type == UV_TCP)
    uv_tcp_init(world.loop, (uv_tcp_t *)end->base.handle);
  else
    uv_pipe_init(world.loop, (uv_pipe_t *)end->base.handle, 0);
  return end;
}

static void duplicate(struct end *old) {
  uv_os_fd_t fd = -1;
  uv_fileno(old->base.handle, &fd);
  fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  struct end *end = successor(old);
  int err = uv_handle_get_type(end->base.handle) == UV_TCP ? uv_tcp_open((uv_tcp_t *)end->base.handle, fd)
                                                           : uv_pipe_open((uv_pipe_t *)end->base.handle, fd);
  if (err != 0)
    object_bad(&end->base, "open %s", error_name(err));
  object_close(&old->base);
  end_opened(end);
}

/* ---- over a pipe ---- */

struct passage {
  uv_pipe_t pipes[2];
  uv_write_t req;
  struct end *old, *end;
  int open;
  char room[16];
};

static void on_passage_close(uv_handle_t *handle) {
  struct passage *passage = handle->data;
  if (--passage->open == 0) {
    free(passage);
    world.pending--;
  }
  callback_leave();
}

static void on_passage_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  struct passage *passage = handle->data;
  (void)suggested;
  *buf = uv_buf_init(passage->room, sizeof(passage->room));
}

static void on_passage_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf) {
  struct passage *passage = stream->data;
  struct end *end = passage->end;
  (void)buf;
  if (n == 0)
    return;
  object_note(&end->base, "passed %d pending %d", (int)n, uv_pipe_pending_count(&passage->pipes[1]));
  if (uv_pipe_pending_type(&passage->pipes[1]) != uv_handle_get_type(end->base.handle))
    object_bad(&end->base, "of another type");
  int err = uv_accept(stream, end_stream(end));
  object_note(&end->base, "accept:%s", error_name(err));
  end->connecting = false;
  end->base.own_close = false;
  for (int i = 0; i < 2; i++)
    uv_close((uv_handle_t *)&passage->pipes[i], on_passage_close);
  if (err == 0)
    end_opened(end);
  callback_leave();
}

static void on_passed(uv_write_t *req, int status) {
  struct passage *passage = req->data;
  (void)status;
  object_close(&passage->old->base);
  callback_leave();
}

static void pass(struct end *old) {
  struct passage *passage = calloc(1, sizeof(*passage));
  uv_os_sock_t fds[2] = {-1, -1};
  uv_buf_t buf = uv_buf_init("x", 1);
  if (passage == NULL || uv_socketpair(SOCK_STREAM, 0, fds, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE) != 0)
    abort();
  passage->old = old;
  passage->end = successor(old);
  passage->end->connecting = true;
  passage->end->base.own_close = true; /* until it is there */
  passage->open = 2;
  passage->req.data = passage;
  old->base.own_close = true;
  old->open = false;
  world.pending++;
  for (int i = 0; i < 2; i++) {
    uv_pipe_init(world.loop, &passage->pipes[i], 1);
    passage->pipes[i].data = passage;
    uv_pipe_open(&passage->pipes[i], fds[i]);
  }
  uv_read_start((uv_stream_t *)&passage->pipes[1], on_passage_alloc, on_passage_read);
  int err = uv_write2(&passage->req, (uv_stream_t *)&passage->pipes[0], &buf, 1, end_stream(old), on_passed);
  if (err != 0)
    object_bad(&old->base, "write2 %s", error_name(err));
}

void step_hand_over(const struct step *step) {
  struct end *end = (struct end *)world_pick(step->a, can_hand_over);
  if (end == NULL)
    return;
  bool through_child = !end->can_write && !end->peer->plain_pipe; /* then not all need be there yet */
  if (step->b % 3 == 0 && !through_child)
    read_plainly(end);
  else if (step->b % 3 == 1 || end->plain_pipe || !end->can_write ||
           (!end->is_tcp && uv_handle_get_type(end->base.handle) == UV_TCP)) /* which would arrive as a pipe */
    duplicate(end);
  else
    pass(end);
}
