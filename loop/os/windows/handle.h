/* Handles of files. A descriptor of the library is one of the C library: a number for a handle. */
#ifndef ROTA_OS_WINDOWS_HANDLE_H
#define ROTA_OS_WINDOWS_HANDLE_H

#include "uv.h"

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

#endif
