/* UDP: each datagram that arrives is one that was sent, whole, and comes once; each send calls back once. */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "simulator.h"

enum { SOCKETS = 4, SENDS = 32, KNOWN = 4096, LARGEST = 3000, ROOM = 4 * 65536 };

/* A datagram begins with its number; the rest follows from it. */
static struct {
  size_t length;
  int to; /* the socket */
  bool is_sent, has_come, was_cancelled;
} known[KNOWN];

static uint32_t numbers;

static struct send {
  uv_udp_send_t *req;
  char *bytes;
  uint32_t number;
} sends[SENDS];

static struct sock {
  struct sim_handle base;
  int number, port;
  bool receives, is_many;
  bool was_stopped; /* since the last buffer: who stops between the datagrams of one does not get it back */
  char *room;
  int life;
  int pending;
} sockets[SOCKETS];

static int lives;

static uv_udp_t *udp_of(const struct sock *self) {
  return (uv_udp_t *)self->base.handle;
}

static char byte_of(uint32_t number, size_t place) {
  return (char)(number * 7 + place * 13 + (place >> 8));
}

/* ---- receiving ---- */

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  struct sock *self = handle->data;
  (void)suggested;
  sim_handle_check_open(&self->base, "an alloc callback");
  sim_check(self->receives, "udp %d: an alloc callback while it does not receive", self->number);
  if (self->was_stopped) {
    free(self->room);
    self->room = NULL;
  }
  self->was_stopped = false;
  sim_check(self->room == NULL, "udp %d: a second buffer before the first is given back", self->number);
  self->room = malloc(ROOM);
  *buf = uv_buf_init(self->room, self->is_many ? ROOM : 65536);
}

static void check_datagram(const struct sock *self, const char *bytes, size_t length) {
  uint32_t number;
  sim_check(length >= sizeof number, "udp %d: a datagram of %zu bytes, which nobody sent", self->number, length);
  memcpy(&number, bytes, sizeof number);
  sim_check(number < numbers && number < KNOWN, "udp %d: a datagram that nobody sent", self->number);
  sim_check(!known[number].has_come, "udp %d: datagram %u comes twice", self->number, number);
  sim_check(!known[number].was_cancelled, "udp %d: datagram %u comes, and was cancelled", self->number, number);
  sim_check(known[number].length == length, "udp %d: datagram %u has %zu bytes, and had %zu", self->number, number,
            length, known[number].length);
  for (size_t i = sizeof number; i < length; i++)
    sim_check(bytes[i] == byte_of(number, i), "udp %d: byte %zu of datagram %u is another one", self->number, i,
              number);
  known[number].has_come = true;
}

static void on_receive(uv_udp_t *udp, ssize_t nread, const uv_buf_t *buf, const struct sockaddr *address,
                       unsigned int flags) {
  struct sock *self = udp->data;
  sim_called(SIM_POLL);
  /* The buffer of many datagrams is given back in any case. */
  if (!(flags & UV_UDP_MMSG_FREE))
    sim_handle_check_open(&self->base, "a receive callback");
  sim_log("udp %d: received %zd, flags %u", self->number, nread, flags);
  sim_check(nread >= 0 || nread == UV_ECONNREFUSED, "udp %d: received %zd", self->number, nread);
  bool has_datagram = address != NULL;
  sim_check(has_datagram || nread <= 0, "udp %d: a datagram from nobody", self->number);
  if (has_datagram) {
    sim_check(buf->base >= self->room && buf->base + nread <= self->room + ROOM, "udp %d: bytes outside of the buffer",
              self->number);
    sim_check(!(flags & UV_UDP_PARTIAL), "udp %d: a datagram was cut", self->number);
    check_datagram(self, buf->base, (size_t)nread);
  }
  if (!(flags & UV_UDP_MMSG_CHUNK)) {
    free(self->room);
    self->room = NULL;
  }
  if (!self->base.is_closing)
    sim_steps();
}

/* ---- sending ---- */

static void on_send(uv_udp_send_t *req, int status) {
  struct send *send = req->data;
  struct sock *self = req->handle->data;
  sim_called(SIM_POLL);
  sim_check(send->req == req, "a second callback of a datagram");
  sim_log("udp %d: datagram %u is sent: %d", self->number, send->number, status);
  sim_check(status == 0 || status == UV_ECANCELED || status == UV_ECONNREFUSED || status == UV_ENOBUFS ||
                status == UV_EDESTADDRREQ,
            "udp %d: sending gives %d", self->number, status);
  sim_check(status != UV_ECANCELED || self->base.is_closing, "udp %d: a datagram is cancelled by nobody", self->number);
  known[send->number].was_cancelled = status == UV_ECANCELED;
  sim_check(status != UV_ECANCELED || !known[send->number].has_come, "datagram %u has come, and was cancelled",
            send->number);
  memset(req, 0xdb, sizeof *req);
  free(req);
  free(send->bytes);
  send->req = NULL;
  self->pending--;
  sim_requests--;
  if (!self->base.is_closing && self->pending == 0)
    sim_check(uv_udp_get_send_queue_count(udp_of(self)) == 0 && uv_udp_get_send_queue_size(udp_of(self)) == 0,
              "udp %d: nothing waits, and is counted", self->number);
  sim_steps();
}

