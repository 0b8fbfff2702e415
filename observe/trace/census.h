/* The census of a loop: how many handles of each type it has, where most of them were made, how much memory the
 * process has, and, as long as there are few handles, the list of what keeps the loop alive. For tools that look for
 * what grows and for what is left (`rota diagnose`).
 *
 * The thread that writes the trace asks for it, and the loop's own thread counts, when it returns from a wait: handles
 * belong to that thread. A census that took long comes rarely, and so does one that finds what the last one found: at
 * most a hundredth of the time is spent. Only the default loop of one process is counted. */
#ifndef ROTA_TRACE_CENSUS_H
#define ROTA_TRACE_CENSUS_H

#include "observe/trace/tracer.h"

/* From now on, into a new file of this name, as text. Returns 0 or an error. */
int rota__census_start(const char *path);
/* On the thread that writes the trace: asks the loop for a census if one is due. */
void rota__census_look(void);
/* On the loop's thread. */
void rota__census_take(const struct rota_tracer *tracer);

#endif
