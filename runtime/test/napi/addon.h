/* What the addons of these tests share: a table of functions, arguments, and a failure that says where it was. */
#ifndef ROTA_TEST_ADDON_H
#define ROTA_TEST_ADDON_H

#include <node_api.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(call) must(call, #call, __LINE__)
static inline void must(napi_status status, const char *call, int line) {
  if (status == napi_ok)
    return;
  fprintf(stderr, "line %d: %s gives %d\n", line, call, (int)status);
  abort();
}

struct entry {
  const char *name;
  napi_callback function;
};

static inline void add_functions(napi_env env, napi_value exports, const struct entry *entries) {
  for (; entries->name != NULL; entries++) {
    napi_value function;
    MUST(napi_create_function(env, entries->name, NAPI_AUTO_LENGTH, entries->function, NULL, &function));
    MUST(napi_set_named_property(env, exports, entries->name, function));
  }
}

enum { ARGUMENTS_MAX = 6 };
static inline size_t get_arguments(napi_env env, napi_callback_info info, napi_value *arguments) {
  size_t count = ARGUMENTS_MAX;
  MUST(napi_get_cb_info(env, info, &count, arguments, NULL, NULL));
  return count;
}

static inline napi_value make_number(napi_env env, double number) {
  napi_value value;
  MUST(napi_create_double(env, number, &value));
  return value;
}

static inline napi_value make_text(napi_env env, const char *text) {
  napi_value value;
  MUST(napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &value));
  return value;
}

static inline int to_int(napi_env env, napi_value value) {
  int32_t number = 0;
  MUST(napi_get_value_int32(env, value, &number));
  return number;
}

#endif
