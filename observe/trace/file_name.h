/* Names of trace files: one for each process, and for each program that a process was.
 *
 * A process that becomes another program (execve) keeps its number and its environment. The trace of the program that
 * it was before must not be overwritten. */
#ifndef ROTA_TRACE_FILE_NAME_H
#define ROTA_TRACE_FILE_NAME_H

#include <stdbool.h>
#include <stddef.h>

enum { ROTA_TRACE_NAME_SIZE = 4096 };

/* "%p" in a name is the process id, "%n" this number; -ENAMETOOLONG. Without "%p", add_process appends it. */
int rota__trace_path(char *path, size_t size, const char *pattern, unsigned int number, bool add_process);
/* Whether the file is a trace that this process has written, as another program. */
bool rota__trace_was_written(const char *path);
/* The name in ROTA_TRACE, or in the room, for this process; null: null was given. */
const char *rota__trace_name_for_process(const char *trace, char room[ROTA_TRACE_NAME_SIZE]);

#endif
