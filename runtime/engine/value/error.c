/* The engine calls no hook when it makes an error, and an error that it throws by itself runs no constructor. But the
 * class of errors has its own functions for its properties (they make `stack` when it is first wanted), and those stand
 * in a table which the library exports: ErrorInstance::s_info. Ours stand before them there. Nothing is paid when an
 * error is made, thrown or caught; a first look at one that is not ours costs a call into JavaScript.
 *
 * The engine keeps no inline cache for an error as it was thrown: caches go by an object's shape after the look, and
 * adopting has changed that. So each error comes here.
 *
 * The table is read-only memory, made writable for the moment of the change, before there is a second thread. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/engine/engine.h"
#include "runtime/engine/uses/build.h"
#include "runtime/engine/uses/probes.h"

/* JSC::ClassInfo as words: a head of six, then the table of functions. Those that errors have of their own: */
enum { PUT = 9, DELETE = 11, GET = 13, LIST = 16, DEFINE = 18, TABLE_BEGIN = 6, TABLE_END = 26, CELL_SIZE_AT = 30 };
static const int own_functions[] = {PUT, DELETE, GET, LIST, DEFINE};
enum { OWN_COUNT = sizeof own_functions / sizeof *own_functions, CELL_SIZE = 64 };

/* JSC::ErrorInstance: a word that says of what type the value was that the error is about, 0 once the message is made.
 * Its highest bit stands for no type, and is ours: the error need not be adopted any more. */
enum { TYPE_AT = 0x39, KNOWN = 0x80 };
/* The next bit stands for no type, either. */
enum { POSTPONED = 0x40 };

/* JSC::PutPropertySlot, JSC::DeletePropertySlot: whether the engine may remember the object's shapes before and after.
 * Not if adopting lies between. */
enum { PUT_SLOT_CACHEABLE = 0x17, DELETE_SLOT_CACHEABLE = 4 };

/* Asked for by name: what the linker gives a program for such a variable is a copy. */
static const char error_class_name[] = "_ZN3JSC13ErrorInstance6s_infoE",
                  object_class_name[] = "_ZN3JSC8JSObject6s_infoE";
static void **error_class;

typedef uintptr_t (*property_function)(uint8_t *cell, JSContextRef global, uintptr_t a, uintptr_t b, uintptr_t c);

static property_function originals[TABLE_END];

/* What the engine makes when it is first asked for: the names, as this thread's engine knows them. */
static const char *const made_late[] = {"stack", "line", "column", "sourceURL"};
enum { MADE_LATE = sizeof made_late / sizeof *made_late };

static _Thread_local struct {
  JSObjectRef adopt;
  const double *busy;
  bool inside; /* an error met while one is adopted stays as it is */
  uintptr_t names[MADE_LATE];
  uintptr_t *asked; /* gets the name that is asked for */
} watch;

/* Where the stack was full a moment ago, there may be no room for adopting: the message alone can be set from here. The
 * next look tries again. */
static void say_overflow(JSContextRef global, JSObjectRef error) {
  static const char text[] = "Maximum call stack size exceeded";
  JSStringRef key = JSStringCreateWithUTF8CString("message"), given = JSStringCreateWithUTF8CString(text);
  JSValueRef message = JSObjectGetProperty(global, error, key, NULL);
  char found[sizeof text + 1];
  if (message != NULL && JSValueIsString(global, message)) {
    JSStringRef string = JSValueToStringCopy(global, message, NULL);
    if (JSStringGetLength(string) == sizeof text && JSStringGetUTF8CString(string, found, sizeof found) > 0 &&
        memcmp(found, text, sizeof text - 1) == 0)
      JSObjectSetProperty(global, error, key, JSValueMakeString(global, given), kJSPropertyAttributeDontEnum, NULL);
    JSStringRelease(string);
  }
  JSStringRelease(key);
  JSStringRelease(given);
}

static bool is_made_late(uintptr_t name) {
  for (int i = 0; i < MADE_LATE; i++)
    if (watch.names[i] == name)
      return true;
  return false;
}

/* name 0: all of them */
static bool look(uint8_t *cell, JSContextRef global, uintptr_t name) {
  if ((cell[TYPE_AT] & KNOWN) != 0 || watch.adopt == NULL)
    return false;
  if ((cell[TYPE_AT] & POSTPONED) != 0 && name != 0 && !is_made_late(name))
    return false;
  if (*watch.busy != 0)
    cell[TYPE_AT] |= KNOWN;
  if (watch.inside || *watch.busy != 0)
    return false;
  watch.inside = true;
  JSValueRef error = (JSValueRef)cell, failure = NULL;
  JSObjectCallAsFunction(global, watch.adopt, NULL, 1, &error, &failure);
  if (failure != NULL)
    say_overflow(global, (JSObjectRef)cell);
  else
    cell[TYPE_AT] |= KNOWN;
  watch.inside = false;
  return true;
}

