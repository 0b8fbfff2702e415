/* What a program has in hand of a global is the engine's JSGlobalProxy, whose every function passes on to the object it
 * points at: the global itself. The table of these functions is exported (JSGlobalProxy::s_info); ours stand before
 * them there. To ask a sandbox for what is its own they are called with a cell made here that points at the sandbox.
 *
 * Names in code (`x`, not `globalThis.x`) do not come this way; the hooks of the C API see them. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/engine/engine.h"
#include "runtime/engine/uses/build.h"
#include "runtime/engine/uses/probes.h"

/* JSC::ClassInfo as words: a head of six, then the table of functions. */
enum { PUT = 9, DELETE = 11, GET = 13, LIST = 15, DEFINE = 18, TABLE_END = 26 };
static const int changed[] = {PUT, DELETE, GET, LIST, DEFINE};
enum { CHANGED = sizeof changed / sizeof *changed };

/* JSC::JSGlobalProxy */
struct proxy {
  uint64_t header[2];
  JSObjectRef target;
};

/* JSC::PutPropertySlot: the object that is written to, the receiver, and what the engine may remember. */
struct put_slot {
  JSObjectRef base;
  JSObjectRef receiver;
  uint64_t rest[3];
};

/* WTF::StringImpl, which a property's name points at */
struct name {
  uint32_t references, length;
  const void *characters;
  uint32_t hash_and_flags;
};
enum { NAME_IS_SYMBOL = 1 << 5 };

/* JSC::PropertySlot: what it is asked for */
enum { SLOT_KIND_AT = 50, SLOT_KIND_OWN = 2 };

_Thread_local bool js_global_asked_for_own;

typedef uintptr_t (*property_function)(struct proxy *cell, JSContextRef global, const struct name *name, void *a,
                                       void *b);

static property_function originals[TABLE_END];
static js_sandbox_of find_sandbox;
static bool installed;

static bool is_symbol(const struct name *name) {
  return name != NULL && (name->hash_and_flags & NAME_IS_SYMBOL) != 0;
}

/* A sandbox that can be asked for what is its own. A Proxy answers each question, also with what it has not: to names
 * of letters the C API's hooks know better, and symbols stay the global's. */
static JSObjectRef plain_sandbox(struct proxy *cell) {
  JSObjectRef sandbox = find_sandbox((JSObjectRef)cell);
  return sandbox == NULL || JSObjectGetProxyTarget(sandbox) != NULL ? NULL : sandbox;
}

/* The same function of the sandbox. */
static uintptr_t ask(int which, JSObjectRef sandbox, JSContextRef global, const struct name *name, void *a, void *b) {
  struct proxy stand_in = {{0}, sandbox};
  return originals[which](&stand_in, global, name, a, b);
}

static uintptr_t on_get(struct proxy *cell, JSContextRef global, const struct name *name, void *slot, void *unused) {
  bool own = ((const unsigned char *)slot)[SLOT_KIND_AT] == SLOT_KIND_OWN;
  JSObjectRef sandbox = own ? find_sandbox((JSObjectRef)cell) : plain_sandbox(cell);
  if (sandbox != NULL && (ask(GET, sandbox, global, name, slot, unused) & 0xff) != 0)
    return 1;
  js_global_asked_for_own = own && sandbox != NULL;
  uintptr_t found = originals[GET](cell, global, name, slot, unused);
  js_global_asked_for_own = false;
  return found;
}

/* The C API's hook knows how to write what has a name of letters. */
static uintptr_t on_put(struct proxy *cell, JSContextRef global, const struct name *name, void *value, void *slot) {
  JSObjectRef sandbox = is_symbol(name) ? plain_sandbox(cell) : NULL;
  if (sandbox == NULL)
    return originals[PUT](cell, global, name, value, slot);
  struct put_slot own; /* a copy: nothing is remembered of it */
  memcpy(&own, slot, sizeof own);
  own.receiver = sandbox;
  return ask(PUT, sandbox, global, name, value, &own);
}

static uintptr_t on_delete(struct proxy *cell, JSContextRef global, const struct name *name, void *slot, void *unused) {
  JSObjectRef sandbox = is_symbol(name) ? plain_sandbox(cell) : NULL;
  if (sandbox != NULL) /* the global itself has none, and the C API would take a symbol for its description */
    return ask(DELETE, sandbox, global, name, slot, unused);
  return originals[DELETE](cell, global, name, slot, unused);
}

static uintptr_t on_define(struct proxy *cell, JSContextRef global, const struct name *name, void *descriptor,
                           void *throws) {
  JSObjectRef sandbox = is_symbol(name) ? plain_sandbox(cell) : find_sandbox((JSObjectRef)cell);
  if (sandbox != NULL)
    return ask(DEFINE, sandbox, global, name, descriptor, throws);
  return originals[DEFINE](cell, global, name, descriptor, throws);
}

