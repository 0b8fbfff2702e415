#include "runtime/engine/jobs/await.h"

#include <stdio.h>
#include <string.h>

#include "runtime/engine/jobs/dispatch.h"
#include "runtime/engine/jobs/table.h"
#include "runtime/engine/uses/probes.h"

/* JSC::QueuedTask of 2.50; later ones: engine/jobs/dispatch.c */
struct queued_task {
  void *dispatcher;
  uint64_t id;
  void *global;
  JSObjectRef job;
  JSValueRef arguments[4];
};

enum { FIRST_PROPERTY = 2, JOB_PROPERTY = 3, CODE_AT = 3, CELL_TYPE = 5 };

static void (*queue_microtask)(JSContextRef global, JSObjectRef job, JSValueRef a, JSValueRef b, JSValueRef c,
                               JSValueRef d);
static void (*promise_react)(JSValueRef promise, JSContextRef global, JSObjectRef fulfilled, JSObjectRef rejected,
                             JSValueRef capability);
static void (*promise_react_later)(JSValueRef promise, JSContextGroupRef vm, JSContextRef global, JSObjectRef fulfilled,
                                   JSObjectRef rejected, JSValueRef capability);

#define REACT_LATER                                                                                                    \
  {                                                                                                                    \
    "_ZN3JSC9JSPromise26performPromiseThenExportedERNS_2VMEPNS_14JSGlobalObjectENS_7JSValueES5_S5_",                   \
        &promise_react_later                                                                                           \
  }
const struct js_symbol js_await_symbols[] = {
    {"_ZN3JSC14JSGlobalObject14queueMicrotaskEPNS_10JSFunctionENS_7JSValueES3_S3_S3_", &queue_microtask},
    {"_ZN3JSC9JSPromise18performPromiseThenEPNS_14JSGlobalObjectEPNS_10JSFunctionES4_NS_7JSValueE", &promise_react},
    JS_SYMBOLS_OR,
    REACT_LATER,
    JS_DISPATCH_SYMBOLS_2_54,
    JS_SYMBOLS_OR,
    REACT_LATER,
    JS_DISPATCH_SYMBOLS_2_52,
    {NULL, NULL}};

/* A global's table of functions, and the copy that takes its place. Globals with a class of their own have another
 * table than plain ones. */
enum { TABLES_MAX = 4 };
struct followed_table {
  void **original;
  void *copy[JS_TABLE_LENGTH];
};

static _Thread_local struct {
  struct followed_table tables[TABLES_MAX]; /* the first is that of the program's own global */
  int table_count;
  JSObjectRef holder, restore;
  JSObjectRef announce, after; /* null unless jobs are told of */
  JSObjectRef rejected;        /* null: the engine tells of rejections itself, when the microtasks are done */
  const void *code;            /* what closures that are reactions of ours have in common */
  unsigned char promise_type, function_type;
  bool preceded; /* the job queued last was a reaction of ours: the next one belongs to it */
  bool follows;  /* the same of the job that has run last (engine/jobs/dispatch.h) */
} await;

/* The holder, where JavaScript follows promises by itself. */
static _Thread_local JSObjectRef by_name;

static JSValueRef current_frame(void) {
  return ((JSValueRef *)await.holder)[FIRST_PROPERTY];
}

static unsigned char type_of(JSValueRef cell) {
  return ((const unsigned char *)cell)[CELL_TYPE];
}

static const void *code_of(JSValueRef function) {
  return ((const void *const *)function)[CODE_AT];
}

/* Other objects may be too small to have a code, and the last ones of their page. */
static bool is_reaction(JSContextRef global, JSValueRef value) {
  return JSValueIsObject(global, value) && type_of(value) == await.function_type && code_of(value) == await.code;
}

bool js_await_is_reaction(JSContextRef context, JSValueRef value) {
  return await.restore != NULL && is_reaction(context, value);
}

