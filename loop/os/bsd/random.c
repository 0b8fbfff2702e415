#include "loop/os/host.h"

#include <errno.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

int rota__os_random(void *buffer, size_t length) {
  enum { MOST = 256 }; /* of one call */
  char *at = buffer;
  while (length > 0) {
    size_t part = length < MOST ? length : MOST;
    if (getentropy(at, part) < 0)
      return -errno;
    at += part;
    length -= part;
  }
  return 0;
}
