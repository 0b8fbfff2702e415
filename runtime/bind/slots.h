/* Numbers for objects that JavaScript refers to: a number gives its object, or nothing once the object is gone, so that
 * no order of calls from JavaScript can reach freed memory. Numbers are reused, the last one first. */
#ifndef JS_BINDING_SLOTS_H
#define JS_BINDING_SLOTS_H

#include <stdlib.h>

struct js_slots {
  void **things; /* by number */
  int *free;     /* numbers that can be given out again */
  int room, used, free_count;
};

/* -> the object's number, or -1 without memory */
static inline int js_slots_add(struct js_slots *slots, void *thing) {
  if (slots->free_count == 0 && slots->used == slots->room) {
    int room = slots->room == 0 ? 64 : slots->room * 2;
    void **things = realloc(slots->things, (size_t)room * sizeof *things);
    if (things == NULL)
      return -1;
    slots->things = things;
    int *list = realloc(slots->free, (size_t)room * sizeof *list);
    if (list == NULL)
      return -1;
    slots->free = list;
    slots->room = room;
  }
  int number = slots->free_count > 0 ? slots->free[--slots->free_count] : slots->used++;
  slots->things[number] = thing;
  return number;
}

static inline void *js_slots_find(const struct js_slots *slots, int number) {
  return number >= 0 && number < slots->used ? slots->things[number] : NULL;
}

static inline void js_slots_remove(struct js_slots *slots, int number) {
  slots->things[number] = NULL;
  slots->free[slots->free_count++] = number;
}

#endif
