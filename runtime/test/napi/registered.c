/* An addon that registers itself when it is loaded, as they once did. */
#include "addon.h"

static napi_value begin(napi_env env, napi_value exports) {
  MUST(napi_set_named_property(env, exports, "old", make_text(env, "registered itself")));
  return exports;
}

static napi_module module = {1, 0, __FILE__, begin, "registered", NULL, {0}};

__attribute__((constructor)) static void introduce(void) {
  napi_module_register(&module);
}
