/* Strings, property keys and symbols. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/uses/probes.h"
#include "runtime/napi/napi.h"

enum encoding { LATIN1, UTF8, UTF16 };

/* Replaces NAPI_AUTO_LENGTH by the length. False: the text is missing, or too long. */
static bool js_napi_measure(const void *text, bool is_wide, size_t *length) {
  if (text == NULL)
    return *length == 0;
  if (*length != NAPI_AUTO_LENGTH)
    return *length <= INT_MAX;
  if (!is_wide) {
    *length = strlen(text);
    return true;
  }
  *length = 0;
  while (((const char16_t *)text)[*length] != 0)
    ++*length;
  return true;
}

static napi_status create(napi_env env, enum encoding encoding, const void *text, size_t length, napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  if (!js_napi_measure(text, encoding == UTF16, &length))
    return js_napi_fail(env, napi_invalid_arg);
  JSValueRef string = encoding == LATIN1 ? js_string_latin1(env->context, text, length)
                      : encoding == UTF8 ? js_string_utf8(env->context, text, length)
                                         : js_string_utf16(env->context, text, length);
  return string != NULL ? js_napi_give(env, string, result) : js_napi_fail(env, napi_generic_failure);
}

napi_status napi_create_string_latin1(napi_env env, const char *text, size_t length, napi_value *result) {
  return create(env, LATIN1, text, length, result);
}

napi_status napi_create_string_utf8(napi_env env, const char *text, size_t length, napi_value *result) {
  return create(env, UTF8, text, length, result);
}

napi_status napi_create_string_utf16(napi_env env, const char16_t *text, size_t length, napi_value *result) {
  return create(env, UTF16, text, length, result);
}

/* The engine converts a string to a property name when it is first used as one; doing it here gains nothing. */
napi_status node_api_create_property_key_latin1(napi_env env, const char *text, size_t length, napi_value *result) {
  return create(env, LATIN1, text, length, result);
}

napi_status node_api_create_property_key_utf8(napi_env env, const char *text, size_t length, napi_value *result) {
  return create(env, UTF8, text, length, result);
}

napi_status node_api_create_property_key_utf16(napi_env env, const char16_t *text, size_t length, napi_value *result) {
  return create(env, UTF16, text, length, result);
}

/* ---- reading ---- */

static napi_status borrow(napi_env env, napi_value value, const void *out, const size_t *result,
                          struct js_characters *text) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  if (!js_borrow_text(env->context, js_napi_value(value), text))
    return js_napi_fail(env, napi_string_expected);
  if (out == NULL && result == NULL)
    return js_napi_fail(env, napi_invalid_arg);
  return js_napi_ok(env);
}

static uint16_t unit_at(const struct js_characters *text, size_t i) {
  return text->wide ? ((const uint16_t *)text->data)[i] : ((const unsigned char *)text->data)[i];
}

/* Without a buffer, the length is returned; with one, the part that fits is written, and a zero. */
napi_status napi_get_value_string_utf8(napi_env env, napi_value value, char *out, size_t room, size_t *result) {
  struct js_characters text;
  napi_status status = borrow(env, value, out, result, &text);
  if (status != napi_ok)
    return status;
  size_t count = 0;
  if (out == NULL)
    count = js_utf8_length(&text);
  else if (room > 0)
    out[count = js_utf8_write(&text, (unsigned char *)out, room - 1)] = 0;
  if (result != NULL)
    *result = count;
  return napi_ok;
}

/* The same in units of one byte or of two. */
static napi_status get_units(napi_env env, napi_value value, void *out, size_t width, size_t room, size_t *result) {
  struct js_characters text;
  napi_status status = borrow(env, value, out, result, &text);
  if (status != napi_ok)
    return status;
  size_t count = out == NULL ? text.length : 0;
  if (out != NULL && room > 0) {
    count = text.length < room - 1 ? text.length : room - 1;
    for (size_t i = 0; i <= count; i++) {
      char16_t unit = i < count ? unit_at(&text, i) : 0;
      if (width == sizeof unit)
        ((char16_t *)out)[i] = unit;
      else
        ((char *)out)[i] = (char)unit;
    }
  }
  if (result != NULL)
    *result = count;
  return napi_ok;
}

napi_status napi_get_value_string_latin1(napi_env env, napi_value value, char *out, size_t room, size_t *result) {
  return get_units(env, value, out, sizeof *out, room, result);
}

napi_status napi_get_value_string_utf16(napi_env env, napi_value value, char16_t *out, size_t room, size_t *result) {
  return get_units(env, value, out, sizeof *out, room, result);
}

/* ---- symbols ---- */

napi_status napi_create_symbol(napi_env env, napi_value description, napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  if (description != NULL && js_cell_kind(js_napi_value(description)) != env->thread->kinds.string)
    return js_napi_fail(env, napi_string_expected);
  JSStringRef text = description != NULL ? JSValueToStringCopy(env->context, js_napi_value(description), NULL) : NULL;
  JSValueRef symbol = JSValueMakeSymbol(env->context, text);
  if (text != NULL)
    JSStringRelease(text);
  return js_napi_give(env, symbol, result);
}

