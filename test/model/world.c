/* Objects of a program: how they are found, closed, and reported at the end. */
#include "model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct world world;

void *object_new(size_t size, const struct kind *kind, size_t handle_size) {
  struct object *object = calloc(1, size);
  if (object == NULL)
    abort();
  object->kind = kind;
  object->id = (world.step != NULL ? world.step->id : 0) * 4 + world.next_part++;
  if (handle_size > 0) {
    object->handle = calloc(1, handle_size);
    if (object->handle == NULL)
      abort();
    object->handle->data = object;
  }
  struct object **place = &world.objects;
  while (*place != NULL)
    place = &(*place)->next;
  *place = object;
  return object;
}

struct object *world_pick(int number, bool (*fits)(const struct object *object)) {
  struct object *best = NULL;
  uint64_t best_score = 0;
  for (struct object *object = world.objects; object != NULL; object = object->next) {
    uint64_t score = mix((uint64_t)number * 1000003 + (uint64_t)object->id);
    if (object->closing || object->loose || !fits(object) || (best != NULL && score <= best_score))
      continue;
    best = object;
    best_score = score;
  }
  return best;
}

static void add(struct text *text, const char *format, va_list arguments) {
  char room[256];
  vsnprintf(room, sizeof(room), format, arguments);
  text_add(text, " %s", room);
}

void object_note(struct object *object, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(&object->log, format, arguments);
  va_end(arguments);
}

void object_bad(struct object *object, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add(&object->bad, format, arguments);
  va_end(arguments);
}

void callback_enter(struct object *object) {
  if (object->closed)
    object_bad(object, "callback after the close callback");
}

void callback_leave(void) {
  if (world.running && world.batch_done && world_settled())
    uv_stop(world.loop);
}

static bool is_any(const struct object *object) {
  return !object->own_close;
}

void object_react(struct object *object, enum event event) {
  enum action action = (enum action)object->reaction[event];
  if (action == DO_NOTHING || object->closing)
    return;
  object->reaction[event] = DO_NOTHING;
  bool in_batch = world.in_batch;
  world.in_batch = false;
  if (action == DO_CLOSE_OTHER)
    object_close(object->other[event]);
  else if (object->kind->act != NULL)
    object->kind->act(object, action, object->amount[event]);
  world.in_batch = in_batch;
}

void object_loosen(struct object *object) {
  if (object->loose)
    return;
  object->loose = true;
  if (object->kind->loosen != NULL)
    object->kind->loosen(object);
}

void object_close_begun(struct object *object) {
  object->closing = true;
  object->close_in_batch = world.in_batch && !object->own_close;
}

void object_close(struct object *object) {
  if (object->closing)
    return;
  if (object->kind->closing != NULL)
    object->kind->closing(object);
  object_close_begun(object);
  uv_close(object->handle, object_on_close);
}

void object_gone(struct object *object) {
  object->closing = true;
  object->closed = true;
}

void object_on_close(uv_handle_t *handle) {
  struct object *object = handle->data;
  callback_enter(object);
  if (object->close_in_batch)
    text_add(&world.close_order, " %d", object->id);
  object->closed = true;
  if (object->kind->gone != NULL)
    object->kind->gone(object);
  free(handle);
  object->handle = NULL;
  callback_leave();
}

void world_calm(void) {
  for (struct object *object = world.objects; object != NULL; object = object->next) {
    if (object->closing)
      continue;
    if (object->kind->calm != NULL)
      object->kind->calm(object);
    if (object->loose)
      object_close(object);
  }
}

void world_forked(void) {
  for (struct object *object = world.objects; object != NULL; object = object->next)
    if (!object->closing && object->kind->forked != NULL)
      object->kind->forked(object);
}

void world_finish(void) {
  for (struct object *object = world.objects; object != NULL; object = object->next)
    if (!object->closing && object->kind->finish != NULL)
      object->kind->finish(object);
}

void world_close_all(void) {
  for (struct object *object = world.objects; object != NULL; object = object->next)
    if (!object->own_close)
      object_close(object);
}

static bool object_settled(const struct object *object) {
  if (object->closed)
    return true;
  return !object->closing && (object->kind->settled == NULL || object->kind->settled(object));
}

bool world_settled(void) {
  if (world.pending > 0)
    return false;
  for (const struct object *object = world.objects; object != NULL; object = object->next)
    if (!object_settled(object))
      return false;
  return true;
}

static void print_object(const struct object *object, struct text *out) {
  text_add(out, "%s %d:", object->kind->name, object->id);
  if (object->loose)
    text_add(out, " (open)");
  else if (object->kind->print != NULL)
    object->kind->print(object, out);
  if (!object->loose)
    text_add(out, "%s", text_of(&object->log));
  text_add(out, "%s", object->closed ? " closed" : object->closing ? " CLOSING" : " NOT CLOSED");
  if (object->bad.length > 0)
    text_add(out, " BAD:%s", text_of(&object->bad));
  text_add(out, "\n");
}

void world_print(struct text *out) {
  for (const struct object *object = world.objects; object != NULL; object = object->next)
    print_object(object, out);
}

void world_print_unsettled(struct text *out) {
  text_add(out, "round %d, %d pending", world.round, world.pending);
  for (const struct object *object = world.objects; object != NULL; object = object->next)
    if (!object_settled(object)) {
      text_add(out, "\nnot settled: ");
      print_object(object, out);
    }
  text_add(out, "\n");
}

/* An object that a reaction closes is loose from now on, and closed when the next round begins, whether the event comes
 * or not. */
void step_react(const struct step *step) {
  struct object *object = world_pick(step->a, is_any);
  if (object == NULL)
    return;
  enum event event = (enum event)(step->b % EVENTS);
  enum action action = (enum action)(step->c % ACTIONS);
  if (action == DO_CLOSE_OTHER) {
    struct object *other = world_pick(step->a + step->b, is_any);
    if (other == NULL || other == object)
      return;
    object_loosen(other);
    object->other[event] = other;
  }
  object->reaction[event] = (uint8_t)action;
  object->amount[event] = (uint8_t)(step->c / ACTIONS);
}

void step_close(const struct step *step) {
  struct object *object = world_pick(step->a, is_any);
  if (object != NULL)
    object_close(object);
}
