/* Text and bytes: between the engine's memory and ours, in one step.
 *
 * A string is a cell whose second word points at its characters' header, or has its lowest bit set while the string is
 * still a chain of parts. A view is a cell with its first byte's address, its length and a mode. These shapes are the
 * engine's own affair: JS_USE_TEXT, JS_USE_VIEWS and JS_USE_BECOME say whether they are as described here.
 * Without them engine/value/copy.c does the same. */
#include "runtime/engine/value/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/uses/probes.h"

enum {
  CELL_STRING = 2,
  VIEWS = 13, /* kinds of them, behind that of buffers */
  MODE_CHANGES_SIZE = 7,
  MODE_HAS_BUFFER = 8,
  FLAG_LATIN1 = 4,
  REFERENCE = 2,
  COPY_MAX = 4096,
};

struct characters_header {
  uint32_t references;
  uint32_t length;
  const void *data;
  uint32_t hash_and_flags;
};

struct view_cell {
  uint64_t header[2];
  unsigned char *data;
  uint64_t length;
  uint64_t offset;
  uint64_t mode;
};

struct string_cell {
  uint64_t header;
  uint64_t characters;
};

struct span {
  void *data;
  size_t length;
};

/* What the C API takes for a string: it reads no more than this of it. */
struct api_string {
  uint64_t references;
  struct characters_header *characters;
  void *converted;
};

static void (*resolve_rope)(const void *cell, JSContextRef context);
static void (*create_characters)(struct characters_header **result, size_t length, struct span *data);
static void (*create_wide_characters)(struct characters_header **result, size_t length, struct span *data);
static void (*destroy_characters)(struct characters_header *);
static JSValueRef (*string_of_characters)(JSContextGroupRef vm, struct characters_header *characters);

const struct js_symbol js_text_symbols[] = {
    {"_ZNK3JSC12JSRopeString11resolveRopeEPNS_14JSGlobalObjectE", &resolve_rope},
    {"_ZN3WTF10StringImpl19createUninitializedEmRSt4spanIhLm18446744073709551615EE", &create_characters},
    {"_ZN3WTF10StringImpl19createUninitializedEmRSt4spanIDsLm18446744073709551615EE", &create_wide_characters},
    {"_ZN3WTF10StringImpl7destroyEPS0_", &destroy_characters},
    {"_ZN3JSC25jsStringWithCacheSlowCaseERNS_2VMERN3WTF10StringImplE", &string_of_characters},
    {NULL, NULL}};

static bool is_bytes(unsigned kind) {
  return kind >= js_layout.buffer && kind <= js_layout.buffer + 0u + VIEWS;
}

int js_view_kind(JSValueRef value) {
  if (!js_uses(JS_USE_VIEWS))
    return js_copy_view_kind(js_context_here, value);
  unsigned kind = js_kind_of(value);
  if (!is_bytes(kind))
    return -1;
  return kind == js_layout.buffer ? JS_VIEW_BUFFER : (int)(kind - js_layout.buffer) - 1;
}

bool js_view_has_buffer(JSValueRef view) {
  return js_uses(JS_USE_VIEWS) && (((const struct view_cell *)view)->mode & MODE_HAS_BUFFER) != 0;
}

/* All views of a kind are alike but for the first half of their header, which tells their prototype among other things.
 */
void js_view_become(JSValueRef view, JSValueRef like) {
  if (!js_uses(JS_USE_BECOME))
    JSObjectSetPrototype(js_context_here, (JSObjectRef)view, JSObjectGetPrototype(js_context_here, (JSObjectRef)like));
  else
    *(uint32_t *)(uintptr_t)view = *(const uint32_t *)(uintptr_t)like;
}

