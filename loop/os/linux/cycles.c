/* Whether the processor's counter can be trusted: the kernel says what it uses itself. */
#include "loop/os/clock.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool rota__os_cycles_trusted(void) {
#if defined(__x86_64__) || defined(__i386__)
  char text[16] = "";
  int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  ssize_t n = read(fd, text, sizeof(text) - 1);
  close(fd);
  return n >= 3 && strncmp(text, "tsc", 3) == 0;
#elif defined(__aarch64__)
  return true;
#else
  return false;
#endif
}
