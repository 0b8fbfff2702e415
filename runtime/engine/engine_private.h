/* What the engine's library exports without declaring it in the installed headers.
 *
 * The plain C API lets a call from JavaScript into C drop and retake the engine's lock (about 75 ns) and drains the
 * microtasks only when the lock is let go. The functions below are the engine's own ways of doing the same: a native
 * function called straight from compiled code (5 ns), and draining on demand. They are named here and nowhere else;
 * the linker fails when one is gone, and `js_engine_check` compares what they do with what is expected of them. */
#ifndef ROTA_ENGINE_PRIVATE_H
#define ROTA_ENGINE_PRIVATE_H

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

/* Which engine runs; these are declared in headers that want all of GLib. */
extern unsigned jsc_get_major_version(void);
extern unsigned jsc_get_minor_version(void);
extern unsigned jsc_get_micro_version(void);

/* JSC::VM::drainMicrotasks(); a context group is the engine's VM. */
extern void js_vm_drain_microtasks(JSContextGroupRef vm) __asm__("_ZN3JSC2VM15drainMicrotasksEv");

/* JSC::VM::throwException(JSGlobalObject *, JSValue): the native that calls it then returns NULL. */
extern void *js_vm_throw(JSContextGroupRef vm, JSContextRef context,
                         JSValueRef value) __asm__("_ZN3JSC2VM14throwExceptionEPNS_14JSGlobalObjectENS_7JSValueE");

/* JSC::VM::throwException(JSGlobalObject *, Exception *) with the exception that nothing can catch. */
extern void *js_vm_termination(JSContextGroupRef vm) __asm__("_ZN3JSC2VM26ensureTerminationExceptionEv");
extern void
js_vm_throw_exception(JSContextGroupRef vm, JSContextRef context,
                      void *exception) __asm__("_ZN3JSC2VM14throwExceptionEPNS_14JSGlobalObjectEPNS_9ExceptionE");

/* JSC::JSFunction::create for a native function. `name` points at a string; a null string is a nameless function. */
extern JSObjectRef js_function_create(
    JSContextGroupRef vm, JSContextRef context, unsigned length, void *const *name, js_native function,
    uint8_t visibility, uint8_t intrinsic, js_native constructor,
    const void *signature) __asm__("_ZN3JSC10JSFunction6createERNS_2VMEPNS_14JSGlobalObjectEjRKN3WTF6StringENS5_"
                                   "11FunctionPtrILNS5_6PtrTagE1EFlS4_PNS_9CallFrameEELNS5_18FunctionAttributesE2EEENS_"
                                   "24ImplementationVisibilityENS_9IntrinsicESF_PKNS_6DOMJIT9SignatureE");

/* JSC::callHostFunctionAsConstructor: what `new` does with a native function, which is to throw. */
extern JSValueRef js_function_no_constructor(JSContextRef context, struct js_frame *frame) __asm__(
    "_ZN3JSC29callHostFunctionAsConstructorEPNS_"
    "14JSGlobalObjectEPNS_9CallFrameE");

/* JSC::JSObject::setPrototypeDirect: the prototype of an object whose own is immutable, as that of a global is. */
extern void js_set_prototype(JSContextRef global_or_object, JSContextGroupRef vm,
                             JSValueRef prototype) __asm__("_ZN3JSC8JSObject18setPrototypeDirectERNS_2VMENS_7JSValueE");

/* A promise in memory: a header of two words, its state, then its result or its reactions. */
struct js_promise {
  uint64_t header[2];
  int32_t flags;
  int32_t flags_tag;
  JSValueRef result;
};

/* An iterator over a map or a set: a header of two words, then its state. */
enum { ROTA_ITERATOR_KIND = 3, ROTA_ITERATOR_WORDS = 4 };
struct js_iterator {
  uint64_t header[2];
  JSValueRef state[ROTA_ITERATOR_WORDS];
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

enum {
  ROTA_PROMISE_STATE = 3, /* 0 pending, 1 fulfilled, 2 rejected */
  ROTA_PROMISE_HANDLED = 4,
};

#endif
