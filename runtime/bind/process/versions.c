/* The versions of libraries, as reported by the libraries themselves: the system may have other versions than at build
 * time. The engine's library loads ICU, whose functions have their version in their names; the part of ICU that has
 * calendars and locales may not be loaded yet (engine/uses/load.c). */
#include <ares.h>
#include <brotli/decode.h>
#include <dlfcn.h>
#include <llhttp.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <zlib.h>
#include <zstd.h>

#include "runtime/bind/binding.h"
#include "runtime/engine/uses/private.h"

enum { ICU_FIRST = 60, ICU_LAST = 120, TEXT = 64 };

/* A function of ICU, of any version. */
static void *icu(const char *name) {
  static int version; /* the same for all */
  char full[TEXT];
  for (int i = version != 0 ? version : ICU_FIRST; i <= (version != 0 ? version : ICU_LAST); i++) {
    snprintf(full, sizeof full, "%s_%d", name, i);
    void *function = dlsym(RTLD_DEFAULT, full);
    if (function != NULL) {
      version = i;
      return function;
    }
  }
  if (version == 0)
    return NULL;
  char library[TEXT];
  snprintf(library, sizeof library, "libicui18n.so.%d", version);
  void *calendars = dlopen(library, RTLD_LAZY);
  return calendars != NULL ? dlsym(calendars, full) : NULL;
}

static JSValueRef two_numbers(JSContextRef context, const uint8_t numbers[4]) {
  char text[TEXT];
  snprintf(text, sizeof text, "%u.%u", numbers[0], numbers[1]);
  return js_string(context, text);
}

static void set_icu(JSContextRef context, JSObjectRef versions) {
  uint8_t numbers[4];
  int status = 0;
  void (*version)(uint8_t[4]) = (void (*)(uint8_t[4]))icu("u_getVersion");
  void (*unicode)(uint8_t[4]) = (void (*)(uint8_t[4]))icu("u_getUnicodeVersion");
  void (*cldr)(uint8_t[4], int *) = (void (*)(uint8_t[4], int *))icu("ulocdata_getCLDRVersion");
  const char *(*zones)(int *) = (const char *(*)(int *))icu("ucal_getTZDataVersion");
  if (cldr != NULL) {
    cldr(numbers, &status);
    js_set(context, versions, "cldr", two_numbers(context, numbers));
  }
  if (version != NULL) {
    version(numbers);
    js_set(context, versions, "icu", two_numbers(context, numbers));
  }
  const char *zone_text = zones != NULL ? zones(&status) : NULL;
  if (zone_text != NULL)
    js_set(context, versions, "tz", js_string(context, zone_text));
  if (unicode != NULL) {
    unicode(numbers);
    js_set(context, versions, "unicode", two_numbers(context, numbers));
  }
}

/* libraryVersions() -> { ares, ... } of libraries that are loaded with the program, or linked into it */
JSValueRef js_library_versions(JSContextRef context, struct js_frame *frame) {
  char text[TEXT];
  JSObjectRef versions = js_object(context);
  (void)frame;
  js_set(context, versions, "ares", js_string(context, ares_version(NULL)));
  set_icu(context, versions);
  snprintf(text, sizeof text, "%u.%u.%u", jsc_get_major_version(), jsc_get_minor_version(), jsc_get_micro_version());
  js_set(context, versions, "jsc", js_string(context, text));
  snprintf(text, sizeof text, "%d.%d.%d", LLHTTP_VERSION_MAJOR, LLHTTP_VERSION_MINOR, LLHTTP_VERSION_PATCH);
  js_set(context, versions, "llhttp", js_string(context, text));
  js_set(context, versions, "zlib", js_string(context, zlibVersion()));
  js_set(context, versions, "zstd", js_string(context, ZSTD_versionString()));
  return versions;
}

/* loadedVersion(which): 0 OpenSSL's, 1 brotli's; that loads the library */
JSValueRef js_loaded_version(JSContextRef context, struct js_frame *frame) {
  if (js_to_integer(context, js_arg(context, frame, 0)) == 0)
    return js_string(context, OpenSSL_version(OPENSSL_VERSION_STRING));
  uint32_t number = BrotliDecoderVersion(); /* 8, 12 and 12 bits */
  char text[TEXT];
  snprintf(text, sizeof text, "%u.%u.%u", number >> 24, number >> 12 & 0xFFF, number & 0xFFF);
  return js_string(context, text);
}
