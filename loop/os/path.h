/* Files by name: what they are, and the names themselves. */
#ifndef ROTA_OS_PATH_H
#define ROTA_OS_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "uv.h"

enum rota_stat_of { ROTA_STAT_TARGET, ROTA_STAT_LINK };

/* What the system does not tell (the birth time on some file systems) is 0. */
int rota__os_stat(const char *path, enum rota_stat_of of, uv_stat_t *result);
int rota__os_stat_fd(int fd, uv_stat_t *result);
int rota__os_statfs(const char *path, uv_statfs_t *result);

int rota__os_access(const char *path, int mode);
int rota__os_chmod(const char *path, unsigned int mode);
int rota__os_chown(const char *path, uv_uid_t uid, uv_gid_t gid);
int rota__os_chown_link(const char *path, uv_uid_t uid, uv_gid_t gid);
/* Times are seconds since 1970. Infinity: now. NaN: unchanged. */
int rota__os_set_times(const char *path, enum rota_stat_of of, double atime, double mtime);
int rota__os_set_times_fd(int fd, double atime, double mtime);

int rota__os_link(const char *path, const char *new_path);
int rota__os_symlink(const char *target, const char *path, int flags);  /* UV_FS_SYMLINK_*: of Windows only */
ssize_t rota__os_readlink(const char *path, char *buffer, size_t size); /* as readlink(2): no NUL, cut off */
int rota__os_rename(const char *path, const char *new_path);
int rota__os_unlink(const char *path);
/* The C library allocates the text: free it with rota__os_realpath_free. */
int rota__os_realpath(const char *path, char **result);
void rota__os_realpath_free(char *result);
/* Whether it means the same from any directory. On Windows also C:x and \\x, which no directory can be put before. */
bool rota__os_path_is_absolute(const char *path);
/* A new file, open and close-on-exec; the last six characters of path, XXXXXX, are filled in. */
int rota__os_make_temporary_file(char *path);

#endif
