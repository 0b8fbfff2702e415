/* Which poller a loop gets: io_uring if the kernel and its policy allow it, else epoll, without a message. */
#include <stdlib.h>
#include <string.h>

#include "loop/poller/poller.h"

_Atomic bool rota__poller_plain;

bool rota__poller_allows_rings(void) {
  const char *name = getenv("ROTA_POLLER");
  return !rota__poller_plain && (name == NULL || strcmp(name, "epoll") != 0);
}

int rota__poller_open(struct rota_poller **poller) {
  const char *name = getenv("ROTA_POLLER");
  if (!rota__poller_allows_rings())
    return rota__epoll_open(poller);
  if (name != NULL && (strcmp(name, "uring") == 0 || strcmp(name, "io_uring") == 0))
    return rota__uring_open(poller);
  return rota__uring_open(poller) == 0 ? 0 : rota__epoll_open(poller);
}
