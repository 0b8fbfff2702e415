#include "loop/os/host.h"

#include <stddef.h>

#include "uv.h"

#include <bcrypt.h>

enum { PART = 1 << 30 };

int rota__os_random(void *buffer, size_t length) {
  unsigned char *at = buffer;
  while (length > 0) {
    ULONG part = length < PART ? (ULONG)length : PART;
    if (BCryptGenRandom(NULL, at, part, BCRYPT_USE_SYSTEM_PREFERRED_RNG) < 0)
      return UV_EIO;
    at += part;
    length -= part;
  }
  return 0;
}
