/* Sockets: Windows has their types and constants in headers of its own. */
#ifndef ROTA_WINDOWS_SOCKET_H
#define ROTA_WINDOWS_SOCKET_H

#include <winsock2.h>
#include <ws2tcpip.h>

#endif
