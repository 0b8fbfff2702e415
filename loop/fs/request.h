/* File requests: all of them take the same way.
 *
 * A public function initialises the request, puts the parameters into it, and starts it. Without a callback the
 * operation is carried out at once on the caller's thread; with one it goes to the poller if that can do it, else to
 * the thread pool. An operation is a row of a table: adding one means writing its `run` and its public function. */
#ifndef ROTA_FS_REQUEST_H
#define ROTA_FS_REQUEST_H

#include <stdbool.h>
#include <sys/types.h>

#include "uv.h"

struct rota_fs_operation {
  const char *name;
  /* Carries out the operation on the calling thread. Touches only the request and what it points to. */
  ssize_t (*run)(uv_fs_t *req);
  /* Frees what a result in req->ptr consists of; null: nothing is owned. req->ptr is not null, unless always_release.
   */
  void (*release)(uv_fs_t *req);
  bool always_release;
  /* `run` writes into req->path: it is a copy, also in a synchronous call. */
  bool own_path;
  /* The poller may do it. */
  bool by_poller;
};

const struct rota_fs_operation *rota__fs_operation(uv_fs_type type);

/* Paths may be null if the operation has none. Fails with UV_EINVAL without a request, or UV_ENOMEM. */
int rota__fs_init(uv_loop_t *loop, uv_fs_t *req, uv_fs_type type, const char *path, const char *new_path, uv_fs_cb cb);
/* The result, or 0 if it comes later through the callback. */
int rota__fs_start(uv_fs_t *req);

/* Calls the program back: the request, which was begun, has its result. On the loop's thread. */
void rota__fs_finish(uv_fs_t *req);

/* The operation has failed on this thread just now. */
void rota__fs_keep_error(uv_fs_t *req);

/* An asynchronous stat for the library itself: the path is not copied and must outlive it, and `done` is not reported
 * as the user's callback. Nothing to clean up. */
void rota__fs_stat_internal(uv_loop_t *loop, uv_fs_t *req, const char *path, uv_fs_cb done);

/* ---- the functions that the table names, and that are in files of their own ---- */

/* read_write.c */
ssize_t rota__fs_run_read(uv_fs_t *req);
ssize_t rota__fs_run_write(uv_fs_t *req);

/* whole_file.c */
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
