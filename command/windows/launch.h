/* Starting a program on Windows, and waiting for it: there is no exec. This process passes its handles on, leaves
 * Ctrl-C to the program, and ends with the program's exit code. The program is ended if this process is killed; what it
 * starts itself is its own affair. */
#ifndef ROTA_COMMAND_WINDOWS_LAUNCH_H
#define ROTA_COMMAND_WINDOWS_LAUNCH_H

#include "uv.h"
#include <stdbool.h>

enum { LAUNCH_PATH_UNITS = 32768 };

struct launch {
  WCHAR *program; /* null: there is none of this name */
  WCHAR *line;    /* the command line */
  bool is_script; /* a .cmd or .bat file, which the system's shell runs */
};

/* Finds the program in PATH, or where its name says, and makes the command line. False: a message says why it cannot be
 * started. */
bool launch_prepare(struct launch *launch, const char *command, char *const *arguments);
void launch_release(struct launch *launch);

/* Starts it, with rota-graft.dll loaded into it if there is a path for it, and waits. False: it was not started, and a
 * message says why. */
bool launch_run(const struct launch *launch, const char *command, const WCHAR *graft, DWORD *code);

/* The full path of a file beside this program, or below its directory, for free(); null: it is not there. */
WCHAR *launch_own_file(const WCHAR *name);

/* The name of a program without its folder, in UTF-8. */
void launch_name(const struct launch *launch, char *name, int size);

#endif
