/* The command `rota`: rota run, trace, stats, why, watch and doctor run any program on librota, with an instrument
 * switched on; rota attach asks one that runs already. fuzz and timeline are programs in JavaScript, which build on
 * these.
 *
 * The program replaces this process (exec), so that it has its own terminal, signals and exit code. The environment
 * makes it run on librota, and its children inherit that. */
#ifndef ROTA_COMMAND_COMMAND_H
#define ROTA_COMMAND_COMMAND_H

#include <stdbool.h>

enum { COMMAND_BAD_USAGE = 9, COMMAND_NOT_REACHED = 1, COMMAND_NOT_STARTED = 126 }; /* exit codes */

enum command_kind {
  COMMAND_NONE, /* the arguments are options and a script */
  COMMAND_HERE, /* command_run runs it */
  COMMAND_TOOL  /* in JavaScript: command/tools */
};

/* What the arguments ask for: argv[1] is the name of a command, or it is not. */
enum command_kind command_kind(int argc, char **argv);

/* The exit code. Only returns when the program was not started. */
int command_run(int argc, char **argv);

/* ---- descriptor.c ---- */

/* Opens /dev/null for each of the descriptors 0 to 2 that is closed, as Node does at its start: called first. Children
 * and programs that take the place of this one get it, too, or find the descriptor closed, as without rota. False: it
 * cannot be opened, and a message says so. */
bool command_open_standard(bool for_children);
/* A process that waits for a program keeps none of the program's descriptors but 0 to 2, and these two; -1: none. */
void command_close_all_but(int first, int second);

/* ---- start.c ---- */

/* Whether a file of this name may be written for `option` (-o): its directory is there, and it is no script. If not, a
 * message says so; the command may be null. */
bool command_may_write(const char *command, const char *option, const char *name);

/* ---- help.c: what `rota --help` and `rota help options` print ---- */

void command_help_print(void);
void command_help_print_options(void);

/* `rota help trcae` and `rota trcae -- node app.js` mean a command, and a message says which; a script of that name is
 * run as ./trcae. */
bool command_help_is_mistaken(int argc, char **argv);

/* `rota help options`. */
bool command_help_wants_options(int argc, char **argv);

/* `rota help trace` is `rota trace --help`, and `rota help` alone is `rota --help`. */
void command_help_read(int *argc, char **argv);

#endif
