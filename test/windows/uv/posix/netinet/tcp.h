/* Windows has it elsewhere, and mingw-w64 lacks some of its names. */
#include <ws2tcpip.h>
#ifndef ROTA_TEST_WINDOWS_TCP_H
#define ROTA_TEST_WINDOWS_TCP_H

#ifndef TCP_KEEPIDLE
#define TCP_KEEPIDLE 3
#endif
#ifndef TCP_KEEPCNT
#define TCP_KEEPCNT 16
#endif
#ifndef TCP_KEEPINTVL
#define TCP_KEEPINTVL 17
#endif

#endif
