/* Native addons: Node-API on the engine. Each file is one chapter of that API; this header has what they share.
 *
 * A napi_value is the engine's own representation of the value. The collector scans the C stack but not memory that an
 * addon has allocated, so every value that an addon gets is also in a list (`handles`), which the collector scans. A
 * scope is a length of that list: opening and closing one costs an assignment.
 *
 * Each thread that loads an addon has one `js_napi`; each addon loaded by it one `napi_env`. */
#ifndef JS_NAPI_H
#define JS_NAPI_H

#define NAPI_VERSION 10
#include "runtime/engine/value/text.h"
#include "runtime/order/env.h"

#include <node_api.h>

/* Functions that the released headers do not declare, but n-api.md documents. */
NAPI_EXTERN napi_status node_api_create_external_sharedarraybuffer(napi_env env, void *data, size_t length,
                                                                   node_api_noenv_finalize finalize, void *hint,
                                                                   napi_value *result);
NAPI_EXTERN napi_status node_api_create_sharedarraybuffer(napi_env env, size_t length, void **data, napi_value *result);
NAPI_EXTERN napi_status node_api_is_sharedarraybuffer(napi_env env, napi_value value, bool *result);
NAPI_EXTERN napi_status node_api_create_object_with_properties(napi_env env, napi_value prototype,
                                                               const napi_value *names, const napi_value *values,
                                                               size_t count, napi_value *result);
NAPI_EXTERN napi_status node_api_set_prototype(napi_env env, napi_value object, napi_value prototype);
NAPI_EXTERN napi_status node_api_post_finalizer(node_api_basic_env env, napi_finalize finalize, void *data, void *hint);

/* Helpers in JavaScript, for rare operations. The order is that of runtime/lib/modules/addons.js. */
enum js_napi_helper {
  HELPER_APPLY,
  HELPER_DEFINE,
  HELPER_KEYS,
  HELPER_HAS_OWN,
  HELPER_FREEZE,
  HELPER_SEAL,
  HELPER_MAKE_ERROR,
  HELPER_MAKE_OBJECT,
  HELPER_MAKE_EXTERNAL,
  HELPER_BIGINT_OF_HEX,
  HELPER_BIGINT_TO_HEX,
  HELPER_SYMBOL_FOR,
  HELPER_IS_REGISTERED,
  HELPER_SHARED,
  HELPER_IS_SHARED,
  HELPER_VIEW,
  HELPER_DETACH,
  HELPER_IS_DETACHED,
  HELPER_BUFFER,
  HELPER_LEND,
  HELPER_ASYNC_INIT,
  HELPER_ASYNC_ENTER,
  HELPER_ASYNC_LEAVE,
  HELPER_ASYNC_DESTROY,
  HELPER_WARN_UNCAUGHT,
  HELPER_COUNT
};

/* The types of cells that are distinguished, by the type byte of a sample of each. */
struct js_napi_kinds {
  unsigned char string, symbol, bigint, function, object, array, error, promise, date;
};

struct js_napi {
  struct js_env *runtime;
  JSGlobalContextRef context;
  JSContextGroupRef group;
  JSValueRef *handles;
  size_t used, room;
  struct napi_env__ *envs;        /* the one loaded last is first */
  struct js_napi_record **marked; /* the records of objects, by address; see record.c */
  size_t marked_room, marked_count;
  size_t externals;           /* of those */
  uint32_t classes;           /* defined so far; each has a number */
  struct js_napi_hook *hooks; /* run at the end, the last one first; see cleanup.c */
  int hooks_under_way;
  JSObjectRef helpers[HELPER_COUNT];
  struct js_napi_kinds kinds;
  uv_async_t wake;                  /* a finalizer was queued where JavaScript must not run */
  struct js_napi_release *released; /* under finalize.c's lock: memory that the engine released, from any thread */
  size_t queued;                    /* finalizers of all envs that wait for the loop */
  JSObjectRef make_instance;        /* see js_napi_make_instance */
  bool ending;                      /* JavaScript has run for the last time */
};

struct js_napi_finalizer {
  struct js_napi_finalizer *next;
  napi_finalize call;
  void *data, *hint;
};

