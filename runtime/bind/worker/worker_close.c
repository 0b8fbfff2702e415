/* The end of a port for the loop: a function called in the closing phase, as if a handle had been closed.
 *
 * Node has an async handle for each port, and the program sees that handle's close callback as the end of the port.
 * Here ports share one handle, so a handle is made only for the end. */
#include "runtime/bind/worker/worker.h"

#include <stdlib.h>

struct end {
  uv_idle_t handle;
  JSObjectRef function;
};

static void on_closed(uv_handle_t *handle) {
  struct end *end = (struct end *)handle;
  struct js_env *env = js_env_here;
  if (!env->stopping)
    js_enter(env, end->function, NULL, 0, NULL);
  JSValueUnprotect(env->context, end->function);
  free(end);
}

JSValueRef js_port_at_closing(JSContextRef context, struct js_frame *frame) {
  struct end *end = calloc(1, sizeof *end);
  if (end == NULL)
    return js_throw_text(context, "no memory for a port");
  end->function = (JSObjectRef)js_arg(context, frame, 0);
  JSValueProtect(js_env_here->context, end->function);
  uv_idle_init(js_env_here->loop, &end->handle);
  uv_close((uv_handle_t *)&end->handle, on_closed);
  return js_undefined(context);
}
