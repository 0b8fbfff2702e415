/* Assertions that stay on in release builds: a caller's bug stops the program at the place of the bug. A lack of
 * resources is never asserted: it is an error to return. */
#ifndef ROTA_BASE_CHECK_H
#define ROTA_BASE_CHECK_H

#define rota__likely(x) __builtin_expect(!!(x), 1)
#define rota__unlikely(x) __builtin_expect(!!(x), 0)

#define rota__check(condition)                                                                                         \
  (rota__likely(condition) ? (void)0 : rota__check_failed(#condition, __FILE__, __LINE__, __func__))

void rota__check_failed(const char *condition, const char *file, int line, const char *function)
    __attribute__((noreturn, cold));

/* Says in words what the caller did that cannot be mended, and stops the program. */
void rota__stop(const char *format, ...) __attribute__((noreturn, cold, format(printf, 1, 2)));

#endif