struct napi_env__ {
  struct js_napi *thread;
  JSGlobalContextRef context;
  JSValueRef exception; /* pending; NULL: none */
  napi_extended_error_info last;
  int32_t version; /* that the addon was built for */
  unsigned open_scopes, open_callback_scopes;
  char *file; /* as a URL */
  struct napi_env__ *next;
  struct napi_ref__ *references;                  /* all that live */
  struct js_napi_release *lent;                   /* the addon's memory in the engine */
  struct js_napi_finalizer *queued, **queued_end; /* to be called from the loop */
  bool in_collector;                              /* a finalizer runs that must not use JavaScript */
  void *instance_data, *instance_hint;
  napi_finalize instance_finalize;
  int64_t external_bytes;
  int hooks_under_way; /* of those that take their time */
  bool end_waits;      /* for them */
};

/* ---- status: error.c ---- */

static inline napi_status js_napi_ok(napi_env env) {
  env->last.error_code = napi_ok;
  return napi_ok;
}

static inline napi_status js_napi_fail(napi_env env, napi_status status) {
  env->last.error_code = status;
  return status;
}

/* JavaScript threw: the exception is now pending. */
napi_status js_napi_threw(napi_env env, JSValueRef exception);
void js_napi_set_type_error(napi_env env, const char *message);
napi_status js_napi_refuse_javascript(napi_env env);
void js_napi_check_collector(napi_env env);
_Noreturn void js_napi_fatal(const char *location, const char *message);

/* A call without an env cannot store an error. */
#define NAPI_NEEDS_ENV(env)                                                                                            \
  if ((env) == NULL)                                                                                                   \
  return napi_invalid_arg
#define NAPI_NEEDS(env, argument)                                                                                      \
  if ((argument) == NULL)                                                                                              \
  return js_napi_fail(env, napi_invalid_arg)
/* Declares the object of an argument. */
#define NAPI_NEEDS_OBJECT(env, argument, object)                                                                       \
  JSObjectRef object = js_napi_holder(env, argument);                                                                  \
  if ((object) == NULL)                                                                                                \
  return js_napi_fail(env, napi_object_expected)
/* For calls that use the engine's heap. */
#define NAPI_BEGIN(env)                                                                                                \
  NAPI_NEEDS_ENV(env);                                                                                                 \
  if ((env)->in_collector)                                                                                             \
  js_napi_check_collector(env)
/* For calls that may run JavaScript. */
#define NAPI_ENTER(env)                                                                                                \
  NAPI_BEGIN(env);                                                                                                     \
  if ((env)->exception != NULL)                                                                                        \
    return js_napi_fail(env, napi_pending_exception);                                                                  \
  if ((env)->thread->ending || (env)->thread->runtime->stopping)                                                       \
  return js_napi_refuse_javascript(env)

/* ---- values and their scopes: handles.c ---- */

static inline bool js_is_cell(JSValueRef value) {
  uint64_t bits = (uint64_t)(uintptr_t)value;
  return bits != 0 && (bits & (JS_VALUE_INTEGER | 2)) == 0;
}

static inline unsigned char js_cell_kind(JSValueRef value) {
  return (unsigned char)js_kind_of(value);
}

static inline JSValueRef js_napi_value(napi_value value) {
  return (JSValueRef)value;
}

void js_napi_grow(struct js_napi *thread);

static inline napi_value js_napi_keep(napi_env env, JSValueRef value) {
  struct js_napi *thread = env->thread;
  if (js_is_cell(value)) {
    if (thread->used == thread->room)
      js_napi_grow(thread);
    thread->handles[thread->used++] = value;
  }
  return (napi_value)(uintptr_t)value;
}

static inline napi_status js_napi_give(napi_env env, JSValueRef value, napi_value *result) {
  *result = js_napi_keep(env, value);
  return js_napi_ok(env);
}

/* An object, or NULL: nothing is converted. */
static inline JSObjectRef js_napi_object(napi_env env, napi_value value) {
  (void)env;
  unsigned char kind = js_cell_kind((JSValueRef)value);
  const struct js_napi_kinds *kinds = &env->thread->kinds;
  return kind == 0 || kind == kinds->string || kind == kinds->symbol || kind == kinds->bigint ? NULL
                                                                                              : (JSObjectRef)value;
}

JSObjectRef js_napi_holder(napi_env env, napi_value value);

/* The result of a helper, or NULL; then the exception is pending. */
JSValueRef js_napi_help(napi_env env, enum js_napi_helper helper, size_t argc, const JSValueRef argv[]);

struct js_napi *js_napi_here(struct js_env *env);

/* ---- strings: text.c ---- */

