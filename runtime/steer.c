#include "steer.h"

#include <rota.h>
#include <stdlib.h>

enum { SETTINGS = 1 };

/* Each option has its variable; null: it was not given. */
static const char *setting_of(const struct rota_options *options, int i, const char **variable) {
  static const char *const variables[SETTINGS] = {"ROTA_VIRTUAL_TIME"};
  const char *const values[SETTINGS] = {options->virtual_time};
  *variable = variables[i];
  return values[i];
}

void rota_steer_begin(const struct rota_options *options) {
  const char *variable, *value;
  for (int i = 0; i < SETTINGS; i++)
    if ((value = setting_of(options, i, &variable)) != NULL)
      setenv(variable, value, 1);
}

int rota_steer_begun(const struct rota_options *options) {
  const char *variable;
  for (int i = 0; i < SETTINGS; i++)
    if (setting_of(options, i, &variable) != NULL)
      unsetenv(variable);
  /* What was wrong with it has been said. */
  return options->virtual_time != NULL && !(rota_steering() & ROTA_STEER_TIME) ? 9 : 0;
}
