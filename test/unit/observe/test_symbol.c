/* Names of functions by their addresses: at their beginning, inside, and at their last byte; static ones, too. */
#include "observe/name/symbol.h"

#include "test.h"

#include <string.h>

/* Neighbours of different sizes. */
#define NEIGHBOUR(name, lines)                                                                                         \
  static __attribute__((noinline, used)) int name(volatile int *n) {                                                   \
    lines;                                                                                                             \
    return *n;                                                                                                         \
  }
NEIGHBOUR(symbol_small, *n += 1)
NEIGHBOUR(symbol_middle, for (int i = 0; i < 10; i++) *n += i)
NEIGHBOUR(
    symbol_large, for (int i = 0; i < 10; i++) {
      *n += i;
      *n *= 3;
      *n ^= i << 2;
    })

static const char *name_at(int (*function)(volatile int *), size_t offset) {
  const struct rota_symbol *symbol = rota__symbol_find((const char *)(uintptr_t)function + offset);
  return symbol != NULL && symbol->function != NULL ? symbol->function : "?";
}

TEST(symbol_static_functions) {
  CHECK_STR(name_at(symbol_small, 0), "symbol_small");
  CHECK_STR(name_at(symbol_middle, 0), "symbol_middle");
  CHECK_STR(name_at(symbol_large, 0), "symbol_large");
  CHECK_STR(name_at(symbol_small, 1), "symbol_small");
  CHECK_STR(name_at(symbol_large, 9), "symbol_large");
  const struct rota_symbol *inside = rota__symbol_find((const char *)(uintptr_t)symbol_large + 9);
  CHECK_EQ(inside->offset, 9);
  CHECK(strstr(inside->library, "unit") != NULL);
}

/* Each address of this program's functions gives a function that begins at it or before it. */
TEST(symbol_every_address) {
  const char *start = (const char *)(uintptr_t)symbol_small;
  for (int i = -2000; i < 2000; i++) {
    const struct rota_symbol *symbol = rota__symbol_find(start + i);
    CHECK(symbol != NULL);
    if (symbol->function == NULL)
      continue;
    const struct rota_symbol *first = rota__symbol_find(start + i - symbol->offset);
    CHECK_STR(first->function, symbol->function);
    CHECK_EQ(first->offset, 0);
  }
}
