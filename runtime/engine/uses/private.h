/* Functions that the engine's library exports but the installed headers do not declare.
 *
 * The plain C API lets a call from JavaScript into C drop and retake the engine's lock (about 75 ns) and drains the
 * microtasks only when the lock is let go. The functions below are the engine's own ways of doing the same: a native
 * function called straight from compiled code (5 ns), and draining on demand. They are looked up by name when the
 * program starts; engine/uses/uses.h says what is done when one is gone, or does not do what is expected of it. */
#ifndef JS_ENGINE_PRIVATE_H
#define JS_ENGINE_PRIVATE_H

#include <JavaScriptCore/JavaScript.h>
#include <stdbool.h>
#include <stdint.h>

/* A call's frame: four words of bookkeeping, the argument count (`this` included) in the low half of the fifth, then
 * `this` and the arguments. On 64 bit machines a JSValueRef is the value as the engine itself encodes it. */
struct js_frame {
  uint64_t bookkeeping[4];
  int32_t count_with_this;
  int32_t call_site;
  JSValueRef this_value;
  JSValueRef arguments[];
};

typedef JSValueRef (*js_native)(JSContextRef context, struct js_frame *frame);

extern void JSLock(JSContextRef context);
extern void JSUnlock(JSContextRef context);
extern void JSGlobalContextSetUnhandledRejectionCallback(JSGlobalContextRef context, JSObjectRef function,
                                                         JSValueRef *exception);
extern bool JSConfigureSignalForGC(int signal);
extern void JSDisableGCTimer(void);
extern JSObjectRef JSGetMemoryUsageStatistics(JSContextRef context);
extern JSObjectRef JSObjectGetProxyTarget(JSObjectRef object);
/* Values hung on an object of a class of ours, kept alive with it. */
extern bool JSObjectSetPrivateProperty(JSContextRef context, JSObjectRef object, JSStringRef name, JSValueRef value);
/* Calls back when JavaScript has run that many seconds of the processor's time, counted from when the engine is
 * entered; true ends what runs. */
typedef bool (*js_should_terminate)(JSContextRef context, void *data);
extern void JSContextGroupSetExecutionTimeLimit(JSContextGroupRef group, double seconds, js_should_terminate callback,
                                                void *data);
extern void JSContextGroupClearExecutionTimeLimit(JSContextGroupRef group);
extern void JSSynchronousGarbageCollectForDebugging(JSContextRef context);
/* Memory that the collector does not see, so that it looks sooner. */
extern void JSReportExtraMemoryCost(JSContextRef context, size_t size);
extern JSStringRef JSContextCreateBacktrace(JSContextRef context, unsigned frames);
/* Called in each collection, while it marks. It must stay valid as long as the group. */
struct js_marker;
extern void JSContextGroupAddMarkingConstraint(JSContextGroupRef group,
                                               void (*constraint)(struct js_marker *marker, void *data), void *data);

/* Which engine runs; these are declared in headers that want all of GLib. */
extern unsigned jsc_get_major_version(void);
extern unsigned jsc_get_minor_version(void);
extern unsigned jsc_get_micro_version(void);

/* The engine's own functions, in C++. Each pointer is set if the use that it belongs to is on (engine/uses/uses.h), and
 * only then. */

/* JSC::VM::drainMicrotasks(); a context group is the engine's VM. JS_USE_DRAIN. */
extern void (*js_vm_drain_microtasks)(JSContextGroupRef vm);

/* JSC::VM::throwException(JSGlobalObject *, JSValue): the native that calls it then returns NULL. JS_USE_NATIVES. */
extern void *(*js_vm_throw)(JSContextGroupRef vm, JSContextRef context, JSValueRef value);

/* JSC::VM::throwException(JSGlobalObject *, Exception *) with the exception that nothing can catch. JS_USE_ENDING. */
extern void *(*js_vm_termination)(JSContextGroupRef vm);
extern void (*js_vm_throw_exception)(JSContextGroupRef vm, JSContextRef context, void *exception);

