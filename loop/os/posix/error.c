#include "loop/os/error.h"

int rota__os_translate(int code) {
  return code <= 0 ? code : -code;
}