/* What the job that is being queued belongs to. Asking may run the program's own hooks. */
static JSValueRef take_job(JSContextRef global) {
  JSValueRef *place = &((JSValueRef *)await.holder)[JOB_PROPERTY];
  JSValueRef job = *place;
  *place = JSValueMakeUndefined(global);
  if (JSValueIsNull(global, job))
    return *place;
  if (!JSValueIsUndefined(global, job))
    return job;
  job = JSObjectCallAsFunction(global, await.announce, NULL, 0, NULL, NULL);
  return job != NULL ? job : JSValueMakeUndefined(global);
}

static bool has_reaction(JSContextRef global, const JSValueRef values[], int count) {
  bool ours = false;
  for (int i = 0; i < count; i++)
    ours |= is_reaction(global, values[i]);
  return ours;
}

static void **original_of(void **copy) {
  int i = 0;
  while (i + 1 < await.table_count && await.tables[i].copy != copy)
    i++;
  return await.tables[i].original;
}

static void on_queue(JSContextRef global, struct queued_task *task) {
  void ***slot = js_table_of(global), **copy = *slot;
  JSValueRef undefined = JSValueMakeUndefined(global), job = undefined;
  bool ours = has_reaction(global, task->arguments, 4);
  bool bare = !ours && !await.preceded;
  if (bare && await.announce != NULL)
    job = take_job(global);
  *slot = original_of(copy);
  if (bare)
    queue_microtask(global, await.restore, undefined, current_frame(), job, undefined);
  await.preceded = ours;
  queue_microtask(global, task->job, task->arguments[0], task->arguments[1], task->arguments[2], task->arguments[3]);
  if (!ours && await.after != NULL)
    queue_microtask(global, await.after, undefined, undefined, undefined, undefined);
  *slot = copy;
}

/* The global gets a copy of its table. False: this engine's does not look as expected, or there are too many kinds. */
static bool follow_queue(JSContextRef global) {
  void ***slot = js_table_of(global);
  for (int i = 0; i < await.table_count; i++) {
    struct followed_table *known = &await.tables[i];
    if (*slot == known->original)
      *slot = known->copy;
    if (*slot == known->copy)
      return true;
  }
  if (await.table_count == TABLES_MAX || !js_table_is_expected(global))
    return false;
  struct followed_table *added = &await.tables[await.table_count++];
  added->original = *slot;
  memcpy(added->copy, added->original, sizeof added->copy);
  added->copy[js_layout.table_queue] = (void *)(uintptr_t)on_queue;
  *slot = added->copy;
  return true;
}

/* The same for engines that tell when a job runs: nothing needs to be queued in front of it. */

static JSValueRef resource_of(JSContextRef global, const JSValueRef values[]) {
  bool ours = has_reaction(global, values, JS_JOB_VALUES), bare = !ours && !await.preceded;
  await.preceded = ours;
  return bare ? take_job(global) : JSValueMakeUndefined(global);
}

static bool job_begins(JSContextRef global, const JSValueRef values[], JSValueRef frame, JSValueRef resource) {
  bool ours = has_reaction(global, values, JS_JOB_VALUES), bare = !ours && !await.follows;
  await.follows = ours;
  JSValueRef undefined = JSValueMakeUndefined(global), error = NULL;
  if (!bare || (frame == current_frame() && resource == undefined))
    return true;
  JSValueRef arguments[] = {undefined, frame, resource};
  JSObjectCallAsFunction(global, await.restore, NULL, 3, arguments, &error);
  return error == NULL;
}

static void job_ended(JSContextRef global, const JSValueRef values[]) {
  JSValueRef error = NULL;
  if (await.after != NULL && !has_reaction(global, values, JS_JOB_VALUES))
    JSObjectCallAsFunction(global, await.after, NULL, 0, NULL, &error);
}

static const struct js_job_follower follower = {current_frame, resource_of, job_begins, job_ended};

/* What the engine calls, if it is there, when a promise without a handler is rejected (0), or handled later (1). The
 * frame is known only at this moment. If the stack is used up, nothing can be called: then the rejection is not
 * reported, as in Node. The calls on that stack get an error, too, and their promises report it. */
