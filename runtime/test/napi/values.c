/* Values in both directions, the status of refused values, and the messages of statuses. */
#include "addon.h"

#include <stdint.h>
#include <string.h>

/* The result of napi_get_last_error_info for a failed call, and the exception that is pending. */
static napi_value last_message(napi_env env, napi_status status) {
  const napi_extended_error_info *info;
  napi_value object, exception = NULL;
  bool pending;
  napi_get_last_error_info(env, &info);
  const char *message = info->error_message;
  napi_status code = info->error_code;
  MUST(napi_is_exception_pending(env, &pending));
  if (pending)
    MUST(napi_get_and_clear_last_exception(env, &exception));
  MUST(napi_create_object(env, &object));
  MUST(napi_set_named_property(env, object, "status", make_number(env, status)));
  MUST(napi_set_named_property(env, object, "code", make_number(env, code)));
  MUST(napi_set_named_property(env, object, "message", make_text(env, message != NULL ? message : "(none)")));
  if (pending)
    MUST(napi_set_named_property(env, object, "exception", exception));
  return object;
}

/* refuse(which, value) -> the result */
static napi_value refuse(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX], other;
  get_arguments(env, info, arguments);
  napi_value value = arguments[1];
  double number;
  bool flag;
  char text[8];
  size_t length;
  uint32_t count;
  int64_t big;
  void *data;
  napi_status status = napi_ok;
  switch (to_int(env, arguments[0])) {
  case 0:
    status = napi_get_value_double(env, value, &number);
    break;
  case 1:
    status = napi_get_value_bool(env, value, &flag);
    break;
  case 2:
    status = napi_get_value_string_utf8(env, value, text, sizeof text, &length);
    break;
  case 3:
    status = napi_get_array_length(env, value, &count);
    break;
  case 4:
    status = napi_get_value_bigint_int64(env, value, &big, &flag);
    break;
  case 5:
    status = napi_get_date_value(env, value, &number);
    break;
  case 6:
    status = napi_get_value_external(env, value, &data);
    break;
  case 7:
    status = napi_unwrap(env, value, &data);
    break;
  case 8:
    status = napi_get_property(env, value, value, &other);
    break;
  case 9:
    status = napi_call_function(env, value, value, 0, NULL, &other);
    break;
  case 10:
    status = napi_new_instance(env, value, 0, NULL, &other);
    break;
  case 11:
    status = napi_has_own_property(env, value, value, &flag);
    break;
  case 12:
    status = napi_coerce_to_object(env, value, &other);
    break;
  case 13:
    status = napi_coerce_to_number(env, value, &other);
    break;
  case 14:
    status = napi_detach_arraybuffer(env, value);
    break;
  case 15:
    status = napi_create_symbol(env, value, &other);
    break;
  case 16:
    status = napi_create_error(env, NULL, value, &other);
    break;
  case 17:
    status = napi_run_script(env, value, &other);
    break;
  case 18:
    status = napi_get_typedarray_info(env, value, NULL, NULL, NULL, NULL, NULL);
    break;
  case 19:
    status = napi_get_prototype(env, value, &other);
    break;
  case 20:
    status = napi_get_value_double(env, NULL, &number);
    break;
  case 21:
    status = napi_define_properties(env, value, 0, NULL);
    break;
  case 22:
    status = napi_object_freeze(env, value);
    break;
  case 23:
    status = napi_add_finalizer(env, value, NULL, NULL, NULL, NULL);
    break;
  case 24:
    status = napi_coerce_to_string(env, value, &other);
    break;
  case 25:
    status = napi_set_named_property(env, value, "p", value);
    break;
  case 26:
    status = napi_wrap(env, value, NULL, NULL, NULL, NULL);
    break;
  case 27:
    status = napi_make_callback(env, NULL, value, value, 0, NULL, NULL);
    break;
  case 28:
    status = napi_instanceof(env, value, value, &flag);
    break;
  case 29:
    status = napi_type_tag_object(env, value, NULL);
    break;
  case 30:
    status = napi_get_buffer_info(env, value, &data, &length);
    break;
  case 31:
    status = napi_get_arraybuffer_info(env, value, &data, &length);
    break;
  case 32:
    status = napi_get_property_names(env, value, &other);
    break;
  case 33:
    status = napi_get_dataview_info(env, value, &length, &data, NULL, NULL);
    break;
  case 34:
    status = napi_create_typedarray(env, napi_int16_array, 1, value, 1, &other);
    break;
  case 35:
    status = napi_create_dataview(env, 9, value, 1, &other);
    break;
  case 36:
    status = napi_async_init(env, value, value, (napi_async_context *)&data);
    break;
  case 37:
    status = napi_create_typedarray(env, napi_int16_array, 100, value, 0, &other);
    break;
  case 38:
    status = napi_throw(env, value);
    break;
  case 39:
    status = napi_delete_property(env, value, value, &flag);
    break;
  default:
    return NULL;
  }
  return last_message(env, status);
}

