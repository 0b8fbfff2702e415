/* Descriptors. As everywhere in loop/os: a result >= 0, or a negated errno; interrupted calls are repeated. */
#ifndef ROTA_OS_FD_H
#define ROTA_OS_FD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

int rota__os_close(int fd); /* an interrupted or deferred close counts as done: the descriptor is free */
ssize_t rota__os_read(int fd, void *buffer, size_t length);
ssize_t rota__os_write(int fd, const void *buffer, size_t length);
ssize_t rota__os_writev(int fd, const struct iovec *vector, int count);
int rota__os_set_nonblocking(int fd, bool on);
int rota__os_set_cloexec(int fd, bool on);
int rota__os_open_cloexec(const char *path, int flags); /* O_CLOEXEC is added */
int rota__os_dup_cloexec(int fd);
int rota__os_dup_high(int fd); /* the same, with a high number, because programs expect low numbers for their own */
int rota__os_pipe(int fds[2], int flags);       /* O_CLOEXEC is added */
int rota__os_pipe_above(int fds[2], int above); /* the end to write to has at least this number */
int rota__os_access_mode(int fd);               /* O_RDONLY, O_WRONLY or O_RDWR */

/* Whether the file has positions (a pipe, a terminal, a socket has none). The system is asked once, and the answer is
 * kept until the descriptor is closed through this header, or forgotten. If a program closes the descriptor itself and
 * gets the number again for a pipe, a read at an offset succeeds there that should fail; it has no other effect. */
bool rota__os_is_seekable(int fd);
bool rota__os_is_nonblocking(int fd);
void rota__os_forget(int fd); /* fd will be closed in another way than by rota__os_close */

#endif