bool js_borrow_text(JSContextRef context, JSValueRef value, struct js_characters *text) {
  if (!js_uses(JS_USE_TEXT))
    return js_copy_text(context, value, text);
  if (js_kind_of(value) != CELL_STRING)
    return false;
  const struct string_cell *cell = (const struct string_cell *)value;
  if (cell->characters & 1)
    resolve_rope(cell, context);
  if (cell->characters & 1)
    return false; /* out of memory: the engine has thrown */
  const struct characters_header *characters = (const struct characters_header *)(uintptr_t)cell->characters;
  text->data = characters->data;
  text->length = characters->length;
  text->wide = (characters->hash_and_flags & FLAG_LATIN1) == 0;
  return true;
}

void *js_characters_of(JSContextRef context, JSValueRef string) {
  struct js_characters text;
  if (!js_borrow_text(context, string, &text))
    return NULL;
  return (void *)(uintptr_t)((const struct string_cell *)string)->characters; // NOLINT(performance-no-int-to-ptr)
}

static unsigned element_size(unsigned kind) {
  static const unsigned char sizes[] = {1, 1, 1, 2, 2, 4, 4, 2, 4, 8, 8, 8, 1};
  return sizes[kind - js_layout.buffer - 1];
}

/* No bytes, as of a buffer that was handed away, have an address all the same: C's own functions want one. */
static bool has_place(unsigned char **bytes, size_t *length) {
  static unsigned char nothing[1];
  if (*bytes == NULL) {
    *bytes = nothing;
    *length = 0;
  }
  return true;
}

bool js_borrow_bytes(JSContextRef context, JSValueRef value, unsigned char **bytes, size_t *length) {
  if (!js_uses(JS_USE_VIEWS))
    return js_copy_bytes(context, value, bytes, length) && has_place(bytes, length);
  unsigned kind = js_kind_of(value);
  if (!is_bytes(kind))
    return false;
  const struct view_cell *cell = (const struct view_cell *)value;
  if (kind == js_layout.buffer || (cell->mode & MODE_CHANGES_SIZE) != 0)
    return js_to_bytes(context, value, bytes, length) && has_place(bytes, length);
  *bytes = cell->data;
  *length = cell->length * element_size(kind);
  return has_place(bytes, length);
}

bool js_pin_bytes(JSContextRef context, JSValueRef value, unsigned char **bytes, size_t *length) {
  if (!js_uses(JS_USE_VIEWS))
    return js_copy_bytes(context, value, bytes, length) && has_place(bytes, length);
  unsigned kind = js_kind_of(value);
  if (!is_bytes(kind))
    return false;
  if (JSValueGetTypedArrayType(context, value, NULL) == kJSTypedArrayTypeNone) {
    /* The C API knows neither DataView nor the youngest of the typed arrays, but their buffers. */
    JSValueRef buffer = js_get(context, (JSObjectRef)value, "buffer");
    if (JSValueGetTypedArrayType(context, buffer, NULL) != kJSTypedArrayTypeArrayBuffer)
      return false;
    JSObjectGetArrayBufferBytesPtr(context, (JSObjectRef)buffer, NULL);
    return js_borrow_bytes(context, value, bytes, length);
  }
  return js_to_bytes(context, value, bytes, length) && has_place(bytes, length);
}

static size_t plain_length(const unsigned char *bytes, size_t length) {
  size_t i = 0;
  for (; i + 32 <= length; i += 32) {
    uint64_t a, b, c, d;
    memcpy(&a, bytes + i, 8);
    memcpy(&b, bytes + i + 8, 8);
    memcpy(&c, bytes + i + 16, 8);
    memcpy(&d, bytes + i + 24, 8);
    if (((a | b | c | d) & 0x8080808080808080u) != 0)
      break;
  }
  while (i < length && bytes[i] < 0x80)
    i++;
  return i;
}

static uint32_t next_point(const uint16_t *units, size_t length, size_t *at) {
  uint32_t point = units[(*at)++];
  if (point < 0xD800 || point >= 0xE000)
    return point;
  if (point < 0xDC00 && *at < length && units[*at] >= 0xDC00 && units[*at] < 0xE000)
    return 0x10000 + ((point - 0xD800) << 10) + (units[(*at)++] - 0xDC00u);
  return 0xFFFD;
}

