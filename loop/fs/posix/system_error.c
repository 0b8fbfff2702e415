/* What the system called an error: here, what the library calls it, without the sign. */
#include "loop/fs/request.h"

void rota__fs_keep_error(uv_fs_t *req) {
  (void)req;
}

int uv_fs_get_system_error(const uv_fs_t *req) {
  return (int)-req->result;
}
