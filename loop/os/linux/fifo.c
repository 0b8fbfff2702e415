/* Waiting for the writer of a FIFO whose reading end is open already.
 *
 * There are three cases. A writer that is open and has written nothing: only the result of tee(2) on the empty pipe
 * shows it. A writer that has closed again: poll(2) shows it. A writer that opens later: inotify reports it. The
 * inotify watch is set before the first check, so no writer is missed, not even one that opens and closes between two
 * checks. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "loop/os/file.h"

static bool is_or_was_there(int fd, const int spare[2]) {
  struct pollfd entry = {.fd = fd, .events = POLLIN};
  return poll(&entry, 1, 0) > 0 || (tee(fd, spare[1], 1, SPLICE_F_NONBLOCK) < 0 && errno == EAGAIN);
}

static void wait_for_openers(int fd, int notify, const int spare[2]) {
  char events[4096];
  struct pollfd entries[2] = {{.fd = fd, .events = POLLIN}, {.fd = notify, .events = POLLIN}};
  while (!is_or_was_there(fd, spare)) {
    poll(entries, 2, -1);
    (void)!read(notify, events, sizeof(events));
  }
}

int rota__os_wait_for_writer(int fd, const char *path) {
  char name[32];
  int spare[2];
  int notify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
  if (notify >= 0 && inotify_add_watch(notify, name, IN_OPEN) >= 0 && pipe2(spare, O_CLOEXEC) == 0) {
    wait_for_openers(fd, notify, spare);
    close(spare[0]);
    close(spare[1]);
    close(notify);
    return 0;
  }
  if (notify >= 0)
    close(notify);
  /* If inotify is not available, the FIFO is opened once more. Then a writer that has just closed again is not seen,
   * and the wait continues. */
  int again = rota__os_open(path, O_RDONLY, 0);
  if (again < 0)
    return again;
  close(again);
  return 0;
}