/* A name that is there already is not listed twice. */
static uintptr_t on_list(struct proxy *cell, JSContextRef global, const struct name *list, void *mode, void *unused) {
  JSObjectRef sandbox = find_sandbox((JSObjectRef)cell);
  if (sandbox != NULL)
    ask(LIST, sandbox, global, list, mode, unused);
  return originals[LIST](cell, global, list, mode, unused);
}

/* Asked for by name: what the linker gives a program for such a variable is a copy. */
static void *find(const char *name) {
  return dlsym(js_engine_library(), name);
}

static bool is_as_known(void *const *class) {
  static const char *const names[TABLE_END] = {
      [PUT] = "_ZN3JSC13JSGlobalProxy3putEPNS_6JSCellEPNS_14JSGlobalObjectENS_12PropertyNameENS_7JSValueERNS_"
              "15PutPropertySlotE",
      [DELETE] = "_ZN3JSC13JSGlobalProxy14deletePropertyEPNS_6JSCellEPNS_14JSGlobalObjectENS_12PropertyNameERNS_"
                 "18DeletePropertySlotE",
      [GET] = "_ZN3JSC13JSGlobalProxy18getOwnPropertySlotEPNS_8JSObjectEPNS_14JSGlobalObjectENS_12PropertyNameERNS_"
              "12PropertySlotE",
      [LIST] = "_ZN3JSC13JSGlobalProxy19getOwnPropertyNamesEPNS_8JSObjectEPNS_14JSGlobalObjectERNS_"
               "17PropertyNameArrayENS_22DontEnumPropertiesModeE",
      [DEFINE] = "_ZN3JSC13JSGlobalProxy17defineOwnPropertyEPNS_8JSObjectEPNS_14JSGlobalObjectENS_12PropertyNameERKNS_"
                 "18PropertyDescriptorEb",
  };
  static const char newer_list[] = "_ZN3JSC13JSGlobalProxy19getOwnPropertyNamesEPNS_8JSObjectEPNS_14JSGlobalObjectERNS_"
                                   "24PropertyNameArrayBuilderENS_22DontEnumPropertiesModeE";
  for (int i = 0; i < CHANGED; i++)
    if (class[changed[i]] != find(names[changed[i]]) && (changed[i] != LIST || class[LIST] != find(newer_list)))
      return false;
  return true;
}

static void install(void) {
  static const property_function ours[TABLE_END] = {
      [PUT] = on_put, [DELETE] = on_delete, [GET] = on_get, [LIST] = on_list, [DEFINE] = on_define};
  void **class = find("_ZN3JSC13JSGlobalProxy6s_infoE");
  if (class == NULL || !is_as_known(class))
    return;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t) class & ~(page - 1);
  size_t size = (uintptr_t)(class + TABLE_END) - begin;
  if (mprotect((void *)begin, size, PROT_READ | PROT_WRITE) != 0)
    return;
  for (int i = 0; i < CHANGED; i++) {
    originals[changed[i]] = (property_function)(uintptr_t) class[changed[i]];
    class[changed[i]] = (void *)(uintptr_t)ours[changed[i]];
  }
  mprotect((void *)begin, size, PROT_READ);
  installed = true;
}

bool js_global_watch(js_sandbox_of sandbox_of) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (!js_uses(JS_USE_GLOBALS))
    return false;
  find_sandbox = sandbox_of;
  pthread_once(&once, install);
  return installed;
}

static JSObjectRef check_sandbox;
static JSObjectRef check_sandbox_of(JSObjectRef global) {
  (void)global;
  return check_sandbox;
}

int js_probe_globals(JSGlobalContextRef context) {
  if (!js_global_watch(check_sandbox_of))
    return 81;
  check_sandbox = (JSObjectRef)js_check_evaluate(
      context, "one = Symbol(); two = Symbol(); sandbox = { [one]: 1, get three() { return 3; } }; sandbox");
  JSValueRef value = js_check_evaluate(
      context,
      "self = globalThis; self[two] = 2; Object.defineProperty(self, 'four', { value: 4, writable: true });"
      "good = self[one] === 1 && Object.hasOwn(self, one) && !Object.hasOwn(self, 'five') && self.three === 3 &&"
      "  Object.getOwnPropertyDescriptor(self, 'three').get !== undefined && sandbox[two] === 2 &&"
      "  sandbox.four === 4 && Object.getOwnPropertySymbols(self).includes(two) && delete self[two] &&"
      "  !(two in sandbox) && Reflect.ownKeys(self).includes('four'); good");
  check_sandbox = NULL;
  return value != NULL && js_to_boolean(context, value) ? 0 : 82;
}
