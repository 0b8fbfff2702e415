/* Property descriptors, on objects and on classes. */
#include "runtime/napi/napi.h"

#include <string.h>

/* The arguments of runtime/lib/modules/addons.js for one property: the key, value or undefined, getter, setter,
 * attributes. */
enum { KEY, VALUE, GETTER, SETTER, ATTRIBUTES, PARTS };

static napi_status describe(napi_env env, const napi_property_descriptor *property, JSValueRef *parts) {
  JSContextRef context = env->context;
  if (property->utf8name != NULL) {
    parts[KEY] = js_string(context, property->utf8name);
  } else {
    NAPI_NEEDS(env, property->name);
    unsigned char kind = js_cell_kind(js_napi_value(property->name));
    if (kind == 0 || (kind != env->home->kinds.string && kind != env->home->kinds.symbol))
      return js_napi_fail(env, napi_name_expected);
    parts[KEY] = js_napi_value(property->name);
  }
  const char *name = property->utf8name;
  size_t length = name != NULL ? strlen(name) : 0;
  parts[VALUE] = parts[GETTER] = parts[SETTER] = js_undefined(context);
  if (property->getter != NULL || property->setter != NULL) {
    if (property->getter != NULL)
      parts[GETTER] = js_napi_function(env, NULL, 0, property->getter, property->data);
    if (property->setter != NULL)
      parts[SETTER] = js_napi_function(env, NULL, 0, property->setter, property->data);
  } else if (property->method != NULL) {
    parts[VALUE] = js_napi_constructor(env, name, length, property->method, property->data);
  } else {
    NAPI_NEEDS(env, property->value);
    parts[VALUE] = js_napi_value(property->value);
  }
  parts[ATTRIBUTES] = js_integer((int)property->attributes);
  return napi_ok;
}

/* `number`: the class of the method; 0: none. */
static napi_status define(napi_env env, JSObjectRef object, const napi_property_descriptor *property, uint32_t number) {
  JSValueRef parts[PARTS + 1];
  napi_status status = describe(env, property, parts + 1);
  if (status != napi_ok)
    return status;
  if (number != 0 && property->method != NULL && property->getter == NULL && property->setter == NULL)
    js_napi_set_class((JSObjectRef)parts[1 + VALUE], number, true);
  parts[0] = object;
  return js_napi_help(env, HELPER_DEFINE, PARTS + 1, parts) != NULL ? napi_ok : napi_pending_exception;
}

napi_status napi_define_properties(napi_env env, napi_value object, size_t count,
                                   const napi_property_descriptor *properties) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, object);
  if (count > 0)
    NAPI_NEEDS(env, properties);
  NAPI_NEEDS_OBJECT(env, object, holder);
  for (size_t i = 0; i < count; i++) {
    napi_status status = define(env, holder, &properties[i], 0);
    if (status != napi_ok)
      return status;
  }
  return js_napi_ok(env);
}

napi_status napi_define_class(napi_env env, const char *utf8name, size_t length, napi_callback constructor, void *data,
                              size_t count, const napi_property_descriptor *properties, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, result);
  NAPI_NEEDS(env, constructor);
  if (count > 0)
    NAPI_NEEDS(env, properties);
  NAPI_NEEDS(env, utf8name);
  if (length == NAPI_AUTO_LENGTH)
    length = strlen(utf8name);
  JSValueRef function = js_napi_constructor(env, utf8name, length, constructor, data);
  JSValueRef prototype = js_get(env->context, (JSObjectRef)function, "prototype");
  uint32_t number = ++env->home->classes;
  js_napi_set_class((JSObjectRef)function, number, false);
  for (size_t i = 0; i < count; i++) {
    bool is_static = (properties[i].attributes & napi_static) != 0;
    napi_status status =
        define(env, (JSObjectRef)(is_static ? function : prototype), &properties[i], is_static ? 0 : number);
    if (status != napi_ok)
      return status;
  }
  return js_napi_give(env, function, result);
}
