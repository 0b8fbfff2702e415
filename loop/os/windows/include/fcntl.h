/* Flags of open, by POSIX's names. */
#ifndef ROTA_WINDOWS_FCNTL_H
#define ROTA_WINDOWS_FCNTL_H

#include_next <fcntl.h>

#define O_CLOEXEC _O_NOINHERIT

#endif
