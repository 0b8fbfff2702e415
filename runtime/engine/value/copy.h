/* Text and bytes by copies and by the documented C API: what engine/value/text.c does where the engine's memory is not
 * known. Same meanings as there. */
#ifndef JS_ENGINE_COPY_H
#define JS_ENGINE_COPY_H

#include "runtime/engine/value/text.h"

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
