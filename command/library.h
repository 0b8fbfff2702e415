/* What the commands ask librota itself. The runtime has it linked in (library.c); the program without the runtime loads
 * the one beside it (alone/library.c). */
#ifndef GRAFT_LIBRARY_H
#define GRAFT_LIBRARY_H

#include <stdbool.h>

enum { GRAFT_BACKEND_SIZE = 32 };

/* Whether the environment asks for virtual time. If its settings are wrong, the library prints what is. */
bool graft_library_steers_time(void);

/* What the loops of a program will wait with. False: that is not known. */
bool graft_library_backend(char name[GRAFT_BACKEND_SIZE]);

#endif
