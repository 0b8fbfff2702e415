/* The data of addons for an object (its wrap, its tag, whether it is an external, whether it is referenced weakly) is
 * in a table by its address: the engine does not move objects. An entry is removed with its object, before its address
 * can be reused. */
#include "runtime/napi/home.h"

#include <stdlib.h>

static size_t place_of(const struct js_napi *home, JSValueRef object) {
  uint64_t bits = (uint64_t)(uintptr_t)object >> 4;
  return (size_t)((bits * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (home->marked_room - 1);
}

struct js_napi_record *js_napi_record_of(struct js_napi *home, JSValueRef object) {
  if (home->marked_count == 0)
    return NULL;
  for (size_t i = place_of(home, object); home->marked[i] != NULL; i = (i + 1) & (home->marked_room - 1))
    if (home->marked[i]->object == object)
      return home->marked[i];
  return NULL;
}

static void put(struct js_napi *home, struct js_napi_record *record) {
  size_t i = place_of(home, record->object);
  while (home->marked[i] != NULL)
    i = (i + 1) & (home->marked_room - 1);
  home->marked[i] = record;
}

/* Builds the table again without the entries of dead objects: holes need not be filled. */
static void rebuild(struct js_napi *home, size_t room) {
  struct js_napi_record **old = home->marked;
  size_t old_room = home->marked_room;
  home->marked = calloc(room, sizeof(struct js_napi_record *));
  if (home->marked == NULL)
    js_napi_fatal("record", "out of memory");
  home->marked_room = room;
  for (size_t i = 0; i < old_room; i++)
    if (old[i] != NULL)
      put(home, old[i]);
  free(old);
}

struct js_napi_record *js_napi_record_make(struct js_napi *home, JSObjectRef object) {
  struct js_napi_record *record = js_napi_record_of(home, object);
  if (record != NULL)
    return record;
  record = calloc(1, sizeof *record);
  if (record == NULL)
    js_napi_fatal("record", "out of memory");
  record->object = object;
  record->weak = JSWeakCreate(home->group, object);
  if ((home->marked_count + 1) * 2 > home->marked_room)
    rebuild(home, home->marked_room == 0 ? 64 : home->marked_room * 2);
  home->marked_count++;
  put(home, record);
  return record;
}

void js_napi_records_sweep(struct js_napi *home) {
  size_t gone = 0;
  for (size_t i = 0; i < home->marked_room; i++) {
    struct js_napi_record *record = home->marked[i];
    if (record == NULL || JSWeakGetObject(record->weak) != NULL)
      continue;
    JSWeakRelease(home->group, record->weak);
    home->externals -= record->external;
    free(record);
    home->marked[i] = NULL;
    gone++;
  }
  if (gone == 0)
    return;
  home->marked_count -= gone;
  size_t room = home->marked_room;
  while (room > 64 && home->marked_count * 8 < room)
    room /= 2;
  rebuild(home, room);
}
