/* Names and messages of errors. */
#include "test.h"

#include <errno.h>

TEST(error_names_and_messages) {
  char buffer[64];
#define XX(code, message)                                                                                              \
  CHECK_STR(uv_err_name(UV_##code), #code);                                                                            \
  CHECK_STR(uv_strerror(UV_##code), message);                                                                          \
  CHECK_STR(uv_err_name_r(UV_##code, buffer, sizeof(buffer)), #code);                                                  \
  CHECK_STR(uv_strerror_r(UV_##code, buffer, sizeof(buffer)), message);
  UV_ERRNO_MAP(XX)
#undef XX
}

TEST(error_unknown) {
  char buffer[64];
  CHECK_STR(uv_strerror(1337), "Unknown system error 1337");
  CHECK_STR(uv_err_name(-1337), "Unknown system error -1337");
  CHECK_STR(uv_strerror_r(0, buffer, sizeof(buffer)), "Unknown system error 0");
  CHECK(uv_err_name_r(-1337, buffer, sizeof(buffer)) == buffer);
  CHECK_STR(buffer, "Unknown system error -1337");
}

TEST(error_unknown_stays) {
  const char *text = uv_strerror(-1234567);
  for (int i = 0; i < 100; i++)
    CHECK(uv_strerror(i + 5000) != text);
  CHECK_STR(text, "Unknown system error -1234567");
}

TEST(error_in_a_small_buffer) {
  char buffer[8] = "#######";
  CHECK_STR(uv_err_name_r(UV_EINVAL, buffer, 4), "EIN");
  CHECK_STR(uv_strerror_r(-1337, buffer, 5), "Unkn");
  memset(buffer, '#', 7);
  uv_err_name_r(UV_EINVAL, buffer, 0);
  uv_strerror_r(-1337, buffer, 0);
  CHECK_STR(buffer, "#######");
}

TEST(error_of_the_system) {
  CHECK_EQ(uv_translate_sys_error(EPERM), UV_EPERM);
  CHECK_EQ(uv_translate_sys_error(UV_EACCES), UV_EACCES);
  CHECK_EQ(uv_translate_sys_error(0), 0);
}
