/* Which poller a loop gets. ROTA_WITH_... say which ones are compiled: on Linux epoll and io_uring, elsewhere the
 * system's own; the test builds of Linux add the others, on stand-ins for the system calls (test/standin).
 *
 * On Linux: io_uring if the kernel and its policy allow it, else epoll, without a message. */
#include "loop/poller/poller.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "settings/setting.h"

_Atomic bool rota__poller_plain;

typedef int (*open_function)(struct rota_poller **poller);

static const struct {
  const char *name;
  open_function open;
} pollers[] = {
#ifdef ROTA_WITH_EPOLL
    {"epoll", rota__epoll_open},   {"uring", rota__uring_open}, {"io_uring", rota__uring_open},
#endif
#ifdef ROTA_WITH_KQUEUE
    {"kqueue", rota__kqueue_open},
#endif
#ifdef ROTA_WITH_PORTS
    {"ports", rota__ports_open},
#endif
#ifdef ROTA_WITH_IOCP
    {"iocp", rota__iocp_open},
#endif
};

/* Whoever asks for a poller by a wrong name measures another one: said once, on stderr. */
static void say_unknown(const char *name) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  if (atomic_flag_test_and_set(&said))
    return;
  fprintf(stderr, "rota: %s=%s: must be one of", rota__settings[ROTA_SETTING_POLLER].variable, name);
  for (size_t i = 0; i < sizeof(pollers) / sizeof(pollers[0]); i++)
    fprintf(stderr, " %s", pollers[i].name);
  fputs("; the default is used\n", stderr);
}

/* Null: ROTA_POLLER is not set, or names none. */
static open_function named(void) {
  const char *name = rota__setting_text(ROTA_SETTING_POLLER);
  if (name == NULL)
    return NULL;
  for (size_t i = 0; i < sizeof(pollers) / sizeof(pollers[0]); i++)
    if (strcmp(name, pollers[i].name) == 0)
      return pollers[i].open;
  say_unknown(name);
  return NULL;
}

#ifdef ROTA_WITH_EPOLL
bool rota__poller_allows_rings(void) {
  open_function open = rota__poller_plain ? rota__epoll_open : named();
  return open == NULL || open == rota__uring_open;
}

int rota__poller_open(struct rota_poller **poller) {
  open_function open = named();
  if (rota__poller_plain && (open == NULL || open == rota__uring_open))
    open = rota__epoll_open;
  if (open != NULL)
    return open(poller);
  return rota__uring_open(poller) == 0 ? 0 : rota__epoll_open(poller);
}

int rota__poller_accepts(int fd) {
  return rota__epoll_accepts(fd);
}
#else
bool rota__poller_allows_rings(void) {
  return false;
}

int rota__poller_open(struct rota_poller **poller) {
  open_function open = named();
  return (open == NULL ? pollers[0].open : open)(poller);
}

int rota__poller_accepts(int fd) {
#if defined(ROTA_WITH_KQUEUE)
  return rota__kqueue_accepts(fd);
#elif defined(ROTA_WITH_IOCP)
  return rota__iocp_accepts(fd);
#else
  return rota__ports_accepts(fd);
#endif
}
#endif

void rota__poller_shutdown(void) {
#ifdef ROTA_WITH_EPOLL
  rota__uring_shutdown();
#endif
}

/* Only the operations of a port carry a result. */
void rota__poller_call_back(struct rota_op *op) {
#if defined(ROTA_WITH_IOCP)
  rota__iocp_call_back(op);
#else
  op->done(op, UV_ECANCELED, 0);
#endif
}
