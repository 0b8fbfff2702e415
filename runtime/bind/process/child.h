/* What the two files of the binding `child` share: the options of a new process, in the form that C needs. */
#ifndef JS_BINDING_CHILD_H
#define JS_BINDING_CHILD_H

#include "runtime/bind/binding.h"

struct js_child_options {
  uv_process_options_t uv;
  uv_stdio_container_t *stdio;
  JSObjectRef kinds, values; /* two arrays: js_child_stdio, and a number or bytes */
};

/* Reads (file, args, env or undefined, cwd or undefined, flags, uid, gid, kinds, values) from the arguments at `first`.
 */
int js_child_options_read(JSContextRef context, struct js_frame *frame, int first, struct js_child_options *options);
void js_child_options_free(struct js_child_options *options);
int js_child_stdio_kind(JSContextRef context, const struct js_child_options *options, int index);
JSValueRef js_child_stdio_value(JSContextRef context, const struct js_child_options *options, int index);

/* child_sync.c */
extern const struct js_method js_child_sync_methods[];

#endif
