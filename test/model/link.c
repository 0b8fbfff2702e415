#include "link.h"

#include <stdlib.h>
#include <string.h>

bool end_is_small(const struct end *end, size_t more) {
  uint64_t known = end->peer == NULL ? 0 : end->peer->known;
  return end->sent + more - known <= SMALL && end->writes_outstanding < SMALL_WRITES;
}

/* ---- reading ---- */

static char shared_buffer[65536];

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  static const size_t sizes[] = {65536, 4096, 100, 7, 1, 30000};
  struct end *end = handle->data;
  callback_enter(&end->base);
  if (end->buffer != NULL)
    object_bad(&end->base, "alloc after alloc");
  if (suggested != 65536)
    object_bad(&end->base, "suggested %d", (int)suggested);
  if (!end->reading || end->base.closing)
    object_bad(&end->base, "alloc while stopped");
  *buf = uv_buf_init(NULL, 0);
  if (end->refuse)
    return;
  uint64_t expected = end->peer == NULL ? 0 : end->peer->sent - end->got;
  size_t size = sizes[(unsigned int)end->buffer_style % 6];
  if (size < expected / 64)
    size = 65536;
  end->buffer = end->buffer_style >= 6 ? shared_buffer : malloc(size);
  end->buffer_size = size;
  *buf = uv_buf_init(end->buffer, (unsigned int)size);
}

static void check_content(struct end *end, size_t size) {
  if (size > end->buffer_size) {
    object_bad(&end->base, "more than there is room for");
    return;
  }
  if (end->peer == NULL || end->got + size > end->peer->sent)
    object_bad(&end->base, "more than was sent");
  else if (memcmp(end->buffer, content_at(end->peer->key, end->got), size) != 0)
    object_bad(&end->base, "wrong bytes at %d", (int)end->got);
}

static void free_buffer(struct end *end) {
  if (end->buffer != shared_buffer)
    free(end->buffer);
  end->buffer = NULL;
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf) {
  struct end *end = stream->data;
  callback_enter(&end->base);
  if (!end->reading || end->base.closing)
    object_bad(&end->base, "read while stopped");
  if (buf->base != end->buffer && n >= 0)
    object_bad(&end->base, "not the buffer that was given");
  if (n == UV_ENOBUFS && end->refuse) {
    end->refuse = false;
    end->refused++;
  } else if (n > 0) {
    check_content(end, (size_t)n);
    end->got += (uint64_t)n;
    free_buffer(end);
    object_react(&end->base, ON_READ);
  } else if (n < 0) {
    if (end->ended)
      object_bad(&end->base, "a second end");
    end->ended = true;
    end->reading = false;
    end->end_status = (int)n;
    free_buffer(end);
    object_react(&end->base, ON_END);
    if (!end->base.closing)
      uv_read_stop(stream);
  } else {
    free_buffer(end);
  }
  callback_leave();
}

bool end_start(struct end *end) {
  int err = uv_read_start(end_stream(end), on_alloc, on_read);
  text_add(&end->calls, " read_start:%s", error_name(err));
  if (err == 0)
    end->reading = true;
  return err == 0;
}

void end_stop(struct end *end) {
  text_add(&end->calls, " read_stop:%s", error_name(uv_read_stop(end_stream(end))));
  end->reading = false;
}

/* ---- writing ---- */

struct writing {
  uv_write_t req;
  struct end *end;
  int number;
};

static void on_write(uv_write_t *req, int status) {
  struct writing *writing = req->data;
  struct end *end = writing->end;
  callback_enter(&end->base);
  if (writing->number != end->writes_done)
    object_bad(&end->base, "write %d called back as %d", writing->number, end->writes_done);
  end->writes_done++;
  object_note(&end->base, "w%s", error_name(status));
  free(writing);
  object_react(&end->base, ON_WRITE);
  callback_leave();
}

/* Writes to a closed stream are loose: the time of the error is not specified. */
static void before_write(struct end *end) {
  if (end->peer != NULL && end->peer->base.closing)
    object_loosen(&end->base);
}

void end_write(struct end *end, size_t size, unsigned int parts) {
  uv_buf_t bufs[4];
  struct writing *writing = calloc(1, sizeof(*writing));
  if (writing == NULL)
    abort();
  before_write(end);
  writing->req.data = writing;
  writing->end = end;
  writing->number = end->writes;
  const char *from = content_at(end->key, end->sent);
  parts = parts % 4 + 1;
  for (unsigned int i = 0; i < parts; i++) {
    size_t begin = size * i / parts, finish = size * (i + 1) / parts;
    bufs[i] = uv_buf_init((char *)from + begin, (unsigned int)(finish - begin));
  }
  int err = uv_write(&writing->req, end_stream(end), bufs, parts, on_write);
  text_add(&end->calls, " write:%s", error_name(err));
  if (err < 0) {
    free(writing);
    return;
  }
  end->sent += size;
  end->writes++;
  end->writes_outstanding++;
}

