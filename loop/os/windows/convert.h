/* Between Windows and the library: errors, text, handles and links. Every file of this folder returns a value >= 0, or
 * a negative UV_E*. */
#ifndef ROTA_OS_WINDOWS_CONVERT_H
#define ROTA_OS_WINDOWS_CONVERT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "loop/os/outcome.h"
#include "uv.h"

/* ---- errors ---- */

/* A thread keeps the code of its last failure: uv_fs_get_system_error tells it. */
int rota__os_last_error(void); /* of the call that has just failed; never 0 */
int rota__os_last_code(void);  /* what it was before it was translated */

/* ---- text ----
 *
 * Text of Windows is UTF-16, text of the library WTF-8: any name of a file can be given to the library and back. */

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

/* ---- handles of files ----
 *
 * Handles of files. A descriptor of the library is one of the C library: a number for a handle. */

enum { ROTA_SHARE_ALL = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };

/* UV_EBADF: the descriptor is not open. */
int rota__os_handle_of(int fd, HANDLE *handle);
/* Opens what exists, be it a file or a directory; with FILE_FLAG_OPEN_REPARSE_POINT, a link itself. */
int rota__os_handle_open(const char *path, DWORD access, DWORD flags, HANDLE *handle);
/* A descriptor for the handle, which it owns from now on, also after an error. `flags` are the C library's. */
int rota__os_handle_give(HANDLE handle, int flags);

/* Times: units of 100 ns since 1601. */
uv_timespec_t rota__os_time_of(int64_t units);

/* What a thread is called; empty: nothing. What is too long is cut off. */
int rota__os_handle_name(HANDLE thread, char *name, size_t size);

/* ---- reparse points that are links: symbolic links, and junctions, which are folders mounted elsewhere ---- */

/* Where the link leads, in a new block for rota__free. The handle was opened with FILE_FLAG_OPEN_REPARSE_POINT.
 * UV_EINVAL: it is not a link. */
int rota__os_reparse_target(HANDLE handle, char **target);
bool rota__os_reparse_is_link(DWORD tag);

#endif
