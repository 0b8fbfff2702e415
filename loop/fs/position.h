/* Reads and writes at a file's own position (an offset below 0), of which several are under way at once.
 *
 * Each must get, or fill, other bytes. Threads that ask the system are served one after the other by the kernel. A
 * poller is not: it takes the position when it begins and moves it when it is done. So, for each descriptor:
 *   - while the poller reads at the position, everything else there waits for it;
 *   - while the pool is at the position, the poller is not asked.
 * This holds for regular files. Others have no position, and a reader that waits must not keep a writer waiting. */
#ifndef ROTA_FS_POSITION_H
#define ROTA_FS_POSITION_H

#include <stdbool.h>

#include "uv.h"

/* Where a request at the position is: uv_fs_t.flags, which reading and writing do not use otherwise. */
enum rota_position { ROTA_POSITION_NONE, ROTA_POSITION_WAITING, ROTA_POSITION_IN_POLLER, ROTA_POSITION_IN_POOL };

static inline bool rota__at_position(const uv_fs_t *req) {
  return (req->fs_type == UV_FS_READ || req->fs_type == UV_FS_WRITE) && req->off < 0;
}

/* Whether it has to wait for another one: then rota__position_next will return it some day. */
bool rota__position_wait(uv_fs_t *req);
/* Only if it need not wait: whether the poller may be asked. */
bool rota__position_may_use_poller(const uv_fs_t *req);
void rota__position_begin(uv_fs_t *req, enum rota_position where);
void rota__position_end(uv_fs_t *req);
/* A request that has waited for this descriptor's position, and may begin; or null. */
uv_fs_t *rota__position_next(uv_loop_t *loop, uv_file file);

#endif
