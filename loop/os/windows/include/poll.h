/* Events of a watch, by poll(2)'s names; winsock2.h has them with other numbers, which no watch needs. */
#ifndef ROTA_WINDOWS_POLL_H
#define ROTA_WINDOWS_POLL_H

#include <winsock2.h>

#undef POLLIN
#undef POLLPRI
#undef POLLOUT
#undef POLLERR
#undef POLLHUP
#define POLLIN 0x0001
#define POLLPRI 0x0002
#define POLLOUT 0x0004
#define POLLERR 0x0008
#define POLLHUP 0x0010

#endif
