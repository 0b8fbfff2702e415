/* The engine reads the time zone when it is entered from outside, and caches it until the next such entry. The loop
 * runs inside one entry (see env.c), so a change of process.env.TZ must take effect in another way: the engine has an
 * override for the zone, and its cache of dates can be cleared.
 *
 * The place of that cache is private to the engine. It is found by four of its pointers, which point into itself.
 * JS_USE_TIME_ZONE says whether it was found and works. */
#include <dlfcn.h>
#include <string.h>

#include "runtime/engine/engine.h"
#include "runtime/engine/uses/build.h"
#include "runtime/engine/uses/probes.h"

/* A DateCache begins with two words; then come two tables of sixteen lines of 64 bytes, each with two pointers behind
 * it to the lines used last, and a word between the two. */
enum { TABLE_BYTES = 1024, FIRST_TABLE = 16, SECOND_TABLE = FIRST_TABLE + TABLE_BYTES + 24, SEARCHED_BYTES = 1 << 18 };

struct string_view {
  const void *characters;
  uint32_t length;
  bool narrow;
};

static bool (*override_time_zone)(struct string_view name);
static void (*empty_date_cache)(void *cache);

const struct js_symbol js_time_zone_symbols[] = {{"_ZN3WTF19setTimeZoneOverrideENS_10StringViewE", &override_time_zone},
                                                 {"_ZN3JSC9DateCache20resetIfNecessarySlowEv", &empty_date_cache},
                                                 {"_ZN3JSC9DateCache22clearForTimeZoneChangeEv", &empty_date_cache},
                                                 {NULL, NULL}};

static bool is_table(const char *table) {
  for (int i = 0; i < 2; i++) {
    const char *line;
    memcpy(&line, table + TABLE_BYTES + (size_t)i * sizeof line, sizeof line);
    if (line < table || line >= table + TABLE_BYTES)
      return false;
  }
  return true;
}

static char *find_cache(JSContextRef context) {
  static size_t offset; /* the same in every engine of the process */
  char *vm = (char *)(uintptr_t)JSContextGetGroup(context);
  while (offset < SEARCHED_BYTES && !(is_table(vm + offset + FIRST_TABLE) && is_table(vm + offset + SECOND_TABLE)))
    offset += sizeof(void *);
  return offset < SEARCHED_BYTES ? vm + offset : NULL;
}

/* Newer releases hold the zone itself in a cache, too, until they are told, and formatters until they are next entered
 * from outside: the dates' cache must not be emptied after it. Older ones have no such function. */
static void announce_change(void) {
  void (*announce)(void);
  void *found = dlsym(js_engine_library(), "_ZN3WTF17timeZoneDidChangeEv");
  memcpy(&announce, &found, sizeof announce);
  if (announce != NULL)
    announce();
}

void js_time_zone_set(JSContextRef context, const char *name) {
  static const char universal[] = "UTC";
  if (!js_uses(JS_USE_TIME_ZONE))
    return; /* the engine looks by itself when it is next entered from outside */
  if (name == NULL)
    name = "";
  if (!override_time_zone((struct string_view){name, (uint32_t)strlen(name), true}))
    override_time_zone((struct string_view){universal, sizeof universal - 1, true});
  char *cache = find_cache(context);
  if (cache != NULL)
    empty_date_cache(cache);
  announce_change();
}

int js_probe_time_zone(JSGlobalContextRef context) {
  static const struct {
    const char *zone;
    int hours;
  } cases[] = {{"Asia/Tokyo", 10}, {"UTC", 1}, {"America/New_York", 21}, {"", -1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    js_time_zone_set(context, cases[i].zone);
    JSValueRef hours = js_check_evaluate(context, "new Date(1e12).getHours()");
    if (find_cache(context) == NULL || hours == NULL)
      return 80;
    if (cases[i].hours >= 0 && js_to_integer(context, hours) != cases[i].hours)
      return 81;
  }
  return 0;
}
