/* Names and addresses, by the system's resolver. These may take seconds: they are for the thread pool.
 * 0, or UV_EAI_*, or a negated errno. */
#ifndef ROTA_OS_NAME_H
#define ROTA_OS_NAME_H

#include <netdb.h>
#include <stddef.h>
#include <sys/socket.h>

enum { ROTA_INTERFACE_NAME_SIZE = 257 }; /* the longest name of a system, with its NUL */

int rota__os_interface_name(unsigned int index, char name[ROTA_INTERFACE_NAME_SIZE]);
/* What stands behind the percent sign of an address (fe80::1%eth0): a name; on Windows, a number. 0: there is none. */
unsigned int rota__os_interface_index(const char *name);

int rota__os_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result);
void rota__os_freeaddrinfo(struct addrinfo *list);
int rota__os_getnameinfo(const struct sockaddr *address, socklen_t length, char *host, size_t host_size, char *service,
                         size_t service_size, int flags);
/* EAI_* to UV_EAI_*; 0 stays 0. */
int rota__os_translate_eai(int code);

#endif