/* ---- records: data of addons for an object ---- */

struct js_napi_record {
  JSObjectRef object; /* by its address: the engine does not move objects */
  void *weak;         /* of all its references, too */
  struct napi_ref__ *wrap;
  napi_type_tag tag;
  bool tagged, external;
  void *external_data;
  uint32_t class_number; /* the class that has constructed it; 0: none */
};

struct js_napi_record *js_napi_record_of(struct js_napi *thread, JSValueRef object);
struct js_napi_record *js_napi_record_make(struct js_napi *thread, JSObjectRef object);
/* After a collection: removes the records of dead objects. */
void js_napi_records_sweep(struct js_napi *thread);

/* ---- references: reference.c ---- */

struct napi_ref__ {
  napi_env env;
  struct napi_ref__ *next, **link;
  JSValueRef value;              /* a live object, or one that may be alive; NULL when it is gone */
  struct js_napi_record *record; /* set while only the collector decides */
  uint32_t count;
  bool held;  /* by this reference; else weak, or gone */
  bool owned; /* freed with its object; else its maker deletes it */
  napi_finalize finalize;
  void *data, *hint;
};

void js_napi_references_sweep(napi_env env);
void js_napi_references_finalize(napi_env env);

/* ---- finalizers: finalize.c ---- */

/* Calls it now, or from the loop if the addon's version demands that. */
void js_napi_finalize_dead(napi_env env, napi_finalize call, void *data, void *hint);
void js_napi_finalize_soon(napi_env env, napi_finalize call, void *data, void *hint);
/* Calls it now, with a scope around it. */
void js_napi_finalize_now(napi_env env, napi_finalize call, void *data, void *hint);
/* An addon's memory in the engine: the second function is called on any thread, when the engine releases it. */
struct js_napi_release *js_napi_lend(napi_env env, napi_finalize call, void *data, void *hint);
void js_napi_lent_back(struct js_napi_release *release);
void js_napi_finalizers_end(napi_env env);

/* ---- functions: function.c ---- */

extern const char js_napi_make_instance[];

/* ---- calling out: callback.c ---- */

/* Calls between the two are one callback of the loop: when the outermost of them ends, ticks and microtasks are
 * drained. An exception that is still pending at the end is uncaught. */
struct js_napi_call {
  napi_env env;
  size_t used;
  unsigned scopes;
  bool entered;
};
void js_napi_call_begin(struct js_napi_call *call, napi_env env, JSValueRef async);
void js_napi_call_end(struct js_napi_call *call);
void js_napi_uncaught(napi_env env, JSValueRef error);
/* Whether an exception only gives a warning, as in older versions for all addons. */
bool js_napi_reports_only(napi_env env);
/* The asynchronous resource; it is protected until it is released. */
napi_status js_napi_async_make(napi_env env, napi_value resource, napi_value name, JSValueRef *result);
void js_napi_async_drop(napi_env env, JSValueRef async);

/* ---- the end: cleanup.c ---- */

void js_napi_hook_add(struct js_napi *thread, void (*call)(void *argument), void *argument);
void js_napi_hook_remove(struct js_napi *thread, void (*call)(void *argument), void *argument);
void js_napi_hooks_run(struct js_napi *thread);
void js_napi_env_end(void *data);

/* ---- bytes ---- */

/* Functions that array buffers and Buffers share. */

/* ---- the collector ---- */

/* Functions that the engine exports for its collector and does not declare: which objects are kept alive, which were
 * collected, and when to check. */

struct js_marker {
  bool (*is_marked)(struct js_marker *marker, JSObjectRef cell);
  void (*mark)(struct js_marker *marker, JSObjectRef cell);
};

/* After each collection, on the engine's thread, before anything else is allocated. */
extern void JSContextGroupAddHeapFinalizer(JSContextGroupRef group, void (*finalizer)(JSContextGroupRef, void *data),
                                           void *data);
extern void JSContextGroupRemoveHeapFinalizer(JSContextGroupRef group, void (*finalizer)(JSContextGroupRef, void *data),
                                              void *data);

/* A weak reference. JSWeakGetObject returns NULL from the end of the collection on that freed the object. */
extern void *JSWeakCreate(JSContextGroupRef group, JSObjectRef object);
extern void JSWeakRelease(JSContextGroupRef group, void *weak);
extern JSObjectRef JSWeakGetObject(void *weak);

#endif
