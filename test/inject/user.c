/* A program that uses the libuv of a library: its version, and the first instruction of the function that tells it. */
#include <stdio.h>
#include <string.h>

unsigned int uv_version(void);

int main(void) {
  unsigned int (*volatile version)(void) = uv_version;
  unsigned int first;
  memcpy(&first, (void *)version, sizeof first);
  printf("%u.%u %08x\n", version() >> 16, version() >> 8 & 0xff, first);
  return 0;
}
