#include "loop/base/check.h"

#include <stdio.h>
#include <stdlib.h>

void rota__check_failed(const char *condition, const char *file, int line, const char *function) {
  fprintf(stderr, "%s:%d: %s: Assertion `%s' failed.\n", file, line, function, condition);
  fflush(stderr);
  abort();
}