static uintptr_t on_put(uint8_t *cell, JSContextRef global, uintptr_t a, uintptr_t b, uintptr_t c) {
  if (look(cell, global, a))
    ((uint8_t *)c)[PUT_SLOT_CACHEABLE] = 0;
  return originals[PUT](cell, global, a, b, c);
}

static uintptr_t on_delete(uint8_t *cell, JSContextRef global, uintptr_t a, uintptr_t b, uintptr_t c) {
  if (look(cell, global, a))
    ((uint8_t *)b)[DELETE_SLOT_CACHEABLE] = 0;
  return originals[DELETE](cell, global, a, b, c);
}

static uintptr_t on_get(uint8_t *cell, JSContextRef global, uintptr_t a, uintptr_t b, uintptr_t c) {
  if (watch.asked != NULL)
    *watch.asked = a;
  look(cell, global, a);
  return originals[GET](cell, global, a, b, c);
}

static uintptr_t on_list(uint8_t *cell, JSContextRef global, uintptr_t a, uintptr_t b, uintptr_t c) {
  look(cell, global, 0);
  return originals[LIST](cell, global, a, b, c);
}

static uintptr_t on_define(uint8_t *cell, JSContextRef global, uintptr_t a, uintptr_t b, uintptr_t c) {
  look(cell, global, a);
  return originals[DEFINE](cell, global, a, b, c);
}

static bool installed;

/* Errors differ from plain objects in these functions and in no others (besides how they die). */
static bool is_as_known(void) {
  void **object_class = dlsym(js_engine_library(), object_class_name);
  error_class = dlsym(js_engine_library(), error_class_name);
  if (object_class == NULL || error_class == NULL || (uintptr_t)error_class[CELL_SIZE_AT] != CELL_SIZE)
    return false;
  for (int i = TABLE_BEGIN + 1, k = 0; i < TABLE_END; i++) {
    bool own = k < OWN_COUNT && own_functions[k] == i;
    k += own;
    if ((error_class[i] == object_class[i]) == own)
      return false;
  }
  return true;
}

static void install(void) {
  static const property_function ours[TABLE_END] = {
      [PUT] = on_put, [DELETE] = on_delete, [GET] = on_get, [LIST] = on_list, [DEFINE] = on_define};
  if (!is_as_known())
    return;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)error_class & ~(page - 1);
  size_t size = (uintptr_t)(error_class + TABLE_END) - begin;
  if (mprotect((void *)begin, size, PROT_READ | PROT_WRITE) != 0)
    return;
  for (int k = 0; k < OWN_COUNT; k++) {
    int i = own_functions[k];
    originals[i] = (property_function)(uintptr_t)error_class[i];
    error_class[i] = (void *)(uintptr_t)ours[i];
  }
  mprotect((void *)begin, size, PROT_READ);
  installed = true;
}

/* A name that is a property has one address in an engine. */
static void learn_names(JSContextRef context) {
  JSObjectRef sample = JSObjectMakeError(context, 0, NULL, NULL);
  for (int i = 0; i < MADE_LATE; i++) {
    JSStringRef name = JSStringCreateWithUTF8CString(made_late[i]);
    watch.asked = &watch.names[i];
    JSObjectGetProperty(context, sample, name, NULL);
    watch.asked = NULL;
    JSStringRelease(name);
  }
}

bool js_error_watch(JSContextRef context, JSObjectRef adopt, const double *busy) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (!js_uses(JS_USE_ERRORS))
    return false;
  pthread_once(&once, install);
  if (!installed)
    return false;
  learn_names(context);
  JSValueProtect(context, adopt);
  watch.adopt = adopt;
  watch.busy = busy;
  return true;
}

bool js_error_postpone(JSContextRef context, JSValueRef error) {
  (void)context;
  if (watch.adopt == NULL)
    return false;
  ((uint8_t *)error)[TYPE_AT] |= POSTPONED;
  return true;
}

/* ---- the probe ---- */

