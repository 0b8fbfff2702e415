/* What is checked before a program is started: it may run for hours, and a mistake in the command would be seen late.
 * Each function prints what is wrong and what to do. */
#ifndef GRAFT_CHECK_H
#define GRAFT_CHECK_H

#include <stdbool.h>

/* Whether an option NAME[=number] may have this value: a whole number from 1 to `most`. */
bool graft_check_number(const char *command, const char *option, const char *value, unsigned long most,
                        const char *unit);

/* Whether the settings of --virtual-time are right, which are in the environment by now. */
bool graft_check_time(const char *command, const char *settings);

/* Why there is no program of this name. */
void graft_check_missing(const char *command, const char *name);

#endif
