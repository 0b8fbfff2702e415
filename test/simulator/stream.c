/* Connections: TCP and local ones, between listeners and streams of the same program. */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream.h"

struct end ends[ENDS];

static struct listener {
  struct sim_handle base;
  int number;
  bool is_tcp, is_waiting; /* a connection was offered and not taken */
  int port;
  char path[32];
} listeners[LISTENERS];

static uint64_t lives;

uv_stream_t *end_stream(const struct end *end) {
  return (uv_stream_t *)end->base.handle;
}

/* ---- bytes in ---- */

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  struct end *end = handle->data;
  sim_handle_check_open(&end->base, "an alloc callback");
  sim_check(end->is_reading, "stream %d: an alloc callback while it does not read", end->number);
  sim_check(suggested == 65536, "the suggested size is %zu", suggested);
  sim_check(end->room == NULL, "stream %d: a buffer is asked for, and the last one was not given back", end->number);
  if (sim_chance(2)) {
    *buf = uv_buf_init(NULL, 0);
    return;
  }
  unsigned int size = 1 + sim_below(ROOM);
  end->room = malloc(size);
  *buf = uv_buf_init(end->room, size);
}

static void find_peer(struct end *end) {
  int number = (unsigned char)end->header[0];
  sim_check(number < ENDS, "stream %d: begins with a byte that nobody wrote", end->number);
  /* The writer may have been closed, and its number have another life. */
  bool is_same_life = (unsigned char)ends[number].life == end->header[1];
  end->peer = is_same_life ? number : -1;
}

static void check_bytes(struct end *end, const char *bytes, size_t length) {
  struct end writer = {.number = end->header[0], .life = end->header[1]};
  for (size_t i = 0; i < length; i++, end->received++) {
    if (end->received < HEADER) {
      end->header[end->received] = (unsigned char)bytes[i];
      if (end->received == HEADER - 1)
        find_peer(end);
      writer.number = end->header[0];
      writer.life = end->header[1];
      continue;
    }
    sim_check(sim_lives_with_gaps[writer.life] || bytes[i] == sim_byte(&writer, end->received),
              "stream %d: byte %llu of stream %d is another one", end->number, (unsigned long long)end->received,
              writer.number);
  }
  if (end->peer >= 0 && (unsigned char)ends[end->peer].life == end->header[1])
    sim_check(end->received <= ends[end->peer].offered, "stream %d: more bytes than stream %d has written", end->number,
              end->peer);
}

/* An end without an error: nothing is missing. */
static void check_end(const struct end *end) {
  if (end->peer < 0 || (unsigned char)ends[end->peer].life != end->header[1] || end->is_broken)
    return;
  const struct end *peer = &ends[end->peer];
  if (peer->is_broken || peer->has_ended)
    return;
  sim_check(end->received >= peer->confirmed, "stream %d: ended after %llu bytes, and stream %d has written %llu",
            end->number, (unsigned long long)end->received, peer->number, (unsigned long long)peer->confirmed);
}

static void on_read(uv_stream_t *stream, ssize_t nread, const uv_buf_t *buf) {
  struct end *end = stream->data;
  sim_called(SIM_POLL);
  sim_handle_check_open(&end->base, "a read callback");
  sim_check(end->is_reading, "stream %d: a read callback while it does not read", end->number);
  sim_check(buf->base == end->room, "stream %d: another buffer than the one that was given", end->number);
  sim_log("stream %d: read %zd", end->number, nread);
  if (nread > 0)
    check_bytes(end, buf->base, (size_t)nread);
  if (nread > 0 && end->is_ipc)
    end_take_gifts(end);
  if (nread == UV_EOF) {
    sim_check(!end->has_ended, "stream %d: ends twice", end->number);
    end->has_ended = true;
    end->is_reading = false;
    check_end(end);
  } else if (nread < 0 && nread != UV_ENOBUFS) {
    sim_check(nread == UV_ECONNRESET || nread == UV_ENOMEM || nread == UV_ECONNREFUSED || nread == UV_EPIPE,
              "stream %d: read: %zd", end->number, nread);
    end->is_broken = true;
    uv_read_stop(stream);
    end->is_reading = false;
  }
  free(end->room);
  end->room = NULL;
  sim_steps();
}

