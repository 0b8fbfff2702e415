/* Reparse points that are links: symbolic links, and junctions, which are folders mounted elsewhere. */
#ifndef ROTA_OS_WINDOWS_REPARSE_H
#define ROTA_OS_WINDOWS_REPARSE_H

#include <stdbool.h>

#include "uv.h"

/* Where the link leads, in a new block for rota__free. The handle was opened with FILE_FLAG_OPEN_REPARSE_POINT.
 * UV_EINVAL: it is not a link. */
int rota__os_reparse_target(HANDLE handle, char **target);
bool rota__os_reparse_is_link(DWORD tag);

#endif