static void on_rejected(JSContextRef global, JSValueRef promise, unsigned operation) {
  if (operation != 0)
    return;
  JSValueRef arguments[] = {promise, await.holder != NULL ? current_frame()
                                     : by_name != NULL    ? js_get(global, by_name, "current")
                                                          : JSValueMakeUndefined(global)};
  JSValueRef error = NULL;
  JSObjectCallAsFunction(global, await.rejected, NULL, 2, arguments, &error);
  if (error != NULL && JSValueIsObject(global, error)) /* a thread that is being ended has another one */
    fprintf(stderr, "Exception in PromiseRejectCallback:\nRangeError: Maximum call stack size exceeded\n\n");
}

bool js_await_follow(JSContextRef context, JSObjectRef holder, JSObjectRef restore, JSObjectRef reaction) {
  if (await.restore != NULL)
    return true;
  if (!js_uses(JS_USE_AWAIT)) {
    JSValueProtect(context, holder);
    by_name = holder;
    return false;
  }
  if (!js_table_is_expected(context))
    return false;
  JSObjectRef sample = JSObjectMakeDeferredPromise(context, NULL, NULL, NULL);
  if (sample == NULL)
    return false;
  await.promise_type = type_of(sample);
  JSValueProtect(context, holder);
  JSValueProtect(context, restore);
  JSValueProtect(context, reaction);
  await.holder = holder;
  await.restore = restore;
  await.code = code_of(reaction);
  await.function_type = type_of(reaction);
  if (js_dispatch_is_there()) {
    js_dispatch_follow(context, &follower);
    return true;
  }
  return follow_queue(context);
}

bool js_await_follow_in(JSContextRef context) {
  if (await.restore == NULL)
    return false;
  return js_dispatch_is_there() ? js_dispatch_follow_in(context) : follow_queue(context);
}

bool js_await_remember(JSContextRef context, JSValueRef value, JSObjectRef reaction) {
  if (await.restore == NULL || !JSValueIsObject(context, value) || type_of(value) != await.promise_type)
    return false;
  struct js_promise *promise = (struct js_promise *)value;
  if (js_promise_state(promise) != 0)
    return false; /* its job is queued at once, and seen then */
  bool handled = js_promise_handled(promise);
  JSValueRef undefined = JSValueMakeUndefined(context);
  if (promise_react != NULL)
    promise_react(value, context, reaction, reaction, undefined);
  else
    promise_react_later(value, JSContextGetGroup(context), context, reaction, reaction, undefined);
  if (!handled)
    js_promise_unhandle(promise); /* a mere look at the promise does not handle it */
  return true;
}

static JSObjectRef exchange(JSContextRef context, JSObjectRef old, JSObjectRef function) {
  if (function != NULL)
    JSValueProtect(context, function);
  if (old != NULL)
    JSValueUnprotect(context, old);
  return function;
}

void js_await_track(JSContextRef context, JSObjectRef announce, JSObjectRef after) {
  await.announce = exchange(context, await.announce, announce);
  await.after = exchange(context, await.after, after);
  await.preceded = false;
  js_dispatch_track(announce != NULL);
}

void js_await_note_rejections(JSContextRef context, JSObjectRef rejected) {
  if (!js_uses(JS_USE_REJECTIONS))
    return;
  void *function = rejected != NULL ? (void *)(uintptr_t)on_rejected : NULL;
  if (await.table_count > 0)
    await.tables[0].copy[js_layout.table_rejected] = function;
  else if (!js_table_set_rejected(context, function))
    return;
  await.rejected = exchange(context, await.rejected, rejected);
}

bool js_await_note_rejections_in(JSContextRef context) {
  return await.rejected != NULL && js_table_set_rejected(context, (void *)(uintptr_t)on_rejected);
}

bool js_await_queues(void) {
  return js_uses(JS_USE_AWAIT) && queue_microtask != NULL;
}

void js_await_queue(JSContextRef context, JSObjectRef job) {
  JSValueRef undefined = JSValueMakeUndefined(context);
  queue_microtask(context, job, undefined, undefined, undefined, undefined);
}

void js_await_leave(JSContextRef context) {
  if (by_name != NULL)
    js_set(context, by_name, "current", js_undefined(context));
  if (await.holder != NULL)
    ((JSValueRef *)await.holder)[FIRST_PROPERTY] = JSValueMakeUndefined(context);
  js_dispatch_leave();
}

