/* What the runtime asks librota, which it has linked in. The program without the runtime loads the one beside it
 * (command/alone/library.c). */
#include "command/internal.h"

#include <stdio.h>

bool command_library_backend(char name[COMMAND_BACKEND_SIZE]) {
  uv_loop_t loop;
  if (uv_loop_init(&loop) != 0)
    return false;
  snprintf(name, COMMAND_BACKEND_SIZE, "%s", rota_backend_name(&loop));
  uv_loop_close(&loop);
  return true;
}

bool command_may_run_tool(const char *name) {
  (void)name;
  return true;
}
