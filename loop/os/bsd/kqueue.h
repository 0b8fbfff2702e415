/* kqueue. As everywhere in loop/os: a result >= 0, or a negated errno. */
#ifndef ROTA_OS_KQUEUE_H
#define ROTA_OS_KQUEUE_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

/* It needs what <sys/types.h> defines. */
#include <sys/event.h>

int rota__os_kqueue_open(void); /* close-on-exec; a child process does not inherit it */
/* Applies the changes up to the first that fails, and returns its error. */
int rota__os_kqueue_change(int kqueue_fd, const struct kevent *changes, int count);
/* Waits for at most timeout_ns (-1: for ever). Not repeated when interrupted: the caller has a deadline to look at.
 * `blocked` may be null. */
int rota__os_kqueue_wait(int kqueue_fd, struct kevent *events, int events_max, int64_t timeout_ns,
                         const sigset_t *blocked);

#endif
