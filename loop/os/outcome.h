/* What a system call gave, as loop/os returns it: a result >= 0, or the negated errno. */
#ifndef ROTA_OS_OUTCOME_H
#define ROTA_OS_OUTCOME_H

#include <errno.h>
#include <stdbool.h>
#include <sys/types.h>

/* What the system calls an error, as the library's: a negative UV_E*. 0 stays 0, and so does what is negative already.
 * On Windows it is a code of GetLastError or WSAGetLastError, elsewhere an errno. */
int rota__os_translate(int code);

static inline bool rota__os_interrupted(ssize_t result) {
  return result < 0 && errno == EINTR;
}

static inline ssize_t rota__os_outcome(ssize_t result) {
  return result < 0 ? -errno : result;
}

#endif
