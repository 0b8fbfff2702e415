/* Ending what an engine does from another thread: JavaScript that runs, jobs that wait, and waits (watch.h). */
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
#include <uv.h>

#include "runtime/engine/jobs/drain.h"
#include "runtime/engine/limit/watch.h"
#include "runtime/engine/uses/probes.h"

/* WTF::ParkingLot: where threads of the engine sleep, each at an address. A woken thread checks its condition again. */
struct each_parked {
  void (*call)(void *data, void *thread, const void *address);
  void *data;
};
static void (*parking_each)(const struct each_parked *each);
static void (*parking_wake)(const void *address);

const struct js_symbol js_waking_symbols[] = {
    {"_ZN3WTF10ParkingLot11forEachImplERKNS_12ScopedLambdaIFvRNS_6ThreadEPKvEEE", &parking_each},
    {"_ZN3WTF10ParkingLot11forEachImplERKNS_12ScopedLambdaIFvmPKvEEE", &parking_each}, /* a number for the thread */
    {"_ZN3WTF10ParkingLot9unparkAllEPKv", &parking_wake},
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
