/* Conversion of values between JavaScript and SQLite. A number becomes a REAL, a bigint or a boolean an INTEGER; an
 * INTEGER becomes a number, or a bigint if the program wants that. */
#include "runtime/extras/sqlite/sqlite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_NUMBER INT64_C(9007199254740991)

JSValueRef js_sqlite_integer(JSContextRef context, sqlite3_int64 value, bool bigints, JSValueRef *error) {
  if (bigints)
    return JSBigIntCreateWithInt64(context, value, NULL);
  if (value <= LARGEST_NUMBER && value >= -LARGEST_NUMBER)
    return js_number(context, (double)value);
  char digits[24];
  snprintf(digits, sizeof digits, "%lld", value);
  *error = js_sqlite_make_error(context, JS_SQLITE_ERROR_TOO_LARGE, js_string(context, digits), js_undefined(context),
                                js_undefined(context));
  return NULL;
}

JSValueRef js_sqlite_bytes(JSContextRef context, const void *bytes, size_t length) {
  void *copy = malloc(length + 1);
  if (copy == NULL)
    return js_undefined(context);
  if (length > 0)
    memcpy(copy, bytes, length);
  JSValueRef buffer = js_buffer_adopt(context, copy, length);
  return JSObjectMakeTypedArrayWithArrayBuffer(context, kJSTypedArrayTypeUint8Array, (JSObjectRef)buffer, NULL);
}

JSValueRef js_sqlite_value(JSContextRef context, sqlite3_value *value, bool bigints, JSValueRef *error) {
  switch (sqlite3_value_type(value)) {
  case SQLITE_INTEGER:
    return js_sqlite_integer(context, sqlite3_value_int64(value), bigints, error);
  case SQLITE_FLOAT:
    return js_number(context, sqlite3_value_double(value));
  case SQLITE_TEXT: {
    const unsigned char *text = sqlite3_value_text(value);
    return js_string_utf8(context, text, (size_t)sqlite3_value_bytes(value));
  }
  case SQLITE_BLOB: {
    const void *bytes = sqlite3_value_blob(value);
    return js_sqlite_bytes(context, bytes, (size_t)sqlite3_value_bytes(value));
  }
  default:
    return js_null(context);
  }
}

/* A value in the form that SQLite takes. */
struct foreign {
  enum { NOTHING, INTEGER, REAL, TEXT, BLOB, WIDE, UNSUITABLE } type;
  sqlite3_int64 integer;
  double real;
  unsigned char *bytes; /* of a text: ours to free, or SQLite's; of a blob: the engine's */
  size_t length;
};

static struct foreign foreign_of(JSContextRef context, JSValueRef value) {
  struct foreign result = {UNSUITABLE, 0, 0, NULL, 0};
  struct js_characters text;
  /* The two most common types need no call of the engine. */
  if (js_is_number(value)) {
    result.type = REAL;
    result.real = js_to_number(context, value);
    return result;
  }
  if (js_borrow_text(context, value, &text)) {
    result.length = js_utf8_length(&text);
    result.bytes = malloc(result.length + 1);
    if (result.bytes != NULL) {
      result.type = TEXT;
      js_utf8_write(&text, result.bytes, result.length);
    }
    return result;
  }
  switch (JSValueGetType(context, value)) {
  case kJSTypeUndefined:
  case kJSTypeNull:
    result.type = NOTHING;
    break;
  case kJSTypeBigInt:
    result.type = INTEGER;
    result.integer = JSValueToInt64(context, value, NULL);
    if (JSValueCompareInt64(context, value, result.integer, NULL) != kJSRelationConditionEqual)
      result.type = WIDE;
    break;
  case kJSTypeObject:
    if (js_borrow_bytes(context, value, &result.bytes, &result.length))
      result.type = BLOB;
    break;
  default:
    break;
  }
  return result;
}

bool js_sqlite_bind(JSContextRef context, struct js_sqlite_statement *statement, int index, JSValueRef value) {
  sqlite3_stmt *stmt = statement->stmt;
  int status = SQLITE_OK;
  if (value == js_boolean(context, true) || value == js_boolean(context, false)) {
    status = sqlite3_bind_int(stmt, index, js_to_boolean(context, value));
  } else {
    struct foreign given = foreign_of(context, value);
    switch (given.type) {
    case NOTHING:
      status = sqlite3_bind_null(stmt, index);
      break;
    case INTEGER:
      status = sqlite3_bind_int64(stmt, index, given.integer);
      break;
    case REAL:
      status = sqlite3_bind_double(stmt, index, given.real);
      break;
    case TEXT:
      status = sqlite3_bind_text64(stmt, index, (char *)given.bytes, given.length, free, SQLITE_UTF8);
      break;
    case BLOB:
      status = given.length == 0 ? sqlite3_bind_zeroblob(stmt, index, 0)
                                 : sqlite3_bind_blob64(stmt, index, given.bytes, given.length, SQLITE_TRANSIENT);
      break;
    default:
      js_throw(context, js_sqlite_make_error(
                            context, given.type == WIDE ? JS_SQLITE_ERROR_WIDE_BIGINT : JS_SQLITE_ERROR_NO_VALUE,
                            js_integer(index), js_undefined(context), js_undefined(context)));
      return false;
    }
  }
  if (status != SQLITE_OK)
    js_sqlite_throw(context, statement->connection);
  return status == SQLITE_OK;
}

void js_sqlite_result(JSContextRef context, sqlite3_context *call, JSValueRef value) {
  struct foreign given = foreign_of(context, value);
  switch (given.type) {
  case NOTHING:
    sqlite3_result_null(call);
    break;
  case INTEGER:
    sqlite3_result_int64(call, given.integer);
    break;
  case REAL:
    sqlite3_result_double(call, given.real);
    break;
  case TEXT:
    sqlite3_result_text64(call, (char *)given.bytes, given.length, free, SQLITE_UTF8);
    break;
  case BLOB:
    if (given.length == 0)
      sqlite3_result_zeroblob(call, 0);
    else
      sqlite3_result_blob64(call, given.bytes, given.length, SQLITE_TRANSIENT);
    break;
  case WIDE:
    sqlite3_result_error(call, "BigInt value is too large for SQLite", -1);
    break;
  default: {
    JSValueRef said =
        js_sqlite_make_error(context, JS_SQLITE_ERROR_UNSUITABLE, value, js_undefined(context), js_undefined(context));
    char *message = js_to_text(context, said, NULL);
    sqlite3_result_error(call, message != NULL ? message : "unsuitable value", -1);
    free(message);
  }
  }
}
