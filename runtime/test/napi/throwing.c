/* An addon whose initialization fails. */
#include "addon.h"

NAPI_MODULE_INIT() {
  (void)exports;
  napi_throw_range_error(env, "ERR_BEGINNING", "it does not want to begin");
  return NULL;
}
