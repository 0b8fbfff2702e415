/* Steps on the ends of links. */
#include "link.h"
#include "steps.h"

#include <string.h>

static const struct end *end_of(const struct object *object) {
  return object->kind == &end_kind ? (const struct end *)object : NULL;
}

static bool can_write(const struct object *object) {
  const struct end *end = end_of(object);
  return end != NULL && end->can_write && !end->shutting && !end->failed && (end->open || end->connects);
}

static bool can_shut(const struct object *object) {
  return can_write(object) && end_of(object)->open && !end_of(object)->plain_pipe;
}

static bool can_try(const struct object *object) {
  return can_write(object) && end_of(object)->open && end_is_small(end_of(object), 1000);
}

static bool can_read(const struct object *object) {
  const struct end *end = end_of(object);
  return end != NULL && end->can_read && end->open && !end->ended;
}

static bool is_open_tcp(const struct object *object) {
  const struct end *end = end_of(object);
  return end != NULL && end->is_tcp && end->open && !end->shutting;
}

static struct end *pick(int number, bool (*fits)(const struct object *object)) {
  return (struct end *)world_pick(number, fits);
}

/* Most messages are short, some are long, and the longest find no room in the kernel. */
static size_t message_size(const struct end *end, int number) {
  if (number % 8 < 5)
    return (size_t)number;
  if (number % 8 < 7)
    return (size_t)number * 60;
  return (size_t)number * 900 > CONTENT_MAX || !end->open ? 1 : (size_t)number * 900;
}

void step_write(const struct step *step) {
  struct end *end = pick(step->a, can_write);
  if (end != NULL)
    end_write(end, message_size(end, step->b), (unsigned int)step->c);
}

void step_try_write(const struct step *step) {
  struct end *end = pick(step->a, can_try);
  if (end == NULL)
    return;
  if (end->peer != NULL && end->peer->base.closing)
    object_loosen(&end->base);
  uv_buf_t buf = uv_buf_init((char *)content_at(end->key, end->sent), (unsigned int)step->b);
  int n = uv_try_write(end_stream(end), &buf, 1);
  text_add(&end->calls, " try_write:%s", n < 0 ? error_name(n) : n == step->b ? "all" : "part");
  if (n > 0) {
    end->sent += (uint64_t)n;
    end->writes_outstanding++;
  }
}

void step_shutdown(const struct step *step) {
  struct end *end = pick(step->a, can_shut);
  if (end != NULL)
    end_shutdown(end);
}

void step_read_start(const struct step *step) {
  struct end *end = pick(step->a, can_read);
  if (end != NULL)
    end_start(end);
}

void step_read_stop(const struct step *step) {
  struct end *end = pick(step->a, can_read);
  if (end != NULL)
    end_stop(end);
}

/* Clean if nothing is on its way: then the other end sees just the reset. */
void step_reset(const struct step *step) {
  struct end *end = pick(step->a, is_open_tcp);
  if (end == NULL)
    return;
  const struct end *peer = end->peer;
  if (end->sent != peer->known || peer->sent != end->known || peer->connecting || peer->shutting || peer->base.closing)
    object_loosen(&end->base);
  int err = uv_tcp_close_reset((uv_tcp_t *)end->base.handle, object_on_close);
  text_add(&end->calls, " reset:%s", error_name(err));
  if (err == 0)
    object_close_begun(&end->base);
}
