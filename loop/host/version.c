/* The version of this library, and a buffer as a value. */
#include "rota.h"
#include "uv.h"

#define TEXT_OF_VALUE(value) #value
#define TEXT_OF(name) TEXT_OF_VALUE(name)

unsigned int uv_version(void) {
  return UV_VERSION_HEX;
}

const char *uv_version_string(void) {
  return TEXT_OF(UV_VERSION_MAJOR) "." TEXT_OF(UV_VERSION_MINOR) "." TEXT_OF(UV_VERSION_PATCH) UV_VERSION_SUFFIX;
}

const char *rota_version(void) {
  return ROTA_VERSION_STRING;
}

uv_buf_t uv_buf_init(char *base, unsigned int len) {
  return (uv_buf_t){.base = base, .len = len};
}