/* What it found, its exit status. */
enum {
  AS_EXPECTED = 0,
  CANNOT_WATCH = 70,
  A_LOOK_MISSED,        /* a way of looking at an error does not adopt it, or something else does */
  COMPILED_LOOK_MISSED, /* the same in compiled code */
  BUSY_IGNORED,
  CACHE_STALE, /* the engine remembers a shape from before adopting */
  PARSED_MISSED,
  POSTPONED_WRONG,
  SEEN_LOST,
};

static const struct {
  int failure;
  const char *code;
} checks[] = {
    /* one way of looking each; none before */
    {A_LOOK_MISSED, "a = thrown(() => null.x), b = thrown(() => nothing), c = thrown(() => (0)());"
                    "d = thrown(() => new 5), e = thrown(() => [].reduce(1)); f = thrown(() => JSON.parse('{'));"
                    "seen.length === 0 && a.message === 'text' && b.stack === 'adopted' &&"
                    "Reflect.ownKeys(c).includes('stack') && delete d.line && (e.line = 5) === 5 &&"
                    "'line' in Object.defineProperty(f, 'line', { value: 1 }) &&"
                    "[a, b, c, d, e, f].every((error, i) => seen[i] === error) && seen.length === 6"},
    /* an error that the parser has given its place already */
    {PARSED_MISSED, "a = thrown(() => new Function('a b')); b = thrown(() => new Function('a b'));"
                    "a.message === 'text' && b.stack === 'adopted' && seen.length === 8"},
    /* a place in the code that writes many errors, and one that deletes */
    {CACHE_STALE, "put = (error) => { error.extra = 1; return error.extra; }; drop = (error) => delete error.line;"
                  "for (let i = 0; i < 20000; i++) {"
                  "  a = thrown(() => null.x); b = thrown(() => null.x);"
                  "  if (put(a) !== 1 || a.message !== 'text' || !drop(b) || b.stack !== 'adopted') throw 1; }"
                  "seen.length === 40008"},
    /* compiled code, too, and an error once only */
    {COMPILED_LOOK_MISSED,
     "seen = []; count = 0;"
     "for (let i = 0; i < 20000; i++) {"
     "  try { null.x; } catch (error) { if (error.message === 'text' && error.message === 'text') count++; } }"
     "count === 20000 && seen.length === 20000"},
};

static int check_adopting(JSContextRef context) {
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
    if (!js_check_holds(context, checks[i].code))
      return checks[i].failure;
  return AS_EXPECTED;
}

/* An error that a constructor has made: adopted when its stack is wanted, or a list. */
static int check_postponing(JSContextRef context) {
  js_error_postpone(context, js_check_evaluate(context, "seen = []; a = new Error('made')"));
  js_error_postpone(context, js_check_evaluate(context, "b = new TypeError('made')"));
  if (!js_check_holds(context, "a.message === 'made' && (a.code = 1) === 1 && a.code === 1 && delete a.code &&"
                               "b.message === 'made' && a.name === 'Error' && seen.length === 0 &&"
                               "a.stack === 'adopted' && seen[0] === a &&"
                               "Reflect.ownKeys(b).includes('stack') && seen[1] === b && seen.length === 2"))
    return POSTPONED_WRONG;
  return js_check_holds(context, "(seen.length = 20000) === 20000") ? AS_EXPECTED : SEEN_LOST;
}

static int check_busy(JSContextRef context, double *busy) {
  *busy = 1;
  bool left = js_check_holds(context, "a = thrown(() => null.x); a.message !== 'text' && seen.length === 20000");
  *busy = 0;
  left = left && js_check_holds(context, "a.stack !== 'adopted' && seen.length === 20000");
  return left ? AS_EXPECTED : BUSY_IGNORED;
}

int js_probe_errors(JSGlobalContextRef context) {
  static double busy;
  JSObjectRef adopt = (JSObjectRef)js_check_evaluate(
      context, "seen = []; thrown = (f) => { try { f(); } catch (error) { return error; } };"
               "(function (error) { seen.push(error);"
               "  Object.defineProperty(error, 'stack', { value: 'adopted', configurable: true });"
               "  Object.defineProperty(error, 'message', { value: 'text', configurable: true }); })");
  if (adopt == NULL || !js_error_watch(context, adopt, &busy))
    return CANNOT_WATCH;
  int found = check_adopting(context);
  if (found == AS_EXPECTED)
    found = check_postponing(context);
  if (found == AS_EXPECTED)
    found = check_busy(context, &busy);
  watch.adopt = NULL;
  JSValueUnprotect(context, adopt);
  return found;
}
