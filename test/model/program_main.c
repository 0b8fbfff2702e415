/* The program itself; inside of Node, addon.c takes its place. */
#include "model.h"

#include <stdlib.h>

/* Leaks are looked for, and the library's own end comes. */
void model_exit(int status) {
  exit(status);
}

int main(int argc, char **argv) {
  return model_main(argc, argv);
}
