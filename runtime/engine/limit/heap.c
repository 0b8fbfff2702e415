/* At its start a program makes long-lived objects: modules, tables, the first timers. A collection then finds
 * everything alive, and is at its most expensive. So the first collection is delayed while the script runs; afterwards
 * 16 MB of garbage start one, which fit into a processor's caches.
 *
 * The engine has one option for both. What it allows until the next collection is a word of its heap, which
 * JS_USE_ALLOWANCE is about. */
#include "runtime/engine/limit/heap.h"

#include <stdlib.h>

#include "runtime/engine/limit/stop.h"
#include "runtime/engine/uses/probes.h"

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
