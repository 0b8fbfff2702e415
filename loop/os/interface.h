/* Network interfaces by name and number. */
#ifndef ROTA_OS_INTERFACE_H
#define ROTA_OS_INTERFACE_H

#include <stddef.h>

enum { ROTA_INTERFACE_NAME_SIZE = 257 }; /* the longest name of a system, with its NUL */

int rota__os_interface_name(unsigned int index, char name[ROTA_INTERFACE_NAME_SIZE]);
/* What stands behind the percent sign of an address (fe80::1%eth0): a name; on Windows, a number. 0: there is none. */
unsigned int rota__os_interface_index(const char *name);

#endif
