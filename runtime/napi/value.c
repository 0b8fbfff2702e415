/* Values that are no objects, the type of a value, and conversions. */
#include <math.h>

#include "runtime/napi/napi.h"

napi_status napi_get_undefined(napi_env env, napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  return js_napi_give(env, js_undefined(env->context), result);
}

napi_status napi_get_null(napi_env env, napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  return js_napi_give(env, js_null(env->context), result);
}

napi_status napi_get_global(napi_env env, napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  return js_napi_give(env, JSContextGetGlobalObject(env->context), result);
}

napi_status napi_get_boolean(napi_env env, bool value, napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  return js_napi_give(env, js_boolean(env->context, value), result);
}

napi_status napi_create_double(napi_env env, double value, napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  return js_napi_give(env, js_number(env->context, value), result);
}

napi_status napi_create_int32(napi_env env, int32_t value, napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  return js_napi_give(env, js_integer(value), result);
}

napi_status napi_create_uint32(napi_env env, uint32_t value, napi_value *result) {
  return napi_create_double(env, value, result);
}

napi_status napi_create_int64(napi_env env, int64_t value, napi_value *result) {
  return napi_create_double(env, (double)value, result);
}

napi_status napi_typeof(napi_env env, napi_value value, napi_valuetype *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  JSValueRef word = js_napi_value(value);
  const struct js_napi_kinds *kinds = &env->thread->kinds;
  uint64_t bits = (uint64_t)(uintptr_t)word;
  unsigned char kind = js_cell_kind(word);
  if (kind == 0)
    *result = bits == JS_VALUE_UNDEFINED                        ? napi_undefined
              : bits == JS_VALUE_NULL                           ? napi_null
              : bits == JS_VALUE_TRUE || bits == JS_VALUE_FALSE ? napi_boolean
                                                                : napi_number;
  else if (kind == kinds->string)
    *result = napi_string;
  else if (kind == kinds->symbol)
    *result = napi_symbol;
  else if (kind == kinds->bigint)
    *result = napi_bigint;
  else if (kind == kinds->function)
    *result = napi_function;
  else if (kind == kinds->object || kind == kinds->array)
    *result = napi_object;
  else
    *result = JSObjectIsFunction(env->context, (JSObjectRef)word) ? napi_function : napi_object;
  if (*result == napi_object && env->thread->externals > 0) {
    const struct js_napi_record *record = js_napi_record_of(env->thread, word);
    if (record != NULL && record->external)
      *result = napi_external;
  }
  return js_napi_ok(env);
}

static bool is_number(JSValueRef value) {
  return ((uint64_t)(uintptr_t)value & JS_VALUE_INTEGER) != 0;
}

napi_status napi_get_value_double(napi_env env, napi_value value, double *result) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  if (!is_number(js_napi_value(value)))
    return js_napi_fail(env, napi_number_expected);
  *result = js_to_number(env->context, js_napi_value(value));
  return js_napi_ok(env);
}

/* The low 32 bits of the integer part, as everywhere in JavaScript; 0 for a number that is not finite. */
static uint32_t low_bits(double number) {
  if (number >= INT32_MIN && number <= INT32_MAX)
    return (uint32_t)(int32_t)number;
  if (!isfinite(number))
    return 0;
  double rest = fmod(trunc(number), 4294967296.0);
  return (uint32_t)(int64_t)rest;
}

napi_status napi_get_value_int32(napi_env env, napi_value value, int32_t *result) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  JSValueRef word = js_napi_value(value);
  if (js_is_integer(word))
    *result = (int32_t)(uint32_t)(uintptr_t)word;
  else if (is_number(word))
    *result = (int32_t)low_bits(js_to_number(env->context, word));
  else
    return js_napi_fail(env, napi_number_expected);
  return js_napi_ok(env);
}

napi_status napi_get_value_uint32(napi_env env, napi_value value, uint32_t *result) {
  return napi_get_value_int32(env, value, (int32_t *)result);
}

napi_status napi_get_value_int64(napi_env env, napi_value value, int64_t *result) {
  double number;
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, result);
  napi_status status = napi_get_value_double(env, value, &number);
  if (status != napi_ok)
    return status;
  if (!isfinite(number))
    *result = 0;
  else if (number >= 9223372036854775808.0)
    *result = INT64_MAX;
  else if (number <= -9223372036854775808.0)
    *result = INT64_MIN;
  else
    *result = (int64_t)number;
  return napi_ok;
}

