/* Arithmetic with a result in between that has more than 64 bits, also for compilers without such a type.
 *
 * The portable functions are compiled everywhere, so that a test can compare them with the compiler's. */
#ifndef ROTA_BASE_WIDE_H
#define ROTA_BASE_WIDE_H

#include <stdint.h>

/* a * b / 2^32, modulo 2^64. */
static inline uint64_t rota__multiply_shift_portable(uint64_t a, uint64_t b) {
  uint64_t a_high = a >> 32, a_low = (uint32_t)a, b_high = b >> 32, b_low = (uint32_t)b;
  return (a_high * b_high << 32) + a_high * b_low + a_low * b_high + (a_low * b_low >> 32);
}

/* a * b / 2^64. */
static inline uint64_t rota__multiply_high_portable(uint64_t a, uint64_t b) {
  uint64_t a_high = a >> 32, a_low = (uint32_t)a, b_high = b >> 32, b_low = (uint32_t)b;
  uint64_t left = a_high * b_low, right = a_low * b_high;
  uint64_t carry = ((uint32_t)left + (uint64_t)(uint32_t)right + (a_low * b_low >> 32)) >> 32;
  return a_high * b_high + (left >> 32) + (right >> 32) + carry;
}

/* a * b / c; UINT64_MAX if that is more. A long division, bit by bit: for what is seldom done. */
static inline uint64_t rota__multiply_divide_portable(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t high = rota__multiply_high_portable(a, b), low = a * b;
  if (high >= c)
    return UINT64_MAX;
  for (int i = 0; i < 64; i++) {
    uint64_t over = high >> 63;
    high = high << 1 | low >> 63;
    low <<= 1;
    if (over || high >= c) {
      high -= c;
      low |= 1;
    }
  }
  return low;
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 rota_wide;

static inline uint64_t rota__multiply_shift(uint64_t a, uint64_t b) {
  return (uint64_t)((rota_wide)a * b >> 32);
}

static inline uint64_t rota__multiply_divide(uint64_t a, uint64_t b, uint64_t c) {
  rota_wide result = (rota_wide)a * b / c;
  return result > UINT64_MAX ? UINT64_MAX : (uint64_t)result;
}
#else
#define rota__multiply_shift rota__multiply_shift_portable
#define rota__multiply_divide rota__multiply_divide_portable
#endif

#endif
