#include "runtime/engine/jobs/dispatch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/jobs/jobs.h"
#include "runtime/engine/jobs/table.h"
#include "runtime/engine/uses/build.h"
#include "runtime/engine/uses/probes.h"

void (*js_job_run_2_52)(JSContextRef global, uint8_t kind, uint8_t payload, const JSValueRef values[]);
void (*js_job_run_2_54)(JSContextRef global, JSContextGroupRef vm, void *job);
uintptr_t (*js_job_queue)(void *queue, struct job_2_54 *job);
void (*js_token_create)(void *token);
void (*js_token_set)(JSContextGroupRef vm, void **token);

/* JSC::QueuedTask. The first word is a pointer (to the dispatcher, in 2.54 also to the global), a number that tells
 * what kind of job it is, and a number that belongs to the kind. */
struct job_2_52 {
  uint64_t head;
  JSContextRef global;
  JSValueRef values[JS_JOB_VALUES];
};
struct job_2_54 {
  uint64_t head;
  JSValueRef values[JS_JOB_VALUES];
};
enum { KIND_AT = 48, PAYLOAD_AT = 56 };
#define POINTER (((uint64_t)1 << KIND_AT) - 1)

/* JSC::MicrotaskDispatcher, and what is ours behind it. Jobs that are queued in the same frame share one. */
struct dispatcher {
  void *const *functions;
  uint32_t references;
  uint8_t type;
  JSContextRef global;
  JSValueRef frame, resource; /* protected while a job waits; NULL afterwards */
  unsigned waiting;           /* jobs that have not begun */
};
enum { TYPE_OF_DEBUGGER = 1 }; /* the engine's own one that runs jobs as ours does */

/* JSC::CrossTaskToken; its constructor fills it. */
struct token {
  void *const *functions;
  void *weak;
  uint32_t references;
  bool makes_dispatchers;
  uint64_t room[8];
};

static _Thread_local struct {
  JSContextRef context; /* NULL: nothing is asked of the engine yet */
  const struct js_job_follower *follower;
  struct dispatcher *last; /* it has a reference here, too */
  bool tracked;
  uint64_t count;
  void (*queue_2_52)(JSContextRef global, struct job_2_52 *job);
} here;

bool js_dispatch_is_there(void) {
  return js_job_run_2_52 != NULL || js_job_run_2_54 != NULL;
}

/* ---- dispatchers ---- */

static void hold(struct dispatcher *dispatcher, JSValueRef frame, JSValueRef resource) {
  dispatcher->frame = frame;
  dispatcher->resource = resource;
  JSValueProtect(here.context, frame);
  JSValueProtect(here.context, resource);
}

static void let_go(struct dispatcher *dispatcher) {
  if (dispatcher->frame == NULL)
    return;
  JSValueUnprotect(here.context, dispatcher->frame);
  JSValueUnprotect(here.context, dispatcher->resource);
  dispatcher->frame = dispatcher->resource = NULL;
}

/* The engine calls this when it has no job left with it: maybe while it collects. */
static void destroy(struct dispatcher *dispatcher) {
  free(dispatcher);
}

static void destroy_in_place(void *object) {
  (void)object;
}

static bool is_runnable(const struct dispatcher *dispatcher) {
  (void)dispatcher;
  return true;
}

static unsigned char run(struct dispatcher *dispatcher, void *job) {
  enum { EXECUTED };
  const JSValueRef *values =
      js_job_run_2_54 != NULL ? ((struct job_2_54 *)job)->values : ((struct job_2_52 *)job)->values;
  JSContextRef global = dispatcher->global;
  uint64_t head = *(uint64_t *)job;
  bool runs = here.follower->begins(global, values, dispatcher->frame, dispatcher->resource);
  if (--dispatcher->waiting == 0 && dispatcher != here.last)
    let_go(dispatcher);
  if (!runs)
    return EXECUTED;
  if (js_job_run_2_54 != NULL)
    js_job_run_2_54(global, JSContextGetGroup(global), job);
  else
    js_job_run_2_52(global, (uint8_t)(head >> KIND_AT), (uint8_t)(head >> PAYLOAD_AT), values);
  here.follower->ended(global, values);
  return EXECUTED;
}

static void *const dispatcher_functions[] = {(void *)(uintptr_t)destroy_in_place, (void *)(uintptr_t)destroy,
                                             (void *)(uintptr_t)run, (void *)(uintptr_t)is_runnable};

static void forget_last(void) {
  struct dispatcher *last = here.last;
  here.last = NULL;
  if (last == NULL)
    return;
  if (last->waiting == 0)
    let_go(last);
  if (--last->references == 0)
    destroy(last);
}

/* With a reference for the job. NULL: no memory; the job then runs in the frame of the one before it. */
static struct dispatcher *dispatcher_for(JSContextRef global, JSValueRef frame, JSValueRef resource) {
  struct dispatcher *last = here.last;
  if (last == NULL || last->frame != frame || last->resource != resource || last->global != global) {
    forget_last();
    last = malloc(sizeof *last);
    if (last == NULL)
      return NULL;
    *last = (struct dispatcher){.functions = dispatcher_functions, .references = 1, .type = TYPE_OF_DEBUGGER};
    last->global = global;
    hold(last, frame, resource);
    here.last = last;
  }
  last->references++;
  last->waiting++;
  return last;
}

