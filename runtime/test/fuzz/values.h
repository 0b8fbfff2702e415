/* For fuzzers that stand in for the engine: values have the engine's own form (JS_USE_VALUES is on), so none of these
 * is ever called. */
#include <stdlib.h>

#include "runtime/engine/value/value.h"

bool js_values_by_api;
_Thread_local JSContextRef js_context_here;

JSValueRef js_number_by_api(double value) {
  (void)value;
  abort();
}

double js_to_number_by_api(JSValueRef value) {
  (void)value;
  abort();
}

JSValueRef js_word_by_api(unsigned word) {
  (void)word;
  abort();
}