static char *make_datagram(const struct sock *to, size_t length) {
  char *bytes = malloc(length);
  if (bytes == NULL)
    abort();
  for (size_t i = 0; i < length; i++)
    bytes[i] = byte_of(numbers, i);
  memcpy(bytes, &numbers, sizeof numbers);
  known[numbers].length = length;
  known[numbers].to = to->number;
  return bytes;
}

static struct send *find_free(void) {
  for (int i = 0; i < SENDS; i++)
    if (sends[i].req == NULL)
      return &sends[i];
  return NULL;
}

static void send_one(struct sock *self, const struct sock *to) {
  struct sockaddr_in address;
  struct send *send = find_free();
  if (numbers == KNOWN || send == NULL)
    return;
  size_t length = sizeof numbers + sim_below(sim_chance(10) ? LARGEST : 50);
  char *bytes = make_datagram(to, length);
  uint32_t number = numbers++;
  uv_buf_t bufs[2] = {uv_buf_init(bytes, 3), uv_buf_init(bytes + 3, (unsigned int)length - 3)};
  uv_ip4_addr("127.0.0.1", to->port, &address);
  if (sim_chance(30)) {
    int n = uv_udp_try_send(udp_of(self), bufs, 2, (struct sockaddr *)&address);
    sim_log("udp %d: try to send datagram %u: %d", self->number, number, n);
    sim_check(n == (int)length || n == UV_EAGAIN || n == UV_ENOBUFS || n == UV_ECONNREFUSED, "uv_udp_try_send: %d", n);
    known[number].was_cancelled = n < 0;
    free(bytes);
    return;
  }
  *send = (struct send){.req = malloc(sizeof *send->req), .bytes = bytes, .number = number};
  if (send->req == NULL)
    abort();
  send->req->data = send;
  sim_requests++;
  self->pending++;
  int err = uv_udp_send(send->req, udp_of(self), bufs, 2, (struct sockaddr *)&address, on_send);
  sim_log("udp %d: send datagram %u: %d", self->number, number, err);
  if (err == 0)
    return;
  sim_check(sim_refused(err, "uv_udp_send"), "uv_udp_send: %d", err);
  known[number].was_cancelled = true;
  sim_requests--;
  self->pending--;
  free(send->req);
  free(bytes);
  send->req = NULL;
}

/* ---- steps ---- */

static void on_socket_closed(struct sim_handle *base) {
  struct sock *self = (struct sock *)base;
  sim_check(self->pending == 0, "udp %d: a send has not called back, and the handle is closed", self->number);
  free(self->room);
  self->room = NULL;
}

static void make_socket(struct sock *self, int number) {
  struct sockaddr_in address;
  int length = sizeof address;
  *self = (struct sock){.number = number, .is_many = sim_chance(40), .life = ++lives};
  uv_udp_t *udp = sim_handle_make(&self->base, "udp", number, sizeof *udp);
  self->base.closed = on_socket_closed;
  int err = uv_udp_init_ex(&sim.loop, udp, AF_UNSPEC | (self->is_many ? UV_UDP_RECVMMSG : 0));
  sim_check(err == 0, "uv_udp_init_ex: %d", err);
  udp->data = self;
  uv_ip4_addr("127.0.0.1", 0, &address);
  err = uv_udp_bind(udp, (struct sockaddr *)&address, 0);
  if (err == 0)
    err = uv_udp_getsockname(udp, (struct sockaddr *)&address, &length);
  sim_log("udp %d: bound: %d", number, err);
  if (sim_refused(err, "uv_udp_bind"))
    sim_handle_close(&self->base);
  self->port = ntohs(address.sin_port);
}

static void set_receiving(struct sock *self, bool on) {
  if (self->receives == on)
    return;
  int err = on ? uv_udp_recv_start(udp_of(self), on_alloc, on_receive) : uv_udp_recv_stop(udp_of(self));
  sim_log("udp %d: %s receiving: %d", self->number, on ? "begin" : "stop", err);
  if (!sim_refused(err, "uv_udp_recv_start"))
    self->receives = on;
  self->was_stopped |= !on;
}

static void close_socket(struct sock *self) {
  self->receives = false;
  sim_handle_close(&self->base);
}

static void datagram_step(void) {
  int number = (int)sim_below(SOCKETS);
  struct sock *self = &sockets[number];
  const struct sock *to = &sockets[sim_below(SOCKETS)];
  if (self->base.handle == NULL)
    make_socket(self, number);
  if (self->base.is_closing)
    return;
  switch (sim_below(8)) {
  case 0:
    if (sim_chance(20))
      close_socket(self);
    return;
  case 1:
    set_receiving(self, sim_chance(70));
    return;
  default:
    if (sim_handle_is_open(&to->base))
      send_one(self, to);
  }
}

static bool datagrams_done(void) {
  for (int i = 0; i < SOCKETS; i++)
    if (sim_handle_is_open(&sockets[i].base) && sockets[i].pending > 0)
      return false;
  return true;
}

static void datagrams_close(void) {
  for (int i = 0; i < SOCKETS; i++)
    if (sim_handle_is_open(&sockets[i].base))
      close_socket(&sockets[i]);
}

static bool datagrams_alive(void) {
  for (int i = 0; i < SOCKETS; i++)
    if (sim_handle_is_open(&sockets[i].base) && sockets[i].receives)
      return true;
  return false;
}

const struct sim_part sim_datagrams = {.name = "datagrams",
                                       .step = datagram_step,
                                       .is_done = datagrams_done,
                                       .close = datagrams_close,
                                       .is_alive = datagrams_alive};
