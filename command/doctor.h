/* rota doctor: tells how a program would be run on librota, or why it cannot be.
 *
 * What cannot be read from the files, the graft reports: the program is loaded with it and ends before main. */
#ifndef GRAFT_DOCTOR_H
#define GRAFT_DOCTOR_H

#include "command/program.h"

/* Prints. 0: it can be reached; else the exit code. */
int graft_doctor(struct program *program, const struct program_paths *paths);

#endif
