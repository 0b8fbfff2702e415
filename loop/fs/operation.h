/* The `run` and `release` functions that the table of operations names, and that live in files of their own. */
#ifndef ROTA_FS_OPERATION_H
#define ROTA_FS_OPERATION_H

#include <sys/types.h>

#include "uv.h"

/* read_write.c */
ssize_t rota__fs_run_read(uv_fs_t *req);
ssize_t rota__fs_run_write(uv_fs_t *req);

/* read_file.c, write_file.c */
ssize_t rota__fs_run_read_file(uv_fs_t *req);
ssize_t rota__fs_run_write_file(uv_fs_t *req);
void rota__fs_release_file(uv_fs_t *req);

/* copy.c */
ssize_t rota__fs_run_sendfile(uv_fs_t *req);
ssize_t rota__fs_run_copyfile(uv_fs_t *req);

/* directory.c */
ssize_t rota__fs_run_scandir(uv_fs_t *req);
ssize_t rota__fs_run_opendir(uv_fs_t *req);
ssize_t rota__fs_run_readdir(uv_fs_t *req);
ssize_t rota__fs_run_closedir(uv_fs_t *req);
void rota__fs_release_scandir(uv_fs_t *req);
void rota__fs_release_readdir(uv_fs_t *req);

#endif
