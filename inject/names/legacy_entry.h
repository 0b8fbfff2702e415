/* How a Node without process.getBuiltinModule loads the addon: Node 18 to 22.2, but not 20.16 and later
 * ones of Node 20. */
#ifndef GRAFT_NAMES_LEGACY_ENTRY_H
#define GRAFT_NAMES_LEGACY_ENTRY_H

#include "inject/names/node_api.h"

/* The addon's own object of type Module, which can require, while such a Node loads it; otherwise null. */
napi_value names_own_module(void);

/* The entry that every Node knows. */
__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env, napi_value exports);
/* Says so to the user. */
void names_cannot(void);

#endif