napi_status napi_get_value_bool(napi_env env, napi_value value, bool *result) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  uint64_t bits = (uint64_t)(uintptr_t)value;
  if (bits != JS_VALUE_TRUE && bits != JS_VALUE_FALSE)
    return js_napi_fail(env, napi_boolean_expected);
  *result = bits == JS_VALUE_TRUE;
  return js_napi_ok(env);
}

napi_status napi_coerce_to_bool(napi_env env, napi_value value, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  return js_napi_give(env, js_boolean(env->context, js_to_boolean(env->context, js_napi_value(value))), result);
}

napi_status napi_coerce_to_number(napi_env env, napi_value value, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  if (js_cell_kind(js_napi_value(value)) == env->thread->kinds.bigint) {
    js_napi_set_type_error(env, "Cannot convert a BigInt value to a number");
    return js_napi_fail(env, napi_number_expected);
  }
  JSValueRef error = NULL;
  double number = JSValueToNumber(env->context, js_napi_value(value), &error);
  env->exception = error;
  return error != NULL ? js_napi_fail(env, napi_number_expected)
                       : js_napi_give(env, js_number(env->context, number), result);
}

napi_status napi_coerce_to_object(napi_env env, napi_value value, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  JSObjectRef object = js_napi_holder(env, value);
  return object != NULL ? js_napi_give(env, object, result) : js_napi_fail(env, napi_object_expected);
}

napi_status napi_coerce_to_string(napi_env env, napi_value value, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  JSValueRef error = NULL;
  if (js_cell_kind(js_napi_value(value)) == env->thread->kinds.string)
    return js_napi_give(env, js_napi_value(value), result);
  JSStringRef text = JSValueToStringCopy(env->context, js_napi_value(value), &error);
  if (error != NULL) {
    env->exception = error;
    return js_napi_fail(env, napi_string_expected);
  }
  JSValueRef string = JSValueMakeString(env->context, text);
  JSStringRelease(text);
  return js_napi_give(env, string, result);
}

napi_status napi_strict_equals(napi_env env, napi_value left, napi_value right, bool *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, left);
  NAPI_NEEDS(env, right);
  NAPI_NEEDS(env, result);
  *result = JSValueIsStrictEqual(env->context, js_napi_value(left), js_napi_value(right));
  return js_napi_ok(env);
}

napi_status napi_instanceof(napi_env env, napi_value object, napi_value constructor, bool *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  NAPI_NEEDS(env, result);
  *result = false;
  NAPI_NEEDS(env, constructor);
  NAPI_NEEDS_OBJECT(env, constructor, function);
  if (!JSObjectIsFunction(env->context, function)) {
    napi_throw_type_error(env, "ERR_NAPI_CONS_FUNCTION", "Constructor must be a function");
    return js_napi_fail(env, napi_function_expected);
  }
  JSValueRef error = NULL;
  *result = JSValueIsInstanceOfConstructor(env->context, js_napi_value(object), function, &error);
  env->exception = error;
  return error != NULL ? js_napi_fail(env, napi_generic_failure) : js_napi_ok(env);
}

napi_status napi_create_date(napi_env env, double time, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, result);
  JSValueRef error = NULL, argument = js_number(env->context, time);
  JSObjectRef date = JSObjectMakeDate(env->context, 1, &argument, &error);
  return error != NULL ? js_napi_threw(env, error) : js_napi_give(env, date, result);
}

napi_status napi_is_date(napi_env env, napi_value value, bool *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  *result = js_cell_kind(js_napi_value(value)) == env->thread->kinds.date;
  return js_napi_ok(env);
}

napi_status napi_get_date_value(napi_env env, napi_value value, double *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  if (js_cell_kind(js_napi_value(value)) != env->thread->kinds.date)
    return js_napi_fail(env, napi_date_expected);
  JSValueRef error = NULL;
  *result = JSValueToNumber(env->context, js_napi_value(value), &error);
  return error != NULL ? js_napi_threw(env, error) : js_napi_ok(env);
}