/* describe(value) -> its type and what kinds it is of */
static napi_value describe(napi_env env, napi_callback_info info) {
  static const char *const types[] = {"undefined", "null",   "boolean",  "number",   "string",
                                      "symbol",    "object", "function", "external", "bigint"};
  napi_value arguments[ARGUMENTS_MAX];
  get_arguments(env, info, arguments);
  napi_value value = arguments[0];
  napi_valuetype type;
  char text[200] = "";
  bool flags[8];
  static const char *const names[] = {"array",    "arraybuffer", "buffer",  "typedarray",
                                      "dataview", "date",        "promise", "error"};
  MUST(napi_typeof(env, value, &type));
  MUST(napi_is_array(env, value, &flags[0]));
  MUST(napi_is_arraybuffer(env, value, &flags[1]));
  MUST(napi_is_buffer(env, value, &flags[2]));
  MUST(napi_is_typedarray(env, value, &flags[3]));
  MUST(napi_is_dataview(env, value, &flags[4]));
  MUST(napi_is_date(env, value, &flags[5]));
  MUST(napi_is_promise(env, value, &flags[6]));
  MUST(napi_is_error(env, value, &flags[7]));
  strcat(text, types[type]);
  for (int i = 0; i < 8; i++)
    if (flags[i])
      strcat(strcat(text, " "), names[i]);
  return make_text(env, text);
}

/* numbers(value) -> as int32, uint32, int64 and double */
static napi_value numbers(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX], list;
  get_arguments(env, info, arguments);
  int32_t narrow;
  uint32_t without_sign;
  int64_t wide;
  double number;
  char text[32];
  MUST(napi_get_value_int32(env, arguments[0], &narrow));
  MUST(napi_get_value_uint32(env, arguments[0], &without_sign));
  MUST(napi_get_value_int64(env, arguments[0], &wide));
  MUST(napi_get_value_double(env, arguments[0], &number));
  snprintf(text, sizeof text, "%lld", (long long)wide);
  MUST(napi_create_array_with_length(env, 4, &list));
  MUST(napi_set_element(env, list, 0, make_number(env, narrow)));
  MUST(napi_set_element(env, list, 1, make_number(env, without_sign)));
  MUST(napi_set_element(env, list, 2, make_text(env, text)));
  MUST(napi_set_element(env, list, 3, make_number(env, number)));
  return list;
}

/* texts(value, room) -> as UTF-8, Latin-1 and UTF-16, cut to that room, and the lengths of the whole */
static napi_value texts(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX], list, value;
  get_arguments(env, info, arguments);
  char bytes[64];
  char16_t wide[64];
  size_t room = (size_t)to_int(env, arguments[1]), length;
  MUST(napi_create_array(env, &list));
  MUST(napi_get_value_string_utf8(env, arguments[0], bytes, room, &length));
  MUST(napi_create_string_utf8(env, bytes, length, &value));
  MUST(napi_set_element(env, list, 0, value));
  MUST(napi_get_value_string_latin1(env, arguments[0], bytes, room, &length));
  MUST(napi_create_string_latin1(env, bytes, length, &value));
  MUST(napi_set_element(env, list, 1, value));
  MUST(napi_get_value_string_utf16(env, arguments[0], wide, room, &length));
  MUST(napi_create_string_utf16(env, wide, length, &value));
  MUST(napi_set_element(env, list, 2, value));
  MUST(napi_get_value_string_utf8(env, arguments[0], NULL, 0, &length));
  MUST(napi_set_element(env, list, 3, make_number(env, (double)length)));
  MUST(napi_get_value_string_utf16(env, arguments[0], NULL, 0, &length));
  MUST(napi_set_element(env, list, 4, make_number(env, (double)length)));
  return list;
}

