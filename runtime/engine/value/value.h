/* Numbers, booleans, null and undefined, as the engine encodes them in a word.
 *
 * The C API takes the engine's lock to make or read a number; a callback of the loop passes half a dozen of them. On 64
 * bit machines the word is the value: an integer of 32 bits has all tag bits set, a double is its own bits moved up by
 * a constant, anything else below is a cell or one of four words. JS_USE_VALUES says whether that is so; if not, the C
 * API does it all. */
#ifndef JS_ENGINE_VALUE_H
#define JS_ENGINE_VALUE_H

#include <JavaScriptCore/JavaScript.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define JS_VALUE_INTEGER UINT64_C(0xFFFE000000000000)
#define JS_VALUE_DOUBLE UINT64_C(0x0002000000000000) /* added to a double's bits */
enum { JS_VALUE_NULL = 0x02, JS_VALUE_FALSE = 0x06, JS_VALUE_TRUE = 0x07, JS_VALUE_UNDEFINED = 0x0A };

/* JS_USE_VALUES is off: by the functions below, which take the engine of this thread where none is given. */
extern bool js_values_by_api;
extern _Thread_local JSContextRef js_context_here;
JSValueRef js_number_by_api(double value);
double js_to_number_by_api(JSValueRef value);
JSValueRef js_word_by_api(unsigned word);
#define JS_VALUES_BY_API __builtin_expect(js_values_by_api, 0)

static inline JSValueRef js_value_of_bits(uint64_t bits) {
  return (JSValueRef)(uintptr_t)bits; // NOLINT(performance-no-int-to-ptr): the word is the value
}

static inline JSValueRef js_undefined(JSContextRef context) {
  (void)context;
  if (JS_VALUES_BY_API)
    return js_word_by_api(JS_VALUE_UNDEFINED);
  return js_value_of_bits(JS_VALUE_UNDEFINED);
}

static inline JSValueRef js_null(JSContextRef context) {
  (void)context;
  if (JS_VALUES_BY_API)
    return js_word_by_api(JS_VALUE_NULL);
  return js_value_of_bits(JS_VALUE_NULL);
}

static inline JSValueRef js_boolean(JSContextRef context, bool value) {
  (void)context;
  if (JS_VALUES_BY_API)
    return js_word_by_api(value ? JS_VALUE_TRUE : JS_VALUE_FALSE);
  return js_value_of_bits(value ? JS_VALUE_TRUE : JS_VALUE_FALSE);
}

static inline JSValueRef js_integer(int32_t value) {
  if (JS_VALUES_BY_API)
    return js_number_by_api(value);
  return js_value_of_bits(JS_VALUE_INTEGER | (uint32_t)value);
}

static inline JSValueRef js_number(JSContextRef context, double value) {
  (void)context;
  if (JS_VALUES_BY_API)
    return js_number_by_api(value);
  if (value >= INT32_MIN && value <= INT32_MAX) {
    int32_t whole = (int32_t)value;
    if (whole == value && (whole != 0 || !signbit(value)))
      return js_integer(whole);
  }
  if (isnan(value))
    value = NAN; /* only this one is free of bits that mean something else */
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return js_value_of_bits(bits + JS_VALUE_DOUBLE);
}

/* Whether it is one in the engine's own eyes; false where they are not known. */
static inline bool js_is_integer(JSValueRef value) {
  return !JS_VALUES_BY_API && ((uint64_t)(uintptr_t)value & JS_VALUE_INTEGER) == JS_VALUE_INTEGER;
}

static inline bool js_is_number(JSValueRef value) {
  if (JS_VALUES_BY_API)
    return JSValueIsNumber(js_context_here, value);
  return ((uint64_t)(uintptr_t)value & JS_VALUE_INTEGER) != 0;
}

/* What is not a number asks the engine, which may call JavaScript. */
static inline double js_to_number(JSContextRef context, JSValueRef value) {
  uint64_t bits = (uint64_t)(uintptr_t)value;
  if (JS_VALUES_BY_API)
    return js_to_number_by_api(value);
  if (js_is_integer(value))
    return (int32_t)(uint32_t)bits;
  if ((bits & JS_VALUE_INTEGER) == 0)
    return JSValueToNumber(context, value, NULL);
  double number;
  bits -= JS_VALUE_DOUBLE;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static inline int64_t js_to_integer(JSContextRef context, JSValueRef value) {
  if (js_is_integer(value))
    return (int32_t)(uint32_t)(uintptr_t)value;
  double number = js_to_number(context, value);
  return number >= -9.2e18 && number <= 9.2e18 ? (int64_t)number : 0;
}

static inline bool js_to_boolean(JSContextRef context, JSValueRef value) {
  uint64_t bits = (uint64_t)(uintptr_t)value;
  if (!JS_VALUES_BY_API && bits <= JS_VALUE_UNDEFINED)
    return bits == JS_VALUE_TRUE;
  return JSValueToBoolean(context, value);
}

/* What the engine's cells have in common: a byte that tells their kind. 0 for what is no cell. JS_USE_KINDS. */
static inline unsigned js_kind_of(JSValueRef value) {
  uint64_t bits = (uint64_t)(uintptr_t)value;
  return bits == 0 || (bits & (JS_VALUE_INTEGER | 2)) != 0 ? 0 : ((const unsigned char *)value)[5];
}

#endif
