/* What the library reads of the environment. The commands read values of options, and need nothing of this. */
#include "loop/os/process.h"
#include "settings/setting.h"

const char *rota__setting_text(enum rota_setting setting) {
  const char *value = rota__os_trusted_environment(rota__settings[setting].variable);
  return value == NULL || value[0] == '\0' ? NULL : value;
}

const char *rota__setting_value(enum rota_setting setting) {
  const char *value = rota__setting_text(setting);
  return value != NULL && value[0] == '0' && value[1] == '\0' ? NULL : value;
}

unsigned long long rota__setting_number(enum rota_setting setting) {
  const char *value = rota__setting_value(setting);
  unsigned long long number;
  if (value == NULL)
    return 0;
  if (rota__setting_read_number(setting, value, &number))
    return number;
  rota__setting_refuse(setting, (struct rota_given){.name = rota__settings[setting].variable, .text = value});
  return 0;
}
