/* The module: attach(socket, command, process), detach() and version, which the expression of command/live/way.c calls.
 */
#include <stdio.h>
#include <string.h>

#include "inject/agent/agent.h"
#include "inject/names/v8.h"
#include "rota.h"

enum { SOCKET_NAME_SIZE = 108 };

static napi_value text_value(napi_env env, const char *text) {
  napi_value result = NULL;
  napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &result);
  return result;
}

/* "-" in front of a text is an error, and the text is shown to the user. */
static napi_value on_attach(napi_env env, napi_callback_info info) {
  char name[SOCKET_NAME_SIZE] = "", text[200];
  napi_value arguments[3] = {NULL, NULL, NULL};
  size_t count = 3, length = 0;
  int32_t client = 0, process = 0;
  napi_get_cb_info(env, info, &count, arguments, NULL, NULL);
  if (count < 3 || napi_get_value_string_utf8(env, arguments[0], name, sizeof name, &length) != NAPI_OK ||
      napi_get_value_int32(env, arguments[1], &client) != NAPI_OK ||
      napi_get_value_int32(env, arguments[2], &process) != NAPI_OK)
    return text_value(env, "-its agent was given no socket");
  struct agent *other = agent_current();
  if (other != NULL && !other->is_thread_done) {
    snprintf(text, sizeof text, "-rota attach (process %d) is attached to it already; rota detach ends that",
             (int)other->client);
    return text_value(env, text);
  }
  const char *fault = agent_begin(env, name, client, process);
  snprintf(text, sizeof text, "%s%s", fault != NULL ? "-" : "attached", fault != NULL ? fault : "");
  return text_value(env, text);
}

static napi_value on_detach(napi_env env, napi_callback_info info) {
  (void)info;
  bool was_attached = agent_current() != NULL;
  agent_end("it was detached by rota detach");
  return text_value(env, was_attached ? "detached" : "-nothing of rota is attached to it");
}

static void add_function(napi_env env, napi_value object, const char *name, napi_callback callback) {
  napi_value function;
  if (napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, NULL, &function) == NAPI_OK)
    napi_set_named_property(env, object, name, function);
}

__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env, napi_value exports);

napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  add_function(env, exports, "attach", on_attach);
  add_function(env, exports, "detach", on_detach);
  napi_set_named_property(env, exports, "version", text_value(env, ROTA_VERSION_STRING));
  return exports;
}
