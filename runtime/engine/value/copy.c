/* Text: the C API gives a copy in UTF-16. It is made narrow again if possible, because writers of text distinguish the
 * two forms. The last few copies are kept, so that they live as long as something borrowed would.
 *
 * Bytes: the C API gives the address of a view's buffer, and from then on the buffer stays where it is. It knows
 * neither DataView nor the youngest of the typed arrays; a function in JavaScript tells what they are views of. */
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/uses/probes.h"
#include "runtime/engine/value/text.h"

enum { KEPT = 16 };

static _Thread_local struct {
  JSStringRef strings[KEPT];
  unsigned char *narrow[KEPT];
  unsigned next;
  JSObjectRef describe;
} copies;

/* describe(value) -> undefined, or [kind, buffer, offset, length] of a view that the C API does not know. */
static const char describe_code[] =
    "(() => {"
    "  const { apply, getPrototypeOf, getOwnPropertyDescriptor } = Reflect;"
    "  const { isView } = ArrayBuffer;"
    "  const getter = (object, name) => getOwnPropertyDescriptor(object, name).get;"
    "  const arrays = getPrototypeOf(Uint8Array.prototype), views = DataView.prototype, none = [];"
    "  const tag = getter(arrays, Symbol.toStringTag), names = ['buffer', 'byteOffset', 'byteLength'];"
    "  const ofArray = names.map((name) => getter(arrays, name)), ofView = names.map((name) => getter(views, name));"
    "  return (value) => {"
    "    if (!isView(value)) return undefined;"
    "    const isArray = apply(tag, value, none) !== undefined, of = isArray ? ofArray : ofView;"
    "    const at = (i) => { try { return apply(of[i], value, none); } catch { return 0; } };"
    "    return [isArray ? 7 : 12, at(0), at(1), at(2)];"
    "  };"
    "})()";

void js_copy_begin(JSContextRef context) {
  copies.describe = (JSObjectRef)js_check_evaluate(context, describe_code);
  if (copies.describe != NULL)
    JSValueProtect(context, copies.describe);
}

void js_copy_end(void) {
  for (int i = 0; i < KEPT; i++) {
    if (copies.strings[i] != NULL)
      JSStringRelease(copies.strings[i]);
    free(copies.narrow[i]);
    copies.strings[i] = NULL;
    copies.narrow[i] = NULL;
  }
}

/* ---- text ---- */

static unsigned char *narrow_copy(const JSChar *wide, size_t length) {
  JSChar all = 0;
  for (size_t i = 0; i < length; i++)
    all |= wide[i];
  unsigned char *narrow = all < 0x100 ? malloc(length + 1) : NULL;
  for (size_t i = 0; narrow != NULL && i < length; i++)
    narrow[i] = (unsigned char)wide[i];
  return narrow;
}

bool js_copy_text(JSContextRef context, JSValueRef value, struct js_characters *text) {
  JSStringRef string =
      value != NULL && JSValueIsString(context, value) ? JSValueToStringCopy(context, value, NULL) : NULL;
  if (string == NULL)
    return false;
  unsigned slot = copies.next++ % KEPT;
  if (copies.strings[slot] != NULL)
    JSStringRelease(copies.strings[slot]);
  free(copies.narrow[slot]);
  const JSChar *wide = JSStringGetCharactersPtr(string);
  text->length = JSStringGetLength(string);
  copies.strings[slot] = string;
  copies.narrow[slot] = narrow_copy(wide, text->length);
  text->wide = copies.narrow[slot] == NULL;
  text->data = text->wide ? (const void *)wide : copies.narrow[slot];
  return true;
}

static JSValueRef take(JSContextRef context, JSStringRef string) {
  JSValueRef value = JSValueMakeString(context, string);
  JSStringRelease(string);
  return value;
}

