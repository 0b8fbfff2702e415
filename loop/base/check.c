#include "loop/base/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void rota__check_failed(const char *condition, const char *file, int line, const char *function) {
  fprintf(stderr, "%s:%d: %s: Assertion `%s' failed.\n", file, line, function, condition);
  fflush(stderr);
  abort();
}

void rota__stop(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("rota: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  fflush(stderr);
  abort();
}
