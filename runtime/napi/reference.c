/* References: a count, and an object that is protected while the count is above zero. At zero the collector decides,
 * and the reference is checked after a collection. */
#include <stdlib.h>

#include "runtime/napi/napi.h"

/* Only values with an identity can be collected observably. A registered symbol is never collected; any other value
 * counts as gone when it is released. */
enum fate { WEAK, KEPT, GONE };

static enum fate fate_of(napi_env env, JSValueRef value) {
  if (js_napi_object(env, (napi_value)(uintptr_t)value) != NULL)
    return WEAK;
  if (js_cell_kind(value) != env->thread->kinds.symbol)
    return GONE;
  JSValueRef registered = js_napi_help(env, HELPER_IS_REGISTERED, 1, &value);
  return registered != NULL && js_to_boolean(env->context, registered) ? KEPT : WEAK;
}

static bool can_be_referenced(napi_env env, JSValueRef value) {
  return env->version >= 10 || js_napi_object(env, (napi_value)(uintptr_t)value) != NULL ||
         js_cell_kind(value) == env->thread->kinds.symbol;
}

static void hold(struct napi_ref__ *reference) {
  if (reference->held)
    return;
  JSValueProtect(reference->env->context, reference->value);
  reference->held = true;
  reference->record = NULL;
}

static void let_go(struct napi_ref__ *reference) {
  enum fate fate = fate_of(reference->env, reference->value);
  if (fate == KEPT) {
    hold(reference);
    return;
  }
  if (fate == WEAK)
    reference->record = js_napi_record_make(reference->env->thread, (JSObjectRef)reference->value);
  if (reference->held)
    JSValueUnprotect(reference->env->context, reference->value);
  reference->held = false;
  if (fate == GONE)
    reference->value = NULL;
}

static struct napi_ref__ *js_napi_reference(napi_env env, JSValueRef value, uint32_t count, bool owned,
                                            napi_finalize finalize, void *data, void *hint) {
  struct napi_ref__ *reference = calloc(1, sizeof *reference);
  if (reference == NULL)
    js_napi_fatal("reference", "out of memory");
  reference->env = env;
  reference->value = value;
  reference->count = count;
  reference->owned = owned;
  reference->finalize = finalize;
  reference->data = data;
  reference->hint = hint;
  if (count > 0)
    hold(reference);
  else
    let_go(reference);
  reference->next = env->references;
  if (reference->next != NULL)
    reference->next->link = &reference->next;
  reference->link = &env->references;
  env->references = reference;
  return reference;
}

static void js_napi_reference_free(struct napi_ref__ *reference) {
  napi_env env = reference->env;
  struct js_napi_record *record = reference->value != NULL ? js_napi_record_of(env->thread, reference->value) : NULL;
  if (record != NULL && record->wrap == reference)
    record->wrap = NULL;
  if (reference->held)
    JSValueUnprotect(env->context, reference->value);
  *reference->link = reference->next;
  if (reference->next != NULL)
    reference->next->link = reference->link;
  free(reference);
}

/* Called once: the referenced object is gone. */
static void tell(struct napi_ref__ *reference) {
  napi_env env = reference->env;
  napi_finalize finalize = reference->finalize;
  void *data = reference->data, *hint = reference->hint;
  reference->finalize = NULL;
  if (reference->owned)
    js_napi_reference_free(reference);
  if (finalize != NULL)
    js_napi_finalize_dead(env, finalize, data, hint);
}

/* After a collection. Finalizers that are called at once may delete any reference, so the iteration starts again after
 * each. */
void js_napi_references_sweep(napi_env env) {
  for (struct napi_ref__ *reference = env->references; reference != NULL; reference = reference->next)
    if (reference->record != NULL && JSWeakGetObject(reference->record->weak) == NULL) {
      reference->record = NULL;
      reference->value = NULL;
    }
  for (struct napi_ref__ *reference = env->references; reference != NULL;) {
    /* A reported reference is in front of the list or gone. NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
    bool due = reference->value == NULL && (reference->owned || reference->finalize != NULL);
    bool at_once = due && reference->finalize != NULL && env->version == NAPI_VERSION_EXPERIMENTAL;
    struct napi_ref__ *next = reference->next;
    if (due)
      tell(reference);
    reference = at_once ? env->references : next;
  }
}

/* At the end all finalizers are called. The references themselves stay: their makers may still delete them. */
void js_napi_references_finalize(napi_env env) {
  for (struct napi_ref__ *reference = env->references; reference != NULL;) {
    napi_finalize finalize = reference->finalize;
    struct napi_ref__ *next = reference->next;
    if (finalize != NULL) {
      void *data = reference->data, *hint = reference->hint;
      reference->finalize = NULL;
      js_napi_finalize_now(env, finalize, data, hint);
      next = env->references; /* it may have deleted others */
    }
    reference = next;
  }
}

/* ---- the API ---- */

napi_status napi_create_reference(napi_env env, napi_value value, uint32_t count, napi_ref *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  if (!can_be_referenced(env, js_napi_value(value)))
    return js_napi_fail(env, napi_invalid_arg);
  *result = js_napi_reference(env, js_napi_value(value), count, false, NULL, NULL, NULL);
  return js_napi_ok(env);
}

napi_status napi_delete_reference(node_api_basic_env env, napi_ref reference) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, reference);
  js_napi_reference_free(reference);
  return js_napi_ok(env);
}

