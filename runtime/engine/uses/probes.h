/* The probes of the table in engine/uses/uses.c, and the symbols that go with them; each is defined beside the code
 * that it is about. A probe returns 0 if the engine is as expected, else a number that says where it was not. It runs
 * in a process of its own, which ends after it. */
#ifndef JS_ENGINE_PROBES_H
#define JS_ENGINE_PROBES_H

#include "runtime/engine/uses/uses.h"

extern const struct js_symbol js_natives_symbols[], js_ending_symbols[], js_call_symbols[], js_drain_symbols[],
    js_text_symbols[], js_place_symbols[], js_jobs_symbols[], js_waking_symbols[], js_heap_symbols[],
    js_shared_symbols[], js_await_symbols[], js_prototypes_symbols[], js_time_zone_symbols[],
    js_napi_function_symbols[], js_napi_text_symbols[], js_repair_symbols[], js_frames_symbols[], js_bytecode_symbols[],
    js_script_symbols[], js_functions_symbols[];

int js_probe_values(JSGlobalContextRef context);
int js_probe_kinds(JSGlobalContextRef context);
int js_probe_layout(JSGlobalContextRef context);
int js_probe_natives(JSGlobalContextRef context);
int js_probe_calls(JSGlobalContextRef context);
int js_probe_drain(JSGlobalContextRef context);
int js_probe_text(JSGlobalContextRef context);
int js_probe_views(JSGlobalContextRef context);
int js_probe_become(JSGlobalContextRef context);
int js_probe_promises(JSGlobalContextRef context);
int js_probe_iterators(JSGlobalContextRef context);
int js_probe_weak(JSGlobalContextRef context);
int js_probe_proxies(JSGlobalContextRef context);
int js_probe_places(JSGlobalContextRef context);
int js_probe_jobs(JSGlobalContextRef context);
int js_probe_ending(JSGlobalContextRef context);
int js_probe_mark(JSGlobalContextRef context);
int js_probe_waking(JSGlobalContextRef context);
int js_probe_heap(JSGlobalContextRef context);
int js_probe_allowance(JSGlobalContextRef context);
int js_probe_shared(JSGlobalContextRef context);
int js_probe_import(JSGlobalContextRef context);
int js_probe_rejections(JSGlobalContextRef context);
int js_probe_await(JSGlobalContextRef context);
int js_probe_errors(JSGlobalContextRef context);
int js_probe_globals(JSGlobalContextRef context);
int js_probe_prototypes(JSGlobalContextRef context);
int js_probe_time_zone(JSGlobalContextRef context);
int js_probe_addons(JSGlobalContextRef context);
int js_probe_external_text(JSGlobalContextRef context);
int js_probe_repair(JSGlobalContextRef context);
int js_probe_frames(JSGlobalContextRef context);
int js_probe_bytecode(JSGlobalContextRef context);
int js_probe_scripts(JSGlobalContextRef context);
int js_probe_functions(JSGlobalContextRef context);
int js_probe_for_await(JSGlobalContextRef context);
int js_probe_thenables(JSGlobalContextRef context);
int js_probe_delegation(JSGlobalContextRef context);
int js_probe_finally(JSGlobalContextRef context);

/* For the probes: the value of a piece of code, NULL when it throws; whether that is true; and the promise jobs that
 * wait, in whichever way there is. */
JSValueRef js_check_evaluate(JSContextRef context, const char *code);
bool js_check_holds(JSContextRef context, const char *code);
void js_check_drain(JSContextRef context);

#endif
