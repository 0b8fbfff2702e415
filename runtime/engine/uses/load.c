/* Loading the engine's library.
 *
 * The engine names libraries that most programs never use, and these name others: sixteen of the 26 that were loaded
 * with each start, and a quarter of its time. runtime/tools/lazy makes those of their functions that are wanted
 * (js_engine_deferred has the libraries' names); each loads its library with its first call (runtime/lazy.c). While the
 * engine is loaded, the program itself stands for these libraries: the C library compares what an object needs with a
 * list of names of each object that is loaded, and the program's list has theirs for that moment. Afterwards the names
 * are taken back, so that an addon which needs one of these libraries gets the real one.
 *
 * That list is behind the documented part of glibc's link_map. It is used only if the words before it, and the C
 * library's own list, have what they must have. All symbols are bound while the engine is loaded, so a release of the
 * engine that wants more than was made here is found out: it cannot be loaded, nothing of it stays, and it is loaded
 * again in the usual way. */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/uses/build.h"

static const char library_name[] = "libjavascriptcoregtk-4.1.so.0";

#if defined(__x86_64__) && defined(__GLIBC__)

enum { NAMES_MAX = 16 };

struct name {
  const char *text;
  struct name *next;
  int is_static;
};

/* What follows the documented part of a link_map. */
struct map {
  struct link_map known;
  struct map *self;
  long space;
  struct name *names;
};

extern const char js_engine_deferred[]; /* one after the other; an empty one at the end */

static bool is_as_expected(const struct map *map) {
  return map->self == map && map->space == LM_ID_BASE && map->names != NULL;
}

/* The program's own object, if its names can be found: those of the C library are known. */
static struct map *find_program(void) {
  void *program = dlopen(NULL, RTLD_LAZY), *c_library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  struct map *map = NULL, *sample = NULL;
  bool good = program != NULL && c_library != NULL && dlinfo(program, RTLD_DI_LINKMAP, &map) == 0 &&
              dlinfo(c_library, RTLD_DI_LINKMAP, &sample) == 0 && is_as_expected(sample) && is_as_expected(map) &&
              strcmp(sample->names->text, "libc.so.6") == 0 && map->names->text[0] == 0;
  if (program != NULL)
    dlclose(program);
  if (c_library != NULL)
    dlclose(c_library);
  return good ? map : NULL;
}

/* A library that looks for its own names in itself first finds them at once: that is a tenth of the instructions of a
 * short program. What was preloaded stands before all libraries, and must be found; sanitizers are preloaded, too. */
static int own_first(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 0;
#else
  return getenv("LD_PRELOAD") == NULL ? RTLD_DEEPBIND : 0;
#endif
}

static void *load_in_part(void) {
  static struct name names[NAMES_MAX];
  struct map *program = find_program();
  if (program == NULL)
    return NULL;
  size_t count = 0;
  for (const char *text = js_engine_deferred; *text != 0 && count < NAMES_MAX; text += strlen(text) + 1) {
    names[count] = (struct name){text, &names[count + 1], 1};
    count++;
  }
  if (count == 0)
    return NULL;
  struct name *last = program->names;
  while (last->next != NULL)
    last = last->next;
  names[count - 1].next = NULL;
  last->next = names;
  void *engine = dlopen(library_name, RTLD_NOW | RTLD_GLOBAL | own_first());
  last->next = names[count - 1].next;
  return engine;
}

static bool is_portable(void) {
  const char *wish = getenv("ROTA_ENGINE");
  return wish != NULL && strstr(wish, "portable") != NULL;
}

static void *load(void) {
  /* Alone, and before the engine: its own names, of which it looks up 1,700, are then looked for in fewer libraries. */
  dlopen("libstdc++.so.6", RTLD_LAZY | own_first());
  void *engine = is_portable() ? NULL : load_in_part();
  return engine != NULL ? engine : dlopen(library_name, RTLD_LAZY | RTLD_GLOBAL);
}

#else

/* The program is linked with it. */
static void *load(void) {
  return dlopen(library_name, RTLD_LAZY | RTLD_GLOBAL);
}

#endif

static void *library; /* by the main thread, before there is another */
static const void *library_start;

void *js_engine_library(void) {
  if (library != NULL)
    return library;
  library = load();
  struct link_map *map = NULL;
  struct dl_find_object place;
  if (library == NULL || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || _dl_find_object(map->l_ld, &place) != 0) {
    fprintf(stderr, "rota: %s\n", dlerror());
    _Exit(127);
  }
  library_start = place.dlfo_map_start;
  return library;
}

bool js_engine_has(const void *address) {
  struct dl_find_object place;
  js_engine_library();
  return _dl_find_object((void *)(uintptr_t)address, &place) == 0 && place.dlfo_map_start == library_start;
}
