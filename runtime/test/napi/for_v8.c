/* An addon that needs V8, by a name of its C++ interface. */
#include "addon.h"

extern void *_ZN2v87Isolate10GetCurrentEv(void); /* v8::Isolate::GetCurrent() */

NAPI_MODULE_INIT(/* env, exports */) {
  (void)env;
  return _ZN2v87Isolate10GetCurrentEv() != NULL ? exports : NULL;
}
