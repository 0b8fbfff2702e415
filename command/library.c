#include "command/library.h"

#include <stdio.h>

#include "rota.h"

bool graft_library_steers_time(void) {
  return (rota_steering() & ROTA_STEER_TIME) != 0;
}

bool graft_library_backend(char name[GRAFT_BACKEND_SIZE]) {
  uv_loop_t loop;
  if (uv_loop_init(&loop) != 0)
    return false;
  snprintf(name, GRAFT_BACKEND_SIZE, "%s", rota_backend_name(&loop));
  uv_loop_close(&loop);
  return true;
}
