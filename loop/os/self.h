/* What this process knows of itself.
 * As everywhere in loop/os: a result >= 0, or a negated errno; interrupted calls are repeated. */
#ifndef ROTA_OS_SELF_H
#define ROTA_OS_SELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The arguments that this process was started with, each with its NUL, and a NUL behind what was cut off. Returns the
 * length. */
ssize_t rota__os_command_line(char *buffer, size_t size);
/* The same of another process, if the system tells it: an ended one has none. */
ssize_t rota__os_command_line_of(int process_id, char *buffer, size_t size);
/* The path of this process's program, without a NUL, cut off where it does not fit. */
ssize_t rota__os_program_path(char *buffer, size_t size);

/* Null if the variable is not set, or if the program was started with more rights than its user has. */
const char *rota__os_trusted_environment(const char *name);
const char *rota__os_program_name(void); /* without its directory */

/* This process's number. */
int rota__os_process_id(void);
/* When this process was made, by the monotonic clock, or up to 10 ms earlier; UINT64_MAX: nobody knows. It may have
 * become another program since then. */
uint64_t rota__os_process_begun_ns(void);

/* A new block from malloc, without a slash at the end but for the root. */
int rota__os_working_directory(char **path);

/* Calls the function when the process ends by exit or by a return from main, while its other threads still run. There
 * is room for a few such functions. */
int rota__os_at_exit(void (*function)(void));

/* The process ends, and the system has ended all other threads already, wherever they were: nobody can wait for them.
 */
bool rota__os_threads_are_gone(void);

#endif
