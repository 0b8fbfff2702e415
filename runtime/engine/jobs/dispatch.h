/* Being told of the engine's jobs, as they are queued and as they run: for releases (2.52 and later) in which a job is
 * a number and three values, so that no job of ours can be put in front of it.
 *
 * A job may have a dispatcher: an object of C++ whose virtual function runs it. Each job gets one of ours while jobs
 * are followed. How a job gets it depends on the release:
 *
 * - 2.52 asks the global's table of functions to queue a job, which is given by its address.
 * - 2.54 asks the token of the VM (JSC::CrossTaskToken), if it has one, for the dispatcher of each job. It does not say
 *   which job that is. But it queues a job with a dispatcher by MicrotaskQueue::enqueueSlow, which is called through a
 *   slot (engine/uses/build.h): where jobs belong to resources, a function of ours stands there.
 *
 * Jobs keep their places: none is added. */
#ifndef JS_ENGINE_DISPATCH_H
#define JS_ENGINE_DISPATCH_H

#include "runtime/engine/engine.h"

/* What a job is made of: the function that it calls, if it is a reaction, is one of them. */
enum { JS_JOB_VALUES = 3 };

struct js_job_follower {
  /* The job that is being queued will run in this frame. */
  JSValueRef (*frame)(void);
  /* It belongs to this resource; undefined: to none. Only asked while js_dispatch_track is on. */
  JSValueRef (*resource)(JSContextRef global, const JSValueRef values[]);
  /* It runs now. False: the thread is being ended, and the job does not run. */
  bool (*begins)(JSContextRef global, const JSValueRef values[], JSValueRef frame, JSValueRef resource);
  void (*ended)(JSContextRef global, const JSValueRef values[]);
};

/* Whether this engine can tell: symbols of this file are part of JS_USE_AWAIT and JS_USE_JOBS. */
bool js_dispatch_is_there(void);

/* From now on, on this thread. `follower` stays valid. */
void js_dispatch_follow(JSContextRef context, const struct js_job_follower *follower);

/* The same for jobs of a further context on this thread. */
bool js_dispatch_follow_in(JSContextRef context);

/* Whether jobs belong to resources. */
void js_dispatch_track(bool on);

/* The microtasks are done: the last frame is not held any more. */
void js_dispatch_leave(void);

/* What the rows of the two uses look up; NULL in other releases. */
extern void (*js_job_run_2_52)(JSContextRef global, uint8_t kind, uint8_t payload, const JSValueRef values[]);
extern void (*js_job_run_2_54)(JSContextRef global, JSContextGroupRef vm, void *job);
struct job_2_54;
extern uintptr_t (*js_job_queue)(void *queue, struct job_2_54 *job); /* whatever it returns */
extern void (*js_token_create)(void *token);
extern void (*js_token_set)(JSContextGroupRef vm, void **token);

#define JS_DISPATCH_SYMBOLS_2_52                                                                                       \
  {                                                                                                                    \
    "_ZN3JSC20runInternalMicrotaskEPNS_14JSGlobalObjectENS_17InternalMicrotaskEhSt4spanIKNS_7JSValueELm3EE",           \
        &js_job_run_2_52                                                                                               \
  }
#define JS_DISPATCH_SYMBOLS_2_54                                                                                       \
  {"_ZN3JSC24runMicrotaskWithDebuggerEPNS_14JSGlobalObjectERNS_2VMERNS_10QueuedTaskE", &js_job_run_2_54},              \
      {"_ZN3JSC14MicrotaskQueue11enqueueSlowEONS_10QueuedTaskE", &js_job_queue},                                       \
      {"_ZN3JSC14CrossTaskTokenC1Ev", &js_token_create}, {                                                             \
    "_ZN3JSC2VM17setCrossTaskTokenEON3WTF6RefPtrINS_14CrossTaskTokenENS1_12RawPtrTraitsIS3_EE"                         \
    "NS1_21DefaultRefDerefTraitsIS3_EEEE",                                                                             \
        &js_token_set                                                                                                  \
  }

#endif
