/* Host names in ASCII: punycode, label by label.
 *
 * This is only the encoding: the caller of the resolver folds case and normalises. Invariant: nothing is written at or
 * after the destination's end, and nothing is dropped without an error. */
#include "loop/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "uv/errno.h"

/* RFC 3492, section 5. */
enum {
  BASE = 36,
  T_MIN = 1,
  T_MAX = 26,
  SKEW = 38,
  DAMP = 700,
  INITIAL_BIAS = 72,
  INITIAL_N = 128,
};

struct output {
  char *at;
  char *end;
};

static bool put(struct output *output, char byte) {
  if (output->at == output->end)
    return false;
  *output->at++ = byte;
  return true;
}

static bool put_text(struct output *output, const char *text, size_t length) {
  if ((size_t)(output->end - output->at) < length)
    return false;
  memcpy(output->at, text, length);
  output->at += length;
  return true;
}

/* RFC 3492, section 6.1. */
static uint32_t adapt(uint32_t delta, uint32_t count, bool is_first) {
  delta = is_first ? delta / DAMP : delta / 2;
  delta += delta / count;
  uint32_t k = 0;
  while (delta > (BASE - T_MIN) * T_MAX / 2) {
    delta /= BASE - T_MIN;
    k += BASE;
  }
  return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

static bool put_integer(struct output *output, uint32_t value, uint32_t bias) {
  static const char digits[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  for (uint32_t k = BASE;; k += BASE) {
    uint32_t threshold = k <= bias ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias;
    if (value < threshold)
      break;
    if (!put(output, digits[threshold + (value - threshold) % (BASE - threshold)]))
      return false;
    value = (value - threshold) / (BASE - threshold);
  }
  return put(output, digits[value]);
}

/* The label is known to be UTF-8. Each round reads the code points again instead of keeping them. Labels are short, and
 * without an array the only limit is the destination's. */
static bool put_label(struct output *output, const char *label, const char *end) {
  uint32_t count = 0;
  uint32_t basic = 0;
  for (const char *at = label; at < end; count++)
    basic += rota__utf8_next(&at, end) < 0x80;
  if (basic == count)
    return put_text(output, label, (size_t)(end - label));

  if (!put_text(output, "xn--", 4))
    return false;
  for (const char *at = label; at < end;) {
    uint32_t code_point = rota__utf8_next(&at, end);
    if (code_point < 0x80 && !put(output, (char)code_point))
      return false;
  }
  if (basic > 0 && !put(output, '-'))
    return false;

  /* RFC 3492, section 6.3: each round writes all occurrences of the smallest code point that was not written yet. */
  uint32_t n = INITIAL_N;
  uint32_t delta = 0;
  uint32_t bias = INITIAL_BIAS;
  for (uint32_t handled = basic; handled < count;) {
    uint32_t smallest = UINT32_MAX;
    for (const char *at = label; at < end;) {
      uint32_t code_point = rota__utf8_next(&at, end);
      if (code_point >= n && code_point < smallest)
        smallest = code_point;
    }
    if (__builtin_add_overflow(delta, (uint64_t)(smallest - n) * (handled + 1), &delta))
      return false;
    n = smallest;
    for (const char *at = label; at < end;) {
      uint32_t code_point = rota__utf8_next(&at, end);
      if (code_point < n && ++delta == 0)
        return false;
      if (code_point != n)
        continue;
      if (!put_integer(output, delta, bias))
        return false;
      handled++;
      bias = adapt(delta, handled, handled == basic + 1);
      delta = 0;
    }
    delta++;
    n++;
  }
  return true;
}

static bool is_dot(uint32_t code_point) {
  return code_point == '.' || code_point == 0x3002 || code_point == 0xFF0E || code_point == 0xFF61;
}

ssize_t rota__idna_to_ascii(const char *source, const char *source_end, char *destination, char *destination_end) {
  struct output output = {destination, destination_end};
  if (source >= source_end)
    return UV__EINVAL;

  const char *label = source;
  for (const char *at = source; at < source_end;) {
    const char *here = at;
    uint32_t code_point = rota__utf8_next(&at, source_end);
    if (code_point == ROTA_UTF8_INVALID || rota__utf8_is_surrogate(code_point))
      return UV__EINVAL;
    if (!is_dot(code_point))
      continue;
    if (!put_label(&output, label, here) || !put(&output, '.'))
      return UV__EINVAL;
    label = at;
  }
  if (!put_label(&output, label, source_end) || !put(&output, '\0'))
    return UV__EINVAL;
  return output.at - destination;
}
