/* What the files of this room use of POSIX, and Windows lacks. */
#ifndef ROTA_COMMAND_WINDOWS_UNISTD_H
#define ROTA_COMMAND_WINDOWS_UNISTD_H

#include_next <unistd.h>

int setenv(const char *name, const char *value, int replaces);

#endif
