/* The binding `uv`: the library's error codes, their names and texts. */
#include "runtime/bind/binding.h"

static const int error_codes[] = {
#define ERROR_CODE(name, text) UV_##name,
    UV_ERRNO_MAP(ERROR_CODE)
#undef ERROR_CODE
};

static JSValueRef errors(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  JSObjectRef list = js_array(context, 0, NULL);
  for (unsigned i = 0; i < sizeof error_codes / sizeof *error_codes; i++) {
    JSValueRef row[] = {js_number(context, error_codes[i]), js_string(context, uv_err_name(error_codes[i])),
                        js_string(context, uv_strerror(error_codes[i]))};
    JSObjectSetPropertyAtIndex(context, list, i, js_array(context, 3, row), NULL);
  }
  return list;
}

JSObjectRef js_binding_uv(struct js_env *env) {
  static const struct js_method methods[] = {{"errors", errors, 0}, {NULL, NULL, 0}};
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  return binding;
}