JSValueRef js_copy_string_latin1(JSContextRef context, const unsigned char *bytes, size_t length) {
  enum { FEW = 256 };
  JSChar few[FEW] = {0};
  JSChar *wide = length <= FEW ? few : malloc(length * sizeof *wide);
  if (wide == NULL)
    return js_throw_text(context, "no memory for a string");
  for (size_t i = 0; i < length; i++)
    wide[i] = bytes[i];
  JSStringRef string = JSStringCreateWithCharacters(wide, length);
  if (wide != few)
    free(wide);
  return take(context, string);
}

JSValueRef js_copy_string_utf8(JSContextRef context, const unsigned char *bytes, size_t length) {
  return take(context, js_text_string((const char *)bytes, length));
}

JSValueRef js_copy_string_utf16(JSContextRef context, const unsigned char *bytes, size_t units) {
  JSChar *aligned = malloc(units * sizeof *aligned + 1);
  if (aligned == NULL)
    return js_throw_text(context, "no memory for a string");
  memcpy(aligned, bytes, units * sizeof *aligned);
  JSStringRef string = JSStringCreateWithCharacters(aligned, units);
  free(aligned);
  return take(context, string);
}

struct held {
  size_t length;
  unsigned char bytes[];
};

struct js_string_draft js_copy_string_begin(size_t length) {
  struct held *held = malloc(sizeof *held + length);
  if (held == NULL)
    abort(); /* as the engine does */
  held->length = length;
  return (struct js_string_draft){held, held->bytes};
}

JSValueRef js_copy_string_end(JSContextRef context, struct js_string_draft draft) {
  struct held *held = draft.characters;
  JSValueRef value = js_copy_string_latin1(context, held->bytes, held->length);
  free(held);
  return value;
}

/* ---- bytes ---- */

static JSValueRef described(JSContextRef context, JSValueRef view) {
  if (view == NULL || !JSValueIsObject(context, view) || copies.describe == NULL)
    return NULL;
  JSValueRef found = JSObjectCallAsFunction(context, copies.describe, NULL, 1, &view, NULL);
  return found != NULL && JSValueIsObject(context, found) ? found : NULL;
}

static double part(JSContextRef context, JSValueRef description, unsigned index) {
  return JSValueToNumber(context, JSObjectGetPropertyAtIndex(context, (JSObjectRef)description, index, NULL), NULL);
}

int js_copy_view_kind(JSContextRef context, JSValueRef value) {
  static const signed char kinds[] = {
      [kJSTypedArrayTypeInt8Array] = 0,         [kJSTypedArrayTypeUint8Array] = 1,
      [kJSTypedArrayTypeUint8ClampedArray] = 2, [kJSTypedArrayTypeInt16Array] = 3,
      [kJSTypedArrayTypeUint16Array] = 4,       [kJSTypedArrayTypeInt32Array] = 5,
      [kJSTypedArrayTypeUint32Array] = 6,       [kJSTypedArrayTypeFloat32Array] = 8,
      [kJSTypedArrayTypeFloat64Array] = 9,      [kJSTypedArrayTypeBigInt64Array] = 10,
      [kJSTypedArrayTypeBigUint64Array] = 11,   [kJSTypedArrayTypeArrayBuffer] = JS_VIEW_BUFFER};
  JSTypedArrayType type = JSValueGetTypedArrayType(context, value, NULL);
  if (type != kJSTypedArrayTypeNone && (size_t)type < sizeof kinds)
    return kinds[type];
  JSValueRef description = described(context, value);
  return description != NULL ? (int)part(context, description, 0) : -1;
}

bool js_copy_bytes(JSContextRef context, JSValueRef value, unsigned char **bytes, size_t *length) {
  if (js_to_bytes(context, value, bytes, length))
    return true;
  JSValueRef description = described(context, value);
  if (description == NULL)
    return false;
  JSValueRef buffer = JSObjectGetPropertyAtIndex(context, (JSObjectRef)description, 1, NULL);
  size_t whole;
  if (!js_to_bytes(context, buffer, bytes, &whole))
    return false;
  size_t offset = (size_t)part(context, description, 2);
  *length = (size_t)part(context, description, 3);
  if (*bytes == NULL || offset > whole || *length > whole - offset) {
    *length = 0;
    return true;
  }
  *bytes += offset;
  return true;
}
