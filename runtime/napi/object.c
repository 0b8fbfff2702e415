/* Objects, arrays and their properties. */
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/engine.h"
#include "runtime/napi/napi.h"

napi_status napi_create_object(napi_env env, napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  return js_napi_give(env, JSObjectMake(env->context, NULL, NULL), result);
}

napi_status napi_create_array(napi_env env, napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  return js_napi_give(env, JSObjectMakeArray(env->context, 0, NULL, NULL), result);
}

static JSStringRef name_length(void) {
  static _Thread_local JSStringRef name;
  if (name == NULL)
    name = JSStringCreateWithUTF8CString("length");
  return name;
}

napi_status napi_create_array_with_length(napi_env env, size_t length, napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  JSObjectRef array = JSObjectMakeArray(env->context, 0, NULL, NULL);
  JSObjectSetProperty(env->context, array, name_length(), js_number(env->context, (double)length), 0, NULL);
  return js_napi_give(env, array, result);
}

napi_status napi_is_array(napi_env env, napi_value value, bool *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  unsigned char kind = js_cell_kind(js_napi_value(value));
  *result = kind == env->thread->kinds.array ||
            (kind != 0 && kind != env->thread->kinds.object && JSValueIsArray(env->context, js_napi_value(value)));
  return js_napi_ok(env);
}

napi_status napi_get_array_length(napi_env env, napi_value value, uint32_t *result) {
  bool is_array;
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  napi_is_array(env, value, &is_array);
  if (!is_array)
    return js_napi_fail(env, napi_array_expected);
  JSValueRef length = JSObjectGetProperty(env->context, (JSObjectRef)value, name_length(), NULL);
  *result = (uint32_t)js_to_number(env->context, length);
  return js_napi_ok(env);
}

/* An object, or a value that is temporarily converted to one. NULL: neither, and a TypeError is pending. */
JSObjectRef js_napi_holder(napi_env env, napi_value value) {
  JSObjectRef object = js_napi_object(env, value);
  uint64_t bits = (uint64_t)(uintptr_t)value;
  if (object != NULL)
    return object;
  if (bits != JS_VALUE_UNDEFINED && bits != JS_VALUE_NULL)
    return JSValueToObject(env->context, js_napi_value(value), NULL);
  js_napi_set_type_error(env, "Cannot convert undefined or null to object");
  return NULL;
}

/* ---- by key ---- */

napi_status napi_set_property(napi_env env, napi_value object, napi_value key, napi_value value) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  NAPI_NEEDS(env, key);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS_OBJECT(env, object, holder);
  JSValueRef error = NULL;
  JSObjectSetPropertyForKey(env->context, holder, js_napi_value(key), js_napi_value(value), 0, &error);
  return error != NULL ? js_napi_threw(env, error) : js_napi_ok(env);
}

napi_status napi_get_property(napi_env env, napi_value object, napi_value key, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  NAPI_NEEDS(env, key);
  NAPI_NEEDS(env, result);
  NAPI_NEEDS_OBJECT(env, object, holder);
  JSValueRef error = NULL;
  JSValueRef value = JSObjectGetPropertyForKey(env->context, holder, js_napi_value(key), &error);
  return error != NULL ? js_napi_threw(env, error) : js_napi_give(env, value, result);
}

napi_status napi_has_property(napi_env env, napi_value object, napi_value key, bool *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, result);
  NAPI_NEEDS(env, object);
  NAPI_NEEDS(env, key);
  NAPI_NEEDS_OBJECT(env, object, holder);
  JSValueRef error = NULL;
  *result = JSObjectHasPropertyForKey(env->context, holder, js_napi_value(key), &error);
  return error != NULL ? js_napi_threw(env, error) : js_napi_ok(env);
}

napi_status napi_delete_property(napi_env env, napi_value object, napi_value key, bool *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  NAPI_NEEDS(env, key);
  NAPI_NEEDS_OBJECT(env, object, holder);
  JSValueRef error = NULL;
  bool deleted = JSObjectDeletePropertyForKey(env->context, holder, js_napi_value(key), &error);
  if (error != NULL)
    return js_napi_threw(env, error);
  if (result != NULL)
    *result = deleted;
  return js_napi_ok(env);
}

