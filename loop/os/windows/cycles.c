/* Whether the processor's counter is reliable is not asked here: the system's clock is used. */
#include "loop/os/clock.h"

bool rota__os_cycles_trusted(void) {
  return false;
}
