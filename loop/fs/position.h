/* Reads and writes at a file's own position (an offset below 0), if several are active at once.
 *
 * Each must read or write other bytes. For threads, the kernel serialises the calls. For a poller it does not: the
 * position is read when an operation begins and moved when it is done. So, for each descriptor:
 *   - while the poller reads at the position, everything else there waits for it;
 *   - while the pool is at the position, the poller is not asked.
 * This holds for regular files. Other files have no position, and a reader that waits must not block a writer. */
#ifndef ROTA_FS_POSITION_H
#define ROTA_FS_POSITION_H

#include <stdbool.h>

#include "uv.h"

/* Where a request is that uses the position. Kept in uv_fs_t.flags, which reading and writing do not use. */
enum rota_position { ROTA_POSITION_NONE, ROTA_POSITION_WAITING, ROTA_POSITION_IN_POLLER, ROTA_POSITION_IN_POOL };

static inline bool rota__at_position(const uv_fs_t *req) {
  return (req->fs_type == UV_FS_READ || req->fs_type == UV_FS_WRITE) && req->off < 0;
}

/* Whether the request has to wait for another one. Then rota__position_next will return it later. */
bool rota__position_wait(uv_fs_t *req);
/* For a request that need not wait: whether the poller may do it. */
bool rota__position_may_use_poller(const uv_fs_t *req);
void rota__position_begin(uv_fs_t *req, enum rota_position where);
void rota__position_end(uv_fs_t *req);
/* A request that has waited for this descriptor's position, and may begin; or null. */
uv_fs_t *rota__position_next(uv_loop_t *loop, uv_file file);

#endif
