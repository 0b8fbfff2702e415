#include "loop/os/outcome.h"

int rota__os_translate(int code) {
  return code <= 0 ? code : -code;
}
