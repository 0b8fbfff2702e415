/* Flags of open, by POSIX's names. */
#ifndef ROTA_WINDOWS_FCNTL_H
#define ROTA_WINDOWS_FCNTL_H

#include_next <fcntl.h>

#define O_CLOEXEC _O_NOINHERIT
/* No effect here. */
#define O_NONBLOCK 0
#define O_DIRECTORY 0
#define AT_FDCWD (-100)

#endif
