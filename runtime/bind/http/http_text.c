/* Strings of HTTP heads. The same names and values occur often, so the last ones are kept: a table of fixed size, one
 * entry for each hash; a new string replaces the old one. */
#include <stdlib.h>
#include <string.h>

#include "runtime/bind/http/http.h"
#include "runtime/engine/engine.h"

enum { PLACES = 512, LONGEST = 120 };

struct place {
  JSValueRef value;
  uint32_t hash;
  uint8_t length;
  char bytes[LONGEST];
};

static _Thread_local void *kept;

static JSValueRef make(JSContextRef context, const char *bytes, size_t length) {
  JSChar small[256];
  bool plain = true;
  for (size_t i = 0; i < length && plain; i++)
    plain = (unsigned char)bytes[i] < 0x80;
  if (plain)
    return js_text(context, bytes, length);
  if (length <= sizeof small / sizeof *small) {
    for (size_t i = 0; i < length; i++)
      small[i] = (unsigned char)bytes[i];
    JSStringRef string = JSStringCreateWithCharacters(small, length);
    JSValueRef value = JSValueMakeString(context, string);
    JSStringRelease(string);
    return value;
  }
  /* Latin-1 as UTF-8 needs at most twice the room; heads are short. */
  char *wide = malloc(length * 2);
  if (wide == NULL)
    return js_text(context, "", 0);
  size_t n = 0;
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)bytes[i];
    if (c >= 0x80) {
      wide[n++] = (char)(0xC0 | c >> 6);
      c = 0x80 | (c & 0x3F);
    }
    wide[n++] = (char)c;
  }
  JSValueRef value = js_text(context, wide, n);
  free(wide);
  return value;
}

JSValueRef js_http_text(JSContextRef context, const char *bytes, size_t length) {
  struct place *places = length <= LONGEST ? js_thread_memory(&kept, PLACES * sizeof *places) : NULL;
  if (places == NULL)
    return make(context, bytes, length);
  uint32_t hash = 2166136261u ^ (uint32_t)length;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)bytes[i]) * 16777619u;
  struct place *place = &places[(hash ^ hash >> 15) % PLACES];
  if (place->value != NULL && place->hash == hash && place->length == length &&
      memcmp(place->bytes, bytes, length) == 0)
    return place->value;
  JSValueRef value = make(context, bytes, length);
  JSValueProtect(context, value);
  if (place->value != NULL)
    JSValueUnprotect(context, place->value);
  place->value = value;
  place->hash = hash;
  place->length = (uint8_t)length;
  memcpy(place->bytes, bytes, length);
  return value;
}
