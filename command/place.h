/* Where this program stands, and what stands beside it. */
#ifndef GRAFT_PLACE_H
#define GRAFT_PLACE_H

#include <limits.h>
#include <stdbool.h>

#include "command/program.h"

/* The directory of this program, with all links followed. */
bool graft_own_directory(char directory[PATH_MAX]);

/* Our libraries. False: they are not there. */
bool graft_find_libraries(struct program_paths *paths);

#endif
