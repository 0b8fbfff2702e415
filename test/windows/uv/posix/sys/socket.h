/* What Windows calls otherwise in this header. */
#include_next <sys/socket.h>
#ifndef ROTA_TEST_WINDOWS_SOCKET_H
#define ROTA_TEST_WINDOWS_SOCKET_H

#define SHUT_WR SD_SEND

#endif
