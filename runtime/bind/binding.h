/* Every internal binding is a function that makes its object: js_binding_NAME. runtime/shared.table lists them. */
#ifndef JS_BINDING_H
#define JS_BINDING_H

#include "runtime/order/env.h"

#include "runtime/bindings.h" /* made by runtime/tools/share */

typedef JSObjectRef (*js_binding_maker)(struct js_env *env);

/* Does one of `reference` (runtime/shared.table) with the handle's reference. -> whether it is held */
JSValueRef js_handle_reference(JSContextRef context, uv_handle_t *handle, int what);

/* process/versions.c */
JSValueRef js_library_versions(JSContextRef context, struct js_frame *frame);
JSValueRef js_loaded_version(JSContextRef context, struct js_frame *frame);

/* process/environment.c */
extern const struct js_method js_environment_methods[];

/* process/exec_path.c */
void js_exec_path(const char *command, char *path, size_t size);

/* script/rewrite.c */
JSValueRef js_rewrite_text(JSContextRef context, struct js_frame *frame);
JSValueRef js_digest_text(JSContextRef context, struct js_frame *frame);
JSValueRef js_is_expression_text(JSContextRef context, struct js_frame *frame);

/* For a thread that ends, before its handles are closed: c-ares closes its sockets, whose handles are closed first. */
void js_dns_forget(void);

#endif
