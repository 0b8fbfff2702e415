#include "runtime/order/steer.h"

#include <rota.h>
#include <stdlib.h>

static const enum rota_setting settings[] = {ROTA_SETTING_VIRTUAL_TIME,     ROTA_SETTING_SCHEDULE_SEED,
                                             ROTA_SETTING_SCHEDULE_RECORD,  ROTA_SETTING_SCHEDULE_REPLAY,
                                             ROTA_SETTING_SCHEDULE_WITHOUT, ROTA_SETTING_SCHEDULE_FAULTS};

enum { SETTINGS = sizeof settings / sizeof *settings };

void js_steer_begin(const struct js_options *options) {
  for (int i = 0; i < SETTINGS; i++)
    if (options->settings[settings[i]] != NULL)
      setenv(rota__settings[settings[i]].variable, options->settings[settings[i]], 1);
}

int js_steer_begun(const struct js_options *options) {
  const char *time = options->settings[ROTA_SETTING_VIRTUAL_TIME];
  unsigned wanted = 0;
  for (int i = 0; i < SETTINGS; i++)
    if (options->settings[settings[i]] != NULL)
      unsetenv(rota__settings[settings[i]].variable);
  if (time != NULL && (time[0] != '0' || time[1] != 0))
    wanted |= ROTA_STEER_TIME;
  if (options->settings[ROTA_SETTING_SCHEDULE_SEED] != NULL || options->settings[ROTA_SETTING_SCHEDULE_REPLAY] != NULL)
    wanted |= ROTA_STEER_SCHEDULE;
  /* Math.random must be the same in each run, too. The engine reads this when it is made. */
  if (rota_steering() & ROTA_STEER_SCHEDULE) {
    setenv("JSC_forceWeakRandomSeed", "1", 1);
    setenv("JSC_forcedWeakRandomSeed", "2654435769", 1);
  }
  return (rota_steering() & wanted) == wanted ? 0 : 9; /* the error was printed */
}

void js_steer_attached(void) {
  if (rota_steering() & ROTA_STEER_SCHEDULE) {
    unsetenv("JSC_forceWeakRandomSeed");
    unsetenv("JSC_forcedWeakRandomSeed");
  }
}
