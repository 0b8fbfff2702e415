/* Datagrams on the loopback: from one sender to one receiver they arrive in order and completely, as long as the kernel
 * has room. A datagram names its sender and its number. */
#include "model.h"
#include "steps.h"

#include <stdlib.h>
#include <string.h>

enum { UNREAD_MAX = 20, NUMBERS = 256, SIZE_MAX_UDP = 1200, ROOM = 4096, BATCH = 4 };

struct udp {
  struct object base;
  struct sockaddr_storage address;
  bool receiving, batched, progress_open;
  int sent_to, got;              /* datagrams that others have sent to it, and that it has received */
  int sends, sends_done;         /* requests of its own */
  int out[NUMBERS], in[NUMBERS]; /* the next numbers, by the other's id */
  char *batch;                   /* memory for several datagrams, until it is said to be free */
};

struct header {
  int from, number, size;
};

static bool settled(const struct object *object) {
  const struct udp *udp = (const struct udp *)object;
  return (!udp->receiving || udp->got == udp->sent_to) && udp->sends == udp->sends_done;
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  struct udp *udp = handle->data;
  size_t size = udp->batched ? (size_t)65536 * BATCH : ROOM;
  callback_enter(&udp->base);
  if (suggested != 65536)
    object_bad(&udp->base, "suggested %d", (int)suggested);
  if (udp->batch != NULL)
    object_bad(&udp->base, "alloc after alloc");
  udp->batch = malloc(size);
  *buf = uv_buf_init(udp->batch, (unsigned int)size);
}

static void take(struct udp *udp, const char *bytes, size_t size) {
  struct header header;
  if (size < sizeof(header)) {
    object_bad(&udp->base, "short");
    return;
  }
  memcpy(&header, bytes, sizeof(header));
  if (header.from < 0 || header.from >= NUMBERS || (size_t)header.size != size)
    object_bad(&udp->base, "damaged");
  else if (header.number != udp->in[header.from]++)
    object_bad(&udp->base, "number %d of %d", header.number, header.from);
  else if (memcmp(bytes + sizeof(header), content_at((uint64_t)header.from, (uint64_t)header.number),
                  size - sizeof(header)) != 0)
    object_bad(&udp->base, "wrong bytes");
  udp->got++;
}

static void on_receive(uv_udp_t *handle, ssize_t n, const uv_buf_t *buf, const struct sockaddr *from,
                       unsigned int flags) {
  struct udp *udp = handle->data;
  callback_enter(&udp->base);
  bool is_part = (flags & UV_UDP_MMSG_CHUNK) != 0;
  if (n < 0)
    object_note(&udp->base, "r%s", error_name((int)n));
  if (from != NULL && n >= 0)
    take(udp, buf->base, (size_t)n);
  if (!is_part) {
    free(udp->batch);
    udp->batch = NULL;
  }
  if (from != NULL)
    object_react(&udp->base, ON_READ);
  callback_leave();
}

static void start(struct udp *udp) {
  int err = uv_udp_recv_start((uv_udp_t *)udp->base.handle, on_alloc, on_receive);
  object_note(&udp->base, "start:%s", error_name(err));
  udp->receiving = true;
  udp->progress_open = false;
}

static void stop(struct udp *udp) {
  object_note(&udp->base, "stop:%s", error_name(uv_udp_recv_stop((uv_udp_t *)udp->base.handle)));
  udp->receiving = false;
}

static void closing(struct object *object) {
  if (!world.in_batch || ((struct udp *)object)->progress_open)
    object_loosen(object);
}

static void act(struct object *object, enum action action, int amount) {
  struct udp *udp = (struct udp *)object;
  (void)amount;
  if (action == DO_CLOSE)
    object_close(object);
  if (udp->batched) /* a handle that stops in the middle of a batch loses the rest of it */
    return;
  if (action == DO_STOP && udp->receiving) {
    stop(udp);
    udp->progress_open = true;
  }
  if (action == DO_RESTART && udp->receiving) {
    stop(udp);
    start(udp);
  }
}

static void print(const struct object *object, struct text *out) {
  const struct udp *udp = (const struct udp *)object;
  text_add(out, " %d sent to it, %d received, %d sent,", udp->sent_to, udp->got, udp->sends_done);
}

