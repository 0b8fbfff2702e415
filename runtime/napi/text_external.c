/* Strings in the addon's own memory. The engine releases it by a C++ closure, which is written in C here: its first
 * word points to a table of two destructors and the call. */
#include "runtime/napi/napi.h"

#include "runtime/engine/uses/probes.h"

#include <stdlib.h>

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

static napi_status create(napi_env env, bool wide, void *text, size_t length, node_api_basic_finalize finalize,
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
  return create(env, false, text, length, finalize, hint, result, copied);
}

napi_status node_api_create_external_string_utf16(napi_env env, char16_t *text, size_t length,
                                                  node_api_basic_finalize finalize, void *hint, napi_value *result,
                                                  bool *copied) {
  return create(env, true, text, length, finalize, hint, result, copied);
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
