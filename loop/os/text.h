/* Reading the small text files of /proc and /sys. */
#ifndef ROTA_OS_TEXT_H
#define ROTA_OS_TEXT_H

#include <sys/types.h>

/* The beginning of the file, with a NUL; the length, or a negated errno. */
ssize_t rota__os_read_text(const char *path, char *buffer, size_t size);
/* The whole file, however long, in a new block for rota__free. */
ssize_t rota__os_read_whole(const char *path, char **text);

#endif