/* JSC::JSFunction::create for a native function. `name` points at a string; a null string is a nameless function.
 * JS_USE_NATIVES. */
extern JSObjectRef (*js_function_create)(JSContextGroupRef vm, JSContextRef context, unsigned length, void *const *name,
                                         js_native function, uint8_t visibility, uint8_t intrinsic,
                                         js_native constructor, const void *signature);

/* JSC::callHostFunctionAsConstructor: what `new` does with a native function, which is to throw. JS_USE_NATIVES. */
extern js_native js_function_no_constructor;

/* JSC::JSObject::setPrototypeDirect: the prototype of an object whose own is immutable, as that of a global is.
 * JS_USE_PROTOTYPES. */
extern void (*js_set_prototype)(JSContextRef global_or_object, JSContextGroupRef vm, JSValueRef prototype);

/* What differs from one release of the engine to another and is otherwise alike: the kinds of cells are numbered anew
 * when one is added, and the flags of a promise have moved within their word. */
struct js_layout {
  unsigned char function, buffer; /* kinds; those of the views follow that of a buffer */
  unsigned char promise_shift;
  unsigned char generators;       /* how many kinds of them there are */
  unsigned heap_at, allowance_at; /* bytes from the beginning of the VM to its heap, and to a word of that */
  unsigned mark_at;               /* the same to the mark that what runs is to end. JS_USE_MARK */
  /* The same to the pointer to what its thread waits with, and from there to the condition, which begins with a byte
   * that is set while the thread waits. JS_USE_WAKING */
  unsigned waiter_at, condition_at;
  /* A global's table of functions (engine/jobs/table.h): where the pointer to it stands, and which of its functions is
   * which. The engine asks the first one to queue a microtask, if it is there; 0: it asks nobody. */
  unsigned table_at;
  unsigned char table_queue, table_import, table_rejected;
  unsigned threshold_at; /* from the beginning of the VM to a word that is not 0 in a collection. JS_USE_FUNCTIONS */
};
enum { JS_LAYOUTS = 3 };
extern struct js_layout js_layout; /* JS_USE_LAYOUT */

/* A promise in memory: a header of two words, its flags, then its result or its reactions. JS_USE_PROMISES. */
struct js_promise {
  uint64_t header[2];
  uint64_t flags;
  JSValueRef result;
};
enum {
  JS_PROMISE_STATE = 3, /* 0 pending, 1 fulfilled, 2 rejected */
  JS_PROMISE_HANDLED = 4,
};
static inline int js_promise_state(const struct js_promise *promise) {
  return (int)(promise->flags >> js_layout.promise_shift) & JS_PROMISE_STATE;
}
static inline bool js_promise_handled(const struct js_promise *promise) {
  return (promise->flags >> js_layout.promise_shift & JS_PROMISE_HANDLED) != 0;
}
static inline void js_promise_unhandle(struct js_promise *promise) {
  promise->flags &= ~((uint64_t)JS_PROMISE_HANDLED << js_layout.promise_shift);
}

/* An iterator over a map or a set: a header of two words, then its state. */
enum { JS_ITERATOR_KIND = 3, JS_ITERATOR_WORDS = 4 };
struct js_iterator {
  uint64_t header[2];
  JSValueRef state[JS_ITERATOR_WORDS];
};

/* A WeakMap or WeakSet: its buckets are a key each, or a key and a value. The key of a bucket that is
 * empty, or whose entry was deleted, is no address. */
struct js_weak {
  uint64_t header[2];
  const JSValueRef *buckets;
  uint32_t capacity;
  uint32_t count;
};
static inline int js_weak_bucket_used(JSValueRef key) {
  return (uintptr_t)key >> 48 == 0 && (uintptr_t)key > 4096;
}

#endif
