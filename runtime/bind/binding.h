/* Every internal binding: a function that makes its object. */
#ifndef ROTA_BINDING_H
#define ROTA_BINDING_H

#include "runtime/order/env.h"

typedef JSObjectRef (*rota_binding_maker)(struct rota_env *env);

JSObjectRef rota_binding_addons(struct rota_env *env);
JSObjectRef rota_binding_buffer(struct rota_env *env);
JSObjectRef rota_binding_charset(struct rota_env *env);
JSObjectRef rota_binding_child(struct rota_env *env);
JSObjectRef rota_binding_crypto(struct rota_env *env);
JSObjectRef rota_binding_dns(struct rota_env *env);
JSObjectRef rota_binding_fs(struct rota_env *env);
JSObjectRef rota_binding_http2(struct rota_env *env);
JSObjectRef rota_binding_http_parser(struct rota_env *env);
JSObjectRef rota_binding_identity(struct rota_env *env);
JSObjectRef rota_binding_loop_delay(struct rota_env *env);
JSObjectRef rota_binding_os(struct rota_env *env);
JSObjectRef rota_binding_udp(struct rota_env *env);
JSObjectRef rota_binding_process(struct rota_env *env);
JSObjectRef rota_binding_metrics(struct rota_env *env);
JSObjectRef rota_binding_performance(struct rota_env *env);
JSObjectRef rota_binding_modules(struct rota_env *env);
JSObjectRef rota_binding_signals(struct rota_env *env);
JSObjectRef rota_binding_sqlite(struct rota_env *env);
JSObjectRef rota_binding_stdio(struct rota_env *env);
JSObjectRef rota_binding_steer(struct rota_env *env);
JSObjectRef rota_binding_trace(struct rota_env *env);
JSObjectRef rota_binding_stream(struct rota_env *env);
JSObjectRef rota_binding_tasks(struct rota_env *env);
JSObjectRef rota_binding_tls(struct rota_env *env);
JSObjectRef rota_binding_util(struct rota_env *env);
JSObjectRef rota_binding_zlib(struct rota_env *env);
JSObjectRef rota_binding_uv(struct rota_env *env);
JSObjectRef rota_binding_v8(struct rota_env *env);
JSObjectRef rota_binding_vm(struct rota_env *env);
JSObjectRef rota_binding_wasi(struct rota_env *env);
JSObjectRef rota_binding_worker(struct rota_env *env);

#endif
