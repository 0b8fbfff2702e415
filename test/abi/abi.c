/* Checks that the library has what programs compiled for libuv expect: every function, every constant, every error. The
 * sizes and offsets are in loop/abi.c, which is compiled as C and C++ too. C and C++. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "uv.h"

#define CONSTANT_IS(name, value) ((long long)(name) == (long long)(value))

static int passed, failed;

static void expect(int ok, const char *what) {
  if (ok) {
    passed++;
  } else {
    failed++;
    printf("  FAILED: %s\n", what);
  }
}

static const struct {
  const char *name;
  void (*address)(void);
} functions[] = {
#define FUNCTION(name) {#name, (void (*)(void))name},
/* In C++ it is overloaded; the type selects the overload. */
#define FUNCTION_OF_TYPE(type, name) {#name, (void (*)(void))(type)name},
#include "functions.inc"
};

static void check_error(int code, int value, const char *name, const char *message) {
  char text[200];
  expect(code == value, name);
  expect(strcmp(uv_err_name(code), name) == 0, name);
  expect(strcmp(uv_strerror(code), message) == 0, message);
  expect(strcmp(uv_err_name_r(code, text, sizeof text), name) == 0, name);
  expect(strcmp(uv_strerror_r(code, text, sizeof text), message) == 0, message);
}

int main(void) {
  size_t i;
  for (i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    void (*address)(void);
    *(void **)&address = dlsym(RTLD_DEFAULT, functions[i].name);
#ifdef ABI_STATIC
    address = functions[i].address;
#endif
    expect(functions[i].address != NULL && functions[i].address == address, functions[i].name);
  }
  expect(i == 319, "the number of functions");
#define CONSTANT(name, value) expect(CONSTANT_IS(name, value), #name);
#define ERROR(name, value, message) check_error(UV_##name, value, #name, message);
#include "constants.inc"
  expect(__builtin_isinf(UV_FS_UTIME_NOW) && UV_FS_UTIME_NOW > 0, "UV_FS_UTIME_NOW");
  expect(__builtin_isnan(UV_FS_UTIME_OMIT), "UV_FS_UTIME_OMIT");
  expect(UV_VERSION_MAJOR == 1 && UV_VERSION_MINOR == 52, "the version in the headers");
  expect(uv_version() == UV_VERSION_HEX, "the version of the library");
  printf("%d passed, %d failed, 0 skipped\n", passed, failed);
  return failed != 0;
}
