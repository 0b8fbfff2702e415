/* The portable arithmetic of loop/base/wide.h against the compiler's, where it has a type of 128 bits. */
#include "test.h"

#include "loop/base/wide.h"

#ifdef __SIZEOF_INT128__
/* Random numbers of all sizes: most errors are at the ends of the halves. */
static uint64_t number(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  uint64_t shifted = *state * 0x9e3779b97f4a7c15u >> (*state & 63);
  return *state & 64 ? ~(uint64_t)0 - (shifted >> 40) : shifted;
}

TEST(wide_portable_arithmetic_is_the_compilers) {
  uint64_t state = 1;
  for (int i = 0; i < 200000; i++) {
    uint64_t a = number(&state), b = number(&state), c = number(&state) | 1;
    CHECK(rota__multiply_shift_portable(a, b) == rota__multiply_shift(a, b));
    CHECK(rota__multiply_high_portable(a, b) == (uint64_t)((rota_wide)a * b >> 64));
    CHECK(rota__multiply_divide_portable(a, b, c) == rota__multiply_divide(a, b, c));
  }
}
#endif

TEST(wide_results_that_are_known) {
  CHECK(rota__multiply_divide(UINT64_MAX, UINT64_MAX, UINT64_MAX) == UINT64_MAX);
  CHECK(rota__multiply_divide(UINT64_MAX, 2, 1) == UINT64_MAX);
  CHECK(rota__multiply_divide(3000000000u, 1000000, 1000000000) == 3000000);
  CHECK(rota__multiply_divide((uint64_t)1 << 63, 6, 4) == (uint64_t)3 << 62);
  CHECK(rota__multiply_shift((uint64_t)5 << 40, (uint64_t)3 << 31) == (uint64_t)15 << 39);
}
