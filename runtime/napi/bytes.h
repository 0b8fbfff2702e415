/* Functions that array buffers and Buffers share. */
#ifndef JS_NAPI_BYTES_H
#define JS_NAPI_BYTES_H

#include "runtime/napi/napi.h"

bool js_napi_is_view(napi_value value);
/* The bytes of a view or a buffer. They do not move while it lives, unless it is detached. */
bool js_napi_bytes(napi_env env, napi_value value, unsigned char **bytes, size_t *length);
/* An array buffer on the addon's own memory. NULL: an exception is pending. */
JSObjectRef js_napi_external_buffer(napi_env env, void *data, size_t length, napi_finalize finalize, void *hint);

#endif
