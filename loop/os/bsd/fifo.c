/* Waiting for the writer of a FIFO: it is opened once more. A writer that has just closed again is not seen, and the
 * wait continues. */
#include <fcntl.h>

#include "loop/os/file.h"

int rota__os_wait_for_writer(int fd, const char *path) {
  (void)fd;
  int again = rota__os_open(path, O_RDONLY, 0);
  if (again < 0)
    return again;
  rota__os_close(again);
  return 0;
}
