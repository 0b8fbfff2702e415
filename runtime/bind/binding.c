/* internalBinding: a table of names; each binding is made on first use. Also functions that several bindings share. */
#include "runtime/bind/binding.h"

#include <string.h>

static const struct {
  const char *name;
  js_binding_maker make;
} makers[] = {
#include "runtime/binding_rows.h"
};

enum { MAKER_COUNT = sizeof makers / sizeof *makers };

JSObjectRef js_binding_get(struct js_env *env, const char *name) {
  for (size_t i = 0; i < MAKER_COUNT; i++)
    if (strcmp(makers[i].name, name) == 0)
      return makers[i].make(env); /* JavaScript keeps the value */
  return NULL;
}

JSValueRef js_handle_reference(JSContextRef context, uv_handle_t *handle, int what) {
  if (what == JS_REFERENCE_HOLD)
    uv_ref(handle);
  else if (what == JS_REFERENCE_DROP)
    uv_unref(handle);
  return js_boolean(context, uv_has_ref(handle) != 0);
}
