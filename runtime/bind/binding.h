/* Every internal binding: a function that makes its object. */
#ifndef ROTA_BINDING_H
#define ROTA_BINDING_H

#include "runtime/order/env.h"

typedef JSObjectRef (*js_binding_maker)(struct js_env *env);

JSObjectRef js_binding_addons(struct js_env *env);
JSObjectRef js_binding_buffer(struct js_env *env);
JSObjectRef js_binding_charset(struct js_env *env);
JSObjectRef js_binding_child(struct js_env *env);
JSObjectRef js_binding_crypto(struct js_env *env);
JSObjectRef js_binding_dns(struct js_env *env);
JSObjectRef js_binding_fs(struct js_env *env);
JSObjectRef js_binding_http2(struct js_env *env);
JSObjectRef js_binding_http_parser(struct js_env *env);
JSObjectRef js_binding_identity(struct js_env *env);
JSObjectRef js_binding_loop_delay(struct js_env *env);
JSObjectRef js_binding_os(struct js_env *env);
JSObjectRef js_binding_udp(struct js_env *env);
JSObjectRef js_binding_process(struct js_env *env);
JSObjectRef js_binding_metrics(struct js_env *env);
JSObjectRef js_binding_performance(struct js_env *env);
JSObjectRef js_binding_modules(struct js_env *env);
JSObjectRef js_binding_signals(struct js_env *env);
JSObjectRef js_binding_sqlite(struct js_env *env);
JSObjectRef js_binding_stdio(struct js_env *env);
JSObjectRef js_binding_steer(struct js_env *env);
JSObjectRef js_binding_trace(struct js_env *env);
JSObjectRef js_binding_stream(struct js_env *env);
JSObjectRef js_binding_tasks(struct js_env *env);
JSObjectRef js_binding_tls(struct js_env *env);
JSObjectRef js_binding_util(struct js_env *env);
JSObjectRef js_binding_zlib(struct js_env *env);
JSObjectRef js_binding_uv(struct js_env *env);
JSObjectRef js_binding_v8(struct js_env *env);
JSObjectRef js_binding_vm(struct js_env *env);
JSObjectRef js_binding_wasi(struct js_env *env);
JSObjectRef js_binding_worker(struct js_env *env);

#endif