napi_status napi_reference_ref(napi_env env, napi_ref reference, uint32_t *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, reference);
  if (reference->record != NULL && JSWeakGetObject(reference->record->weak) == NULL)
    reference->value = NULL;
  if (reference->value != NULL && reference->count++ == 0)
    hold(reference);
  if (result != NULL)
    *result = reference->count;
  return js_napi_ok(env);
}

napi_status napi_reference_unref(napi_env env, napi_ref reference, uint32_t *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, reference);
  if (reference->count == 0)
    return js_napi_fail(env, napi_generic_failure);
  if (--reference->count == 0)
    let_go(reference);
  if (result != NULL)
    *result = reference->count;
  return js_napi_ok(env);
}

napi_status napi_get_reference_value(napi_env env, napi_ref reference, napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, reference);
  NAPI_NEEDS(env, result);
  JSValueRef value = reference->record != NULL ? JSWeakGetObject(reference->record->weak) : reference->value;
  *result = value != NULL ? js_napi_keep(env, value) : NULL;
  return js_napi_ok(env);
}

napi_status napi_add_finalizer(napi_env env, napi_value object, void *data, node_api_basic_finalize finalize,
                               void *hint, napi_ref *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, object);
  NAPI_NEEDS(env, finalize);
  if (js_napi_object(env, object) == NULL)
    return js_napi_fail(env, napi_invalid_arg);
  struct napi_ref__ *reference = js_napi_reference(env, js_napi_value(object), 0, result == NULL, finalize, data, hint);
  if (result != NULL)
    *result = reference;
  return js_napi_ok(env);
}

/* ---- wraps, tags and externals ---- */

/* Objects that represent native data: wraps, tags and externals. All three are records beside the object. */

napi_status napi_wrap(napi_env env, napi_value object, void *native, node_api_basic_finalize finalize, void *hint,
                      napi_ref *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  JSObjectRef holder = js_napi_object(env, object);
  if (holder == NULL)
    return js_napi_fail(env, napi_invalid_arg);
  if (result != NULL)
    NAPI_NEEDS(env, finalize); /* the addon that gets the reference deletes it */
  struct js_napi_record *record = js_napi_record_make(env->thread, holder);
  if (record->wrap != NULL)
    return js_napi_fail(env, napi_invalid_arg);
  record->wrap = js_napi_reference(env, holder, 0, result == NULL, finalize, native, hint);
  if (result != NULL)
    *result = record->wrap;
  return js_napi_ok(env);
}

static struct napi_ref__ *wrap_of(napi_env env, napi_value object) {
  struct js_napi_record *record = js_napi_record_of(env->thread, js_napi_value(object));
  return record != NULL ? record->wrap : NULL;
}

napi_status napi_unwrap(napi_env env, napi_value object, void **result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  NAPI_NEEDS(env, result);
  const struct napi_ref__ *wrap = wrap_of(env, object);
  if (wrap == NULL)
    return js_napi_fail(env, napi_invalid_arg);
  *result = wrap->data;
  return js_napi_ok(env);
}

/* The finalizer is not called. A reference that the addon got stays the addon's. */
napi_status napi_remove_wrap(napi_env env, napi_value object, void **result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  struct napi_ref__ *wrap = wrap_of(env, object);
  if (wrap == NULL)
    return js_napi_fail(env, napi_invalid_arg);
  if (result != NULL)
    *result = wrap->data;
  js_napi_record_of(env->thread, js_napi_value(object))->wrap = NULL;
  wrap->finalize = NULL;
  if (wrap->owned)
    js_napi_reference_free(wrap);
  return js_napi_ok(env);
}

napi_status napi_type_tag_object(napi_env env, napi_value object, const napi_type_tag *tag) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  JSObjectRef holder = js_napi_holder(env, object);
  if (holder == NULL)
    return js_napi_fail(env, napi_pending_exception);
  NAPI_NEEDS(env, tag);
  struct js_napi_record *record = js_napi_record_make(env->thread, holder);
  if (record->tagged)
    return js_napi_fail(env, napi_invalid_arg);
  record->tagged = true;
  record->tag = *tag;
  return js_napi_ok(env);
}

