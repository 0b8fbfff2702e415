/* internalBinding: a table of names, each binding made when first asked for. */
#include "runtime/bind/binding.h"

#include <string.h>

static const struct {
  const char *name;
  rota_binding_maker make;
} makers[] = {
    {"addons", rota_binding_addons},
    {"buffer", rota_binding_buffer},
    {"charset", rota_binding_charset},
    {"child", rota_binding_child},
    {"crypto", rota_binding_crypto},
    {"dns", rota_binding_dns},
    {"fs", rota_binding_fs},
    {"http2", rota_binding_http2},
    {"http_parser", rota_binding_http_parser},
    {"identity", rota_binding_identity},
    {"loop_delay", rota_binding_loop_delay},
    {"os", rota_binding_os},
    {"steer", rota_binding_steer},
    {"trace", rota_binding_trace},
    {"performance", rota_binding_performance},
    {"udp", rota_binding_udp},
    {"process", rota_binding_process},
    {"metrics", rota_binding_metrics},
    {"modules", rota_binding_modules},
    {"signals", rota_binding_signals},
    {"sqlite", rota_binding_sqlite},
    {"stdio", rota_binding_stdio},
    {"stream", rota_binding_stream},
    {"tasks", rota_binding_tasks},
    {"util", rota_binding_util},
    {"uv", rota_binding_uv},
    {"v8", rota_binding_v8},
    {"vm", rota_binding_vm},
    {"wasi", rota_binding_wasi},
    {"worker", rota_binding_worker},
    {"tls", rota_binding_tls},
    {"zlib", rota_binding_zlib},
};

enum { MAKER_COUNT = sizeof makers / sizeof *makers };

JSObjectRef rota_binding_get(struct rota_env *env, const char *name) {
  for (size_t i = 0; i < MAKER_COUNT; i++)
    if (strcmp(makers[i].name, name) == 0)
      return makers[i].make(env); /* JavaScript keeps what it was given */
  return NULL;
}
