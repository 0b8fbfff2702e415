#include "inject/names/names.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

static _Thread_local napi_value own_module;

napi_value names_own_module(void) {
  return own_module;
}

/* Node gives its module to an addon only by an older entry, whose name ends with the number of Node's ABI. Such an
 * entry goes on to napi_register_module_v1, as Node does when there is none. */
static void register_with_module(napi_value exports, napi_value module, void *context) {
  typedef napi_value (*entry)(napi_env env, napi_value exports);
  void (*go_on)(napi_value exports, napi_value module, void *context, entry init, int32_t version);
  void *address = dlsym(RTLD_DEFAULT, "_Z30napi_module_register_by_symbolN2v85LocalINS_6ObjectEEENS0_INS_5ValueEEENS0_"
                                      "INS_7ContextEEEPFP12napi_value__P10napi_env__S8_Ei");
  if (address == NULL) {
    names_cannot();
    return;
  }
  memcpy(&go_on, &address, sizeof go_on);
  own_module = module;
  go_on(exports, module, context, napi_register_module_v1, NAPI_VERSION);
  own_module = NULL;
}

#define ENTRY(abi)                                                                                                     \
  __attribute__((visibility("default"))) void node_register_module_v##abi(napi_value exports, napi_value module,       \
                                                                          void *context);                              \
  void node_register_module_v##abi(napi_value exports, napi_value module, void *context) {                             \
    register_with_module(exports, module, context);                                                                    \
  }

ENTRY(108) /* Node 18 */
ENTRY(111) /* Node 19 */
ENTRY(115) /* Node 20 */
ENTRY(120) /* Node 21 */
ENTRY(127) /* Node 22 */
