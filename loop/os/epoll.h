/* epoll. */
#ifndef ROTA_OS_EPOLL_H
#define ROTA_OS_EPOLL_H

#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>

int rota__os_epoll_create(void);
int rota__os_epoll_control(int epoll_fd, int operation, int fd, uint32_t events, uint64_t data);
/* Not repeated when interrupted: the caller has a deadline to look at. `blocked` may be null. */
int rota__os_epoll_wait(int epoll_fd, struct epoll_event *events, int events_max, int timeout_ms,
                        const sigset_t *blocked);
/* 0 if the descriptor can be polled; -EPERM for a regular file, -EBADF ... */
int rota__os_epoll_accepts(int fd);

#endif
