/* A bell: a descriptor that becomes readable when it is rung, from any thread and from signal handlers, and stays so
 * until it is stopped. As everywhere in loop/os: a result >= 0, or a negated errno; interrupted calls are repeated. */
#ifndef ROTA_OS_BELL_H
#define ROTA_OS_BELL_H

struct rota_os_bell {
  int fd;    /* to watch; -1: there is no bell */
  int other; /* where a system needs a second descriptor to ring; else -1 */
};

int rota__os_bell_open(struct rota_os_bell *bell); /* non-blocking, close-on-exec; on an error, fd is -1 */
void rota__os_bell_ring(const struct rota_os_bell *bell);
void rota__os_bell_stop(const struct rota_os_bell *bell);
void rota__os_bell_close(struct rota_os_bell *bell);

#endif
