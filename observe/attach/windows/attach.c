/* Attaching needs sockets that pass files on, and tell who the other side is: Windows has none. ROTA_ATTACH is refused
 * with UV_ENOTSUP, which the environment's reader reports. So no thread exists that the other functions could touch. */
#include "observe/attach/attach.h"

#include "uv.h"

int rota__attach_start(void) {
  return UV_ENOTSUP;
}

void rota__attach_before_fork(void) {
}

void rota__attach_after_fork_in_parent(void) {
}

void rota__attach_after_fork_in_child(void) {
}

void rota__attach_resume(void) {
}
