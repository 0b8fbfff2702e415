#include "runtime/engine/jobs/table.h"

#include <string.h>

#include "runtime/engine/engine.h"
#include "runtime/engine/uses/build.h"
#include "runtime/engine/uses/probes.h"

/* Globals with a class of their own have another table than plain ones. */
enum { KINDS = 4 };

static _Thread_local struct {
  JSObjectRef importer;
  int kinds;
  void **original[KINDS];
  void *table[KINDS][JS_TABLE_LENGTH];
} import;

static bool is_ours(void **table) {
  for (int i = 0; i < import.kinds; i++)
    if (table == import.table[i])
      return true;
  return false;
}

/* Newer releases have functions of their own in some places. */
static bool is_free(const void *function) {
  return function == NULL || js_engine_has(function);
}

bool js_table_is_expected(JSContextRef global) {
  void **table = *js_table_of(global);
  if (is_ours(table))
    return js_engine_has(table[0]);
  return js_engine_has(table) && js_engine_has(table[0]) && table[js_layout.table_import] == NULL &&
         is_free(table[js_layout.table_queue]) && is_free(table[js_layout.table_rejected]);
}

/* The global gets a copy of its table. False: there are too many kinds of globals. */
static bool take_over(JSContextRef global) {
  void ***slot = js_table_of(global);
  if (is_ours(*slot))
    return true;
  int kind = 0;
  while (kind < import.kinds && import.original[kind] != *slot)
    kind++;
  if (kind == KINDS)
    return false;
  if (kind == import.kinds) {
    import.original[kind] = *slot;
    memcpy(import.table[kind], *slot, sizeof import.table[kind]);
    import.kinds++;
  }
  *slot = import.table[kind];
  return true;
}

bool js_table_set_rejected(JSContextRef global, void *function) {
  void **table = *js_table_of(global);
  for (int i = 0; i < import.kinds; i++)
    if (table == import.table[i]) {
      unsigned at = js_layout.table_rejected;
      table[at] = function != NULL ? function : import.original[i][at];
      return true;
    }
  return false;
}

bool js_table_set_queue(JSContextRef global, void *function, void **original) {
  if (js_layout.table_queue == 0 || !js_table_is_expected(global) || !take_over(global))
    return false;
  void **table = *js_table_of(global);
  *original = table[js_layout.table_queue];
  table[js_layout.table_queue] = function;
  return true;
}

/* What is imported stands in the third argument; the others (the engine's loader, parameters, where the code is from)
 * are of no use here. */
static JSValueRef on_import(JSContextRef global, void *loader, JSValueRef specifier) {
  (void)loader;
  JSValueRef error = NULL;
  JSValueRef promise = JSObjectCallAsFunction(global, import.importer, NULL, 1, &specifier, &error);
  if (error == NULL && promise != NULL && JSValueIsObject(global, promise))
    return promise;
  JSObjectRef reject = NULL;
  JSObjectRef failed = JSObjectMakeDeferredPromise(global, NULL, &reject, NULL);
  if (error != NULL && reject != NULL)
    JSObjectCallAsFunction(global, reject, NULL, 1, &error, NULL);
  return failed;
}

bool js_import_follow(JSContextRef global, JSObjectRef importer) {
  if (!js_uses(JS_USE_IMPORT))
    return false;
  if (!js_table_is_expected(global))
    return false;
  if (importer != NULL && importer != import.importer) {
    JSValueProtect(global, importer);
    import.importer = importer;
  }
  if (!take_over(global))
    return false;
  void **table = *js_table_of(global);
  table[js_layout.table_import] = (void *)(uintptr_t)on_import;
  return true;
}

int js_probe_import(JSGlobalContextRef context) {
  JSObjectRef importer =
      (JSObjectRef)js_check_evaluate(context, "seen = ''; ((name) => { seen += name; return Promise.resolve(5); })");
  if (importer == NULL || !js_import_follow(context, importer))
    return 51;
  js_check_evaluate(context, "new Function('n', 'return import(n)')('one').then((value) => { seen += value; });"
                             "(0, eval)('import(\"two\")'); 0");
  js_check_drain(context);
  JSValueRef value = js_check_evaluate(context, "seen === 'onetwo5'");
  return value != NULL && js_to_boolean(context, value) ? 0 : 52;
}
