/* The lock of a stream, by POSIX's names. */
#ifndef ROTA_WINDOWS_STDIO_H
#define ROTA_WINDOWS_STDIO_H

#include_next <stdio.h>

#define flockfile _lock_file
#define funlockfile _unlock_file

#endif