napi_status napi_has_own_property(napi_env env, napi_value object, napi_value key, bool *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  NAPI_NEEDS(env, key);
  NAPI_NEEDS(env, result);
  NAPI_NEEDS_OBJECT(env, object, holder);
  unsigned char kind = js_cell_kind(js_napi_value(key));
  if (kind == 0 || (kind != env->thread->kinds.string && kind != env->thread->kinds.symbol))
    return js_napi_fail(env, napi_name_expected);
  JSValueRef arguments[] = {holder, js_napi_value(key)};
  JSValueRef has = js_napi_help(env, HELPER_HAS_OWN, 2, arguments);
  if (has == NULL)
    return napi_pending_exception;
  *result = js_to_boolean(env->context, has);
  return js_napi_ok(env);
}

/* ---- by name: the last names are cached, so that the engine finds its property names at once ---- */

enum { NAMES = 256, NAME_MAX_KEPT = 60 };

struct name {
  char text[NAME_MAX_KEPT];
  JSStringRef string;
};

static _Thread_local void *names_here;

static JSStringRef name_of(const char *text, bool *kept) {
  uint32_t hash = 2166136261u;
  size_t length = 0;
  for (; text[length] != 0 && length < NAME_MAX_KEPT; length++)
    hash = (hash ^ (unsigned char)text[length]) * 16777619u;
  struct name *names = length < NAME_MAX_KEPT ? js_thread_memory(&names_here, NAMES * sizeof *names) : NULL;
  *kept = names != NULL;
  if (!*kept)
    return js_text_string(text, strlen(text));
  unsigned place = (hash ^ hash >> 15) % NAMES;
  if (names[place].string != NULL) {
    if (memcmp(names[place].text, text, length + 1) == 0)
      return names[place].string;
    JSStringRelease(names[place].string);
  }
  memcpy(names[place].text, text, length + 1);
  return names[place].string = js_text_string(text, length);
}

static void name_done(JSStringRef name, bool kept) {
  if (!kept)
    JSStringRelease(name);
}

napi_status napi_set_named_property(napi_env env, napi_value object, const char *utf8name, napi_value value) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS_OBJECT(env, object, holder);
  NAPI_NEEDS(env, utf8name);
  bool kept;
  JSValueRef error = NULL;
  JSStringRef name = name_of(utf8name, &kept);
  JSObjectSetProperty(env->context, holder, name, js_napi_value(value), 0, &error);
  name_done(name, kept);
  return error != NULL ? js_napi_threw(env, error) : js_napi_ok(env);
}

napi_status napi_get_named_property(napi_env env, napi_value object, const char *utf8name, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  NAPI_NEEDS(env, result);
  NAPI_NEEDS_OBJECT(env, object, holder);
  NAPI_NEEDS(env, utf8name);
  bool kept;
  JSValueRef error = NULL;
  JSStringRef name = name_of(utf8name, &kept);
  JSValueRef value = JSObjectGetProperty(env->context, holder, name, &error);
  name_done(name, kept);
  return error != NULL ? js_napi_threw(env, error) : js_napi_give(env, value, result);
}

napi_status napi_has_named_property(napi_env env, napi_value object, const char *utf8name, bool *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  NAPI_NEEDS(env, result);
  NAPI_NEEDS_OBJECT(env, object, holder);
  NAPI_NEEDS(env, utf8name);
  /* By key: the other function does not report exceptions of a proxy. */
  JSValueRef error = NULL;
  *result = JSObjectHasPropertyForKey(env->context, holder, js_string(env->context, utf8name), &error);
  return error != NULL ? js_napi_threw(env, error) : js_napi_ok(env);
}

/* ---- by index ---- */

napi_status napi_set_element(napi_env env, napi_value object, uint32_t index, napi_value value) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS_OBJECT(env, object, holder);
  JSValueRef error = NULL;
  JSObjectSetPropertyAtIndex(env->context, holder, index, js_napi_value(value), &error);
  return error != NULL ? js_napi_threw(env, error) : js_napi_ok(env);
}

napi_status napi_get_element(napi_env env, napi_value object, uint32_t index, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  NAPI_NEEDS(env, result);
  NAPI_NEEDS_OBJECT(env, object, holder);
  JSValueRef error = NULL;
  JSValueRef value = JSObjectGetPropertyAtIndex(env->context, holder, index, &error);
  return error != NULL ? js_napi_threw(env, error) : js_napi_give(env, value, result);
}