/* words(bigint) -> [sign, the same bigint made anew of its words, how many there are] */
static napi_value words(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX], list, again;
  get_arguments(env, info, arguments);
  uint64_t digits[32];
  size_t count = 32;
  int sign;
  MUST(napi_get_value_bigint_words(env, arguments[0], &sign, &count, digits));
  MUST(napi_create_bigint_words(env, sign, count, digits, &again));
  MUST(napi_create_array(env, &list));
  MUST(napi_set_element(env, list, 0, make_number(env, sign)));
  MUST(napi_set_element(env, list, 1, again));
  MUST(napi_set_element(env, list, 2, make_number(env, (double)count)));
  return list;
}

/* keys(object, own, filter, keepNumbers) */
static napi_value keys(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX], result = NULL;
  get_arguments(env, info, arguments);
  napi_get_all_property_names(env, arguments[0],
                              to_int(env, arguments[1]) ? napi_key_own_only : napi_key_include_prototypes,
                              (napi_key_filter)to_int(env, arguments[2]),
                              to_int(env, arguments[3]) ? napi_key_keep_numbers : napi_key_numbers_to_strings, &result);
  return result;
}

/* fill(view, byte): writes through the address; -> [length, offset, its buffer] */
static napi_value fill(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX], list, buffer;
  get_arguments(env, info, arguments);
  napi_typedarray_type type;
  size_t length, offset;
  void *data;
  MUST(napi_get_typedarray_info(env, arguments[0], &type, &length, &data, &buffer, &offset));
  memset(data, to_int(env, arguments[1]), length);
  MUST(napi_create_array(env, &list));
  MUST(napi_set_element(env, list, 0, make_number(env, (double)length)));
  MUST(napi_set_element(env, list, 1, make_number(env, (double)offset)));
  MUST(napi_set_element(env, list, 2, buffer));
  MUST(napi_set_element(env, list, 3, make_number(env, type)));
  return list;
}

static napi_value detach(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX], result;
  bool detached;
  get_arguments(env, info, arguments);
  MUST(napi_detach_arraybuffer(env, arguments[0]));
  MUST(napi_is_detached_arraybuffer(env, arguments[0], &detached));
  MUST(napi_get_boolean(env, detached, &result));
  return result;
}

/* self(): what `this` is; given(): how many arguments came, and new.target's name */
static napi_value self(napi_env env, napi_callback_info info) {
  napi_value this_value;
  MUST(napi_get_cb_info(env, info, NULL, NULL, &this_value, NULL));
  return this_value;
}

static napi_value given(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX], target, list;
  size_t count = get_arguments(env, info, arguments);
  MUST(napi_get_new_target(env, info, &target));
  MUST(napi_create_array(env, &list));
  MUST(napi_set_element(env, list, 0, make_number(env, (double)count)));
  MUST(napi_set_element(env, list, 1, arguments[5]));
  if (target != NULL)
    MUST(napi_set_element(env, list, 2, target));
  return list;
}

/* callWith(receiver, function, ...arguments) */
static napi_value call_with(napi_env env, napi_callback_info info) {
  napi_value arguments[ARGUMENTS_MAX], result = NULL;
  size_t count = get_arguments(env, info, arguments);
  napi_call_function(env, arguments[0], arguments[1], count > 2 ? count - 2 : 0, arguments + 2, &result);
  return result;
}

/* The environment as the C library has it. */
extern char **environ;
static napi_value environment(napi_env env, napi_callback_info info) {
  int count = 0;
  (void)info;
  while (environ != NULL && environ[count] != NULL)
    count++;
  return make_number(env, count > 0 && getenv("SET_BY_JAVASCRIPT") != NULL);
}

static napi_value versions(napi_env env, napi_callback_info info) {
  napi_value list;
  uint32_t version;
  const napi_node_version *node;
  (void)info;
  MUST(napi_get_version(env, &version));
  MUST(napi_get_node_version(env, &node));
  MUST(napi_create_array(env, &list));
  MUST(napi_set_element(env, list, 0, make_number(env, version)));
  MUST(napi_set_element(env, list, 1, make_number(env, node->major)));
  MUST(napi_set_element(env, list, 2, make_text(env, node->release)));
  return list;
}

NAPI_MODULE_INIT() {
  static const struct entry entries[] = {
      {"refuse", refuse},     {"describe", describe}, {"numbers", numbers},    {"texts", texts},
      {"words", words},       {"keys", keys},         {"fill", fill},          {"detach", detach},
      {"self", self},         {"given", given},       {"callWith", call_with}, {"environment", environment},
      {"versions", versions}, {NULL, NULL},
  };
  add_functions(env, exports, entries);
  return exports;
}
