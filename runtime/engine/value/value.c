/* Numbers, booleans, null and undefined by the C API, for an engine whose encoding is not known. */
#include "runtime/engine/value/value.h"

#include <stddef.h>

JSValueRef js_number_by_api(double value) {
  return JSValueMakeNumber(js_context_here, value);
}

double js_to_number_by_api(JSValueRef value) {
  return JSValueToNumber(js_context_here, value, NULL);
}

JSValueRef js_word_by_api(unsigned word) {
  if (word == JS_VALUE_UNDEFINED)
    return JSValueMakeUndefined(js_context_here);
  if (word == JS_VALUE_NULL)
    return JSValueMakeNull(js_context_here);
  return JSValueMakeBoolean(js_context_here, word == JS_VALUE_TRUE);
}
