/* References: a count, and an object that is protected while the count is above zero. At zero the collector decides,
 * and the reference is checked after a collection. */
#include "runtime/napi/home.h"

#include <stdlib.h>

/* Only values with an identity can be collected observably. A registered symbol is never collected; any other value
 * counts as gone when it is released. */
enum fate { WEAK, KEPT, GONE };

static enum fate fate_of(napi_env env, JSValueRef value) {
  if (js_napi_object(env, (napi_value)(uintptr_t)value) != NULL)
    return WEAK;
  if (js_cell_kind(value) != env->home->kinds.symbol)
    return GONE;
  JSValueRef registered = js_napi_help(env, HELPER_IS_REGISTERED, 1, &value);
  return registered != NULL && js_to_boolean(env->context, registered) ? KEPT : WEAK;
}

static bool can_be_referenced(napi_env env, JSValueRef value) {
  return env->version >= 10 || js_napi_object(env, (napi_value)(uintptr_t)value) != NULL ||
         js_cell_kind(value) == env->home->kinds.symbol;
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
    reference->record = js_napi_record_make(reference->env->home, (JSObjectRef)reference->value);
  if (reference->held)
    JSValueUnprotect(reference->env->context, reference->value);
  reference->held = false;
  if (fate == GONE)
    reference->value = NULL;
}

struct napi_ref__ *js_napi_reference(napi_env env, JSValueRef value, uint32_t count, bool owned, napi_finalize finalize,
                                     void *data, void *hint) {
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

void js_napi_reference_free(struct napi_ref__ *reference) {
  napi_env env = reference->env;
  struct js_napi_record *record = reference->value != NULL ? js_napi_record_of(env->home, reference->value) : NULL;
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
