/* Functions that the engine exports for its collector and does not declare: which objects are kept alive, which were
 * collected, and when to check. */
#ifndef JS_NAPI_HOME_H
#define JS_NAPI_HOME_H

#include "runtime/napi/napi.h"

struct js_marker {
  bool (*is_marked)(struct js_marker *marker, JSObjectRef cell);
  void (*mark)(struct js_marker *marker, JSObjectRef cell);
};

/* After each collection, on the engine's thread, before anything else is allocated. */
extern void JSContextGroupAddHeapFinalizer(JSContextGroupRef group, void (*finalizer)(JSContextGroupRef, void *data),
                                           void *data);
extern void JSContextGroupRemoveHeapFinalizer(JSContextGroupRef group, void (*finalizer)(JSContextGroupRef, void *data),
                                              void *data);

/* A weak reference. JSWeakGetObject returns NULL from the end of the collection on that freed the object. */
extern void *JSWeakCreate(JSContextGroupRef group, JSObjectRef object);
extern void JSWeakRelease(JSContextGroupRef group, void *weak);
extern JSObjectRef JSWeakGetObject(void *weak);

void js_napi_mark(struct js_marker *marker, void *data);

#endif
