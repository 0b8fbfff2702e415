/* Objects that represent native data: wraps, tags and externals. All three are records beside the object. */
#include "runtime/napi/home.h"

napi_status napi_wrap(napi_env env, napi_value object, void *native, node_api_basic_finalize finalize, void *hint,
                      napi_ref *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  JSObjectRef holder = js_napi_object(env, object);
  if (holder == NULL)
    return js_napi_fail(env, napi_invalid_arg);
  if (result != NULL)
    NAPI_NEEDS(env, finalize); /* the addon that gets the reference deletes it */
  struct js_napi_record *record = js_napi_record_make(env->home, holder);
  if (record->wrap != NULL)
    return js_napi_fail(env, napi_invalid_arg);
  record->wrap = js_napi_reference(env, holder, 0, result == NULL, finalize, native, hint);
  if (result != NULL)
    *result = record->wrap;
  return js_napi_ok(env);
}

static struct napi_ref__ *wrap_of(napi_env env, napi_value object) {
  struct js_napi_record *record = js_napi_record_of(env->home, js_napi_value(object));
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
  js_napi_record_of(env->home, js_napi_value(object))->wrap = NULL;
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
  struct js_napi_record *record = js_napi_record_make(env->home, holder);
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
  const struct js_napi_record *record = js_napi_record_of(env->home, js_napi_value(object));
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
  struct js_napi_record *record = js_napi_record_make(env->home, object);
  record->external = true;
  record->external_data = data;
  env->home->externals++;
  if (finalize != NULL)
    js_napi_reference(env, object, 0, true, finalize, data, hint);
  return js_napi_ok(env);
}

napi_status napi_get_value_external(napi_env env, napi_value value, void **result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  const struct js_napi_record *record = js_napi_record_of(env->home, js_napi_value(value));
  if (record == NULL || !record->external)
    return js_napi_fail(env, napi_invalid_arg);
  *result = record->external_data;
  return js_napi_ok(env);
}
