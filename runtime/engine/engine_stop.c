#include "runtime/engine/engine_stop.h"

#include "runtime/engine/engine_private.h"

#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
#include <uv.h>

/* Places inside of the engine's VM, in bytes: the mark, the heap, and a pointer to what its thread waits with, which
 * has the condition. That begins with a byte that is set while somebody waits. */
enum { TERMINATE_AT = 0x20061, HEAP_AT = 0xc0, WAITER_AT = 0x200d0, CONDITION_AT = 0x38 };
enum { PRIVATE = 1 };

/* WTF::ParkingLot: where threads of the engine sleep, each at an address. Who is woken looks again at what it waits
 * for. */
struct each_parked {
  void (*call)(void *data, void *thread, const void *address);
  void *data;
};
extern void js_parking_each(const struct each_parked *each) __asm__("_ZN3WTF10ParkingLot11forEachImplERKNS_"
                                                                    "12ScopedLambdaIFvRNS_6ThreadEPKvEEE");
extern void js_parking_wake(const void *address) __asm__("_ZN3WTF10ParkingLot9unparkAllEPKv");
extern size_t js_vm_heap_size(void *heap) __asm__("_ZN3JSC4Heap4sizeEv");
extern size_t js_vm_heap_capacity(void *heap) __asm__("_ZN3JSC4Heap8capacityEv");

static JSValueRef drain(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  js_vm_drain_microtasks(JSContextGetGroup(context));
  return js_undefined(context);
}

JSObjectRef js_drain_function(JSContextRef context) {
  void *no_name = NULL;
  return js_function_create(JSContextGetGroup(context), context, 0, &no_name, drain, PRIVATE, 0,
                            js_function_no_constructor, NULL);
}

/* What it ends with is told by others: the jobs' own errors are reported as they happen. */
void js_drain_within(JSContextRef context, JSObjectRef function) {
  JSValueRef error = NULL;
  JSObjectCallAsFunction(context, function, NULL, 0, NULL, &error);
}

static void set_mark(JSContextGroupRef vm, bool on) {
  atomic_store((_Atomic unsigned char *)((char *)(uintptr_t)vm + TERMINATE_AT), on);
}

struct search {
  const void *address;
  bool found;
};

static void compare(void *data, void *thread, const void *address) {
  struct search *search = data;
  (void)thread;
  search->found |= address == search->address;
}

/* The mark is for who waits: code that runs would be ended by it without a word to the door. */
bool js_engine_wake(JSContextGroupRef vm) {
  char *waiter = *(char **)((char *)(uintptr_t)vm + WAITER_AT);
  struct search search = {waiter + CONDITION_AT, false};
  js_parking_each(&(struct each_parked){compare, &search});
  if (!search.found)
    return false;
  set_mark(vm, true);
  js_parking_wake(search.address);
  return true;
}

void js_engine_unwake(JSContextGroupRef vm) {
  set_mark(vm, false);
}

static void *heap_of(JSContextGroupRef vm) {
  return (char *)(uintptr_t)vm + HEAP_AT;
}

size_t js_heap_capacity(JSContextGroupRef vm) {
  return js_vm_heap_capacity(heap_of(vm));
}

size_t js_heap_size(JSContextGroupRef vm) {
  return js_vm_heap_size(heap_of(vm));
}

/* ---- the check ---- */

struct waiter {
  uv_mutex_t lock;
  JSContextGroupRef vm; /* under the lock; null before and after */
  atomic_int state;
};

static void show_vm(struct waiter *waiter, JSContextGroupRef vm) {
  uv_mutex_lock(&waiter->lock);
  waiter->vm = vm;
  uv_mutex_unlock(&waiter->lock);
}

static void wait_long(void *data) {
  struct waiter *waiter = data;
  JSGlobalContextRef context = js_engine_create();
  show_vm(waiter, JSContextGetGroup(context));
  JSValueRef value = js_check_evaluate(
      context, "try { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20000) } catch {} 7");
  show_vm(waiter, NULL);
  js_engine_unwake(JSContextGetGroup(context));
  bool works = js_to_integer(context, js_check_evaluate(context, "8")) == 8;
  JSUnlock(context);
  JSGlobalContextRelease(context);
  waiter->state = value == NULL && works ? 1 : 2;
}

static int check_wake(void) {
  struct waiter waiter = {.vm = NULL};
  uv_thread_t thread;
  if (uv_mutex_init(&waiter.lock) != 0 || uv_thread_create(&thread, wait_long, &waiter) != 0)
    return 62;
  while (waiter.state == 0) {
    usleep(2000);
    uv_mutex_lock(&waiter.lock);
    if (waiter.vm != NULL)
      js_engine_wake(waiter.vm);
    uv_mutex_unlock(&waiter.lock);
  }
  uv_thread_join(&thread);
  uv_mutex_destroy(&waiter.lock);
  return waiter.state == 1 ? 0 : 63;
}

int js_stop_check(JSContextRef context) {
  JSContextGroupRef vm = JSContextGetGroup(context);
  JSSynchronousGarbageCollectForDebugging(context);
  double told = js_to_number(context, js_get(context, JSGetMemoryUsageStatistics(context), "heapSize"));
  double found = (double)js_heap_size(vm);
  if (found < told * 0.5 || found > told * 2 || js_heap_capacity(vm) < js_heap_size(vm) / 2)
    return 60;
  js_check_evaluate(context, "n = 0; Promise.resolve().then(() => n++).then(() => n++)");
  js_drain_within(context, js_drain_function(context));
  if (js_to_integer(context, js_check_evaluate(context, "n")) != 2)
    return 61;
  return check_wake();
}
