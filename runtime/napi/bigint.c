/* BigInts: of 64 bits, which the engine makes and reads by itself, and of many words, which travel as hexadecimal text.
 */
#include <limits.h>
#include <stdlib.h>

#include "runtime/napi/napi.h"

enum { DIGITS_A_WORD = 16, WORDS_MAX = 1 << 24 };

napi_status napi_create_bigint_int64(napi_env env, int64_t value, napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  return js_napi_give(env, JSBigIntCreateWithInt64(env->context, value, NULL), result);
}

napi_status napi_create_bigint_uint64(napi_env env, uint64_t value, napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  return js_napi_give(env, JSBigIntCreateWithUInt64(env->context, value, NULL), result);
}

napi_status napi_create_bigint_words(napi_env env, int sign, size_t count, const uint64_t *words, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, words);
  NAPI_NEEDS(env, result);
  if (count > INT_MAX)
    return js_napi_fail(env, napi_invalid_arg);
  if (count >= WORDS_MAX) {
    napi_throw_range_error(env, NULL, "Maximum BigInt size exceeded");
    return js_napi_fail(env, napi_pending_exception);
  }
  struct js_string_draft draft = js_string_begin(count * DIGITS_A_WORD + 1);
  if (draft.data == NULL)
    return js_napi_fail(env, napi_generic_failure);
  unsigned char *at = draft.data;
  *at++ = '0';
  for (size_t i = count; i-- > 0;)
    for (int shift = 60; shift >= 0; shift -= 4)
      *at++ = (unsigned char)"0123456789abcdef"[words[i] >> shift & 15];
  JSValueRef arguments[] = {js_string_end(env->context, draft), js_boolean(env->context, sign != 0)};
  JSValueRef bigint = js_napi_help(env, HELPER_BIGINT_OF_HEX, 2, arguments);
  return bigint != NULL ? js_napi_give(env, bigint, result) : napi_pending_exception;
}

static bool is_bigint(napi_env env, napi_value value) {
  return js_cell_kind(js_napi_value(value)) == env->thread->kinds.bigint;
}

/* The arguments of the two functions that follow are what they must be. */
static napi_status check_integer(napi_env env, napi_value value, const void *result, const bool *lossless) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  NAPI_NEEDS(env, lossless);
  return is_bigint(env, value) ? napi_ok : js_napi_fail(env, napi_bigint_expected);
}

napi_status napi_get_value_bigint_int64(napi_env env, napi_value value, int64_t *result, bool *lossless) {
  napi_status status = check_integer(env, value, result, lossless);
  if (status != napi_ok)
    return status;
  *result = JSValueToInt64(env->context, js_napi_value(value), NULL);
  *lossless =
      JSValueIsStrictEqual(env->context, js_napi_value(value), JSBigIntCreateWithInt64(env->context, *result, NULL));
  return js_napi_ok(env);
}

napi_status napi_get_value_bigint_uint64(napi_env env, napi_value value, uint64_t *result, bool *lossless) {
  napi_status status = check_integer(env, value, result, lossless);
  if (status != napi_ok)
    return status;
  *result = JSValueToUInt64(env->context, js_napi_value(value), NULL);
  *lossless =
      JSValueIsStrictEqual(env->context, js_napi_value(value), JSBigIntCreateWithUInt64(env->context, *result, NULL));
  return js_napi_ok(env);
}

static unsigned digit_of(unsigned char character) {
  return character <= '9' ? character - 48u : character - 87u; /* '0', and 'a' less ten */
}

/* `count` is the capacity on entry and the number of words on return. Without pointers for sign and words, only the
 * number is returned. */
napi_status napi_get_value_bigint_words(napi_env env, napi_value value, int *sign, size_t *count, uint64_t *words) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, count);
  if (!is_bigint(env, value))
    return js_napi_fail(env, napi_bigint_expected);
  if ((sign == NULL) != (words == NULL))
    return js_napi_fail(env, napi_invalid_arg);
  JSValueRef argument = js_napi_value(value);
  JSValueRef hex = js_napi_help(env, HELPER_BIGINT_TO_HEX, 1, &argument);
  struct js_characters text;
  if (hex == NULL || !js_borrow_text(env->context, hex, &text))
    return js_napi_fail(env, napi_generic_failure);
  const unsigned char *digits = text.data;
  bool negative = digits[0] == '-';
  size_t length = text.length - negative;
  bool zero = length == 1 && digits[negative] == '0';
  size_t needed = zero ? 0 : (length + DIGITS_A_WORD - 1) / DIGITS_A_WORD;
  if (sign != NULL) {
    *sign = negative;
    for (size_t word = 0; word < needed && word < *count; word++) {
      size_t end = text.length - word * DIGITS_A_WORD;
      size_t begin = end > negative + (size_t)DIGITS_A_WORD ? end - DIGITS_A_WORD : (size_t)negative;
      words[word] = 0;
      for (size_t i = begin; i < end; i++)
        words[word] = words[word] << 4 | digit_of(digits[i]);
    }
  }
  *count = needed;
  return js_napi_ok(env);
}