napi_status napi_check_object_type_tag(napi_env env, napi_value object, const napi_type_tag *tag, bool *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  if (js_napi_holder(env, object) == NULL)
    return js_napi_fail(env, napi_pending_exception);
  NAPI_NEEDS(env, tag);
  NAPI_NEEDS(env, result);
  const struct js_napi_record *record = js_napi_record_of(env->thread, js_napi_value(object));
  *result = record != NULL && record->tagged && record->tag.lower == tag->lower && record->tag.upper == tag->upper;
  return js_napi_ok(env);
}

/* An external is an empty, non-extensible object without a prototype. */
napi_status napi_create_external(napi_env env, void *data, node_api_basic_finalize finalize, void *hint,
                                 napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, result);
  JSObjectRef object = (JSObjectRef)js_napi_help(env, HELPER_MAKE_EXTERNAL, 0, NULL);
  if (object == NULL)
    return napi_pending_exception;
  *result = js_napi_keep(env, object);
  struct js_napi_record *record = js_napi_record_make(env->thread, object);
  record->external = true;
  record->external_data = data;
  env->thread->externals++;
  if (finalize != NULL)
    js_napi_reference(env, object, 0, true, finalize, data, hint);
  return js_napi_ok(env);
}

napi_status napi_get_value_external(napi_env env, napi_value value, void **result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  const struct js_napi_record *record = js_napi_record_of(env->thread, js_napi_value(value));
  if (record == NULL || !record->external)
    return js_napi_fail(env, napi_invalid_arg);
  *result = record->external_data;
  return js_napi_ok(env);
}

/* ---- records ---- */

/* The data of addons for an object (its wrap, its tag, whether it is an external, whether it is referenced weakly) is
 * in a table by its address: the engine does not move objects. An entry is removed with its object, before its address
 * can be reused. */

static size_t place_of(const struct js_napi *thread, JSValueRef object) {
  uint64_t bits = (uint64_t)(uintptr_t)object >> 4;
  return (size_t)((bits * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (thread->marked_room - 1);
}

struct js_napi_record *js_napi_record_of(struct js_napi *thread, JSValueRef object) {
  if (thread->marked_count == 0)
    return NULL;
  for (size_t i = place_of(thread, object); thread->marked[i] != NULL; i = (i + 1) & (thread->marked_room - 1))
    if (thread->marked[i]->object == object)
      return thread->marked[i];
  return NULL;
}

static void put(struct js_napi *thread, struct js_napi_record *record) {
  size_t i = place_of(thread, record->object);
  while (thread->marked[i] != NULL)
    i = (i + 1) & (thread->marked_room - 1);
  thread->marked[i] = record;
}

/* Builds the table again without the entries of dead objects: holes need not be filled. */
static void rebuild(struct js_napi *thread, size_t room) {
  struct js_napi_record **old = thread->marked;
  size_t old_room = thread->marked_room;
  thread->marked = calloc(room, sizeof(struct js_napi_record *));
  if (thread->marked == NULL)
    js_napi_fatal("record", "out of memory");
  thread->marked_room = room;
  for (size_t i = 0; i < old_room; i++)
    if (old[i] != NULL)
      put(thread, old[i]);
  free(old);
}

struct js_napi_record *js_napi_record_make(struct js_napi *thread, JSObjectRef object) {
  struct js_napi_record *record = js_napi_record_of(thread, object);
  if (record != NULL)
    return record;
  record = calloc(1, sizeof *record);
  if (record == NULL)
    js_napi_fatal("record", "out of memory");
  record->object = object;
  record->weak = JSWeakCreate(thread->group, object);
  if ((thread->marked_count + 1) * 2 > thread->marked_room)
    rebuild(thread, thread->marked_room == 0 ? 64 : thread->marked_room * 2);
  thread->marked_count++;
  put(thread, record);
  return record;
}

void js_napi_records_sweep(struct js_napi *thread) {
  size_t gone = 0;
  for (size_t i = 0; i < thread->marked_room; i++) {
    struct js_napi_record *record = thread->marked[i];
    if (record == NULL || JSWeakGetObject(record->weak) != NULL)
      continue;
    JSWeakRelease(thread->group, record->weak);
    thread->externals -= record->external;
    free(record);
    thread->marked[i] = NULL;
    gone++;
  }
  if (gone == 0)
    return;
  thread->marked_count -= gone;
  size_t room = thread->marked_room;
  while (room > 64 && thread->marked_count * 8 < room)
    room /= 2;
  rebuild(thread, room);
}
