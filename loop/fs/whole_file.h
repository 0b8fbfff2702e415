/* Files that are read or written whole: open, read or write, close, as one operation. */
#ifndef ROTA_FS_WHOLE_FILE_H
#define ROTA_FS_WHOLE_FILE_H

#include <stdbool.h>

#include "rota.h"

/* The step that fails is kept in `gid`, which the simulator sets, too (simulate/fault.c). */
static inline ssize_t rota__fs_failed(uv_fs_t *req, uv_fs_type step, int64_t err) {
  req->gid = (uv_gid_t)step;
  return (ssize_t)err;
}

/* whole_file.c: copies what was read of a file so far from file->room, to `place` if that is all and place is not null,
 * else to a block of its own. If file->fd is open, the rest is read and the file is closed; a file that may block (a
 * pipe, a terminal) stays open instead, as req->file. Returns how many bytes req->ptr has, or an error. */
ssize_t rota__fs_read_rest(uv_fs_t *req, const rota_small_file_t *file, char *place);
/* whole_file.c: reads the rest of such a file. */
ssize_t rota__fs_read_blocking(uv_fs_t *req);

/* gather.c: adds the request, which has no path yet, to those that are read together. False: it has to go alone. */
bool rota__fs_gather(uv_fs_t *req, const char *path);
/* gather.c: the request is cleaned up. Its path and its bytes may belong to what was read together. */
void rota__fs_gathered_release(uv_fs_t *req);

/* ---- many small files ---- */

/* small_file.c: one by one, with calls. */
void rota__fs_read_small_file(rota_small_file_t *file);
void rota__fs_read_open_file(rota_small_file_t *file, int fd); /* from its beginning; fd is the file's from now on */

/* small_file_ring.c: all at once. -> how many of them were read, from the first on; 0 where there is no ring */
unsigned int rota__fs_read_small_files(rota_small_file_t *files, unsigned int count);

#endif
