/* The binding `charset`: what the bytes of old encodings mean, asked of the system's tables (iconv).
 *
 *   highHalf(name)   the characters of the bytes 128 to 255, U+FFFD for those without; undefined if there is no such
 *                    encoding here */
#include "../engine_text.h"
#include "binding.h"

#include <iconv.h>
#include <stdlib.h>

enum { HALF = 128, NONE = 0xFFFD };

/* Some tables hold a letter back, for an accent that may follow: it is asked for. */
static uint16_t character_of(iconv_t tables, unsigned char byte) {
  char in_byte = (char)byte;
  uint16_t out[4] = {0};
  char *in = &in_byte, *at = (char *)out;
  size_t in_left = 1, left = sizeof out;
  iconv(tables, NULL, NULL, NULL, NULL);
  if (iconv(tables, &in, &in_left, &at, &left) == (size_t)-1 || iconv(tables, NULL, NULL, &at, &left) == (size_t)-1)
    return NONE;
  return left == sizeof out - sizeof *out ? out[0] : NONE;
}

static JSValueRef high_half(JSContextRef context, struct rota_frame *frame) {
  char *name = rota_to_text(context, rota_arg(context, frame, 0), NULL);
  iconv_t tables = name != NULL ? iconv_open("UTF-16LE", name) : (iconv_t)-1;
  free(name);
  if (tables == (iconv_t)-1) // NOLINT(performance-no-int-to-ptr): iconv's way to say no
    return rota_undefined(context);
  uint16_t characters[HALF];
  for (int i = 0; i < HALF; i++)
    characters[i] = character_of(tables, (unsigned char)(HALF + i));
  iconv_close(tables);
  return rota_string_utf16(context, (unsigned char *)characters, HALF);
}

static const struct rota_method methods[] = {{"highHalf", high_half, 1}, {NULL, NULL, 0}};

JSObjectRef rota_binding_charset(struct rota_env *env) {
  JSObjectRef binding = rota_object(env->context);
  rota_set_methods(env->context, binding, methods);
  return binding;
}
