/* The binding `uv`: the library's error codes, their names and texts. */
#include "runtime/bind/binding.h"

static const int error_codes[] = {
#define ERROR_CODE(name, text) UV_##name,
    UV_ERRNO_MAP(ERROR_CODE)
#undef ERROR_CODE
};

static JSValueRef errors(JSContextRef context, struct rota_frame *frame) {
  (void)frame;
  JSObjectRef list = rota_array(context, 0, NULL);
  for (unsigned i = 0; i < sizeof error_codes / sizeof *error_codes; i++) {
    JSValueRef row[] = {rota_number(context, error_codes[i]), rota_string(context, uv_err_name(error_codes[i])),
                        rota_string(context, uv_strerror(error_codes[i]))};
    JSObjectSetPropertyAtIndex(context, list, i, rota_array(context, 3, row), NULL);
  }
  return list;
}

JSObjectRef rota_binding_uv(struct rota_env *env) {
  static const struct rota_method methods[] = {{"errors", errors, 0}, {NULL, NULL, 0}};
  JSObjectRef binding = rota_object(env->context);
  rota_set_methods(env->context, binding, methods);
  return binding;
}
