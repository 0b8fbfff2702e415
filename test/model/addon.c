/* The same program as an addon of Node, whose libuv (1.52, exported by its executable) then runs it: an oracle of the
 * same version as librota's interface. The arguments are lines of MODEL_ARGUMENTS; the process ends when it is done. */
#include "model.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void model_exit(int status) {
  _exit(status); /* Node is not at its end */
}

__attribute__((visibility("default"))) void *napi_register_module_v1(void *environment, void *exports);

void *napi_register_module_v1(void *environment, void *exports) {
  enum { ARGUMENTS_MAX = 32 };
  char *arguments[ARGUMENTS_MAX + 1] = {"model"};
  int count = 1;
  char *text = getenv("MODEL_ARGUMENTS");
  (void)environment, (void)exports;
  for (char *line = text == NULL ? NULL : strtok(text, "\n"); line != NULL && count < ARGUMENTS_MAX;
       line = strtok(NULL, "\n"))
    arguments[count++] = line;
  _exit(model_main(count, arguments));
}
