/* The address of a local socket. The library has none of them here: its pipes are named pipes. */
#ifndef ROTA_WINDOWS_UN_H
#define ROTA_WINDOWS_UN_H

#include <sys/socket.h>

struct sockaddr_un {
  unsigned short sun_family;
  char sun_path[108];
};

#endif