size_t js_utf8_length(const struct js_characters *text) {
  size_t total = text->length;
  if (!text->wide) {
    const unsigned char *bytes = text->data;
    for (size_t i = plain_length(bytes, text->length); i < text->length; i++)
      total += bytes[i] >> 7;
    return total;
  }
  total = 0;
  const uint16_t *units = text->data;
  for (size_t i = 0; i < text->length;) {
    uint32_t point = next_point(units, text->length, &i);
    total += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return total;
}

static size_t put(unsigned char *out, uint32_t point) {
  if (point < 0x80) {
    out[0] = (unsigned char)point;
    return 1;
  }
  if (point < 0x800) {
    out[0] = (unsigned char)(0xC0 | point >> 6);
    out[1] = (unsigned char)(0x80 | (point & 0x3F));
    return 2;
  }
  if (point < 0x10000) {
    out[0] = (unsigned char)(0xE0 | point >> 12);
    out[1] = (unsigned char)(0x80 | (point >> 6 & 0x3F));
    out[2] = (unsigned char)(0x80 | (point & 0x3F));
    return 3;
  }
  out[0] = (unsigned char)(0xF0 | point >> 18);
  out[1] = (unsigned char)(0x80 | (point >> 12 & 0x3F));
  out[2] = (unsigned char)(0x80 | (point >> 6 & 0x3F));
  out[3] = (unsigned char)(0x80 | (point & 0x3F));
  return 4;
}

size_t js_utf8_write(const struct js_characters *text, unsigned char *out, size_t room) {
  size_t n = 0;
  if (!text->wide) {
    const unsigned char *bytes = text->data;
    size_t i = plain_length(bytes, text->length < room ? text->length : room);
    memcpy(out, bytes, i);
    for (n = i; i < text->length; i++) {
      size_t size = bytes[i] < 0x80 ? 1 : 2;
      if (n + size > room)
        break;
      n += put(out + n, bytes[i]);
    }
    return n;
  }
  const uint16_t *units = text->data;
  for (size_t i = 0; i < text->length;) {
    uint32_t point = next_point(units, text->length, &i);
    size_t size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (n + size > room)
      break;
    n += put(out + n, point);
  }
  return n;
}

uint32_t js_utf8_decode(const unsigned char **at, const unsigned char *end, bool *bad) {
  const unsigned char *p = *at;
  uint32_t first = *p++;
  if (first < 0x80) {
    *at = p;
    return first;
  }
  int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  if (first < 0xC2 || first > 0xF4) {
    *at = p;
    *bad = true;
    return 0xFFFD;
  }
  uint32_t low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  uint32_t high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  uint32_t point = first & (0x3Fu >> more);
  for (int i = 0; i < more; i++, low = 0x80, high = 0xBF) {
    if (p == end || *p < low || *p > high) {
      *at = p;
      *bad = true;
      return 0xFFFD;
    }
    point = point << 6 | (*p++ & 0x3Fu);
  }
  *at = p;
  return point;
}

bool js_utf8_valid(const unsigned char *bytes, size_t length) {
  const unsigned char *at = bytes, *end = bytes + length;
  bool bad = false;
  while (at < end && !bad) {
    at += plain_length(at, (size_t)(end - at));
    if (at < end)
      js_utf8_decode(&at, end, &bad);
  }
  return !bad;
}

static JSValueRef empty_string(JSContextRef context) {
  struct api_string none = {.references = 2};
  return JSValueMakeString(context, (JSStringRef)&none);
}

static void release(struct characters_header *characters) {
  if (characters->references == REFERENCE)
    destroy_characters(characters);
  else
    __atomic_sub_fetch(&characters->references, REFERENCE, __ATOMIC_RELEASE);
}

/* The value takes the reference over. The C API copies what it is given, which costs less than the engine's weak table
 * of strings as long as it is short. */
static JSValueRef make_string(JSContextRef context, struct characters_header *characters) {
  struct api_string string = {.references = 2, .characters = characters};
  JSValueRef value = characters->length <= COPY_MAX ? JSValueMakeString(context, (JSStringRef)&string)
                                                    : string_of_characters(JSContextGetGroup(context), characters);
  release(characters);
  return value;
}

JSValueRef js_string_adopt(JSContextRef context, void *characters) {
  JSValueRef value = string_of_characters(JSContextGetGroup(context), characters);
  release(characters);
  return value;
}

struct js_string_draft js_string_begin(size_t length) {
  if (!js_uses(JS_USE_TEXT))
    return js_copy_string_begin(length);
  struct js_string_draft draft = {NULL, NULL};
  struct span span;
  if (length > 0) {
    create_characters((struct characters_header **)&draft.characters, length, &span);
    draft.data = span.data;
  }
  return draft;
}

JSValueRef js_string_end(JSContextRef context, struct js_string_draft draft) {
  if (!js_uses(JS_USE_TEXT))
    return js_copy_string_end(context, draft);
  return draft.characters != NULL ? make_string(context, draft.characters) : empty_string(context);
}

JSValueRef js_string_latin1(JSContextRef context, const unsigned char *bytes, size_t length) {
  if (!js_uses(JS_USE_TEXT))
    return js_copy_string_latin1(context, bytes, length);
  if (length == 0)
    return empty_string(context);
  struct characters_header *characters;
  struct span span;
  create_characters(&characters, length, &span);
  memcpy(span.data, bytes, length);
  return make_string(context, characters);
}

JSValueRef js_string_utf16(JSContextRef context, const unsigned char *bytes, size_t units) {
  if (!js_uses(JS_USE_TEXT))
    return js_copy_string_utf16(context, bytes, units);
  if (units == 0)
    return empty_string(context);
  struct characters_header *characters;
  struct span span;
  create_wide_characters(&characters, units, &span);
  memcpy(span.data, bytes, units * 2);
  return make_string(context, characters);
}

/* Bytes of shared memory may change between the two passes. The second one writes no more than the first has counted,
 * and leaves nothing unwritten. */
static void fill_latin1(unsigned char *out, size_t units, size_t n, const unsigned char *at, const unsigned char *end) {
  bool bad = false;
  while (at < end && n < units)
    out[n++] = (unsigned char)js_utf8_decode(&at, end, &bad);
  memset(out + n, 0, units - n);
}

static void fill_wide(uint16_t *out, size_t units, size_t n, const unsigned char *at, const unsigned char *end) {
  bool bad = false;
  while (at < end && n < units) {
    uint32_t point = js_utf8_decode(&at, end, &bad);
    if (point > 0xFFFF && n + 1 < units) {
      out[n++] = (uint16_t)(0xD800 + ((point - 0x10000) >> 10));
      out[n++] = (uint16_t)(0xDC00 + ((point - 0x10000) & 0x3FF));
    } else {
      out[n++] = point > 0xFFFF ? 0xFFFD : (uint16_t)point;
    }
  }
  memset(out + n, 0, (units - n) * sizeof *out);
}

JSValueRef js_string_utf8(JSContextRef context, const unsigned char *bytes, size_t length) {
  size_t plain = plain_length(bytes, length);
  if (plain == length)
    return js_string_latin1(context, bytes, length);
  if (!js_uses(JS_USE_TEXT))
    return js_copy_string_utf8(context, bytes, length);
  const unsigned char *at = bytes + plain, *end = bytes + length;
  size_t units = plain;
  uint32_t highest = 0;
  bool bad = false;
  while (at < end) {
    uint32_t point = js_utf8_decode(&at, end, &bad);
    highest |= point;
    units += point > 0xFFFF ? 2 : 1;
  }
  struct characters_header *characters;
  struct span span;
  at = bytes + plain;
  if (highest < 0x100) {
    create_characters(&characters, units, &span);
    memcpy(span.data, bytes, plain);
    fill_latin1(span.data, units, plain, at, end);
    return make_string(context, characters);
  }
  create_wide_characters(&characters, units, &span);
  uint16_t *out = span.data;
  for (size_t n = 0; n < plain; n++)
    out[n] = bytes[n];
  fill_wide(out, units, plain, at, end);
  return make_string(context, characters);
}

char *js_copy_path(JSContextRef context, JSValueRef value, char *room, size_t size) {
  struct js_characters text;
  unsigned char *bytes;
  size_t length;
  bool is_text = js_borrow_text(context, value, &text);
  if (is_text)
    length = js_utf8_length(&text);
  else if (!js_borrow_bytes(context, value, &bytes, &length))
    return NULL;
  char *copy = length < size ? room : malloc(length + 1);
  if (copy == NULL)
    return NULL;
  if (is_text)
    js_utf8_write(&text, (unsigned char *)copy, length);
  else
    memcpy(copy, bytes, length);
  copy[length] = 0;
  return copy;
}

static void free_bytes(void *bytes, void *data) {
  (void)data;
  free(bytes);
}

JSValueRef js_buffer_adopt(JSContextRef context, void *bytes, size_t length) {
  if (length > JS_BUFFER_MOST) {
    free(bytes);
    return js_throw_text(context, "Array buffer allocation failed");
  }
  return JSObjectMakeArrayBufferWithBytesNoCopy(context, bytes, length, free_bytes, NULL, NULL);
}

static bool text_is(JSContextRef context, const char *code, bool wide, size_t length, unsigned last) {
  struct js_characters text;
  if (!js_borrow_text(context, js_check_evaluate(context, code), &text) || text.wide != wide || text.length != length)
    return false;
  return last == (wide ? ((const uint16_t *)text.data)[length - 1] : ((const unsigned char *)text.data)[length - 1]);
}

static bool bytes_are(JSContextRef context, const char *code, size_t length, unsigned first) {
  unsigned char *bytes;
  size_t found;
  return js_borrow_bytes(context, js_check_evaluate(context, code), &bytes, &found) && found == length &&
         bytes[0] == first;
}

int js_probe_views(JSGlobalContextRef context) {
  if (!bytes_are(context, "new Uint8Array([9, 2, 3])", 3, 9) || !bytes_are(context, "new Uint32Array([9])", 4, 9) ||
      !bytes_are(context, "b = new Uint8Array(100000); b[7] = 9; new DataView(b.buffer, 7)", 99993, 9) ||
      !bytes_are(context, "new BigInt64Array([9n]).subarray(0)", 8, 9) ||
      !bytes_are(context, "new Float32Array(new Uint8Array([9, 0, 0, 0]).buffer)", 4, 9) ||
      !bytes_are(context, "new Uint8Array(new ArrayBuffer(8, { maxByteLength: 64 }))", 8, 0) ||
      !bytes_are(context, "new Uint8Array([9]).buffer", 1, 9))
    return 11;
  static const char *const names[] = {"Int8",   "Uint8",   "Uint8Clamped", "Int16",   "Uint16",   "Int32",
                                      "Uint32", "Float16", "Float32",      "Float64", "BigInt64", "BigUint64"};
  for (int i = 0; i < 12; i++) {
    char code[100];
    snprintf(code, sizeof code, "new (globalThis.%sArray ?? Object)(3)", names[i]);
    int kind = js_view_kind(js_check_evaluate(context, code));
    if (kind != i && (kind != -1 || i != 7))
      return 20 + i;
  }
  if (js_view_has_buffer(js_check_evaluate(context, "v = new Uint8Array(4)")) ||
      js_view_has_buffer(js_check_evaluate(context, "new Uint8Array(5000)")) ||
      !js_view_has_buffer(js_check_evaluate(context, "v.buffer; v")) ||
      !js_view_has_buffer(js_check_evaluate(context, "new Uint8Array(new ArrayBuffer(8))")) ||
      !js_view_has_buffer(js_check_evaluate(context, "new DataView(new ArrayBuffer(8))")))
    return 13;
  return 0;
}

int js_probe_become(JSGlobalContextRef context) {
  js_view_become(js_check_evaluate(context, "v = new Uint8Array([7, 8])"),
                 js_check_evaluate(context, "class Special extends Uint8Array {} s = new Special(1)"));
  return js_check_holds(context, "v instanceof s.constructor && v.length === 2 && v[1] === 8 &&"
                                 "v.subarray(1)[0] === 8")
             ? 0
             : 14;
}

int js_probe_text(JSGlobalContextRef context) {
  if (!text_is(context, "'h\\xe9llo'", false, 5, 'o') || !text_is(context, "'h\\u20ac'", true, 2, 0x20AC) ||
      !text_is(context, "k = 7; ('some longer text ' + k + ' here').slice(2, 20)", false, 18, 'h') ||
      !text_is(context, "'x' + Math.PI", false, 18, '3'))
    return 10;
  struct js_string_draft draft = js_string_begin(COPY_MAX + 1);
  memset(draft.data, 'a', COPY_MAX + 1);
  JSObjectRef global = JSContextGetGlobalObject(context);
  js_set(context, global, "filled", js_string_end(context, draft));
  js_set(context, global, "wide", js_string_utf8(context, (const unsigned char *)"a\xE2\x82\xAC\xF0\x9F\x98\x80", 8));
  js_set(context, global, "one", js_string_latin1(context, (const unsigned char *)"x", 1));
  js_set(context, global, "none", js_string_latin1(context, (const unsigned char *)"x", 0));
  return js_check_holds(context, "filled === 'a'.repeat(4097) && wide === 'a\\u20ac\\ud83d\\ude00' &&"
                                 "one === 'x' && none === ''")
             ? 0
             : 12;
}

/* ---- shared memory ---- */

/* Shared memory between engines. A SharedArrayBuffer's cell points at the engine's buffer, in which its contents begin
 * at the third word; the engine's own `shareWith` makes other contents refer to the same memory and counts that. So a
 * buffer is held by contents of ours while it travels, and an empty SharedArrayBuffer of the other engine is made to
 * refer to it. JS_USE_SHARED says whether that works; there is no other way. */

enum { BUFFER_AT = 2, CONTENTS_AT = 2, CONTENTS_WORDS = 16 };

/* JSC::ArrayBufferContents::shareWith(ArrayBufferContents &) */
static void (*share)(void *contents, void *with);

const struct js_symbol js_shared_symbols[] = {{"_ZN3JSC19ArrayBufferContents9shareWithERS0_", &share}, {NULL, NULL}};

static void *contents_of(JSValueRef buffer) {
  return ((void *const *)buffer)[BUFFER_AT] != NULL ? (void **)((void *const *)buffer)[BUFFER_AT] + CONTENTS_AT : NULL;
}

void *js_shared_hold(JSValueRef buffer) {
  void *held = !js_uses(JS_USE_SHARED) ? NULL : calloc(CONTENTS_WORDS, sizeof(void *));
  if (held != NULL)
    share(contents_of(buffer), held);
  return held;
}

void js_shared_give(void *held, JSValueRef buffer) {
  share(held, contents_of(buffer));
}

/* Contents that refer to nothing take the place of those that did. */
void js_shared_drop(void *held) {
  void *nothing[CONTENTS_WORDS] = {NULL};
  share(nothing, held);
  free(held);
}

int js_probe_shared(JSGlobalContextRef context) {
  JSValueRef pair = js_check_evaluate(context, "a = new SharedArrayBuffer(24); b = new SharedArrayBuffer(0); [a, b]");
  if (pair == NULL)
    return 30;
  void *held = js_shared_hold(JSObjectGetPropertyAtIndex(context, (JSObjectRef)pair, 0, NULL));
  js_shared_give(held, JSObjectGetPropertyAtIndex(context, (JSObjectRef)pair, 1, NULL));
  js_shared_drop(held);
  return js_check_holds(context, "new Uint8Array(a)[7] = 9; b.byteLength === 24 && new Uint8Array(b)[7] === 9") ? 0
                                                                                                                : 31;
}
