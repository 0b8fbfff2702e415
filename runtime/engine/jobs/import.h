/* import() in code that no loader of ours has seen: that of `new Function`, of eval, and of node:vm. Modules and
 * CommonJS files get by without, their text is rewritten. */
#ifndef JS_ENGINE_IMPORT_H
#define JS_ENGINE_IMPORT_H

#include "runtime/engine/uses/private.h"

/* From now on import(specifier) in this global's code is importer(specifier), which returns a promise. One importer for
 * all globals of a thread: the one given last; NULL leaves it. False: this engine's global does not look as expected.
 */
bool js_import_follow(JSContextRef global, JSObjectRef importer);

#endif
