/* Names of hosts: Windows has the functions of POSIX in a header of its own. */
#ifndef ROTA_WINDOWS_NETDB_H
#define ROTA_WINDOWS_NETDB_H

#include <winsock2.h>
#include <ws2tcpip.h>

#endif
