/* Types of POSIX that the shared headers name. */
#ifndef ROTA_WINDOWS_TYPES_H
#define ROTA_WINDOWS_TYPES_H

#include_next <sys/types.h>

typedef int uid_t;
typedef int gid_t;

#endif
