/* What programs that were compiled for libuv expect of librota.dll: every function by its name, the sizes of handles
 * and requests, the order in a buffer (Windows' own, so that it can be given to the system), the errors. Sizes and
 * offsets are asserted when the library is compiled (loop/windows/abi.c). */
#include "part.h"

static const char *const functions[] = {
#define FUNCTION(name) #name,
#define FUNCTION_OF_TYPE(type, name) #name,
#include "../abi/functions.inc"
};

static void test_functions(void) {
  HMODULE library = GetModuleHandleW(L"librota.dll");
  int missing = 0;
  for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
    if (GetProcAddress(library, functions[i]) != NULL)
      continue;
    printf("  %s\n", functions[i]);
    missing++;
  }
  check("every function is there", library != NULL && missing == 0);
}

static void test_sizes(void) {
  int same = 1;
#define XX(upper, lower) same &= uv_handle_size(UV_##upper) == sizeof(uv_##lower##_t);
  UV_HANDLE_TYPE_MAP(XX)
#undef XX
  check("handles have the sizes of the header", same);
  same = 1;
#define XX(upper, lower) same &= uv_req_size(UV_##upper) == sizeof(uv_##lower##_t);
  UV_REQ_TYPE_MAP(XX)
#undef XX
  check("requests have the sizes of the header", same && uv_loop_size() == sizeof(uv_loop_t));
}

static void test_buffers(void) {
  char byte;
  uv_buf_t buf = uv_buf_init(&byte, 1);
  WSABUF *as_system = (WSABUF *)&buf;
  check("a buffer is the system's",
        sizeof(buf) == sizeof(*as_system) && as_system->buf == &byte && as_system->len == 1);
}

/* The numbers are those that libuv has on Windows, whatever those of the C library are. */
static void test_errors(void) {
  int right = UV_EOF == -4095 && UV_EAGAIN == -4088 && UV_ENOENT == -4058 && UV_ECONNREFUSED == -4078;
#define XX(name, message)                                                                                              \
  right &= strcmp(uv_err_name(UV_##name), #name) == 0 && strcmp(uv_strerror(UV_##name), message) == 0;
  UV_ERRNO_MAP(XX)
#undef XX
  check("errors have their names and messages", right);
  check("errors of the system are translated", uv_translate_sys_error(ERROR_FILE_NOT_FOUND) == UV_ENOENT &&
                                                   uv_translate_sys_error(WSAECONNREFUSED) == UV_ECONNREFUSED);
}

int main(void) {
  test_functions();
  test_sizes();
  test_buffers();
  test_errors();
  return failures;
}