napi_status node_api_symbol_for(napi_env env, const char *description, size_t length, napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  napi_value text;
  napi_status status = napi_create_string_utf8(env, description, length, &text);
  if (status != napi_ok)
    return status;
  JSValueRef argument = js_napi_value(text);
  JSValueRef symbol = js_napi_help(env, HELPER_SYMBOL_FOR, 1, &argument);
  return symbol != NULL ? js_napi_give(env, symbol, result) : napi_pending_exception;
}

/* ---- strings in the memory of an addon ---- */

/* Strings in the addon's own memory. The engine releases it by a C++ closure, which is written in C here: its first
 * word points to a table of two destructors and the call. */

struct giver {
  const void *const *table;
  struct js_napi_release *release;
};

/* WTF::ExternalStringImpl::create, of Latin-1 and of UTF-16. */
static void (*create_external)(void **result, const void *data, size_t length, void **giver);
static void (*create_external_wide)(void **result, const void *data, size_t length, void **giver);

const struct js_symbol js_napi_text_symbols[] = {
    {"_ZN3WTF18ExternalStringImpl6createESt4spanIKhLm18446744073709551615EEONS_8FunctionIFvPS0_PvjEEE",
     &create_external},
    {"_ZN3WTF18ExternalStringImpl6createESt4spanIKDsLm18446744073709551615EEONS_8FunctionIFvPS0_PvjEEE",
     &create_external_wide},
    {NULL, NULL}};

static void give_back(struct giver *giver, void *characters, void *data, unsigned length) {
  (void)characters;
  (void)data;
  (void)length;
  js_napi_lent_back(giver->release);
}

static void forget(struct giver *giver) {
  (void)giver; /* never called: the owner of a closure's address deletes it */
}

static const void *const table[] = {(const void *)(uintptr_t)forget, (const void *)(uintptr_t)free,
                                    (const void *)(uintptr_t)give_back};

static void free_nothing(napi_env env, void *data, void *hint) {
  (void)env;
  (void)data;
  (void)hint;
}

static napi_status make_external(napi_env env, bool wide, void *text, size_t length, node_api_basic_finalize finalize,
                                 void *hint, napi_value *result, bool *copied) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  if (!js_napi_measure(text, wide, &length))
    return js_napi_fail(env, napi_invalid_arg);
  if (finalize == NULL)
    finalize = free_nothing;
  if (copied != NULL)
    *copied = false;
  if (length == 0) {
    js_napi_finalize_soon(env, finalize, text, hint);
    return js_napi_give(env, js_string_latin1(env->context, NULL, 0), result);
  }
  if (!js_uses(JS_USE_EXTERNAL_TEXT)) {
    if (copied != NULL)
      *copied = true;
    JSValueRef copy = wide ? js_string_utf16(env->context, text, length) : js_string_latin1(env->context, text, length);
    js_napi_finalize_soon(env, finalize, text, hint);
    return js_napi_give(env, copy, result);
  }
  struct giver *giver = malloc(sizeof *giver);
  if (giver == NULL)
    return js_napi_fail(env, napi_generic_failure);
  *giver = (struct giver){table, js_napi_lend(env, finalize, text, hint)};
  void *handed = giver, *characters = NULL;
  if (wide)
    create_external_wide(&characters, text, length, &handed);
  else
    create_external(&characters, text, length, &handed);
  return js_napi_give(env, js_string_adopt(env->context, characters), result);
}

napi_status node_api_create_external_string_latin1(napi_env env, char *text, size_t length,
                                                   node_api_basic_finalize finalize, void *hint, napi_value *result,
                                                   bool *copied) {
  return make_external(env, false, text, length, finalize, hint, result, copied);
}

napi_status node_api_create_external_string_utf16(napi_env env, char16_t *text, size_t length,
                                                  node_api_basic_finalize finalize, void *hint, napi_value *result,
                                                  bool *copied) {
  return make_external(env, true, text, length, finalize, hint, result, copied);
}

/* ---- the probe ---- */

int js_probe_external_text(JSGlobalContextRef context) {
  static const void *const lasting[] = {(const void *)(uintptr_t)forget, (const void *)(uintptr_t)free,
                                        (const void *)(uintptr_t)forget};
  static const char16_t wide[] = u"w\u20acde.";
  JSObjectRef global = JSContextGetGlobalObject(context);
  for (int i = 0; i < 2; i++) {
    struct giver *giver = malloc(sizeof *giver);
    void *handed = giver, *characters = NULL;
    if (giver == NULL)
      return 1;
    *giver = (struct giver){lasting, NULL};
    (i == 1 ? create_external_wide : create_external)(&characters, i == 1 ? (const void *)wide : "plain", 5, &handed);
    js_set(context, global, i == 1 ? "two" : "one", js_string_adopt(context, characters));
  }
  return js_check_holds(context, "one === 'plain' && two === 'w\\u20acde.'") ? 0 : 2;
}
