/* What a system call gave, as loop/os returns it: a result >= 0, or the negated errno. */
#ifndef ROTA_OS_OUTCOME_H
#define ROTA_OS_OUTCOME_H

#include <errno.h>
#include <stdbool.h>
#include <sys/types.h>

static inline bool rota__os_interrupted(ssize_t result) {
  return result < 0 && errno == EINTR;
}

static inline ssize_t rota__os_outcome(ssize_t result) {
  return result < 0 ? -errno : result;
}

#endif
