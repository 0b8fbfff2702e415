#include "runtime/engine/limit/heap.h"

#include <stdlib.h>
#include <uv.h>

#include "runtime/engine/limit/watch.h"
#include "runtime/engine/uses/probes.h"

/* ---- its size ---- */

static size_t (*vm_heap_size)(void *heap);
static size_t (*vm_heap_capacity)(void *heap);
static size_t (*vm_heap_extra)(void *heap);

const struct js_symbol js_heap_symbols[] = {{"_ZN3JSC4Heap4sizeEv", &vm_heap_size},
                                            {"_ZN3JSC4Heap8capacityEv", &vm_heap_capacity},
                                            {"_ZN3JSC4Heap15extraMemorySizeEv", &vm_heap_extra},
                                            {NULL, NULL}};

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

int js_probe_heap(JSGlobalContextRef context) {
  JSContextGroupRef vm = JSContextGetGroup(context);
  JSSynchronousGarbageCollectForDebugging(context);
  double size = (double)told("heapSize"), found = (double)js_heap_size(vm);
  if (found < size * 0.5 || found > size * 2 || js_heap_capacity(vm) < js_heap_size(vm) / 2)
    return 60;
  return vm_heap_extra(heap_of(vm)) != told("extraMemorySize") ? 60 : 0;
}

/* ---- the first collection ---- */

/* At its start a program makes long-lived objects: modules, tables, the first timers. A collection then finds
 * everything alive, and is at its most expensive. So the first collection is delayed while the script runs; afterwards
 * 16 MB of garbage start one, which fit into a processor's caches.
 *
 * The engine has one option for both. What it allows until the next collection is a word of its heap, which
 * JS_USE_ALLOWANCE is about. */

static const size_t starting_bytes = 32 << 20, more_bytes = 4 << 20;

static size_t small_bytes(void) {
  return (size_t)atol(JS_SMALL_HEAP_OPTION);
}

static size_t *allowance(JSContextGroupRef vm) {
  return (size_t *)((char *)(uintptr_t)vm + js_layout.allowance_at);
}

void js_heap_is_new(JSContextGroupRef vm) {
  if (js_uses(JS_USE_ALLOWANCE) && *allowance(vm) == small_bytes())
    *allowance(vm) = starting_bytes;
}

void js_heap_is_filled(JSContextGroupRef vm) {
  if (!js_uses(JS_USE_ALLOWANCE))
    return;
  size_t enough = js_heap_capacity(vm) + more_bytes;
  if (*allowance(vm) != starting_bytes)
    return; /* it was collected already */
  if (enough < small_bytes())
    enough = small_bytes();
  if (enough < starting_bytes)
    *allowance(vm) = enough;
}

int js_probe_allowance(JSGlobalContextRef context) {
  JSGlobalContextRef other = js_engine_create();
  JSContextGroupRef vm = JSContextGetGroup(other);
  static const char litter[] = "for (let i = 0; i < 180; i++) new Array(16384).fill(1.5); 0"; /* 24 MB */
  (void)context;
  js_heap_is_new(vm);
  if (*allowance(vm) != starting_bytes)
    return 90;
  js_check_evaluate(other, litter);
  size_t uncollected = js_heap_capacity(vm);
  js_check_evaluate(other, litter);
  size_t collected = js_heap_capacity(vm);
  JSUnlock(other);
  JSGlobalContextRelease(other);
  return uncollected < 22 << 20 ? 91 : collected > 36 << 20 ? 92 : 0;
}
