/* What `rota --help` and `rota help options` print, and the words around them. The first fits a screen of 24 lines with
 * 80 columns; `rota help COMMAND` and `rota help options` tell more. */
#ifndef GRAFT_HELP_H
#define GRAFT_HELP_H

#include <stdbool.h>

void graft_help_print(void);
void graft_help_print_options(void);

/* `rota help trcae` and `rota trcae -- node app.js` mean a command, and a message says which there are; a script of
 * that name is run as ./trcae. */
bool graft_help_is_mistaken(int argc, char **argv);

/* `rota help options`. */
bool graft_help_wants_options(int argc, char **argv);

/* `rota help trace` is `rota trace --help`, and `rota help` alone is `rota --help`. */
void graft_help_read_command(int *argc, char **argv);

#endif
