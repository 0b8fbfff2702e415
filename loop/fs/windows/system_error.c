/* What the system called an error. Several codes of Windows are one of the library, so the code is kept. */
#include "loop/fs/request.h"
#include "loop/os/windows/convert.h"

/* On the thread that carried the operation out. An error that the library found by itself has no code. */
void rota__fs_keep_error(uv_fs_t *req) {
  int code = rota__os_last_code();
  req->system_error = rota__os_translate(code) == req->result ? code : (int)-req->result;
}

int uv_fs_get_system_error(const uv_fs_t *req) {
  return req->result < 0 ? req->system_error : 0;
}