/* ---- 2.52: the table of the global ---- */

static void on_queue(JSContextRef global, struct job_2_52 *job) {
  here.count++;
  if (here.follower != NULL && (job->head & POINTER) == 0) {
    JSValueRef frame = here.follower->frame();
    JSValueRef resource = here.tracked ? here.follower->resource(global, job->values) : JSValueMakeUndefined(global);
    job->head |= (uint64_t)(uintptr_t)dispatcher_for(global, frame, resource);
  }
  here.queue_2_52(global, job);
}

/* ---- 2.54: the token of the VM ---- */

/* The result is a pointer with a reference; NULL: the engine queues the job as it does without a token. */
static struct dispatcher **on_token(struct dispatcher **result, struct token *token, JSContextGroupRef vm,
                                    JSContextRef global) {
  (void)token;
  (void)vm;
  here.count++;
  if (here.tracked)
    forget_last(); /* each job has a dispatcher of its own, which find_resource completes */
  *result = here.follower == NULL ? NULL : dispatcher_for(global, here.follower->frame(), JSValueMakeUndefined(global));
  return result;
}

/* The dispatcher is the one that on_token has just made: nothing has happened in between. Asking may run hooks of the
 * program, which may queue other jobs. */
static void find_resource(const struct job_2_54 *job) {
  struct dispatcher *own = here.last;
  JSValueRef resource = here.follower->resource(own->global, job->values);
  JSValueProtect(here.context, resource);
  own->resource = resource;
}

static uintptr_t enqueue(void *queue, struct job_2_54 *job) {
  if (here.tracked && here.last != NULL)
    find_resource(job);
  return js_job_queue(queue, job);
}

/* Once for all threads: each looks at what is its own. */
static void see_queue(void) {
  void *original = (void *)(uintptr_t)js_job_queue, **slot = js_slot_find(original);
  if (slot != NULL)
    js_slot_replace(slot, original, (void *)(uintptr_t)enqueue);
}

static void set_token(JSContextGroupRef vm) {
  static void *const functions[] = {(void *)(uintptr_t)destroy_in_place, (void *)(uintptr_t)free,
                                    (void *)(uintptr_t)on_token};
  struct token *token = calloc(1, sizeof *token);
  if (token == NULL)
    return;
  js_token_create(token);
  token->functions = functions;
  token->makes_dispatchers = true;
  js_token_set(vm, (void **)&token);
}

/* ---- on and off ---- */

static void begin(JSContextRef context) {
  if (here.context != NULL)
    return;
  here.context = context;
  if (js_token_set != NULL)
    set_token(JSContextGetGroup(context));
  else
    js_table_set_queue(context, (void *)(uintptr_t)on_queue, (void **)&here.queue_2_52);
}

void js_dispatch_follow(JSContextRef context, const struct js_job_follower *follower) {
  begin(context);
  here.follower = follower;
}

/* Contexts of one kind share a table. */
bool js_dispatch_follow_in(JSContextRef context) {
  if (js_token_set != NULL)
    return true; /* the token is the VM's */
  void *original = NULL;
  if ((*js_table_of(context))[js_layout.table_queue] == (void *)(uintptr_t)on_queue)
    return true;
  if (!js_table_set_queue(context, (void *)(uintptr_t)on_queue, &original))
    return false;
  if (original == (void *)(uintptr_t)here.queue_2_52)
    return true;
  js_table_set_queue(context, original, &original); /* another one cannot be called in its place */
  return false;
}

void js_dispatch_track(bool on) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (on && js_job_queue != NULL)
    pthread_once(&once, see_queue);
  here.tracked = on;
}

void js_dispatch_leave(void) {
  forget_last();
}

/* From now on jobs are counted, on this thread: for js_jobs_queued. */
static void js_dispatch_count(JSContextRef context) {
  begin(context);
}

static uint64_t js_dispatch_counted(void) {
  return here.count++;
}

/* ---- how many jobs ---- */

static uint64_t (*next_identity)(void);

/* Later releases have that counter, too, but their jobs take nothing from it. */
const struct js_symbol js_jobs_symbols[] = {
    JS_DISPATCH_SYMBOLS_2_54,
    JS_SYMBOLS_OR,
    JS_DISPATCH_SYMBOLS_2_52,
    JS_SYMBOLS_OR,
    {"_ZN3WTF38ObjectIdentifierThreadSafeAccessTraitsImE26generateIdentifierInternalEv", &next_identity},
    {NULL, NULL}};

bool js_jobs_are_numbered(void) {
  return js_uses(JS_USE_JOBS) && next_identity != NULL;
}

void js_jobs_count(JSContextRef context) {
  if (next_identity == NULL)
    js_dispatch_count(context);
}

uint64_t js_jobs_queued(void) {
  return next_identity != NULL ? next_identity() : js_dispatch_counted();
}

int js_probe_jobs(JSGlobalContextRef context) {
  js_jobs_count(context);
  uint64_t before = js_jobs_queued();
  js_check_evaluate(context, "n = 0; Promise.resolve().then(() => n++).then(() => n++).then(() => n++); 0");
  js_check_drain(context);
  return js_jobs_queued() - before - 1 == 3 && js_check_holds(context, "n === 3") ? 0 : 23;
}