static napi_value index_key(napi_env env, uint32_t index) {
  return (napi_value)(uintptr_t)js_number(env->context, index);
}

napi_status napi_has_element(napi_env env, napi_value object, uint32_t index, bool *result) {
  NAPI_NEEDS_ENV(env);
  return napi_has_property(env, object, index_key(env, index), result);
}

napi_status napi_delete_element(napi_env env, napi_value object, uint32_t index, bool *result) {
  NAPI_NEEDS_ENV(env);
  return napi_delete_property(env, object, index_key(env, index), result);
}

/* ---- the object as a whole ---- */

napi_status napi_get_prototype(napi_env env, napi_value object, napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  NAPI_NEEDS(env, object);
  NAPI_NEEDS_OBJECT(env, object, holder);
  return js_napi_give(env, JSObjectGetPrototype(env->context, holder), result);
}

napi_status node_api_set_prototype(napi_env env, napi_value object, napi_value prototype) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  NAPI_NEEDS(env, prototype);
  JSObjectRef holder = js_napi_object(env, object);
  if (holder == NULL)
    return js_napi_fail(env, napi_object_expected);
  JSObjectSetPrototype(env->context, holder, js_napi_value(prototype));
  return js_napi_ok(env);
}

napi_status napi_get_all_property_names(napi_env env, napi_value object, napi_key_collection_mode mode,
                                        napi_key_filter filter, napi_key_conversion conversion, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  NAPI_NEEDS(env, result);
  NAPI_NEEDS_OBJECT(env, object, holder);
  if ((mode != napi_key_include_prototypes && mode != napi_key_own_only) ||
      (conversion != napi_key_keep_numbers && conversion != napi_key_numbers_to_strings))
    return js_napi_fail(env, napi_invalid_arg);
  JSValueRef arguments[] = {holder, js_boolean(env->context, mode == napi_key_own_only), js_integer((int)filter),
                            js_boolean(env->context, conversion == napi_key_keep_numbers)};
  JSValueRef keys = js_napi_help(env, HELPER_KEYS, 4, arguments);
  return keys != NULL ? js_napi_give(env, keys, result) : napi_pending_exception;
}

napi_status napi_get_property_names(napi_env env, napi_value object, napi_value *result) {
  return napi_get_all_property_names(env, object, napi_key_include_prototypes,
                                     (napi_key_filter)(napi_key_enumerable | napi_key_skip_symbols),
                                     napi_key_numbers_to_strings, result);
}

static napi_status help_with_object(napi_env env, enum js_napi_helper helper, napi_value object) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  JSValueRef holder = js_napi_holder(env, object);
  if (holder == NULL)
    return js_napi_fail(env, napi_object_expected);
  return js_napi_help(env, helper, 1, &holder) != NULL ? js_napi_ok(env) : napi_pending_exception;
}

napi_status napi_object_freeze(napi_env env, napi_value object) {
  return help_with_object(env, HELPER_FREEZE, object);
}

napi_status napi_object_seal(napi_env env, napi_value object) {
  return help_with_object(env, HELPER_SEAL, object);
}

napi_status node_api_create_object_with_properties(napi_env env, napi_value prototype, const napi_value *property_names,
                                                   const napi_value *values, size_t count, napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  if (count > 0) {
    NAPI_NEEDS(env, property_names);
    NAPI_NEEDS(env, values);
  }
  JSValueRef arguments[] = {prototype != NULL ? js_napi_value(prototype) : js_null(env->context),
                            js_array(env->context, count, (const JSValueRef *)property_names),
                            js_array(env->context, count, (const JSValueRef *)values)};
  if (js_napi_object(env, (napi_value)(uintptr_t)arguments[0]) == NULL && arguments[0] != js_null(env->context))
    return js_napi_fail(env, napi_object_expected);
  for (size_t i = 0; i < count; i++) {
    unsigned char kind = js_cell_kind(js_napi_value(property_names[i]));
    if (kind == 0 || (kind != env->thread->kinds.string && kind != env->thread->kinds.symbol))
      return js_napi_fail(env, napi_name_expected);
  }
  JSValueRef object = js_napi_help(env, HELPER_MAKE_OBJECT, 3, arguments);
  return object != NULL ? js_napi_give(env, object, result) : napi_pending_exception;
}
