/* The syntax of steering in the environment and on command lines: words separated by commas, name=value or name alone.
 */
#ifndef ROTA_SIM_SETTINGS_H
#define ROTA_SIM_SETTINGS_H

#include "rota.h"

/* "1", or from=DATE, grace=MS, by-hand. A date: 2026-01-31, 2026-01-31T12:30:00Z, or milliseconds since 1970.
 * UV_EINVAL. */
int rota__settings_of_time(const char *text, rota_virtual_time_options_t *options);
int rota__settings_of_seed(const char *text, uint64_t *seed);

#endif
