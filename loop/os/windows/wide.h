/* Text of Windows is UTF-16, text of the library WTF-8: any name of a file can be given to the library and back. */
#ifndef ROTA_OS_WINDOWS_WIDE_H
#define ROTA_OS_WINDOWS_WIDE_H

#include <stddef.h>
#include <sys/types.h>

#include "uv.h"

/* New blocks, for rota__free. UV_EINVAL: not WTF-8. */
int rota__os_wide(const char *text, WCHAR **wide);
/* A negative length: up to the NUL. */
int rota__os_narrow(const WCHAR *wide, ssize_t length, char **text);
/* What fits, as rota__text_give. */
int rota__os_narrow_give(const WCHAR *wide, ssize_t length, char *buffer, size_t *size);

enum { ROTA_WIDE_SMALL = 264 };

/* A path for a call of the system. Most fit into the structure, so that no memory is needed for them. Windows refuses
 * paths of 260 units and more (248 for a directory), unless they are absolute, without dots and slashes, and begin with
 * \\?\: such a path is made of a long one. */
struct rota_os_wide {
  WCHAR *text;
  WCHAR small[ROTA_WIDE_SMALL];
};

int rota__os_wide_path(struct rota_os_wide *wide, const char *path);
/* The same, as it is: what a symbolic link contains need not be a path from here. */
int rota__os_wide_text(struct rota_os_wide *wide, const char *text);
void rota__os_wide_free(struct rota_os_wide *wide);

#endif
