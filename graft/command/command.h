/* rota run, trace, stats, why, watch and doctor: a program of somebody else on librota, with an instrument switched on.
 *
 * The program takes this process's place (exec), so that its terminal, its signals and its exit code are its own. What
 * it needs to be on librota is in the environment, which its children inherit. */
#ifndef GRAFT_COMMAND_H
#define GRAFT_COMMAND_H

#include <stdbool.h>

/* Whether the arguments are such a command: argv[1] is its name. */
bool graft_is_command(int argc, char **argv);

/* The exit code. Only returns when the program was not started. */
int graft_command(int argc, char **argv);

#endif
