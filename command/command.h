/* rota run, trace, stats, why, watch and doctor: run any program on librota, with an instrument switched on.
 *
 * The program replaces this process (exec), so that it has its own terminal, signals and exit code. The environment
 * makes it run on librota, and its children inherit that. */
#ifndef GRAFT_COMMAND_H
#define GRAFT_COMMAND_H

#include <stdbool.h>

/* Whether the arguments are such a command: argv[1] is its name. */
bool graft_is_command(int argc, char **argv);

/* Whether there is a command of this name, here or in JavaScript. */
bool graft_has_command(const char *name);

/* Whether a file of this name may be written for `option` (-o): its directory is there, and it is no script. If not, a
 * message says so; the command may be null. */
bool graft_may_write(const char *command, const char *option, const char *name);

/* The exit code. Only returns when the program was not started. */
int graft_command(int argc, char **argv);

#endif