static void set_reading(struct end *end, bool on) {
  if (!sim_handle_is_open(&end->base) || !end->is_connected || end->is_reading == on)
    return;
  if (on && (end->has_ended || end->is_broken))
    return;
  int err = on ? uv_read_start(end_stream(end), on_alloc, on_read) : uv_read_stop(end_stream(end));
  sim_log("stream %d: %s reading: %d", end->number, on ? "begin" : "stop", err);
  if (err == 0)
    end->is_reading = on;
  else
    sim_check(err == UV_ENOTCONN || sim_refused(err, "uv_read_start"), "stream %d: uv_read_start: %d", end->number,
              err);
}

void end_read(struct end *end) {
  set_reading(end, true);
}

/* ---- ends ---- */

static struct end *find_free(void) {
  for (int i = 0; i < ENDS; i++)
    if (ends[i].base.handle == NULL && ends[i].write_count == 0)
      return &ends[i];
  return NULL;
}

static void on_end_closed(struct sim_handle *base) {
  struct end *end = (struct end *)base;
  sim_check(end->write_count == 0 && end->shutdown == NULL && end->connect == NULL,
            "stream %d: a request has not called back, and the handle is closed", end->number);
  free(end->room);
  end->room = NULL;
}

static struct end *make_kind(bool is_tcp, bool is_ipc) {
  struct end *end = find_free();
  if (end == NULL)
    return NULL;
  *end =
      (struct end){.number = (int)(end - ends), .is_tcp = is_tcp, .is_ipc = is_ipc, .peer = -1, .life = ++lives & 0xff};
  sim_lives_with_gaps[end->life] = false;
  uv_handle_t *handle = sim_handle_make(&end->base, is_tcp ? "tcp" : "pipe", end->number, sizeof(union uv_any_handle));
  end->base.closed = on_end_closed;
  int err = is_tcp ? uv_tcp_init(&sim.loop, (uv_tcp_t *)handle) : uv_pipe_init(&sim.loop, (uv_pipe_t *)handle, is_ipc);
  sim_check(err == 0, "a stream cannot be initialised: %d", err);
  handle->data = end;
  return end;
}

struct end *end_make(bool is_tcp) {
  return make_kind(is_tcp, false);
}

void end_close(struct end *end) {
  if (!sim_handle_is_open(&end->base))
    return;
  end->is_reading = false;
  /* What the system has not sent is lost with the handle. */
  if (end->write_count > 0)
    end->has_lost = true;
  bool resets = end->is_tcp && end->is_connected && sim_chance(15);
  end->is_broken |= resets;
  if (resets)
    sim_tcp_reset(&end->base);
  else
    sim_handle_close(&end->base);
}

static void on_connect(uv_connect_t *req, int status) {
  struct end *end = req->data;
  sim_called(SIM_POLL);
  sim_check(end->connect == req, "stream %d: a second callback of connecting", end->number);
  sim_log("stream %d: connected: %d", end->number, status);
  sim_check(status == 0 || status == UV_ECONNREFUSED || status == UV_ECANCELED || status == UV_ECONNRESET ||
                status == UV_EAGAIN || status == UV_ENOENT || status == UV_EMFILE || status == UV_ENOMEM,
            "stream %d: connecting: %d", end->number, status);
  sim_check((status == UV_ECANCELED) == end->base.is_closing,
            "stream %d: connecting has status %d, and the handle is %s", end->number, status,
            end->base.is_closing ? "closing" : "open");
  end->is_connected = status == 0;
  end->is_broken |= status != 0;
  memset(req, 0xdb, sizeof *req);
  free(req);
  end->connect = NULL;
  sim_requests--;
  if (status == 0 && sim_chance(70))
    set_reading(end, true);
  sim_steps();
}

