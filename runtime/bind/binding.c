/* internalBinding: a table of names, each binding made when first asked for. */
#include "runtime/bind/binding.h"

#include <string.h>

static const struct {
  const char *name;
  js_binding_maker make;
} makers[] = {
#include "runtime/binding_rows.h"
};

enum { MAKER_COUNT = sizeof makers / sizeof *makers };

JSObjectRef js_binding_get(struct js_env *env, const char *name) {
  for (size_t i = 0; i < MAKER_COUNT; i++)
    if (strcmp(makers[i].name, name) == 0)
      return makers[i].make(env); /* JavaScript keeps what it was given */
  return NULL;
}
