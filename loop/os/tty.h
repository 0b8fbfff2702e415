/* Terminals. As everywhere in loop/os: a result >= 0, or a negated errno; interrupted calls are repeated. */
#ifndef ROTA_OS_TTY_H
#define ROTA_OS_TTY_H

#include <termios.h>

/* Opens the terminal of fd once more, with this access mode (O_RDONLY, ...), and makes fd refer to the new open file:
 * changes of its flags (O_NONBLOCK) do not affect processes that share the old one. Returns the new descriptor,
 * close-on-exec. Error: the terminal has no name (the master of a pair, for example). */
int rota__os_tty_reopen(int fd, int mode);
int rota__os_tty_get(int fd, struct termios *attributes);
/* `when` is one of tcsetattr's. errno is kept; async-signal-safe. */
int rota__os_tty_set(int fd, int when, const struct termios *attributes);
int rota__os_tty_size(int fd, int *width, int *height);

#endif
