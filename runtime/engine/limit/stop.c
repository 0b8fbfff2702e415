#include "runtime/engine/limit/stop.h"

#include "runtime/engine/jobs/drain.h"
#include "runtime/engine/limit/watch.h"
#include "runtime/engine/uses/probes.h"

#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
#include <uv.h>

/* WTF::ParkingLot: where threads of the engine sleep, each at an address. A woken thread checks its condition again. */
struct each_parked {
  void (*call)(void *data, void *thread, const void *address);
  void *data;
};
static void (*parking_each)(const struct each_parked *each);
static void (*parking_wake)(const void *address);
static size_t (*vm_heap_size)(void *heap);
static size_t (*vm_heap_capacity)(void *heap);
static size_t (*vm_heap_extra)(void *heap);

const struct js_symbol js_waking_symbols[] = {
    {"_ZN3WTF10ParkingLot11forEachImplERKNS_12ScopedLambdaIFvRNS_6ThreadEPKvEEE", &parking_each},
    {"_ZN3WTF10ParkingLot11forEachImplERKNS_12ScopedLambdaIFvmPKvEEE", &parking_each}, /* a number for the thread */
    {"_ZN3WTF10ParkingLot9unparkAllEPKv", &parking_wake},
    {NULL, NULL}};
const struct js_symbol js_heap_symbols[] = {{"_ZN3JSC4Heap4sizeEv", &vm_heap_size},
                                            {"_ZN3JSC4Heap8capacityEv", &vm_heap_capacity},
                                            {"_ZN3JSC4Heap15extraMemorySizeEv", &vm_heap_extra},
                                            {NULL, NULL}};

void (*js_vm_drain_microtasks)(JSContextGroupRef vm);
const struct js_symbol js_drain_symbols[] = {{"_ZN3JSC2VM15drainMicrotasksEv", &js_vm_drain_microtasks}, {NULL, NULL}};

static JSValueRef drain(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  js_vm_drain_microtasks(JSContextGetGroup(context));
  return js_undefined(context);
}

JSObjectRef js_drain_function(JSContextRef context) {
  return js_function_hidden(context, drain);
}

/* What it ends with is told by others: the jobs' own errors are reported as they happen. */
void js_drain_within(JSContextRef context, JSObjectRef function) {
  JSValueRef error = NULL;
  if (!js_drains_anywhere())
    js_drain(context, JSContextGetGroup(context));
  else
    JSObjectCallAsFunction(context, function, NULL, 0, NULL, &error);
}

static void set_mark(JSContextGroupRef vm, bool on) {
  atomic_store((_Atomic unsigned char *)((char *)(uintptr_t)vm + js_layout.mark_at), on);
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

/* The mark is for waiting threads only: it would end running code without telling js_enter. */
bool js_engine_wake(JSContextGroupRef vm) {
  if (!js_uses(JS_USE_WAKING))
    return false; /* the waiting code checks by itself: runtime/lib/worker/waiters.js */
  char *waiter = *(char **)((char *)(uintptr_t)vm + js_layout.waiter_at);
  struct search search = {waiter + js_layout.condition_at, false};
  parking_each(&(struct each_parked){compare, &search});
  if (!search.found)
    return false;
  set_mark(vm, true);
  parking_wake(search.address);
  return true;
}

void js_engine_unwake(JSContextGroupRef vm) {
  if (js_uses(JS_USE_MARK))
    set_mark(vm, false);
}

void js_jobs_drop(JSContextRef context) {
  JSContextGroupRef vm = JSContextGetGroup(context);
  if (js_uses(JS_USE_MARK))
    set_mark(vm, true);
  js_drain(context, vm);
  js_engine_unwake(vm);
}

static void *heap_of(JSContextGroupRef vm) {
  return (char *)(uintptr_t)vm + js_layout.heap_at;
}

/* The C API tells it, in an object that it makes. Code that is being ended gets no number: then it is 0, not a figure
 * above every limit. */
static size_t told(const char *name) {
  double bytes =
      js_to_number(js_context_here, js_get(js_context_here, JSGetMemoryUsageStatistics(js_context_here), name));
  return bytes > 0 ? (size_t)bytes : 0;
}

size_t js_heap_capacity(JSContextGroupRef vm) {
  return !js_uses(JS_USE_HEAP) ? told("heapCapacity") : vm_heap_capacity(heap_of(vm));
}

size_t js_heap_size(JSContextGroupRef vm) {
  return !js_uses(JS_USE_HEAP) ? told("heapSize") : vm_heap_size(heap_of(vm));
}

/* What lives is known from the last collection only. Blocks that were added since then are counted as full; before the
 * first one that is the whole heap. That there was a collection is seen by the figure. */
struct js_heap_figures js_heap_figures(JSContextGroupRef vm) {
  static _Thread_local size_t live_then, blocks_then;
  size_t extra = !js_uses(JS_USE_HEAP) ? told("extraMemorySize") : vm_heap_extra(heap_of(vm));
  size_t capacity = js_heap_capacity(vm), size = js_heap_size(vm);
  size_t blocks = capacity > extra ? capacity - extra : 0, live = size > extra ? size - extra : 0;
  if (live != live_then) {
    live_then = live;
    blocks_then = blocks;
  }
  size_t used = live + (blocks > blocks_then ? blocks - blocks_then : 0);
  return (struct js_heap_figures){.total = blocks, .used = used < blocks ? used : blocks, .extra = extra};
}

/* JavaScript is interrupted, maybe with an exception on its way, which calls of the C API would clear: a native of the
 * engine then goes on as if it had not thrown. The whole process is more than the heap, and can be asked. */
bool js_heap_is_within(JSContextGroupRef vm, size_t bytes) {
  size_t resident = 0;
  if (!js_uses(JS_USE_HEAP) && uv_resident_set_memory(&resident) == 0 && resident <= bytes)
    return true;
  return js_heap_capacity(vm) <= bytes;
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

int js_probe_waking(JSGlobalContextRef context) {
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
  return waiter.state == 1 ? js_watch_check(context) : 63;
}

int js_probe_heap(JSGlobalContextRef context) {
  JSContextGroupRef vm = JSContextGetGroup(context);
  JSSynchronousGarbageCollectForDebugging(context);
  double size = (double)told("heapSize"), found = (double)js_heap_size(vm);
  if (found < size * 0.5 || found > size * 2 || js_heap_capacity(vm) < js_heap_size(vm) / 2)
    return 60;
  return vm_heap_extra(heap_of(vm)) != told("extraMemorySize") ? 60 : 0;
}
