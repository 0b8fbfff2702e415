/* Event ports. As everywhere in loop/os: a result >= 0, or a negated errno. */
#ifndef ROTA_OS_PORTS_H
#define ROTA_OS_PORTS_H

#include <port.h>
#include <signal.h>
#include <stdint.h>

int rota__os_port_open(void); /* close-on-exec */
int rota__os_port_watch(int port, int fd, int events);
int rota__os_port_forget(int port, int fd);
int rota__os_port_signal(int port); /* an event of the user */
/* Waits for at most timeout_ns (-1: for ever). Not repeated when interrupted: the caller has a deadline to look at.
 * `blocked` may be null. */
int rota__os_port_wait(int port, port_event_t *events, int events_max, int64_t timeout_ns, const sigset_t *blocked);

#endif
