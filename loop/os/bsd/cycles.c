/* Whether the processor's counter can be trusted. On aarch64, the counter is the system's clock. On x86-64, the systems
 * do not say in one way whether theirs is, so their own clock is read. */
#include "loop/os/clock.h"

bool rota__os_cycles_trusted(void) {
#ifdef __aarch64__
  return true;
#else
  return false;
#endif
}