static void on_shutdown(uv_shutdown_t *req, int status) {
  struct end *end = req->data;
  callback_enter(&end->base);
  if (end->writes != end->writes_done)
    object_bad(&end->base, "shut before its writes");
  end->shut = true;
  object_note(&end->base, "s%s", error_name(status));
  free(req);
  object_react(&end->base, ON_SHUTDOWN);
  callback_leave();
}

void end_shutdown(struct end *end) {
  uv_shutdown_t *req = calloc(1, sizeof(*req));
  if (req == NULL)
    abort();
  before_write(end);
  req->data = end;
  int err = uv_shutdown(req, end_stream(end), on_shutdown);
  text_add(&end->calls, " shutdown:%s", error_name(err));
  if (err < 0)
    free(req);
  else
    end->shutting = true;
}

/* ---- the state that an end must reach ---- */

/* Whether its writes must end by themselves. */
static bool must_drain(const struct end *end) {
  const struct end *peer = end->peer;
  return end->failed || peer == NULL || peer->reading || peer->base.closing || peer->ended || end_is_small(end, 0);
}

static bool read_settled(const struct end *end) {
  const struct end *peer = end->peer;
  if (!end->reading || peer == NULL)
    return true;
  if (peer->base.closing || peer->shutting)
    return false; /* the end must come, and then it does not read any more */
  return end->base.loose || end->got == peer->sent;
}

static bool settled(const struct object *object) {
  const struct end *end = (const struct end *)object;
  if (end->connecting || (end->peer != NULL && end->peer->connecting))
    return false;
  bool written = end->writes == end->writes_done && (!end->shutting || end->shut);
  return (written || !must_drain(end)) && read_settled(end);
}

static void loosen(struct object *object) {
  struct end *end = (struct end *)object;
  if (end->peer != NULL)
    object_loosen(&end->peer->base);
}

/* Closing is clean if nothing is in transit in either direction except what the kernel certainly has. */
static void closing(struct object *object) {
  struct end *end = (struct end *)object;
  struct end *peer = end->peer;
  if (!world.in_batch || end->connecting || (peer != NULL && peer->connecting) || !end_is_small(end, 0) ||
      (peer != NULL && (peer->sent != end->known || !end_is_small(peer, 0))))
    object_loosen(object);
  if (end->listener != NULL) { /* no connection will be accepted any more */
    object_close(end->listener);
    end->listener = NULL;
    end->connecting = false;
    peer->listener = NULL;
    peer->connecting = peer->connecting && peer->connects;
  }
}

static void calm(struct object *object) {
  struct end *end = (struct end *)object;
  if (!end->reading && !end->ended)
    return;
  end->known = end->got;
  if (end->peer != NULL)
    end->peer->writes_outstanding = 0;
}

static void act(struct object *object, enum action action, int amount) {
  struct end *end = (struct end *)object;
  if (action == DO_CLOSE)
    object_close(object);
  if (action == DO_CLOSE_PEER && end->peer != NULL) {
    object_loosen(object);
    object_close(&end->peer->base);
  }
  if (action == DO_STOP || (action == DO_RESTART && end->reading))
    end_stop(end);
  if (action == DO_RESTART && end->open && end->can_read && !end->ended)
    end_start(end);
  if (action == DO_WRITE && end->can_write && !end->shutting && !end->failed)
    end_write(end, amount % 8 == 7 ? 200000 : (size_t)amount * 9 + 1, (unsigned int)amount);
  if (action == DO_SHUTDOWN && end->can_write && !end->plain_pipe && end->open && !end->shutting && !end->failed)
    end_shutdown(end);
}

static void print(const struct object *object, struct text *out) {
  const struct end *end = (const struct end *)object;
  text_add(out, " sent %d, got %d%s%s, refused %d, calls%s, log", (int)end->sent, (int)end->got, end->ended ? ", " : "",
           end->ended ? error_name(end->end_status) : "", end->refused, text_of(&end->calls));
}

static void finish(struct object *object) {
  struct end *end = (struct end *)object;
  if (end->can_read && end->open && !end->reading && !end->ended)
    end_start(end);
}

const struct kind end_kind = {.name = "end",
                              .settled = settled,
                              .closing = closing,
                              .act = act,
                              .print = print,
                              .loosen = loosen,
                              .calm = calm,
                              .finish = finish};

struct end *end_new(bool is_tcp, size_t handle_size) {
  struct end *end = object_new(sizeof(*end), &end_kind, handle_size);
  end->is_tcp = is_tcp;
  end->can_read = true;
  end->can_write = true;
  end->key = (uint64_t)end->base.id + 1;
  return end;
}

void end_join(struct end *one, struct end *other) {
  one->peer = other;
  other->peer = one;
}

void end_opened(struct end *end) {
  end->open = true;
  if (end->can_read && end->want_read)
    end_start(end);
}
