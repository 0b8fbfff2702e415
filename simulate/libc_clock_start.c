/* Virtual time before there is a loop, in a program that loads this library and has librota-clock.so preloaded.
 *
 * Libraries of the program may read the time while they are initialized, which is before librota-clock.so is: Debian's
 * libnode does, for performance.timeOrigin. They must get the time that the program will see. If the program's
 * uv_hrtime is not ours, the program has a libuv of its own, and librota-graft.so decides. A program that is built with
 * librota decides itself. */
#include <dlfcn.h>
#include <stddef.h>

#include "loop/os/memory.h"
#include "rota.h"
#include "simulate/libc_clock.h"

__attribute__((constructor)) static void begin(void) {
  static const char here;
  struct rota_os_module ours, theirs;
  if (rota_clock_attach == NULL || !rota__os_module_of(&here, &ours) || ours.path[0] == '\0')
    return;
  void *function = dlsym(RTLD_DEFAULT, "uv_hrtime");
  if (function != NULL && rota__os_module_of(function, &theirs) && theirs.base == ours.base)
    (void)rota_steering();
}
