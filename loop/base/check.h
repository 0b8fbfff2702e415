/* Assertions that stay on in release builds: a caller's bug stops the program at the place of the bug.
 * Never for a lack of resources, which is an error to return. */
#ifndef ROTA_BASE_CHECK_H
#define ROTA_BASE_CHECK_H

#define rota__likely(x) __builtin_expect(!!(x), 1)
#define rota__unlikely(x) __builtin_expect(!!(x), 0)

#define rota__check(condition)                                                                                         \
  (rota__likely(condition) ? (void)0 : rota__check_failed(#condition, __FILE__, __LINE__, __func__))

/* An invariant of ours, on a hot path: looked at in builds for tests only (with a sanitizer, or with -DROTA_DEBUG). */
#if defined(ROTA_DEBUG) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define rota__debug_check(condition) rota__check(condition)
#else
#define rota__debug_check(condition) ((void)0)
#endif

void rota__check_failed(const char *condition, const char *file, int line, const char *function)
    __attribute__((noreturn, cold));

#endif