static JSValueRef check_remember(JSContextRef context, struct js_frame *frame) {
  js_await_remember(context, js_arg(context, frame, 0), (JSObjectRef)js_arg(context, frame, 1));
  return js_undefined(context);
}

/* Run last, in a context that is not used afterwards. */
int js_probe_await(JSGlobalContextRef context) {
  JSObjectRef holder = (JSObjectRef)js_check_evaluate(context, "holder = { current: 0, job: undefined }");
  JSObjectRef restore = (JSObjectRef)js_check_evaluate(
      context, "(function (value, frame, job) { holder.current = frame; if (job) log += job; })");
  JSObjectRef reaction =
      (JSObjectRef)js_check_evaluate(context, "make = (f) => () => { holder.current = f; }; make(0)");
  if (holder == NULL || restore == NULL || reaction == NULL || !js_await_follow(context, holder, restore, reaction))
    return 41;
  js_set(context, JSContextGetGlobalObject(context), "remember", js_function(context, check_remember, 1));
  js_check_evaluate(context, "log = ''; known = Promise;"
                             "Object.defineProperty(Promise.prototype, 'constructor', {"
                             "  get() { remember(this, make(holder.current)); return known; } });"
                             "wake = []; sleep = () => new Promise((done) => wake.push(done));"
                             "async function walk(name) {"
                             "  holder.current = name; await sleep(); log += holder.current === name ? 'a' : 'x';"
                             "  await 5; log += holder.current === name ? 'b' : 'x';"
                             "  try { await Promise.reject(1); } catch { log += holder.current === name ? 'c' : 'x'; }"
                             "  await sleep().then(() => { log += holder.current === name ? 'd' : 'x'; });"
                             "}"
                             "walk(1); walk(2); holder.current = 0; for (const done of wake) done();");
  js_check_drain(context);
  js_check_evaluate(context, "holder.current = 7; wake[3](); wake[2]()");
  js_check_drain(context);
  JSValueRef value = js_check_evaluate(context, "log === 'aabbccdd'");
  if (value == NULL || !js_to_boolean(context, value))
    return 42;
  js_check_evaluate(context, "log = ''; ready = Promise.resolve()");
  js_await_track(context, (JSObjectRef)js_check_evaluate(context, "(() => '?')"),
                 (JSObjectRef)js_check_evaluate(context, "(() => { log += ')'; })"));
  js_check_evaluate(context, "holder.job = '('; ready.then(() => { log += 1; }); ready.then(() => { log += 2; });"
                             "holder.job = null; ready.then(() => { log += 3; });");
  js_check_drain(context);
  js_await_track(context, NULL, NULL);
  value = js_check_evaluate(context, "log === '(1)?2)3)'");
  if (value == NULL || !js_to_boolean(context, value))
    return 43;
  if (!js_await_queues())
    return 0;
  js_check_evaluate(context, "log = ''; ready.then(() => { log += 1; })");
  js_await_queue(context, (JSObjectRef)js_check_evaluate(context, "(() => { log += 2; })"));
  js_check_evaluate(context, "ready.then(() => { log += 3; })");
  js_check_drain(context);
  return js_check_holds(context, "log === '123'") ? 0 : 44;
}

int js_probe_rejections(JSGlobalContextRef context) {
  if (!js_import_follow(context, (JSObjectRef)js_check_evaluate(context, "(() => {})")))
    return 51;
  by_name = (JSObjectRef)js_check_evaluate(context, "holder = { current: 'f' }");
  js_await_note_rejections(
      context, (JSObjectRef)js_check_evaluate(
                   context, "log = ''; ((promise, frame) => { log += [promise instanceof Promise, frame]; })"));
  js_check_evaluate(context, "Promise.reject(1); Promise.reject(2).catch(() => {}); "
                             "holder.current = undefined; Promise.reject(3); (async () => { throw 4; })(); 0");
  js_await_note_rejections(context, NULL);
  js_check_evaluate(context, "Promise.reject(5); 0");
  return js_check_holds(context, "log === 'true,ftrue,ftrue,true,'") ? 0 : 53;
}
