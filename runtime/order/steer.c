#include "runtime/order/steer.h"

#include <rota.h>
#include <stdlib.h>

enum { SETTINGS = 6 };

/* Each option has its variable; null: it was not given. */
static const char *setting_of(const struct js_options *options, int i, const char **variable) {
  static const char *const variables[SETTINGS] = {"ROTA_VIRTUAL_TIME",     "ROTA_SCHEDULE_SEED",
                                                  "ROTA_SCHEDULE_RECORD",  "ROTA_SCHEDULE_REPLAY",
                                                  "ROTA_SCHEDULE_WITHOUT", "ROTA_SCHEDULE_FAULTS"};
  const char *const values[SETTINGS] = {options->virtual_time,    options->schedule_seed,    options->schedule_record,
                                        options->schedule_replay, options->schedule_without, options->schedule_faults};
  *variable = variables[i];
  return values[i];
}

void js_steer_begin(const struct js_options *options) {
  const char *variable, *value;
  for (int i = 0; i < SETTINGS; i++)
    if ((value = setting_of(options, i, &variable)) != NULL)
      setenv(variable, value, 1);
}

int js_steer_begun(const struct js_options *options) {
  const char *variable;
  unsigned wanted = 0;
  for (int i = 0; i < SETTINGS; i++)
    if (setting_of(options, i, &variable) != NULL)
      unsetenv(variable);
  if (options->virtual_time != NULL && (options->virtual_time[0] != '0' || options->virtual_time[1] != 0))
    wanted |= ROTA_STEER_TIME;
  if (options->schedule_seed != NULL || options->schedule_replay != NULL)
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
