/* rota without the runtime: the commands for other programs, in a program that needs the C library alone. `make npm`
 * packs it, so that they work where the engine is missing.
 *
 * Those commands that are JavaScript (fuzz, timeline) are run by the Node in PATH. Scripts are run by the runtime, if
 * it stands beside this program and the system has its engine. Node and the runtime take the place of this process
 * (exec), so that signals, descriptors and exit codes are theirs. */
#ifndef GRAFT_ALONE_H
#define GRAFT_ALONE_H

#include <limits.h>
#include <stdbool.h>

/* What the user types to start this program: by npm and pnpm it is `npx rota-loop`. */
const char *alone_name(void);

/* Runs a command that is JavaScript. Returns the exit code if it could not be started. */
int alone_run_tool(int argc, char **argv);

/* Runs a script with the runtime. Returns the exit code if it could not be started. */
int alone_run_script(int argc, char **argv);

enum { ALONE_REASON_SIZE = 512 };

/* Whether the runtime can be started, and its path; if not, the reason, which follows the words "the runtime of rota".
 */
bool alone_find_runtime(char path[PATH_MAX], char reason[ALONE_REASON_SIZE]);

#endif
