/* Environment variables. As with the C library, another thread must not change them at the same time. */
#include <stdlib.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/base/text.h"
#include "loop/os/host.h"
#include "loop/os/process.h"
#include "uv.h"

int uv_os_environ(uv_env_item_t **envitems, int *count) {
  *envitems = NULL;
  *count = 0;
  char **environment = rota__os_environment();
  size_t variables = 0;
  if (environment != NULL)
    while (environment[variables] != NULL)
      variables++;

  uv_env_item_t *items = rota__calloc(variables + 1, sizeof(*items));
  if (items == NULL)
    return UV_ENOMEM;
  int kept = 0;
  for (size_t i = 0; i < variables; i++) {
    char *name = rota__strdup(environment[i]);
    if (name == NULL) {
      uv_os_free_environ(items, kept);
      return UV_ENOMEM;
    }
    char *equals = strchr(name, '=');
    if (equals == NULL) { /* an entry that is not a variable */
      rota__free(name);
      continue;
    }
    *equals = '\0';
    items[kept++] = (uv_env_item_t){.name = name, .value = equals + 1};
  }
  *envitems = items;
  *count = kept;
  return 0;
}

void uv_os_free_environ(uv_env_item_t *envitems, int count) {
  for (int i = 0; i < count; i++)
    rota__free(envitems[i].name); /* and its value, which is in the same block */
  rota__free(envitems);
}

int uv_os_getenv(const char *name, char *buffer, size_t *size) {
  if (name == NULL || buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  const char *value = getenv(name);
  if (value == NULL)
    return UV_ENOENT;
  return rota__text_give(value, strlen(value), buffer, size);
}

int uv_os_setenv(const char *name, const char *value) {
  if (name == NULL || value == NULL)
    return UV_EINVAL;
  return rota__os_setenv(name, value);
}

int uv_os_unsetenv(const char *name) {
  if (name == NULL)
    return UV_EINVAL;
  return rota__os_unsetenv(name);
}
