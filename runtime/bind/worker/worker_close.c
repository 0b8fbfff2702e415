/* The end of a port as the loop sees it: a function called in the closing phase, as if a handle had been closed.
 *
 * Node has a wake-up handle for each port, and what a program sees of a port's end is that handle's close callback.
 * Ports here share one handle, so there is one made for the end alone. */
#include "runtime/bind/worker/worker.h"

#include <stdlib.h>

struct end {
  uv_idle_t handle;
  JSObjectRef function;
};

static void on_closed(uv_handle_t *handle) {
  struct end *end = (struct end *)handle;
  struct rota_env *env = rota_env_here;
  if (!env->stopping)
    rota_door_call(env, end->function, NULL, 0, NULL);
  JSValueUnprotect(env->context, end->function);
  free(end);
}

JSValueRef rota_port_at_closing(JSContextRef context, struct rota_frame *frame) {
  struct end *end = calloc(1, sizeof *end);
  if (end == NULL)
    return rota_throw_text(context, "no memory for a port");
  end->function = (JSObjectRef)rota_arg(context, frame, 0);
  JSValueProtect(rota_env_here->context, end->function);
  uv_idle_init(rota_env_here->loop, &end->handle);
  uv_close((uv_handle_t *)&end->handle, on_closed);
  return rota_undefined(context);
}
