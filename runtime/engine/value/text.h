/* Text and bytes in the engine's own memory, without the copies that the C API makes.
 *
 * Borrowed pointers are valid until the next call into the engine. They must not be passed to another thread or kept:
 * js_pin_bytes is for that. */
#ifndef JS_ENGINE_TEXT_H
#define JS_ENGINE_TEXT_H

#include "runtime/engine/engine.h"

struct js_characters {
  const void *data; /* Latin-1 bytes, or UTF-16 units if wide */
  size_t length;
  bool wide;
};

/* False when the value is no string (nothing is converted). */
bool js_borrow_text(JSContextRef context, JSValueRef value, struct js_characters *text);
/* The bytes of a view or a buffer, with no effect on it. False for anything else. */
bool js_borrow_bytes(JSContextRef context, JSValueRef value, unsigned char **bytes, size_t *length);
/* The same, and from now on they stay where they are as long as the value lives: for what another thread fills or
 * reads. */
bool js_pin_bytes(JSContextRef context, JSValueRef value, unsigned char **bytes, size_t *length);

/* -1: neither a buffer nor a view. Views are numbered in the engine's order: Int8Array, Uint8Array, Uint8ClampedArray,
 * Int16Array, Uint16Array, Int32Array, Uint32Array, Float16Array, Float32Array, Float64Array, BigInt64Array,
 * BigUint64Array, DataView. */
enum { JS_VIEW_BUFFER = -2 };
int js_view_kind(JSValueRef value);
/* Whether a view's bytes are those of a buffer. If not, they move when the program reads its `buffer`. */
bool js_view_has_buffer(JSValueRef view);
/* Gives a view, fresh from its constructor, the class of another one of its kind. */
void js_view_become(JSValueRef view, JSValueRef like);

/* A string's characters, for those functions of the engine's that take a text by the address of such a word; as long as
 * the string lives. */
void *js_characters_of(JSContextRef context, JSValueRef string);

size_t js_utf8_length(const struct js_characters *text);
/* As many whole characters as fit. A lone surrogate becomes U+FFFD. */
size_t js_utf8_write(const struct js_characters *text, unsigned char *out, size_t room);
/* Takes one code point; a bad sequence gives U+FFFD for its longest valid beginning (the Encoding Standard's way). */
uint32_t js_utf8_decode(const unsigned char **at, const unsigned char *end, bool *bad);
bool js_utf8_valid(const unsigned char *bytes, size_t length);

/* New strings. Bad sequences of UTF-8 become U+FFFD. */
JSValueRef js_string_utf8(JSContextRef context, const unsigned char *bytes, size_t length);
JSValueRef js_string_latin1(JSContextRef context, const unsigned char *bytes, size_t length);
JSValueRef js_string_utf16(JSContextRef context, const unsigned char *bytes, size_t units);
/* A string of Latin-1 that the caller fills through `data` before its end. */
struct js_string_draft {
  void *characters;
  unsigned char *data;
};
struct js_string_draft js_string_begin(size_t length);
JSValueRef js_string_end(JSContextRef context, struct js_string_draft draft);

/* A string of characters that the engine has made; it takes the reference over, and copies nothing. */
JSValueRef js_string_adopt(JSContextRef context, void *characters);

/* A path or the like: text as UTF-8, or bytes, ending with a zero; in `room` if it fits, else allocated.
 * NULL when the value is neither, or memory is short. */
char *js_copy_path(JSContextRef context, JSValueRef value, char *room, size_t size);

/* The engine ends the process if it is given a larger array buffer. */
#define JS_BUFFER_MOST UINT64_C(0x100000000)

/* An array buffer that owns what malloc gave. */
JSValueRef js_buffer_adopt(JSContextRef context, void *bytes, size_t length);

/* ---- shared memory ---- */

/* The memory of a SharedArrayBuffer on its way to the engine of another thread. */

/* NULL when memory is short, or this engine's buffers are not known (JS_USE_SHARED). */
void *js_shared_hold(JSValueRef buffer);
void js_shared_give(void *held, JSValueRef buffer);
void js_shared_drop(void *held);

/* ---- by copies (value/copy.c) ---- */

/* Text and bytes by copies and by the documented C API: what engine/value/text.c does where the engine's memory is not
 * known. Same meanings as there. */

/* With a new engine, before a program can change what the helpers rely on. */
void js_copy_begin(JSContextRef context);
/* When the engine of this thread is gone. */
void js_copy_end(void);

bool js_copy_text(JSContextRef context, JSValueRef value, struct js_characters *text);
JSValueRef js_copy_string_latin1(JSContextRef context, const unsigned char *bytes, size_t length);
JSValueRef js_copy_string_utf8(JSContextRef context, const unsigned char *bytes, size_t length);
JSValueRef js_copy_string_utf16(JSContextRef context, const unsigned char *bytes, size_t units);
struct js_string_draft js_copy_string_begin(size_t length);
JSValueRef js_copy_string_end(JSContextRef context, struct js_string_draft draft);

int js_copy_view_kind(JSContextRef context, JSValueRef value);
bool js_copy_bytes(JSContextRef context, JSValueRef value, unsigned char **bytes, size_t *length);

#endif
