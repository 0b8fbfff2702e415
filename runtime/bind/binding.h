/* Every internal binding is a function that makes its object: js_binding_NAME. runtime/shared.table lists them. */
#ifndef ROTA_BINDING_H
#define ROTA_BINDING_H

#include "runtime/order/env.h"

#include "runtime/bindings.h" /* made by tools/share */

typedef JSObjectRef (*js_binding_maker)(struct js_env *env);

#endif