static void connect_to(const struct listener *listener) {
  struct sockaddr_in address;
  struct end *end = end_make(listener->is_tcp);
  int err;
  if (end == NULL)
    return;
  end->connect = malloc(sizeof *end->connect);
  if (end->connect == NULL)
    abort();
  end->connect->data = end;
  sim_requests++;
  uv_ip4_addr("127.0.0.1", listener->port, &address);
  if (listener->is_tcp)
    err = uv_tcp_connect(end->connect, (uv_tcp_t *)end->base.handle, (struct sockaddr *)&address, on_connect);
  else
    err = uv_pipe_connect2(end->connect, (uv_pipe_t *)end->base.handle, listener->path, strlen(listener->path), 0,
                           on_connect);
  sim_log("stream %d: connect to listener %d: %d", end->number, listener->number, err);
  if (err == 0)
    return;
  sim_check(sim_refused(err, "connect"), "stream %d: connect: %d", end->number, err);
  free(end->connect);
  end->connect = NULL;
  sim_requests--;
  end_close(end);
}

/* Both ends at once. */
static void make_pair(void) {
  uv_os_sock_t fds[2];
  bool is_ipc = sim_chance(50);
  struct end *pair[2] = {make_kind(false, is_ipc), NULL};
  pair[1] = pair[0] == NULL ? NULL : make_kind(false, is_ipc);
  int err = pair[1] == NULL ? UV_EMFILE : uv_socketpair(SOCK_STREAM, 0, fds, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE);
  for (int i = 0; i < 2 && err == 0; i++) {
    int opened = uv_pipe_open((uv_pipe_t *)pair[i]->base.handle, fds[i]);
    sim_check(opened == 0, "uv_pipe_open: %d", opened);
    pair[i]->is_connected = true;
    set_reading(pair[i], sim_chance(80));
  }
  if (err == 0) {
    sim_log("streams %d and %d are a pair", pair[0]->number, pair[1]->number);
    return;
  }
  for (int i = 0; i < 2; i++)
    if (pair[i] != NULL)
      end_close(pair[i]);
}

/* ---- listeners ---- */

static void accept_one(struct listener *listener) {
  struct end *end = end_make(listener->is_tcp);
  if (end == NULL)
    return;
  int err = uv_accept((uv_stream_t *)listener->base.handle, end_stream(end));
  sim_log("listener %d: accepts stream %d: %d", listener->number, end->number, err);
  sim_check(err == (listener->is_waiting ? 0 : UV_EAGAIN), "uv_accept: %d", err);
  listener->is_waiting = false;
  if (err != 0) {
    end_close(end);
    return;
  }
  end->is_connected = true;
  set_reading(end, sim_chance(80));
}

static void on_connection(uv_stream_t *stream, int status) {
  struct listener *listener = stream->data;
  sim_called(SIM_POLL);
  sim_handle_check_open(&listener->base, "a connection callback");
  sim_check(!listener->is_waiting, "listener %d: a connection is offered, and the last one was not taken",
            listener->number);
  sim_log("listener %d: a connection: %d", listener->number, status);
  sim_check(status == 0, "listener %d: a connection callback: %d", listener->number, status);
  listener->is_waiting = true;
  if (sim_chance(80))
    accept_one(listener);
  sim_steps();
}

static int bind_it(struct listener *listener) {
  struct sockaddr_in address;
  int length = sizeof address;
  if (!listener->is_tcp)
    return uv_pipe_bind((uv_pipe_t *)listener->base.handle, listener->path);
  uv_ip4_addr("127.0.0.1", 0, &address);
  int err = uv_tcp_bind((uv_tcp_t *)listener->base.handle, (struct sockaddr *)&address, 0);
  if (err == 0)
    err = uv_tcp_getsockname((uv_tcp_t *)listener->base.handle, (struct sockaddr *)&address, &length);
  listener->port = ntohs(address.sin_port);
  return err;
}

