/* rota doctor: tells how a program would be run on librota, or why it cannot be.
 *
 * What the files do not tell, the graft itself does: the program is loaded with it and ends before its main begins. */
#ifndef GRAFT_DOCTOR_H
#define GRAFT_DOCTOR_H

#include "graft/command/program.h"

/* Prints. 0: it can be reached; else the exit code. */
int graft_doctor(struct program *program, const struct program_paths *paths);

#endif
