/* What shared headers use of POSIX signals: a set, which is always empty here. */
#ifndef ROTA_WINDOWS_SIGNAL_H
#define ROTA_WINDOWS_SIGNAL_H

#include_next <signal.h>

#include <sys/types.h>

#ifndef _POSIX
typedef _sigset_t sigset_t;
#endif

/* The signal that asks for a report (observe/trace/service.c): Ctrl+Break here. */
#ifndef SIGUSR2
#define SIGUSR2 SIGBREAK
#endif

#endif