static void finish(struct object *object) {
  if (!((struct udp *)object)->receiving)
    start((struct udp *)object);
}

static void gone(struct object *object) {
  free(((struct udp *)object)->batch);
}

static const struct kind kind = {
    .name = "udp", .settled = settled, .closing = closing, .act = act, .print = print, .finish = finish, .gone = gone};

static bool is_udp(const struct object *object) {
  return object->kind == &kind;
}

static bool has_room(const struct object *object) {
  return is_udp(object) && ((const struct udp *)object)->sent_to - ((const struct udp *)object)->got < UNREAD_MAX &&
         !((const struct udp *)object)->progress_open;
}

void step_udp(const struct step *step) {
  struct udp *udp = object_new(sizeof(*udp), &kind, sizeof(uv_udp_t));
  uv_udp_t *handle = (uv_udp_t *)udp->base.handle;
  int length = sizeof(udp->address);
  udp->batched = step->a % 3 == 0;
  uv_udp_init_ex(world.loop, handle, udp->batched ? AF_INET | UV_UDP_RECVMMSG : AF_INET);
  uv_ip4_addr("127.0.0.1", 0, (struct sockaddr_in *)&udp->address);
  if (uv_udp_bind(handle, (struct sockaddr *)&udp->address, 0) != 0 ||
      uv_udp_getsockname(handle, (struct sockaddr *)&udp->address, &length) != 0)
    object_bad(&udp->base, "bind");
  if (step->b % 3 > 0)
    start(udp);
}

struct sending {
  uv_udp_send_t req;
  struct udp *udp, *to;
  int number;
  char bytes[SIZE_MAX_UDP];
};

static void on_send(uv_udp_send_t *req, int status) {
  struct sending *sending = req->data;
  struct udp *udp = sending->udp;
  callback_enter(&udp->base);
  if (sending->number != udp->sends_done)
    object_bad(&udp->base, "send %d called back as %d", sending->number, udp->sends_done);
  udp->sends_done++;
  if (status < 0) /* its socket was closed before it was sent */
    sending->to->sent_to--;
  object_note(&udp->base, "u%s", error_name(status));
  free(sending);
  object_react(&udp->base, ON_WRITE);
  callback_leave();
}

static uv_buf_t fill(struct sending *sending, const struct udp *to, int size) {
  struct udp *udp = sending->udp;
  struct header header = {udp->base.id, udp->out[to->base.id], (int)sizeof(header) + size};
  memcpy(sending->bytes, &header, sizeof(header));
  memcpy(sending->bytes + sizeof(header), content_at((uint64_t)header.from, (uint64_t)header.number), (size_t)size);
  return uv_buf_init(sending->bytes, (unsigned int)header.size);
}

void step_udp_send(const struct step *step) {
  struct udp *udp = (struct udp *)world_pick(step->a, is_udp);
  struct udp *to = (struct udp *)world_pick(step->b, has_room);
  if (udp == NULL || to == NULL)
    return;
  uv_udp_t *handle = (uv_udp_t *)udp->base.handle;
  struct sending *sending = calloc(1, sizeof(*sending));
  if (sending == NULL)
    abort();
  sending->udp = udp;
  sending->to = to;
  sending->req.data = sending;
  sending->number = udp->sends;
  uv_buf_t buf = fill(sending, to, step->c);
  bool is_try = step->c % 4 == 0 && program_allows("try_write");
  int err = is_try ? uv_udp_try_send(handle, &buf, 1, (struct sockaddr *)&to->address)
                   : uv_udp_send(&sending->req, handle, &buf, 1, (struct sockaddr *)&to->address, on_send);
  object_note(&udp->base, "%s:%s", is_try ? "try" : "send", error_name(err));
  if (err >= 0) {
    udp->out[to->base.id]++;
    to->sent_to++;
  }
  if (err >= 0 && !is_try)
    udp->sends++;
  else
    free(sending);
}

void step_udp_switch(const struct step *step) {
  struct udp *udp = (struct udp *)world_pick(step->a, is_udp);
  if (udp == NULL)
    return;
  if (udp->receiving)
    stop(udp);
  else
    start(udp);
}