static void listen_step(struct listener *listener, int number) {
  if (listener->base.handle != NULL)
    return;
  *listener = (struct listener){.number = number, .is_tcp = sim_chance(50)};
  snprintf(listener->path, sizeof listener->path, "/socket-%llu", (unsigned long long)++lives);
  uv_handle_t *handle = sim_handle_make(&listener->base, "listener", number, sizeof(union uv_any_handle));
  if (listener->is_tcp)
    uv_tcp_init(&sim.loop, (uv_tcp_t *)handle);
  else
    uv_pipe_init(&sim.loop, (uv_pipe_t *)handle, 0);
  handle->data = listener;
  int err = bind_it(listener);
  if (err == 0)
    err = uv_listen((uv_stream_t *)handle, 1 + (int)sim_below(8), on_connection);
  sim_log("listener %d: listens: %d", number, err);
  if (err == 0)
    return;
  sim_check(err == UV_EADDRINUSE || sim_refused(err, "listen"), "listening: %d", err);
  sim_handle_close(&listener->base);
}

/* ---- steps ---- */

static void end_step(struct end *end) {
  if (!sim_handle_is_open(&end->base))
    return;
  switch (sim_below(12)) {
  case 0:
    if (sim_chance(30))
      end_close(end);
    return;
  case 1:
    if (sim_chance(40))
      end_shutdown(end);
    return;
  case 2:
    end_try_write(end);
    return;
  case 3:
    set_reading(end, false);
    return;
  case 4:
    if (sim_chance(20))
      end_cancel_write(end);
    return;
  case 5:
  case 6:
    set_reading(end, true);
    return;
  default:
    end_write(end);
  }
}

static void stream_step(void) {
  int number = (int)sim_below(LISTENERS);
  struct listener *listener = &listeners[number];
  unsigned int choice = sim_below(20);
  if (choice == 0)
    listen_step(listener, number);
  else if (choice == 1 && sim_handle_is_open(&listener->base) && sim_chance(20))
    sim_handle_close(&listener->base);
  else if (choice < 4 && sim_handle_is_open(&listener->base))
    connect_to(listener);
  else if (choice < 4)
    listen_step(listener, number);
  else if (choice == 4)
    make_pair();
  else if (choice == 5 && sim_handle_is_open(&listener->base) && listener->is_waiting)
    accept_one(listener);
  else
    end_step(&ends[sim_below(ENDS)]);
}

/* Who reads gets all that is written, unless the connection breaks. */
static bool end_is_done(struct end *end) {
  if (!sim_handle_is_open(&end->base) || end->is_broken)
    return true;
  if (end->connect != NULL)
    return false;
  set_reading(end, true);
  if (end->peer < 0 || end->has_ended || (unsigned char)ends[end->peer].life != end->header[1])
    return end->peer < 0 || end->has_ended;
  const struct end *peer = &ends[end->peer];
  return !sim_handle_is_open(&peer->base) || peer->is_broken || peer->has_lost || end->received == peer->offered;
}

static bool streams_done(void) {
  bool done = true;
  for (int i = 0; i < LISTENERS; i++)
    if (sim_handle_is_open(&listeners[i].base) && listeners[i].is_waiting)
      accept_one(&listeners[i]);
  for (int i = 0; i < ENDS; i++)
    if (!end_is_done(&ends[i])) {
      sim_log("stream %d waits", i);
      done = false;
    }
  return done;
}

static void streams_close(void) {
  gift_close();
  for (int i = 0; i < ENDS; i++)
    end_close(&ends[i]);
  for (int i = 0; i < LISTENERS; i++)
    if (sim_handle_is_open(&listeners[i].base))
      sim_handle_close(&listeners[i].base);
}

static bool streams_alive(void) {
  for (int i = 0; i < ENDS; i++)
    if (sim_handle_is_open(&ends[i].base) && ends[i].is_reading)
      return true;
  for (int i = 0; i < LISTENERS; i++)
    if (sim_handle_is_open(&listeners[i].base) && uv_is_active(listeners[i].base.handle))
      return true;
  return false;
}

const struct sim_part sim_streams = {
    .name = "streams", .step = stream_step, .is_done = streams_done, .close = streams_close, .is_alive = streams_alive};
