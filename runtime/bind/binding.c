/* internalBinding: a table of names, each binding made when first asked for. */
#include "runtime/bind/binding.h"

#include <string.h>

static const struct {
  const char *name;
  js_binding_maker make;
} makers[] = {
    {"addons", js_binding_addons},
    {"buffer", js_binding_buffer},
    {"charset", js_binding_charset},
    {"child", js_binding_child},
    {"crypto", js_binding_crypto},
    {"dns", js_binding_dns},
    {"fs", js_binding_fs},
    {"http2", js_binding_http2},
    {"http_parser", js_binding_http_parser},
    {"identity", js_binding_identity},
    {"loop_delay", js_binding_loop_delay},
    {"os", js_binding_os},
    {"steer", js_binding_steer},
    {"trace", js_binding_trace},
    {"performance", js_binding_performance},
    {"udp", js_binding_udp},
    {"process", js_binding_process},
    {"metrics", js_binding_metrics},
    {"modules", js_binding_modules},
    {"signals", js_binding_signals},
    {"sqlite", js_binding_sqlite},
    {"stdio", js_binding_stdio},
    {"stream", js_binding_stream},
    {"tasks", js_binding_tasks},
    {"util", js_binding_util},
    {"uv", js_binding_uv},
    {"v8", js_binding_v8},
    {"vm", js_binding_vm},
    {"wasi", js_binding_wasi},
    {"worker", js_binding_worker},
    {"tls", js_binding_tls},
    {"zlib", js_binding_zlib},
};

enum { MAKER_COUNT = sizeof makers / sizeof *makers };

JSObjectRef js_binding_get(struct js_env *env, const char *name) {
  for (size_t i = 0; i < MAKER_COUNT; i++)
    if (strcmp(makers[i].name, name) == 0)
      return makers[i].make(env); /* JavaScript keeps what it was given */
  return NULL;
}
